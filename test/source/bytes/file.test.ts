import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { openFile, openInput, readHead } from "../../../src/source/bytes/file.js";
import { genericCsv } from "../../../src/source/mapping/generic-files.js";
import { collect, PLAIN, pieces } from "../support.js";

const folder = mkdtempSync(join(tmpdir(), "auth-migrate-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function isOpen(path: string): boolean {
  return readdirSync("/proc/self/fd").some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path;
    } catch {
      return false;
    }
  });
}

describe("readHead", () => {
  test("reads a small file whole, without its byte-order mark", async () => {
    const path = file("small.csv", "\ufeffid,email\n1,ann@example.com\n");
    const text = "id,email\n1,ann@example.com\n";
    expect(await readHead(path)).toEqual({ path, text, complete: true });
  });

  test("reads the first 64 KiB of a large file and may cut a character there", async () => {
    const head = await readHead(file("large.csv", `${"x".repeat(65_535)}\u00e9 and on`));
    expect(head.text).toBe("x".repeat(65_535));
    expect(head.complete).toBe(false);
  });

  test("takes a file that ends inside a character for a text", async () => {
    const head = await readHead(file("cut.csv", Buffer.from("id,\u00e9").subarray(0, -1)));
    expect(head.text).toBe("id,");
  });

  test("names the file and the way out where there is none", async () => {
    const path = join(folder, "nowhere.csv");
    await expect(readHead(path)).rejects.toMatchObject({
      code: "input_unreadable",
      message: expect.stringContaining(path),
      hint: expect.stringContaining("path"),
    });
    await expect(readHead(join(file("a-file", "x"), "below"))).rejects.toMatchObject({
      code: "input_unreadable",
    });
  });

  test("refuses a directory", async () => {
    const path = join(folder, "exports");
    mkdirSync(path);
    await expect(readHead(path)).rejects.toMatchObject({
      code: "input_unreadable",
      message: expect.stringContaining("directory"),
    });
  });

  test.each([
    ["no bytes", ""],
    ["white space", " \n\n"],
    ["a byte-order mark", "\ufeff"],
  ])("calls a file with %s empty", async (_name, content) => {
    await expect(readHead(file("empty.csv", content))).rejects.toMatchObject({
      code: "no_users",
    });
  });

  test.each([
    ["Latin-1", Buffer.from("id,name\n1,Andr\u00e9\n", "latin1")],
    ["an image", Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAA", "base64")],
  ])("refuses %s rather than garbling it", async (_name, content) => {
    await expect(readHead(file("binary.csv", content))).rejects.toMatchObject({
      code: "input_unrecognized",
    });
  });

  test.each([
    ["UTF-16", Buffer.from("\ufeffid,email\n1,ann@example.com\n", "utf16le")],
    ["UTF-16 without a mark", Buffer.from("id,email\n1,ann@example.com\n", "utf16le")],
    ["gzip", gzipSync("id,email\n1,ann@example.com\n")],
    ["gzip of UTF-16", gzipSync(Buffer.from("\ufeffid,email\n1,ann@example.com\n", "utf16le"))],
  ])("reads %s as the text that is in it", async (_name, content) => {
    const path = file("packed.csv", content);
    const text = "id,email\n1,ann@example.com\n";
    expect(await readHead(path)).toEqual({ path, text, complete: true });
  });

  test("doesn't take a text that was cut off for the whole of it", async () => {
    const head = await readHead(file("cut.gz", gzipSync("id,email\n1,a@b.c").subarray(0, -4)));
    expect(head).toMatchObject({ text: "id,email\n1,a@b.c", complete: false });
  });

  test.each([
    ["as it is", (text: string) => text],
    ["packed", (text: string) => gzipSync(text)],
  ])("closes a file that is %s", async (_name, pack) => {
    const path = file("closed.csv", pack("id,email\n".repeat(100_000)));
    await readHead(path);
    expect(isOpen(path)).toBe(false);
  });
});

test.each([1, 2, 3, 50])(
  "openInput hands on all bytes but the byte-order mark, in pieces of %i",
  async (size) => {
    const text = '{"users":[]}';
    const { head, bytes } = await openInput(
      "users.json",
      pieces(Buffer.from(`\ufeff${text}`), size),
    );
    const parts: Buffer[] = [];
    for await (const part of bytes) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe(text);
    expect(head.text).toBe(text);
  },
);

describe("a source's read", () => {
  const rows = Array.from({ length: 50_000 }, (_, index) => `${index},user${index}@example.com`);
  const path = file("users.csv", `id,email\n${rows.join("\n")}\n`);

  test("gives batches of at most a few hundred items", async () => {
    let items = 0;
    for await (const batch of genericCsv.read(path, openFile(path), PLAIN)) {
      expect(batch.length).toBeLessThanOrEqual(500);
      items += batch.length;
    }
    expect(items).toBe(50_000);
  });

  test("closes the file when nobody reads on", async () => {
    for await (const _batch of genericCsv.read(path, openFile(path), PLAIN)) {
      expect(isOpen(path)).toBe(true);
      break;
    }
    expect(isOpen(path)).toBe(false);
  });

  test("stops between two batches when told to, and closes the file", async () => {
    const stop = new AbortController();
    let batches = 0;
    for await (const _batch of genericCsv.read(path, openFile(path), {
      ...PLAIN,
      signal: stop.signal,
    })) {
      batches++;
      if (batches === 2) stop.abort();
    }
    expect(batches).toBe(2);
    expect(isOpen(path)).toBe(false);
  });

  test("closes the file where it isn't this source's", async () => {
    const other = file("other.csv", "colour,size\nred,3\n".repeat(50_000));
    await expect(collect(genericCsv.read(other, openFile(other), PLAIN))).rejects.toMatchObject({
      code: "input_unrecognized",
    });
    expect(isOpen(other)).toBe(false);
  });
});

describe("Excel's own first line", () => {
  const ROWS = "id;email\r\n1;ann@example.com\r\n";

  test.each([
    ["UTF-8", Buffer.from(`sep=;\r\n${ROWS}`)],
    ["UTF-8 behind its mark", Buffer.from(`\ufeffsep=;\r\n${ROWS}`)],
    ["UTF-16", Buffer.from(`\ufeffsep=;\r\n${ROWS}`, "utf16le")],
  ])("is no row of a table in %s", async (_what, bytes) => {
    for (const size of [1, 7, 1000]) {
      const { head } = await openInput("users.csv", pieces(bytes, size));
      expect(head.text).toBe(ROWS);
      const items = await collect(genericCsv.read("users.csv", pieces(bytes, size), PLAIN));
      expect(items).toMatchObject([{ number: 1, record: { sourceId: "1" } }]);
    }
  });

  test("stays where the table has another delimiter", async () => {
    const text = "sep=;\nid,email\n1,ann@example.com\n";
    const { head } = await openInput("users.csv", pieces(Buffer.from(text), 99));
    expect(head.text).toBe(text);
  });
});

test.each([
  ["s3://acme/users.csv", "aws s3 cp s3://acme/users.csv -"],
  ["gs://acme/users.csv", "gcloud storage cat gs://acme/users.csv"],
  ["https://example.com/users.csv?key=secret", "curl -fsSL ADDRESS"],
  ["https://ann:secret@example.com/users.csv", "curl -fsSL ADDRESS"],
])("the address %s is told with what fetches it, and without its key", async (path, command) => {
  const error = await readHead(path).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "input_unreadable",
    message: expect.stringContaining("is an address, and no file here"),
    hint: expect.stringContaining(`${command} | auth-migrate validate -`),
  });
  expect(String(error)).not.toContain("secret");
});

test("openFile reports a file that is gone on its first step", async () => {
  await expect(openFile(join(folder, "gone")).next()).rejects.toMatchObject({
    code: "input_unreadable",
  });
});
