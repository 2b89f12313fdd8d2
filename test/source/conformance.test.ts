import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RunError } from "../../src/errors/run-error.js";
import { openFile, readHead } from "../../src/source/bytes/file.js";
import { builtInMappings } from "../../src/source/built-in-mappings.js";
import { detectSource } from "../../src/source/detect.js";
import { findSource, SOURCES } from "../../src/source/registry.js";
import { type Fixture, fixturesOf, type Item, itemsOf } from "./fixtures.js";
import { collect, pieces, splitAt } from "./support.js";
import { repeated } from "../support/repeated.js";

const BOM = Buffer.from("\uFEFF");

/** Small files are split at every byte, larger ones at this many. */
const SMALL = 500;
const SPLITS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 3, full: 10 });

/** What is read is larger than a reader's heap may grow, and would take even more as users. */
const MEGABYTES = repeated({ variable: "AUTH_MIGRATE_READ_MEGABYTES", few: 0, full: 16 });
/** All mappings are read by the same code. */
const MAPPED = new Set(builtInMappings().map(({ name }) => name));
const megabytesOf = (name: string): number => (MAPPED.has(name) ? MEGABYTES / 4 : MEGABYTES);
const HEAP_MEGABYTES = 32;
/** What is alive for a moment doesn't count, as while V8 compiles. */
const GROWTH_BYTES = 1024 * 1024;
const OUTSIDE_BYTES = 12 * 1024 * 1024;
const READ_REPEATED = new URL("read-repeated.mjs", import.meta.url).pathname;

/** Every position of a small file, some of a large one. */
async function atPositions(
  { bytes }: Fixture,
  check: (position: number) => Promise<void>,
): Promise<void> {
  if (bytes.length <= SMALL) for (let at = 0; at <= bytes.length; at++) await check(at);
  else {
    const position = fc.integer({ min: 0, max: bytes.length });
    await fc.assert(fc.asyncProperty(position, check), { numRuns: SPLITS });
  }
}

function isJson({ bytes }: Fixture): boolean {
  return /^\s*[[{]/.test(bytes.toString().replace(/^\uFEFF/, ""));
}

/** Users without their numbers: a row that was cut may be counted as several. */
function recordsIn(items: readonly Item[]): unknown[] {
  return items.flatMap((item) => (item.kind === "record" ? [item.record] : []));
}

/** One user a line, without a header: such a file can be put behind itself. */
function isBareLines(fixture: Fixture, name: string): boolean {
  const { file, bytes, expected } = fixture;
  const lines = bytes.toString().trim().split("\n").length;
  const isHeadless = isJson(fixture) || (name === "firebase" && file.endsWith(".csv"));
  const ends = bytes.at(-1) === 0x0a && expected.every(({ kind }) => kind !== "truncated");
  return isHeadless && ends && lines === expected.length;
}

/** Addresses and hashes of a file; a hint may show numbers as examples. */
function dataIn(bytes: Buffer): string[] {
  return bytes.toString().match(/[\w.+-]+@[\w-]+\.\w+|\$[\w$./,=+]{30,}/g) ?? [];
}

interface Repeated {
  readonly name: string;
  readonly rows: number;
  readonly outside: number;
  readonly growth: number;
}

/** What reading the largest fixture of each source took: one process reads them all, and says a line of each. */
function readAllRepeated(): AsyncIterator<string> {
  const exports = SOURCES.map((source) => {
    const [largest] = fixturesOf(source).sort(
      (one, other) => other.bytes.length - one.bytes.length,
    );
    if (largest === undefined) throw new Error(`${source.name} has no fixture`);
    return [source.name, largest.path, [...largest.options.map], megabytesOf(source.name)];
  });
  const flags = ["--expose-gc", `--max-old-space-size=${HEAP_MEGABYTES}`];
  const args = [...flags, READ_REPEATED, JSON.stringify(exports)];
  const { stdout } = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  return createInterface(stdout)[Symbol.asyncIterator]();
}

const lines = MEGABYTES > 0 ? readAllRepeated() : null;
const told = new Map<string, Repeated>();

/** Waits for the line of one source; undefined where the process ended before. */
async function readRepeated(name: string): Promise<Repeated | undefined> {
  while (!told.has(name)) {
    const line = await lines?.next();
    if (line === undefined || line.done === true) break;
    const read: Repeated = JSON.parse(line.value);
    told.set(read.name, read);
  }
  return told.get(name);
}

describe.each(SOURCES.map((source) => [source.name, source] as const))("%s", (name, source) => {
  const fixtures = fixturesOf(source);

  test("has an export of at least 20 users to show", () => {
    expect(Math.max(...fixtures.map(({ expected }) => expected.length))).toBeGreaterThan(19);
    expect(findSource(name)).toBe(source);
  });

  test.runIf(MEGABYTES > 0)("is read in memory that doesn't grow with the file", async () => {
    const read = await readRepeated(name);
    // Its process ends where the heap does.
    if (read === undefined) throw new Error("its users didn't fit into memory");
    expect(read.rows).toBeGreaterThan(megabytesOf(name) * 625);
    expect(read.outside).toBeLessThan(OUTSIDE_BYTES);
    expect(read.growth).toBeLessThan(GROWTH_BYTES);
  });

  describe.each(fixtures.map((fixture) => [fixture.file, fixture] as const))("%s", (_file, f) => {
    const read = (bytes: AsyncIterable<Buffer>): Promise<Item[]> => itemsOf(source, f, bytes);
    const readWhole = (bytes: Buffer): Promise<Item[]> => read(pieces(bytes, 65_536));

    test("gives the expected records and rejects under their numbers", async () => {
      expect(await read(openFile(f.path))).toEqual(f.expected);
      expect(f.expected.map(({ number }) => number)).toEqual(f.expected.map((_, at) => at + 1));
    });

    test("says in its hints nothing of anybody", async () => {
      const hints = (await collect(source.read(f.path, openFile(f.path), f.options)))
        .flatMap((item) => (item.kind === "record" ? [] : [item.hint]))
        .join("\n");
      for (const data of dataIn(f.bytes)) expect(hints).not.toContain(data);
    });

    test.each([1, 7, 1000])("gives the same in pieces of %i bytes", async (size) => {
      expect(await read(pieces(f.bytes, size))).toEqual(f.expected);
    });

    test("gives the same wherever the bytes are split", async () => {
      await atPositions(f, async (position) => {
        expect(await read(splitAt(f.bytes, position))).toEqual(f.expected);
      });
    });

    test("gives the same compressed, behind a byte-order mark, and with CRLF", async () => {
      expect(await readWhole(gzipSync(f.bytes))).toEqual(f.expected);
      if (!f.bytes.subarray(0, 3).equals(BOM)) {
        expect(await readWhole(Buffer.concat([BOM, f.bytes]))).toEqual(f.expected);
      }
      if (f.bytes.includes("\r")) return;
      // Bytes that are no UTF-8 stay what they are.
      const text = f.bytes.toString("latin1").replaceAll("\n", "\r\n");
      expect(await readWhole(Buffer.from(text, "latin1"))).toEqual(f.expected);
    });

    test("is told when it was cut off, and gives nobody who isn't in it", async () => {
      await atPositions(f, async (position) => {
        const items = await readCut(position);
        const last = items.at(-1);
        if (isJson(f)) {
          const whole = last?.kind === "truncated" ? items.slice(0, -1) : items;
          expect(whole).toEqual(f.expected.slice(0, whole.length));
          return;
        }
        // A table's last row may be cut in its last column, which doesn't show.
        const users = recordsIn(items.slice(0, -1));
        expect(recordsIn(f.expected)).toEqual(expect.arrayContaining(users));
        expect(items.length).toBeLessThanOrEqual(f.expected.length + 1);
      });
    });

    async function readCut(position: number): Promise<Item[]> {
      try {
        return await readWhole(f.bytes.subarray(0, position));
      } catch (error) {
        // Not even the start of an export is there.
        if (!(error instanceof RunError)) throw error;
        expect(error.code).toMatch(/^(?:input_unrecognized|no_users)$/);
        return [];
      }
    }

    test("gives numbers that go on where it stands twice in a file", async () => {
      if (!isBareLines(f, name)) return;
      const again = f.expected.map((item) => ({
        ...item,
        number: item.number + f.expected.length,
      }));
      expect(await readWhole(Buffer.concat([f.bytes, f.bytes]))).toEqual([...f.expected, ...again]);
    });

    test("closes its input when nobody reads on", async () => {
      let closed = false;
      async function* long(): AsyncGenerator<Buffer> {
        try {
          yield f.bytes;
          for (let more = 0; more < 1000; more++) yield Buffer.alloc(8192, "\n");
          throw new Error("read on to the end");
        } finally {
          closed = true;
        }
      }
      for await (const batch of source.read(f.path, long(), f.options)) {
        if (batch.length > 0) break;
      }
      expect(closed).toBe(true);
    });

    test("is recognized as this source's and nobody else's, unless --map is needed", async () => {
      const head = await readHead(f.path);
      if (f.options.map.size > 0) expect(source.recognize(head)).toBeNull();
      else {
        expect(detectSource(head).source.name).toBe(name);
        const vendors = SOURCES.filter((other) => !other.generic && other !== source);
        expect(vendors.filter((other) => other.recognize(head) !== null)).toEqual([]);
      }
    });
  });
});
