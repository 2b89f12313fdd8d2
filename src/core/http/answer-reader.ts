/** Gathers one answer from what undici tells of it, within a time for all of it: its own timeouts bound only the gaps, so that an answer in single bytes would never end. */

import { CoreFailure } from "../core-failure.js";
import type { Answer } from "./answer-failure.js";

/** An exchange under way, as undici hands it over. */
interface Exchange {
  abort(reason: Error): void;
}

/** The part of undici's handlers that is used. */
export interface AnswerReader {
  /** The request is about to be written; what waited for a connection until now doesn't count. */
  onRequestStart(exchange: Exchange): void;
  onResponseStart(
    exchange: Exchange,
    status: number,
    headers: Readonly<Record<string, unknown>>,
  ): void;
  onResponseData(exchange: Exchange, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(exchange: Exchange, error: Error): void;
}

const UTF8 = new TextDecoder();

/** @param timeoutMs from the first byte of the request to the last one of the answer */
export function answerReader(
  timeoutMs: number,
  resolve: (answer: Answer) => void,
  reject: (error: Error) => void,
): AnswerReader {
  let deadline: NodeJS.Timeout | undefined;
  let status = 0;
  let retryAfter: unknown;
  let date: unknown;
  const chunks: Buffer[] = [];
  return {
    onRequestStart(exchange) {
      clearTimeout(deadline);
      deadline = setTimeout(() => exchange.abort(tooLate(timeoutMs)), timeoutMs);
    },
    onResponseStart(_, code, headers) {
      status = code;
      retryAfter = headers["retry-after"];
      date = headers.date;
    },
    onResponseData(_, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      clearTimeout(deadline);
      const [first] = chunks;
      const bytes = first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
      resolve({ status, text: UTF8.decode(bytes), retryAfter, date });
    },
    onResponseError(_, error) {
      clearTimeout(deadline);
      reject(error);
    },
  };
}

function tooLate(timeoutMs: number): CoreFailure {
  return new CoreFailure(
    "unreachable",
    `the core's answer was not whole within ${timeoutMs / 1000} seconds`,
    { reached: "unknown" },
  );
}
