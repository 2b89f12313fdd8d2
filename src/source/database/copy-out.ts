/** `COPY … TO STDOUT` as a stream of bytes. The driver knows no copy; what it lets a query of another's making see of its messages is enough. */

import { Readable } from "node:stream";
import type { Connection, Submittable } from "pg";

/** Bytes that wait to be read before the server has to. */
const MOST_WAITING = 512 * 1024;

export class CopyOut extends Readable implements Submittable {
  readonly #sql: string;
  #connection: Connection | null = null;

  constructor(sql: string) {
    super({ highWaterMark: MOST_WAITING });
    this.#sql = sql;
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#sql);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  /** The connection can be ended only where its last messages are read. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#connection?.stream.resume();
    done(error);
  }

  /** Copies the chunk, a row: the driver writes into its memory again. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (!this.push(Buffer.from(chunk)) && !this.destroyed) this.#connection?.stream.pause();
  }

  /** The driver asks for it; what follows says that it is over. */
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.push(null);
  }

  handleError(error: Error): void {
    this.destroy(error);
  }
}
