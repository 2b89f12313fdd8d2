/** One HTTP call at a time per connection: sends JSON, reads the answer, and types every failure. It follows no redirect and never retries. */

import { CoreFailure } from "../core-failure.js";
import type { Dialect } from "../dialect.js";
import { type Answer, answerFailure, unreadableAnswer } from "./answer-failure.js";
import { openConnections } from "./client-connections.js";
import { checkedApiKey, checkedBaseUrl, type BaseUrlOptions } from "./base-url.js";

/** What calls to a remote core need. */
export interface TransportOptions extends BaseUrlOptions {
  /** The base URL: `https:`, or `http:` to this machine. */
  readonly url: string;
  /** Null for a core that asks for none. */
  readonly apiKey: string | null;
  /** Where the key was found, for the message of a core that refuses it: a file or a variable. */
  readonly keyFrom?: string | undefined;
  /** Connections, and so the most calls in flight; further calls wait their turn. */
  readonly connections: number;
  /** How long to wait for a connection, and then for the whole answer, in milliseconds; 30 000 by default. */
  readonly timeoutMs?: number;
  /** Certificate authorities (PEM) to trust instead of Node's own. */
  readonly ca?: string | undefined;
  /** The variables that may name a proxy, `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; none by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** The clock that dates in `Retry-After` are measured against; `Date.now` by default. */
  readonly now?: () => number;
}

/** A call as it goes out. */
export interface Outgoing {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  /** What is undefined in it isn't sent. */
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON; no failure repeats its texts. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The recipe header of interface.md 4.3. */
  readonly rid?: "passwordless";
  /** A status other than 2xx whose JSON is an answer, too, and no failure. */
  readonly alsoAnswers?: number;
  /** In whose words a refusal may speak of a configuration field. */
  readonly dialect?: Dialect;
}

export type Transport = ReturnType<typeof openTransport>;

/** A 2xx whose body is JSON of whatever shape. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** What SuperTokens answers for an app as a whole: it refuses these under a tenant's prefix. All others are the tenant's. */
const OF_APP = /^\/(?:apiversion$|user\/|recipe\/user(?:id\/map)?$|bulk-import\/)/;

const DEFAULT_TIMEOUT_MS = 30_000;

/** @throws RunError `config_invalid` */
export function openTransport(options: TransportOptions) {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, now = Date.now } = options;
  const { origin, appPrefix, tenantPrefix, tenant, url } = checkedBaseUrl(options.url, options);
  const connections = openConnections(origin, { env: {}, ...options, timeoutMs });
  const headers = {
    "content-type": "application/json; charset=utf-8",
    ...(options.apiKey === null ? {} : { "api-key": checkedApiKey(options.apiKey) }),
  };
  const passwordlessHeaders = { ...headers, rid: "passwordless" };

  const read = (answer: Answer, outgoing: Outgoing): JsonAnswer => {
    const { status, text } = answer;
    const failure = (): CoreFailure => {
      const sent = [outgoing.query, outgoing.body, options.apiKey].flatMap(textsIn);
      return answerFailure(answer, { ...outgoing, sent, nowMs: now(), keyFrom: options.keyFrom });
    };
    const isGood = status >= 200 && status <= 299;
    if (!isGood && status !== outgoing.alsoAnswers) throw failure();
    try {
      return { status, body: JSON.parse(text) };
    } catch {
      throw isGood ? unreadableAnswer(answer) : failure();
    }
  };

  return {
    /** The base URL with app and tenant, without a slash at the end. */
    url,
    tenant,
    /** @throws CoreFailure where the answer isn't a 2xx with JSON */
    call: (outgoing: Outgoing): Promise<JsonAnswer> =>
      new Promise((resolve, reject) => {
        const { method, path, query, body, rid } = outgoing;
        const request = {
          origin,
          method,
          path: (OF_APP.test(path) ? appPrefix : tenantPrefix) + path,
          headers: rid === undefined ? headers : passwordlessHeaders,
          body: body === undefined ? null : JSON.stringify(body),
        };
        const answered = (answer: Answer): void => {
          try {
            resolve(read(answer, outgoing));
          } catch (error) {
            reject(error);
          }
        };
        const failed = (error: Error): void => reject(connections.failureOf(error));
        // A body that is read whole anyway needs none of undici's streams.
        connections.dispatch(
          query === undefined ? request : { ...request, query: givenOf(query) },
          new AnswerReader(timeoutMs, answered, failed),
        );
      }),
    /** Lets calls in flight end. */
    close: () => connections.close(),
  };
}

function givenOf(query: NonNullable<Outgoing["query"]>): Record<string, string | number> {
  const given: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given[name] = value;
  return given;
}

/** The texts that a value consists of, however deep they lie. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** An exchange under way, as undici hands it over. */
interface Exchange {
  abort(reason: Error): void;
}

/** U+FEFF, which is no part of the text that it stands before. */
const BYTE_ORDER_MARK = 0xfeff;

/** Reads an answer whole, by the part of undici's handlers that is used. A class, since there is one for every call in flight. */
export class AnswerReader {
  readonly #timeoutMs: number;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Buffer[] = [];
  #deadline: NodeJS.Timeout | undefined;
  #head: Omit<Answer, "text"> = { status: 0, retryAfter: undefined, date: undefined };

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
    this.#deadline = setTimeout(() => {
      const message = `the core's answer was not whole within ${timeoutMs / 1000} seconds`;
      exchange.abort(new CoreFailure("unreachable", message, { reached: "unknown" }));
    }, timeoutMs);
  }

  onResponseStart(_: Exchange, status: number, headers: Readonly<Record<string, unknown>>): void {
    this.#head = { status, retryAfter: headers["retry-after"], date: headers.date };
  }

  onResponseData(_: Exchange, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    clearTimeout(this.#deadline);
    const [first] = this.#chunks;
    const isWhole = first !== undefined && this.#chunks.length === 1;
    const text = textOf(isWhole ? first : Buffer.concat(this.#chunks));
    this.#resolve({ ...this.#head, text });
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
