/** Answers broken requests: bytes that aren't HTTP, endless headers, a body that doesn't come. */

import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { systemErrorCode } from "../../errors/run-error.js";

/** Most bytes of a request's line and headers, together. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Status and message by the code of Node's error. */
const FLAWS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request didn't arrive in time"],
  HPE_INVALID_EOF_STATE: [400, "the request was cut off before its end"],
  HPE_HEADER_OVERFLOW: [431, `the headers are larger than ${MAX_HEADER_BYTES} bytes`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "the chunk extensions are too large"],
};

/**
 * Tells a client what is wrong, in the form of all other errors, and ends the connection.
 *
 * @param error of the event `clientError`
 */
export function answerBroken(error: unknown, stream: Duplex): void {
  const [status, message] = FLAWS[systemErrorCode(error)] ?? [400, "this is not an HTTP request"];
  const body = JSON.stringify({ message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `date: ${new Date().toUTCString()}`,
    "connection: close",
  ];
  stream.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => stream.destroy());
}
