/** Gathers one answer from undici's events, within one deadline. undici's own timeouts bound only the gaps, so an answer in single bytes would never end. */

import { CoreFailure } from "../core-failure.js";
import type { Answer } from "./answer-failure.js";

/** An exchange under way, as undici hands it over. */
interface Exchange {
  abort(reason: Error): void;
}

/** U+FEFF, which is no part of the text that it stands before. */
const BYTE_ORDER_MARK = 0xfeff;

/** The part of undici's handlers that is used. A class, since there is one for every call in flight. */
export class AnswerReader {
  readonly #timeoutMs: number;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #deadline: NodeJS.Timeout | undefined;
  #status = 0;
  #retryAfter: unknown;
  #date: unknown;

  /**
   * @param timeoutMs from the first byte of the request to the last one of the answer
   * @param resolve must not throw
   */
  constructor(
    timeoutMs: number,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
  ) {
    this.#timeoutMs = timeoutMs;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** The request is about to be written; waiting for a connection doesn't count. */
  onRequestStart(exchange: Exchange): void {
    clearTimeout(this.#deadline);
    const timeoutMs = this.#timeoutMs;
    this.#deadline = setTimeout(() => exchange.abort(tooLate(timeoutMs)), timeoutMs);
  }

  onResponseStart(_: Exchange, status: number, headers: Readonly<Record<string, unknown>>): void {
    this.#status = status;
    this.#retryAfter = headers["retry-after"];
    this.#date = headers.date;
  }

  onResponseData(_: Exchange, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    clearTimeout(this.#deadline);
    const [first] = this.#chunks;
    const isWhole = first !== undefined && this.#chunks.length === 1;
    this.#resolve({
      status: this.#status,
      text: textOf(isWhole ? first : Buffer.concat(this.#chunks)),
      retryAfter: this.#retryAfter,
      date: this.#date,
    });
  }

  onResponseError(_: Exchange, error: Error): void {
    clearTimeout(this.#deadline);
    this.#reject(error);
  }
}

/** As a `TextDecoder` reads UTF-8, which takes several times as long for as short a text. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

function tooLate(timeoutMs: number): CoreFailure {
  return new CoreFailure(
    "unreachable",
    `the core's answer was not whole within ${timeoutMs / 1000} seconds`,
    { reached: "unknown" },
  );
}
