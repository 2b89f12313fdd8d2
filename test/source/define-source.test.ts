import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { genericCsv } from "../../src/source/mapping/generic-files.js";
import type { ReadOptions, Source, SourceItem } from "../../src/source/source.js";
import { firebase } from "../../src/source/vendors/firebase/firebase.js";
import { collect, PLAIN, pieces } from "./support.js";

const USERS = Array.from({ length: 200 }, (_, index) => ({
  localId: `uid-${index}-${(index * 7919) % 1000}`,
  email: `user${(index * 104_729) % 7919}.${index}@example.com`,
}));
const CSV = `id,email\n${USERS.map(({ localId, email }) => `${localId},${email}\n`).join("")}`;
const JSON_DOCUMENT = JSON.stringify({ users: USERS });

const EXPORTS = [
  ["CSV", genericCsv, CSV],
  ["JSON", firebase, JSON_DOCUMENT],
] as const;

function read(
  source: Source,
  bytes: Buffer,
  size: number,
  options: Partial<ReadOptions> = {},
): Promise<SourceItem[]> {
  return collect(source.read("users.gz", pieces(bytes, size), { ...PLAIN, ...options }));
}

function idsOf(items: readonly SourceItem[]): unknown[] {
  return items.map((item) => (item.kind === "record" ? item.record.sourceId : item.kind));
}

describe.each(EXPORTS)("a packed export, %s", (_name, source, text) => {
  test("is read as what is in it", async () => {
    const whole = await read(source, Buffer.from(text), 1000);
    expect(whole.length).toBe(200);
    expect(await read(source, gzipSync(text), 100)).toEqual(whole);
    expect(await read(source, gzipSync(Buffer.from(`\ufeff${text}`, "utf16le")), 7)).toEqual(whole);
  });

  test("that is cut off anywhere gives its whole rows, then says so, and no half row", async () => {
    const file = gzipSync(text);
    const ids = USERS.map(({ localId }) => localId);
    const cuts = fc.integer({ min: 200, max: file.length - 1 });
    await fc.assert(
      fc.asyncProperty(cuts, fc.integer({ min: 1, max: 4000 }), async (cut, size) => {
        const items = await read(source, file.subarray(0, cut), size);
        const read_ = idsOf(items);
        expect(read_).toEqual([...ids.slice(0, items.length - 1), "truncated"]);
        expect(items.at(-1)?.number).toBe(items.length);
      }),
      { numRuns: 40 },
    );
  });

  test("that lacks only its checksum isn't trusted to be whole", async () => {
    const items = await read(source, gzipSync(text).subarray(0, -3), 500);
    expect(items.length).toBe(201);
    expect(items.at(-1)).toMatchObject({ kind: "truncated", number: 201 });
  });

  test("that is damaged ends the reading with an error", async () => {
    const file = gzipSync(text);
    file[file.length - 5] = (file[file.length - 5] ?? 0) ^ 1;
    await expect(read(source, file, 500)).rejects.toMatchObject({ code: "input_damaged" });
  });

  test("tells its progress in packed bytes", async () => {
    let told = 0;
    const file = gzipSync(text);
    await read(source, file, 300, { onBytes: (bytes) => (told += bytes) });
    expect(told).toBe(file.length);
  });
});

test("a last row that looks whole in a cut gzip file is none: its last field may go on", async () => {
  // The row breaks off inside the address, and both columns are there.
  const cut = gzipSync("id,email\n1,ann@example.com\n2,ben@example.co").subarray(0, -8);
  expect(idsOf(await read(genericCsv, cut, 9))).toEqual(["1", "truncated"]);
});

test.each([
  ["no bytes", gzipSync("")],
  ["blank lines", gzipSync(" \n\n")],
  ["a header that is cut off at once", gzipSync(CSV).subarray(0, 5)],
])("a packed file of %s is empty", async (_name, bytes) => {
  await expect(read(genericCsv, bytes, 3)).rejects.toMatchObject({ code: "no_users" });
});

describe("an export in another encoding", () => {
  const ROWS =
    "id,email,name\n1,ann@example.com,Zoë\n2,ben@example.com,B\ud83dn\n3,c@example.com,C\n";

  test.each([1, 3, 4096])(
    "rejects the row with half a character alone: pieces of %i",
    async (size) => {
      const items = await read(genericCsv, Buffer.from(`\ufeff${ROWS}`, "utf16le"), size);
      expect(idsOf(items)).toEqual(["1", "reject", "3"]);
      expect(items[1]).toMatchObject({ code: "encoding_invalid", number: 2 });
    },
  );

  test.each([1, 3, 4096])(
    "ends cut off where it ends in a character: pieces of %i",
    async (size) => {
      const bytes = Buffer.from(`\ufeff${ROWS.replace("\ud83d", "e")}`, "utf16le");
      const items = await read(genericCsv, bytes.subarray(0, -3), size);
      expect(idsOf(items)).toEqual(["1", "2", "truncated"]);
    },
  );

  test("is read as the operator says", async () => {
    const bytes = Buffer.from("id,email,name\n1,zo\xeb@example.com,Zo\xeb\n", "latin1");
    await expect(read(genericCsv, bytes, 5)).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringContaining("--encoding windows-1252"),
    });
    const [item] = await read(genericCsv, bytes, 5, { encoding: "windows-1252" });
    expect(item).toMatchObject({ record: { email: { value: "zoë@example.com" } } });
  });

  test("keeps a NUL in its row", async () => {
    const bytes = Buffer.from("id,email\n1,ann@example.com\n2\0,ben@example.com\n");
    expect((await read(genericCsv, bytes, 8)).length).toBe(2);
  });
});

test("a signal ends a stream that it breaks off without a word, and half a row isn't one", async () => {
  const stop = new AbortController();
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${CSV}${"x,x@example.com\n".repeat(6000)}last,lena@exam`);
    stop.abort();
    throw Object.assign(new Error("The operation was aborted"), { code: "ABORT_ERR" });
  }
  const items = await collect(genericCsv.read("-", broken(), { ...PLAIN, signal: stop.signal }));
  expect(idsOf(items)).not.toContain("last");
});
