/** `COPY … TO STDOUT` as a stream of bytes. The driver knows no copy; what it lets a query of another's making see of its messages is enough. */

import type { Connection, Submittable } from "pg";

/** Rows come as a message each; they are handed on in blocks. */
const BLOCK_BYTES = 64 * 1024;
/** Blocks that wait to be read before the server has to. */
const MOST_WAITING = 8;

export class CopyOut implements Submittable {
  readonly #sql: string;
  readonly #waiting: Buffer[] = [];
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #used = 0;
  #connection: Connection | null = null;
  #isPaused = false;
  #isOver = false;
  #failure: Error | null = null;
  #wake: () => void = () => {};

  constructor(sql: string) {
    this.#sql = sql;
  }

  /** @throws what the server says, after the bytes before it */
  async *bytes(): AsyncGenerator<Buffer> {
    for (;;) {
      const block = this.#waiting.shift();
      if (block !== undefined) {
        yield block;
        continue;
      }
      if (this.#failure !== null) throw this.#failure;
      if (this.#isOver) return;
      if (this.#isPaused) this.#connection?.stream.resume();
      this.#isPaused = false;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#sql);
  }

  /** Copies the chunk: the driver writes into its memory again. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.#used + chunk.length > this.#block.length) {
      this.#flush();
      if (chunk.length > this.#block.length) {
        this.#push(Buffer.from(chunk));
        return;
      }
    }
    chunk.copy(this.#block, this.#used);
    this.#used += chunk.length;
  }

  handleCommandComplete(): void {
    this.#flush();
  }

  handleReadyForQuery(): void {
    this.#isOver = true;
    this.#wake();
  }

  handleError(error: Error): void {
    this.#flush();
    this.#failure = error;
    this.#wake();
  }

  #flush(): void {
    if (this.#used === 0) return;
    const full = this.#block.subarray(0, this.#used);
    this.#block = Buffer.allocUnsafe(BLOCK_BYTES);
    this.#used = 0;
    this.#push(full);
  }

  #push(block: Buffer): void {
    this.#waiting.push(block);
    if (this.#waiting.length >= MOST_WAITING && !this.#isPaused) {
      this.#isPaused = true;
      this.#connection?.stream.pause();
    }
    this.#wake();
  }
}
