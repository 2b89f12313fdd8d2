/** The exports in `fixtures/sources/<source>/`, each beside `<file>.expected.json`: its items without their hints. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { ReadOptions, Source, SourceItem } from "../../src/source/source.js";
import { collect } from "./support.js";

interface Expected {
  /** As `--map` gives it. */
  readonly map: Record<string, string>;
  readonly items: readonly Item[];
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
    const options = { map: new Map(Object.entries(expected.map)), now: NOW };
    return { file, path, bytes: readFileSync(path), expected: expected.items, options };
  });
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
  return items.map(({ line: _line, ...item }) => {
    if (item.kind === "record") {
      // Every email's capitals and what people are told; the tests of both look at them.
      const { emailAsWritten: _asWritten, because: _because, ...record } = item.record;
      return { ...item, record };
    }
    const { hint: _hint, ...rest } = item;
    return rest;
  });
}
