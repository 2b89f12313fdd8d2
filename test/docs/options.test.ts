import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadVerbs } from "../../src/cli/program.js";
import { ROOT } from "../laws/source-files.js";
import { withLists } from "./support/option-tables.js";

const VERBS = await loadVerbs();

it.each(["docs/options.md", "docs/report.md"])(
  "the lists of %s are what the options say (else: npm run docs:options)",
  async (page) => {
    const path = join(ROOT, page);
    await expect(withLists(readFileSync(path, "utf8"), VERBS)).toMatchFileSnapshot(path);
  },
);

it("docs/options.md and docs/report.md have a list of every command", () => {
  const pages = ["docs/options.md", "docs/report.md"].map((page) =>
    readFileSync(join(ROOT, page), "utf8"),
  );
  const marks = pages.join().matchAll(/<!--options: ([\w, -]+)-->/g);
  const names = [...marks].flatMap(([, list = ""]) => list.split(", "));
  expect(names).toEqual(expect.arrayContaining([...VERBS.keys(), "every command", "variables"]));
});
