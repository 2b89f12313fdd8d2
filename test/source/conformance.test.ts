import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectSource } from "../../src/source/detect.js";
import { openFile, readHead } from "../../src/source/file.js";
import { findSource, SOURCES } from "../../src/source/registry.js";
import type { ReadOptions, Source, SourceItem } from "../../src/source/source.js";
import { collect, pieces, splitAt } from "./support.js";

/** `fixtures/sources/<source>/<file>` beside `<file>.expected.json`: the items without their hints. */
interface Expected {
  readonly map: Record<string, string>;
  readonly items: readonly object[];
}

const ROOT = new URL("../../fixtures/sources/", import.meta.url).pathname;
const ENDING = ".expected.json";

/** Small files are split at every byte, larger ones at this many. */
const SMALL = 1300;
const SPLITS = 150;

interface Fixture {
  readonly file: string;
  readonly path: string;
  readonly bytes: Buffer;
  readonly expected: Expected;
  readonly options: ReadOptions;
}

function fixturesOf(source: Source): Fixture[] {
  const names = readdirSync(`${ROOT}${source.name}`).filter((name) => name.endsWith(ENDING));
  return names.map((name) => {
    const file = name.slice(0, -ENDING.length);
    const path = `${ROOT}${source.name}/${file}`;
    const expected: Expected = JSON.parse(readFileSync(`${path}${ENDING}`, "utf8"));
    const options = { map: new Map(Object.entries(expected.map)) };
    return { file, path, bytes: readFileSync(path), expected, options };
  });
}

function withoutHints(items: readonly SourceItem[]): object[] {
  return items.map((item) => {
    if (item.kind === "record") return item;
    const { hint: _hint, ...rest } = item;
    return rest;
  });
}

describe.each(SOURCES.map((source) => [source.name, source] as const))("%s", (name, source) => {
  const fixtures = fixturesOf(source);

  test("has an export of at least 20 users to show", () => {
    expect(Math.max(...fixtures.map(({ expected }) => expected.items.length))).toBeGreaterThan(19);
    expect(findSource(name)).toBe(source);
  });

  describe.each(fixtures.map((fixture) => [fixture.file, fixture] as const))("%s", (_file, f) => {
    test("gives the expected records and rejects under their numbers", async () => {
      const items = await collect(source.read(f.path, openFile(f.path), f.options));
      expect(withoutHints(items)).toEqual(f.expected.items);
      for (const item of items) if (item.kind !== "record") expect(item.hint).not.toMatch(/@|\$2/);
    });

    test.each([1, 2, 3, 7, 64, 1000])("gives the same in pieces of %i bytes", async (size) => {
      const items = await collect(source.read(f.path, pieces(f.bytes, size), f.options));
      expect(withoutHints(items)).toEqual(f.expected.items);
    });

    test("gives the same wherever the bytes are split", async () => {
      const reads = async (position: number): Promise<void> => {
        const items = await collect(source.read(f.path, splitAt(f.bytes, position), f.options));
        expect(withoutHints(items)).toEqual(f.expected.items);
      };
      if (f.bytes.length <= SMALL) for (let at = 0; at <= f.bytes.length; at++) await reads(at);
      else {
        const position = fc.integer({ min: 0, max: f.bytes.length });
        await fc.assert(fc.asyncProperty(position, reads), { numRuns: SPLITS });
      }
    });

    test("closes its input when nobody reads on", async () => {
      let closed = false;
      async function* endless(): AsyncGenerator<Buffer> {
        try {
          yield f.bytes;
          for (;;) yield Buffer.alloc(8192, "\n");
        } finally {
          closed = true;
        }
      }
      for await (const batch of source.read(f.path, endless(), f.options)) {
        if (batch.length > 0) break;
      }
      expect(closed).toBe(true);
    });

    test("is recognized as this source's and nobody else's, unless --map is needed", async () => {
      const head = await readHead(f.path);
      if (f.options.map.size > 0) expect(source.recognize(head)).toBeNull();
      else {
        expect(detectSource(head).source.name).toBe(name);
        expect(SOURCES.filter((other) => other.recognize(head) !== null)).toEqual([source]);
      }
    });
  });
});
