/** What is wrong with a request that never became one (bytes that aren't HTTP, headers without an end, a body that doesn't come), and the answer to it. */

import { STATUS_CODES } from "node:http";
import { systemErrorCode } from "../../errors/run-error.js";

/** Most bytes of a request's line and headers, together. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** An HTTP error with which a connection ends. */
export interface Flaw {
  readonly status: number;
  readonly message: string;
}

/** Its client ended sending in the middle of it. */
export const CUT_OFF: Flaw = { status: 400, message: "the request was cut off before its end" };

/** By the code of Node's error. */
const FLAWS: Readonly<Record<string, Flaw>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: "the request didn't arrive in time" },
  HPE_INVALID_EOF_STATE: CUT_OFF,
  HPE_HEADER_OVERFLOW: {
    status: 431,
    message: `the headers are larger than ${MAX_HEADER_BYTES} bytes`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: "the chunk extensions are too large" },
};

const NOT_HTTP: Flaw = { status: 400, message: "this is not an HTTP request" };

/**
 * @param error of the event `clientError`
 * @returns null for what comes behind a request that asked for the connection to be closed
 */
export function flawOf(error: unknown): Flaw | null {
  const code = systemErrorCode(error);
  return code === "HPE_CLOSED_CONNECTION" ? null : (FLAWS[code] ?? NOT_HTTP);
}

/** The whole answer as it goes over the wire, in the form of all other errors. */
export function bytesOfFlaw({ status, message }: Flaw): string {
  const body = JSON.stringify({ message });
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `date: ${new Date().toUTCString()}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
}
