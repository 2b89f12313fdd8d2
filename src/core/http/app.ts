/** The endpoints as an application of hono: finds the route, checks the key, answers errors in one place. It opens no socket. */

import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono";
import { getPath } from "hono/utils/url";
import type { Core } from "../core.js";
import { givenKey, type KeyCheck } from "./api-keys.js";
import { errorResponse } from "./failure-response.js";
import { PATHS } from "./paths.js";
import type { Call } from "./request.js";
import { ROUTES } from "./routes.js";

/** One answered call, for an access log. It holds nothing personal: no query, and of paths only known ones. */
export interface ServedCall {
  readonly method: string;
  /** The endpoint's path in lower case, or `(unknown)`. */
  readonly path: string;
  readonly status: number;
  readonly elapsedMs: number;
}

const GREETING_PATHS: readonly string[] = ["/", PATHS.hello];
const KNOWN_PATHS: ReadonlySet<string> = new Set([
  ...GREETING_PATHS,
  ...ROUTES.map((route) => route.path),
]);

/** Paths match in any case and with one slash more at the end, as at the public counterpart. */
export function coreApp(
  core: Core,
  isKey: KeyCheck,
  onCall: ((call: ServedCall) => void) | undefined,
): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>({ getPath: plainPath });
  if (onCall !== undefined) {
    app.use(async (call, next) => {
      const start = performance.now();
      await next();
      const known = KNOWN_PATHS.has(call.req.path) ? call.req.path : "(unknown)";
      const elapsedMs = performance.now() - start;
      const { statusCode } = call.env.outgoing;
      onCall({ method: call.req.method, path: known, status: statusCode, elapsedMs });
    });
  }
  for (const path of GREETING_PATHS) {
    app.get(path, (call) => {
      call.env.outgoing.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
      call.env.outgoing.end("Hello\n");
      return RESPONSE_ALREADY_SENT;
    });
    app.all(path, methodNotAllowed("GET"));
  }
  for (const { method, path, answer } of ROUTES) {
    app.use(path, async (call, next) => {
      if (isKey(givenKey(call.req.header("api-key"), call.req.header("authorization")))) {
        return next();
      }
      return fail(call, 401, "the API key is missing or wrong");
    });
    app.on(method, path, async (call) => send(call, 200, await answer(core, call)));
    app.all(path, methodNotAllowed(method));
  }
  app.notFound((call) => fail(call, 404, "no such endpoint"));
  app.onError((error, call) => {
    const { status, message, headers } = errorResponse(error);
    return fail(call, status, message, headers);
  });
  return app;
}

/** Every path has one method; HEAD is answered where GET is. */
function methodNotAllowed(method: string): (call: Call) => Response {
  const allow = method === "GET" ? "GET, HEAD" : method;
  return (call) => fail(call, 405, `this endpoint takes ${allow}`, { allow });
}

function fail(
  call: Call,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  // Nobody waits for the rest of a body that isn't wanted.
  const connection = call.env.incoming.complete ? {} : { connection: "close" };
  return send(call, status, { message }, { ...connection, ...headers });
}

/** Written to Node's response: without replacing globals, a standard one costs a third of a call. */
function send(
  call: Call,
  status: number,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Response {
  const bytes = Buffer.from(JSON.stringify(body));
  call.env.outgoing
    .writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": bytes.length,
      ...headers,
    })
    .end(bytes);
  return RESPONSE_ALREADY_SENT;
}

function plainPath(request: Request): string {
  const path = getPath(request).toLowerCase();
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
