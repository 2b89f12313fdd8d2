/** Puts any `Core` on the wire: listens, and ends without cutting off a call in flight. What is answered is decided in `app.ts`. */

import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import type { Core } from "../core.js";
import { keyCheck } from "./api-keys.js";
import { coreApp, type ServedCall } from "./app.js";
import { isLoopback } from "./loopback.js";

export interface CoreServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** One of them must come with every call; with none, only loopback is served. */
  readonly apiKeys: readonly string[];
  /** Told of every call that was answered. */
  readonly onCall?: (call: ServedCall) => void;
  /** How long `close` waits for calls in flight, in milliseconds; 10 000 by default. */
  readonly closeGraceMs?: number;
}

export interface CoreServer {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** Takes no more calls, lets those in flight end, then resolves. Leaves the core open. */
  close(): Promise<void>;
}

/** A request must be there within this time, so that slow clients don't hold connections forever. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than clients keep idle connections, so that seldom one is closed under a new request. */
const KEEP_ALIVE_MS = 65_000;
const SWEEP_MS = 20;

/**
 * Serves a core until it is closed.
 *
 * @throws RunError `port_unusable`; `key_missing` for an address that isn't loopback without keys
 */
export async function startCoreServer(core: Core, options: CoreServerOptions): Promise<CoreServer> {
  const { host, port, apiKeys, onCall, closeGraceMs = 10_000 } = options;
  if (apiKeys.length === 0 && !isLoopback(host)) {
    throw new RunError("key_missing", `${host} can be reached from outside and no key is set`, {
      hint: "Configure an API key, or serve on 127.0.0.1.",
    });
  }
  const app = coreApp(core, keyCheck(apiKeys), onCall);
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS },
    getRequestListener(app.fetch, { overrideGlobalObjects: false }),
  );
  await listen(server, host, port);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${portOf(server)}`,
    close: () => closeGently(server, closeGraceMs),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      reject(
        new RunError(
          "port_unusable",
          `cannot listen on ${host}:${port} (${systemErrorCode(error)})`,
          {
            hint: "Stop what uses that port or choose another one, and check that the address is one of this machine's.",
            cause: error,
          },
        ),
      );
    });
    server.listen(port, host, resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Node ends only the connections that are idle at the moment; the others are ended once they are. */
function closeGently(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearInterval(sweep);
      clearTimeout(deadline);
      resolve();
    });
  });
}
