/** What a network and a core can do to a call, each as what the proxy does to one request. */

import { answerText, type Exchange, type Fault } from "../support/fault-proxy.js";

/** Nothing is wrong. */
export const pass: Fault = async ({ forward, write }) => write(await forward());

const PAGE = "<!doctype html><title>Service</title><h1>We'll be right back</h1>";

/** The core does it, and then something else happens to its answer. */
function afterwards(spoil: (exchange: Exchange, answer: Buffer) => Promise<void> | void): Fault {
  return async (exchange) => spoil(exchange, await exchange.forward());
}

/** Something in front of the core answers in its place. */
function instead(answer: () => Buffer | string, reset = false): Fault {
  return async ({ write, end }) => {
    await write(answer());
    if (reset) end();
  };
}

const half = (bytes: Buffer): Buffer => bytes.subarray(0, Math.ceil(bytes.length / 2));
const json = { "content-type": "application/json" };

/** By what they are called in test titles. */
export const FAULTS = {
  "a reset before the core has it": ({ reset }) => reset(),
  "a reset before the answer, with the work done": afterwards(({ reset }) => reset()),
  "a reset in the middle of the answer": afterwards(async ({ write, reset }, answer) => {
    await write(half(answer));
    reset();
  }),
  "a reset behind the answer": afterwards(async ({ write, reset }, answer) => {
    await write(answer);
    reset();
  }),
  "the end of the connection in place of an answer": ({ end }) => end(),
  "the end of the connection, with the work done": afterwards(({ end }) => end()),
  "an answer cut off in its body": afterwards(async ({ write, end }, answer) => {
    await write(answer.subarray(0, -5));
    end();
  }),
  "an answer whose body is no JSON": afterwards(({ write }, answer) =>
    write(answer.fill("%", answer.length - 8)),
  ),
  "bytes that are no HTTP": instead(() => "SSH-2.0-OpenSSH_9.6\r\n", true),
  "an answer byte by byte": afterwards(async ({ write }, answer) => {
    for (const byte of answer) await write(Buffer.of(byte));
  }),
  "a slow answer": afterwards(async ({ write }, answer) => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    await write(answer);
  }),
  "429 with seconds in Retry-After": instead(() => answerText(429, "", { "retry-after": "1" })),
  "429 with a date in Retry-After": instead(() =>
    answerText(429, "", { "retry-after": new Date(Date.now() + 2000).toUTCString() }),
  ),
  "429 without Retry-After": instead(() => answerText(429, "slow down")),
  "503 and a page": instead(() => answerText(503, PAGE, { "content-type": "text/html" })),
  "502 with the work done": afterwards(({ write }) =>
    write(answerText(502, PAGE, { "content-type": "text/html" })),
  ),
  "504 with the work done": afterwards(({ write }) => write(answerText(504, "timed out"))),
  "500 before the work": instead(() => answerText(500, '{"message":"it broke"}', json)),
  "500 with the work done": afterwards(({ write }) =>
    write(answerText(500, '{"message":"it broke"}', json)),
  ),
} as const satisfies Readonly<Record<string, Fault>>;

/** A page with status 200 says that this is no core; it ends the run, and the next one goes on. */
export const page: Fault = instead(() => answerText(200, PAGE, { "content-type": "text/html" }));

/** The key isn't taken any more. */
export const keyRefused: Fault = instead(() => answerText(401, "Invalid API key"));

/** No answer ever comes. */
export const silence: Fault = () => {};
