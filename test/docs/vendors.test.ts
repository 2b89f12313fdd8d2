import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeOf, fieldsOf } from "../../src/source/fields/field-table.js";
import type { RawHash } from "../../src/hash/hash.js";
import { verdictWithBridge } from "../../src/hash/legacy/kept-hash.js";
import { normalizeHash } from "../../src/hash/normalize.js";
import { UPSTREAMS } from "../../src/hash/legacy/kept-password.js";
import { findSource, SOURCES } from "../../src/source/registry.js";
import { ROOT, sourceFiles } from "../laws/source-files.js";
import { fixturesOf } from "../source/fixtures.js";
import { blocksOf, pageText } from "./support/blocks.js";

const NAMES = SOURCES.map(({ name }) => name);
const CODE = sourceFiles()
  .map(({ code }) => code)
  .join("\n");
/** Codes that are put together from parts are whole there. */
const HASHES = pageText("docs/hashes.md");

function page(name: string): string {
  return pageText(`docs/vendors/${name}.md`);
}

function section(text: string, heading: string): string {
  const from = text.indexOf(`\n## ${heading}\n`);
  return from < 0 ? "" : (text.slice(from + 1).split("\n## ")[0] ?? "");
}

/** A guide's title and what it says of hashes in its first line. */
function guideOf(name: string): { readonly title: string; readonly hashes: string } {
  const [, title = "", hashes = ""] =
    /^# (.+)\n\nFor the .+? Hashes: (.+)\.\n/.exec(page(name)) ?? [];
  return { title, hashes };
}

/** What moves from where at a glance: the start of what the guide says of hashes, which of a vendor's formats the bridge verifies, and what the fields' table has a place for. */
function glanceRows(): string[] {
  const rows = SOURCES.map(({ name, fields, generic }) => {
    const { title, hashes } = guideOf(name);
    const start = hashes.replace(/(?:;|,(?! \w+ and )).*$/, "");
    const link = `[${title}](${name}.md)`;
    // Of a file of no system all of it may be said by --map.
    if (generic) return `| ${link} | ${start} |+|+|+|+|`;
    const fates = fields.flatMap(({ table }) => fieldsOf(table)).map(({ fate }) => fate);
    const parts = new Set(fates.map((fate) => (fate.kind === "part" ? fate.is : null)));
    // It has them among the credentials that hold its hashes.
    if (name === "keycloak") parts.add("totp");
    const marks = [saysVerified(name), parts.has("social"), parts.has("totp")];
    const bridge = bridgeOf(name, title) || (isKept(name) ? "+" : "");
    const row = [bridge, ...marks.map((is) => (is ? "+" : ""))];
    return `| ${link} | ${start} |${row.join("|")}|`;
  });
  return [
    "| from | hashes | bridge | verified | social | TOTP |",
    "|---|---|---|---|---|---|",
    ...rows,
  ];
}

/** Whether any user of the fixtures has an email that is known to be verified. */
function saysVerified(name: string): boolean {
  const source = findSource(name);
  const items = source === null ? [] : fixturesOf(source).flatMap(({ expected }) => expected);
  return items.some((item) => /"email":\{[^}]*"verified":true/.test(JSON.stringify(item)));
}

/** Whose hashes the bridge verifies: lines that say so, and formats that a proof verifies, but for those that their page excepts. */
function bridgedOwners(): string[] {
  const proved = section(HASHES, "Formats that a proof verifies");
  const excepted = /all but (.*)\./.exec(proved)?.[1]?.split(", ") ?? [];
  const lines = [...HASHES.matchAll(/^- (`.*?): (.*)$/gm)];
  return lines
    .filter(([line, codes = ""]) => {
      const isProved = proved.includes(line) && !excepted.includes(codes);
      return isProved || codes.includes("*bridged*");
    })
    .map(([, , whose = ""]) => whose);
}

/** Whether hashes of its own are among the formats that are bridged, or its sign-in is asked. */
function bridgeOf(name: string, title: string): string {
  const [word = ""] = title.split(/[ (,]/);
  const isBridged = [word, name].some((own) => {
    const named = new RegExp(`(?<![\\w.])${own}\\b`, "i");
    return bridgedOwners().some((whose) => named.test(whose));
  });
  return isBridged ? "+" : UPSTREAMS.some((one) => one === name) ? "asks" : "";
}

/** Whether the bridge verifies hashes that the vendor makes, or any of its fixtures. */
function isKept(name: string): boolean {
  if (bridgeOf(name, guideOf(name).title) === "+") return true;
  const source = findSource(name);
  const items = source === null ? [] : fixturesOf(source).flatMap(({ expected }) => expected);
  return items.some(({ record }) => {
    const hash = (record as { hash?: RawHash | null } | undefined)?.hash ?? null;
    const verdict = hash === null ? null : verdictWithBridge(hash, normalizeHash(hash), name);
    return verdict?.verdict === "refused" && verdict.hint.includes("--on-unusable-hash bridge");
  });
}

/** A vendor's fields, and the codes by which they are told. */
function ownWords(name: string): Set<string | null> {
  const sources = SOURCES.filter((source) => source.name === name);
  const fields = sources.flatMap((source) => source.fields).flatMap(({ table }) => fieldsOf(table));
  return new Set(fields.flatMap(({ path, fate }) => [codeOf(fate), ...path.split(/\W+/)]));
}

it("docs/vendors/README.md lists the guides as they call themselves (else: npm run docs:vendors)", async () => {
  const path = join(ROOT, "docs/vendors/README.md");
  const rows = glanceRows().join("\n");
  const table = /(?<=<!-- guides -->\n)(?:\|.*\n)+/;
  const text = readFileSync(path, "utf8").replace(table, `${rows}\n`);
  expect(text).toContain(rows);
  await expect(text).toMatchFileSnapshot(path);
});

describe("the guides", () => {
  it("are one for each source, and their list names all", () => {
    const files = readdirSync(join(ROOT, "docs/vendors")).map((file) => file.replace(/\.md$/, ""));
    expect(files.filter((name) => name !== "README").sort()).toEqual([...NAMES].sort());
    const list = page("README");
    expect(NAMES.filter((name) => !list.includes(`](${name}.md)`))).toEqual([]);
  });

  it.each(NAMES)(
    "%s: says how to export, what to type, and what is special in what arrives and what stays",
    (name) => {
      const text = page(name);
      const headings = text.match(/^## .*/gm) ?? [];
      const order = headings.filter((heading) => /^## (?:Export|Validate|What )/.test(heading));
      const typed = order.find((heading) =>
        /^## Validate(?:, prove, import| and import)$/.test(heading),
      );
      expect(order).toEqual(["## Export", typed, "## What arrives and what stays"]);
      expect(section(text, "What arrives and what stays")).toContain("](README.md#every-export)");
    },
  );

  it.each(NAMES)("%s: validates before it imports, and proves where there are hashes", (name) => {
    const typed = blocksOf(name, page(name))
      .filter(({ language, directive }) => language === "sh" && directive.skip === "")
      .map(({ text }) => text)
      .join("\n");
    const verbs = [...typed.matchAll(/^auth-migrate (\w+)/gm)].map(([, verb]) => verb);
    const expected = /prove, import/.test(page(name))
      ? ["validate", "prove", "import"]
      : ["validate", "import"];
    expect(verbs.slice(0, expected.length)).toEqual(expected);
  });

  it.each(NAMES)("%s: goes on with the file that its export has written", (name) => {
    const written = blocksOf(name, section(page(name), "Export")).flatMap(({ text }) =>
      [...text.matchAll(/(?:> |to '|--out(?:put)? )([\w-]+\.\w+)/g)].map(([, file]) => file),
    );
    const [, typed = ""] = /\nauth-migrate validate (\S+)/.exec(page(name)) ?? [];
    if (written.length > 0) expect(written).toContain(typed);
  });

  it.each(NAMES)("%s: names no code that nobody says", (name) => {
    const tables = section(page(name), "What arrives and what stays");
    const codes = [...tables.matchAll(/`([a-z]+(?:_[a-z0-9]+)+)`/g)].flatMap(
      ([, code]) => code ?? [],
    );
    const own = ownWords(name);
    const unsaid = codes.filter(
      (code) =>
        !new RegExp(`\\b${code}\\b`).test(CODE) &&
        !HASHES.includes(`\`${code}\``) &&
        !own.has(code),
    );
    expect(unsaid).toEqual([]);
  });

  it.each(NAMES)(
    "%s: has the bridge's way for passwords that no core takes, before others",
    (name) => {
      const text = page(name);
      const first = text.indexOf("--on-unusable-hash bridge");
      const ways = [
        ...(isKept(name) ? ["--on-unusable-hash bridge", "](../bridge.md"] : []),
        ...(UPSTREAMS.some((one) => one === name) ? [`--upstream ${name}`, "](../bridge.md"] : []),
      ];
      expect(ways.filter((way) => !text.includes(way))).toEqual([]);
      const other = text.indexOf("--on-unusable-hash passwordless");
      if (isKept(name) && other >= 0) expect(first).toBeLessThan(other);
    },
  );

  it("name a page of the vendor's for what they say of its tools", () => {
    const own = ["csv"];
    const without = NAMES.filter(
      (name) => !own.includes(name) && !/\]\(https:\/\//.test(page(name)),
    );
    expect(without).toEqual([]);
  });
});
