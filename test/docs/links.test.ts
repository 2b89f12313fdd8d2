import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT, sourceFiles } from "../laws/source-files.js";
import { docPages } from "./support/blocks.js";
import { linksOf, withoutBlocks } from "./support/links.js";

const PAGES = [...docPages(), "SECURITY.md", "CONTRIBUTING.md"];

/** Anchors as GitHub makes them of headings. */
function anchorsOf(page: string): string[] {
  const headings = withoutBlocks(readFileSync(join(ROOT, page), "utf8")).match(/^#+ .*/gm) ?? [];
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

it("docs/hashes.md can be read: it has at most 40 KB", () => {
  expect(readFileSync(join(ROOT, "docs/hashes.md")).length).toBeLessThanOrEqual(40 * 1024);
});

it("every page of the docs says in its first line whom it is for", () => {
  const pages = PAGES.filter((page) => /^docs\//.test(page));
  const silent = pages.filter((page) => {
    const text = readFileSync(join(ROOT, page), "utf8").replace(/<!--[\s\S]*?-->/g, "");
    return !/^# .*\n+For the /.test(text);
  });
  expect(silent).toEqual([]);
});

it("the README can be read in one go: it has at most 10 KB", () => {
  expect(readFileSync(join(ROOT, "README.md")).length).toBeLessThanOrEqual(10_240);
});

describe("links", () => {
  it.each(PAGES)("of %s lead somewhere", (page) => {
    const links = linksOf(page);
    const dead = links.filter(
      ({ path, anchor }) =>
        !existsSync(join(ROOT, path)) || (anchor !== "" && !anchorsOf(path).includes(anchor)),
    );
    expect(dead).toEqual([]);
  });

  it("lead to every page from the map of the docs", () => {
    const mapped = [...linksOf("docs/README.md"), ...linksOf("docs/vendors/README.md")];
    const paths = mapped.map(({ path }) => path);
    const lost = docPages().filter((page) => !page.endsWith("README.md") && !paths.includes(page));
    expect(lost).toEqual([]);
  });

  it("of messages lead to pages, as help shows them", () => {
    const named = sourceFiles().flatMap(
      ({ text }) => text.match(/docs\/[\w/-]+\.md(?:#[\w-]+)?/g) ?? [],
    );
    const dead = named.filter((link) => {
      const [page = "", anchor] = link.split("#");
      const isThere = existsSync(join(ROOT, page));
      return !isThere || (anchor !== undefined && !anchorsOf(page).includes(anchor));
    });
    expect(named).toContain("docs/proof.md");
    expect(dead).toEqual([]);
  });

  it("of the README lead to the map", () => {
    expect(linksOf("README.md").map(({ path }) => path)).toContain("docs/README.md");
  });
});
