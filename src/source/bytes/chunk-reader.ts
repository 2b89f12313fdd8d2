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

/** Stands for bytes that nobody looks at. No page of it is ever written, so that it takes no memory. */
const UNREAD = Buffer.alloc(1024 * 1024);
/** The start is always read: it shows how the file is to be read. */
const START_BYTES = 4 * CHUNK_BYTES;

/** Reads a file from its start, a chunk behind the other. */
export class ChunkReader {
  readonly #file: FileHandle;
  readonly #unread: readonly ByteSpan[];
  #at = 0;
  #place = 0;

  constructor(file: FileHandle, unread: readonly ByteSpan[]) {
    this.#file = file;
    this.#unread = unread;
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
    const room = Buffer.allocUnsafe(CHUNK_BYTES);
    // Not by its place: a pipe has none.
    const isPlaced = this.#unread.length > 0;
    const { bytesRead } = await this.#file.read(room, 0, CHUNK_BYTES, isPlaced ? this.#at : null);
    this.#at += bytesRead;
    return room.subarray(0, bytesRead);
  }
}
