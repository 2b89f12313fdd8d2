import { execFileSync } from "node:child_process";
import { open, writeFile } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { lookAtOnce, openPipe } from "../../../src/source/bytes/read-once.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { pieces } from "../support.js";

const newPath = temporaryPaths();
const LARGE = `id,email\n${"1,ann@example.com\n".repeat(8_000)}`;

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

function fifo(): string {
  const path = newPath("users.pipe");
  execFileSync("mkfifo", [path]);
  return path;
}

describe("a stream that was looked at", () => {
  test.each([
    ["a small one", Buffer.from("id,email\n1,ann@example.com\n"), "id,email\n1,ann@example.com\n"],
    ["a large one", Buffer.from(LARGE), LARGE.slice(0, 65_536)],
    ["a packed one", gzipSync(LARGE), LARGE.slice(0, 65_536)],
    ["a UTF-16 one", Buffer.from(`\ufeff${LARGE}`, "utf16le"), LARGE.slice(0, 32_767)],
  ])("%s goes on from its first byte, as it came", async (_name, bytes, head) => {
    for (const size of [101, 65_536]) {
      const looked = await lookAtOnce("standard input", pieces(bytes, size), null);
      expect(looked.head.text).toBe(head);
      expect((await all(looked.bytes)).equals(bytes)).toBe(true);
    }
  });

  test("is closed by who reads it to its end, by who stops, and by who never begins", async () => {
    const streams = [0, 1, 2].map(() => Readable.from(pieces(Buffer.from(LARGE), 1000)));
    const [read, stopped, unread] = await Promise.all(
      streams.map((stream) => lookAtOnce("standard input", stream, null)),
    );
    await all(read!.bytes);
    for await (const _chunk of stopped!.bytes) break;
    await unread!.close();
    expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
  });

  test("is closed where it isn't what it should be", async () => {
    const stream = Readable.from([Buffer.from("  \n")]);
    await expect(lookAtOnce("standard input", stream, null)).rejects.toMatchObject({
      code: "no_users",
      message: "standard input is empty",
    });
    expect(stream.destroyed).toBe(true);
  });

  test.each(["EIO", "ECONNRESET"])("that breaks with %s can't be read", async (code) => {
    const broken = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(LARGE);
      throw Object.assign(new Error("read"), { code });
    };
    const { bytes } = await lookAtOnce("standard input", broken(), null);
    await expect(all(bytes)).rejects.toMatchObject({
      code: "input_unreadable",
      message: `standard input can't be read (${code})`,
    });
  });
});

describe("a pipe", () => {
  test("is opened once and read whole", async () => {
    const path = fifo();
    const writing = writeFile(path, LARGE);
    const { head, bytes } = await lookAtOnce(path, await openPipe(path), null);
    expect(head.text).toBe(LARGE.slice(0, 65_536));
    expect((await all(bytes)).toString()).toBe(LARGE);
    await writing;
  });

  test("can be closed while its writer keeps it waiting", async () => {
    const path = fifo();
    const [pipe, writer] = await Promise.all([openPipe(path), open(path, "w")]);
    await writer.write(LARGE.slice(0, 70_000));
    const { bytes } = await lookAtOnce(path, pipe, null);
    const reading = all(bytes);
    pipe.destroy();
    await reading.catch(() => {});
    await expect(writer.write("more")).rejects.toMatchObject({ code: "EPIPE" });
    await writer.close();
  });

  test("that isn't there is missing", async () => {
    await expect(openPipe(newPath("nowhere.pipe"))).rejects.toMatchObject({
      code: "input_unreadable",
    });
  });
});

test("a stream may come bit by bit", async () => {
  const stream = new PassThrough();
  const looking = lookAtOnce("standard input", stream, null);
  for (const piece of [LARGE.slice(0, 1), LARGE.slice(1, 70_000)]) stream.write(piece);
  const { head, bytes } = await looking;
  expect(head.complete).toBe(false);
  stream.end(LARGE.slice(70_000));
  expect((await all(bytes)).toString()).toBe(LARGE);
});
