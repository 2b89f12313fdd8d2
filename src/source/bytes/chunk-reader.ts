/** Reads a file chunk by chunk, and passes over what nobody looks at: of a newer export that is nearly all. */

import type { FileHandle } from "node:fs/promises";

/** Larger reads gain nothing: a chunk is parsed at once, and memory should stay flat. */
const CHUNK_BYTES = 64 * 1024;

/** Some bytes of a file. */
export interface ByteSpan {
  readonly from: number;
  /** Behind the last one. */
  readonly to: number;
}

/** What is read into again and again: fewer reads, and no garbage whose amount lets V8 look through all of its memory. */
const SHARED_BYTES = 256 * 1024;

/** Stands for bytes that nobody looks at. No page of it is ever written, so that it takes no memory. */
const UNREAD = Buffer.alloc(1024 * 1024);
/** The start is always read: it shows how the file is to be read. */
const START_BYTES = 4 * CHUNK_BYTES;

/** How a file is read. */
export interface Reading {
  /** Stretches that nobody looks at, in their order: anything stands for their bytes. None by default. */
  readonly unread?: readonly ByteSpan[];
  /** Whether each chunk stays as it is only until the next but one is asked for; false by default. */
  readonly sharesMemory?: boolean;
}

/** Reads a file from its start, a chunk behind the other. */
export class ChunkReader {
  readonly #file: FileHandle;
  readonly #unread: readonly ByteSpan[];
  /** Each is read into in its turn; none where each chunk has memory of its own. */
  readonly #rooms: Buffer[];
  #at = 0;
  #place = 0;

  constructor(file: FileHandle, { unread = [], sharesMemory = false }: Reading) {
    this.#file = file;
    this.#unread = unread;
    this.#rooms = sharesMemory ? [newRoom(SHARED_BYTES), newRoom(SHARED_BYTES)] : [];
  }

  /** @returns an empty chunk at the end of the file; a failure may be awaited later */
  next(): Promise<Buffer> {
    const unread = this.#at < START_BYTES ? 0 : Math.min(UNREAD.length, this.#unreadFrom());
    this.#at += unread;
    const chunk = unread > 0 ? Promise.resolve(UNREAD.subarray(0, unread)) : this.#read();
    chunk.catch(() => {});
    return chunk;
  }

  /** How many bytes from here on nobody looks at. */
  #unreadFrom(): number {
    const at = this.#at;
    while ((this.#unread[this.#place]?.to ?? Number.POSITIVE_INFINITY) <= at) this.#place += 1;
    const { from, to } = this.#unread[this.#place] ?? { from: at, to: at };
    return from <= at ? to - at : 0;
  }

  async #read(): Promise<Buffer> {
    const room = this.#room();
    // Not by its place: a pipe has none.
    const isPlaced = this.#unread.length > 0;
    const { bytesRead } = await this.#file.read(room, 0, room.length, isPlaced ? this.#at : null);
    this.#at += bytesRead;
    return room.subarray(0, bytesRead);
  }

  #room(): Buffer {
    // The start is kept until it has shown what is read.
    const shared = this.#at < START_BYTES ? undefined : this.#rooms.shift();
    if (shared === undefined) return newRoom(CHUNK_BYTES);
    this.#rooms.push(shared);
    return shared;
  }
}

function newRoom(bytes: number): Buffer {
  return Buffer.allocUnsafe(bytes);
}
