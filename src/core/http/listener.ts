/** Answers HTTP requests for a service: finds the endpoint, checks the key, and turns every failure into an answer. */

import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { CoreFailure, type CoreFailureKind } from "../core-failure.js";
import { givenKey, keyCheck } from "./api-keys.js";
import { KEY_REFUSED } from "./core-message.js";
import { isLoopback } from "./loopback.js";
import { headerOf } from "./request.js";

/** What the caller is answered. */
export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers?: Record<string, string>;
}

/** Answers requests to one endpoint, or rejects with a `CoreFailure`. */
export type Endpoint = (incoming: IncomingMessage) => Promise<Reply>;

/** What is served. */
export interface Service {
  /** For messages: `core`. */
  readonly name: string;
  /** The path of a request as `routes` and `open` have it. */
  readonly pathOf: (url: string) => string;
  /** Endpoints that want the key, by path and method. */
  readonly routes: ReadonlyMap<string, ReadonlyMap<string, Endpoint>>;
  /** What is answered by `GET` without a key; it says nothing of any user. */
  readonly open: ReadonlyMap<string, () => Reply>;
  /** The answer on any other path. */
  readonly otherwise: (url: string) => Reply;
}

const JSON_TYPE = "application/json; charset=utf-8";

/**
 * The listener of a server in front of a service. Whatever an endpoint throws is an answer.
 *
 * @param apiKeys one of them must come with every call; with none, every call may pass that no web page sends
 */
export function serviceListener(service: Service, apiKeys: readonly string[]): RequestListener {
  const { routes, open } = service;
  const isKey = keyCheck(apiKeys);
  const broken = failure(500, `the ${service.name} failed`);

  async function replyTo(path: string, incoming: IncomingMessage): Promise<Reply> {
    // A proxy in front may have looked at another Host (RFC 9112 section 3.2).
    if ((incoming.headersDistinct.host?.length ?? 0) > 1) {
      return failure(400, "host: more than one");
    }
    const trace = apiKeys.length === 0 ? browserTrace(incoming) : null;
    if (trace !== null) {
      return failure(403, `this ${service.name} has no API key and refuses the request: ${trace}`);
    }
    const methods = routes.get(path);
    if (methods === undefined) return keylessReply(path, incoming);
    if (!isKey(givenKey(headerOf(incoming, "api-key"), headerOf(incoming, "authorization")))) {
      return failure(401, KEY_REFUSED);
    }
    const answer = methods.get(methodOf(incoming));
    if (answer === undefined) return methodNotAllowed([...methods.keys()]);
    // RFC 9112 section 3.2.
    if (incoming.headers.host === undefined && incoming.httpVersion === "1.1") {
      return failure(400, "host: missing");
    }
    try {
      return await answer(incoming);
    } catch (error) {
      return error instanceof CoreFailure ? failureReply(error) : broken;
    }
  }

  function keylessReply(path: string, incoming: IncomingMessage): Reply {
    const answer = open.get(path);
    if (answer === undefined) return service.otherwise(incoming.url ?? "");
    return methodOf(incoming) === "GET" ? answer() : methodNotAllowed(["GET"]);
  }

  return async (incoming, outgoing) => {
    const path = service.pathOf(incoming.url ?? "");
    write(outgoing, await replyTo(path, incoming).catch(() => broken));
  };
}

/** HEAD is answered as GET is; Node leaves the body out (RFC 9110 section 9.3.2). */
function methodOf({ method = "" }: IncomingMessage): string {
  return method === "HEAD" ? "GET" : method;
}

function methodNotAllowed(methods: readonly string[]): Reply {
  const allow = methods.flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", ");
  return failure(405, `this endpoint takes ${allow}`, { allow });
}

export function failure(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Reply {
  return { ...json(status, { message }), headers };
}

export function json(status: number, body: object): Reply {
  return { status, contentType: JSON_TYPE, text: JSON.stringify(body) };
}

function write(outgoing: ServerResponse, { status, contentType, text, headers }: Reply): void {
  const bytes = Buffer.from(text);
  outgoing
    .writeHead(status, {
      "content-type": contentType,
      "content-length": bytes.length,
      ...headers,
    })
    .end(bytes);
}

/**
 * Why a request may come from a web page, or null. A core without a key trusts every program on
 * this machine, but not a page in a browser, which can send requests to 127.0.0.1.
 *
 * The core serves no page, so an `Origin` is always a foreign one. A page's image or script is
 * fetched without it, but browsers tell of any site in `Sec-Fetch-Site` (W3C Fetch Metadata section
 * 2.4); `none` is what a person typed. A name that isn't this machine's own may have been pointed
 * here afterwards (DNS rebinding).
 */
function browserTrace({ headers }: IncomingMessage): string | null {
  const site = headers["sec-fetch-site"] ?? "none";
  if (headers.origin !== undefined || site !== "none") return "it comes from a web page";
  const url = `http://${headers.host ?? ""}`;
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
    ? null
    : "its Host is not this machine's own name";
}

interface Shown {
  readonly status: number;
  /** Says it in place of the failure's own message, which names files or the core behind. */
  readonly message?: string;
}

const BY_KIND = {
  refused: { status: 400 },
  signer_key_missing: { status: 400 },
  not_offered: { status: 404 },
  disabled: { status: 403 },
  busy: { status: 503, message: "the core is busy" },
  disk: { status: 507, message: "the core cannot write to its disk" },
  damaged: { status: 507, message: "the core's data file is damaged" },
  broken: { status: 500, message: "the core failed" },
  unreachable: { status: 502, message: "the core behind this server is unreachable" },
  incompatible: { status: 502, message: "what is behind this server is not a core" },
  key_refused: { status: 502, message: "the core behind this server refuses its key" },
  forbidden: { status: 502, message: "the core behind this server refuses it" },
  tenant_unknown: { status: 502, message: "the core behind this server has no such tenant" },
} satisfies Record<CoreFailureKind, Shown>;

const DEFAULT_RETRY_AFTER_S = 1;

function failureReply({ kind, status, message, retryAfterMs }: CoreFailure): Reply {
  const shown: Shown = BY_KIND[kind];
  const seconds = Math.ceil((retryAfterMs ?? DEFAULT_RETRY_AFTER_S * 1000) / 1000);
  return failure(
    kind === "refused" ? (status ?? shown.status) : shown.status,
    shown.message ?? message,
    kind === "busy" ? { "retry-after": String(seconds) } : {},
  );
}
