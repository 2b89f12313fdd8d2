/** Unpacks gzip (RFC 1952) as a stream, known by its first two bytes; anything else passes as it is. What can't be trusted to be whole and sound stops the reading. */

import { createGunzip, type Gunzip } from "node:zlib";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import { CutOff } from "./cut-off.js";
import { resume, takeStart } from "./start.js";

const MAGIC = Buffer.from([0x1f, 0x8b]);

/** Unpacked at once: deflate makes at most 17 MB of it, so that a bomb finds little memory to fill. */
const SLICE_BYTES = 16 * 1024;
const CHUNK_BYTES = 64 * 1024;

/** A small file does no harm, however well it packs. */
const HARMLESS_BYTES = 16 * 1024 * 1024;
/**
 * Half of what deflate can reach; real exports pack 5:1 to 100:1. A user costs at least some five
 * bytes for an id of its own. A row would have to repeat 2 KB of the one before it to get here.
 */
const MAX_RATIO = 500;

const CUT_OFF =
  "The gzip file ends too early, so users are missing; copy it again, or export them again.";

/**
 * An input's bytes, unpacked where they are gzip: all members of the file, without the zeros that
 * may pad it. Ending the iteration ends that of `chunks`.
 *
 * @param name for messages
 * @throws CutOff after the last bytes of a file that was cut off; RunError `input_damaged` for a
 *   wrong checksum, damaged data or bytes behind the end that aren't gzip or a bomb; what
 *   `chunks` throws
 */
export async function* unpacked(
  name: string,
  chunks: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    const start = await takeStart(chunks, MAGIC.length);
    const isGzip = Buffer.concat(start.parts).subarray(0, MAGIC.length).equals(MAGIC);
    const all = resume(start, 0, chunks);
    yield* isGzip ? gunzip(name, all) : all;
  } finally {
    await chunks.return?.();
  }
}

async function* gunzip(name: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const engine = createGunzip({ chunkSize: CHUNK_BYTES });
  const step = stepper(engine);
  let given = 0;
  let made = 0;
  let ended = false;
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        const slice = chunk.subarray(at, at + SLICE_BYTES);
        if (ended) {
          requirePadding(name, slice);
          continue;
        }
        given += slice.length;
        for (const piece of await step((done) => engine.write(slice, done))) {
          made += piece.length;
          yield piece;
        }
        requireHonest(name, made, engine.bytesWritten);
        // Node.js goes on with the next member by itself, but takes zeros for the end.
        ended = engine.bytesWritten < given;
        if (ended) requirePadding(name, slice.subarray(engine.bytesWritten - given));
      }
    }
    if (!ended) yield* await step((done) => engine.once("end", done).end());
  } catch (error) {
    throw gzipError(name, error);
  } finally {
    engine.destroy();
  }
}

/**
 * Lets the engine work on one thing and gives what it made of it. Driven so, and not piped, it
 * loses nothing where an error follows.
 */
function stepper(
  engine: Gunzip,
): (work: (done: (error?: Error | null) => void) => void) => Promise<Buffer[]> {
  let pieces: Buffer[] = [];
  let fail: (error: Error) => void = () => {};
  engine.on("data", (piece: Buffer) => pieces.push(piece));
  engine.on("error", (error) => fail(error));
  return async (work) => {
    await new Promise<void>((resolve, reject) => {
      fail = reject;
      work((error) => (error ? reject(error) : resolve()));
    });
    const made = pieces;
    pieces = [];
    return made;
  };
}

function requirePadding(name: string, bytes: Buffer): void {
  if (bytes.every((byte) => byte === 0)) return;
  throw damaged(name, "something that isn't gzip follows behind its end");
}

function requireHonest(name: string, made: number, taken: number): void {
  if (made <= HARMLESS_BYTES || made <= MAX_RATIO * taken) return;
  const message = `${name} unpacks to more than ${MAX_RATIO} times its size, as no export does; reading stopped`;
  throw new RunError("input_damaged", message, {
    hint: "Find out where the file comes from. If it is sound, unpack it with gunzip and name the unpacked file.",
  });
}

function gzipError(name: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === "Z_BUF_ERROR") return new CutOff(CUT_OFF);
  if (code === "Z_DATA_ERROR" || code === "Z_NEED_DICT") {
    return damaged(name, "its checksum is wrong, or what is in it", error);
  }
  return error;
}

function damaged(name: string, what: string, cause?: unknown): RunError {
  return new RunError("input_damaged", `${name} is a damaged gzip file: ${what}`, {
    hint: "Copy the file again, or export the users again; gzip -t says whether a file is sound.",
    cause,
  });
}
