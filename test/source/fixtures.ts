/** The exports in `fixtures/sources/<source>/`, each beside `<file>.expected.json`: its items without their hints. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { ReadOptions, Source, SourceItem } from "../../src/source/source.js";
import { collect } from "./support.js";

interface Expected {
  /** As `--map` gives it. */
  readonly map: Record<string, string>;
  readonly items: readonly Item[];
  /** Of a system's: how many users keep their password, how many the bridge lets in, and the rest. */
  readonly import?:
    | { readonly passwords: number; readonly bridged: number; readonly others: string }
    /** The code of what ends it. */
    | { readonly stops: string };
}

/** An item as an expectation has it. */
export interface Item {
  readonly kind: string;
  readonly number: number;
  readonly record?: unknown;
}

export interface Fixture {
  readonly file: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly expected: readonly Item[];
  readonly options: ReadOptions;
  /** What an import of it comes to. */
  readonly imported: Expected["import"];
}

const ROOT = new URL("../../fixtures/sources/", import.meta.url).pathname;
/** When the fixtures are read. */
const NOW = Date.UTC(2026, 0, 1);
const ENDING = ".expected.json";

/** None where the source has no folder. */
export function fixturesOf(source: Source): Fixture[] {
  const folder = `${ROOT}${source.name}`;
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(ENDING));
  return names.map((name) => {
    const file = name.slice(0, -ENDING.length);
    const path = `${ROOT}${source.name}/${file}`;
    const expected: Expected = JSON.parse(readFileSync(`${path}${ENDING}`, "utf8"));
    const map = new Map(Object.entries(expected.map));
    const options = { map, now: NOW, keepsAccount: saysAccounts(expected) ? "all" : null } as const;
    const { items, import: imported } = expected;
    return { file, path, bytes: readFileSync(path), expected: items, options, imported };
  });
}

/** Whether it was written by `check-source`, which writes the accounts' other parts, too. */
function saysAccounts({ items }: Expected): boolean {
  return items.some((item) => "record" in item && "account" in Object(item.record));
}

/** What a source makes of some bytes, without hints. */
export async function itemsOf(
  source: Source,
  { path, options }: Fixture,
  bytes: AsyncIterable<Buffer>,
): Promise<Item[]> {
  return withoutHints(await collect(source.read(path, bytes, options)));
}

/** Lines are held by lines.test.ts. */
function withoutHints(items: readonly SourceItem[]): Item[] {
  return items.map(({ line: _line, ...read }) => {
    // The keys by which objects find each other; the tests of the join look at them.
    const { seeks: _seeks, listed: _listed, ...item } = { seeks: [], listed: [], ...read };
    if (item.kind === "record") {
      // Every email's capitals and what people are told; the tests of both look at them.
      const { emailAsWritten: _asWritten, because: _because, account, ...record } = item.record;
      return {
        ...item,
        record: account === undefined ? record : { ...record, account: account() },
      };
    }
    const { hint: _hint, ...rest } = item;
    return "related" in rest ? JSON.parse(JSON.stringify(rest)) : rest;
  });
}
