/** Serves a core, or another service, over HTTP: listens, bounds its clients, and closes without cutting off a call in flight. `listener.ts` decides the answers. */

import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import type { Core } from "../core.js";
import { answerCalls, MAX_HEADER_BYTES } from "./calls.js";
import { failure, json, type Reply, type Service, serviceListener } from "./listener.js";
import { isLoopback, withoutBrackets } from "./loopback.js";
import { endpointPath, HELLO, namesOtherTenant } from "./paths.js";
import { type QueueHolder, startQueueJob } from "./queue-timer.js";
import { requireKnownVersion } from "./request.js";
import { type Answer, byPath, RefusedWith } from "./route.js";
import { ROUTES } from "./routes.js";

/** Where a core is served, and to whom. */
export interface CoreServerOptions {
  /** An address of this machine, or a name for one. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** One of them must come with every call; with none, only loopback is served, and no web pages. */
  readonly apiKeys: readonly string[];
  /** How long `close` waits for calls in flight, in milliseconds; 10 000 by default. */
  readonly closeGraceMs?: number;
  /** What a client may take; each absent one by default. */
  readonly limits?: Partial<ClientLimits>;
}

/** When accounts that stand in the core's queue are written. */
export interface QueueOptions {
  /** From the end of a round to the next one, in milliseconds; 1000 by default. Null: no round begins by itself. */
  readonly queueIntervalMs?: number | null | undefined;
  /** Told of a round that failed after one that didn't; what it didn't write is tried again. */
  readonly onQueueFailure?: (error: unknown) => void;
}

/** How long clients may take, in milliseconds, and how many connections they may have. */
export interface ClientLimits {
  /** For a request's line and headers; 10 000 by default. */
  readonly headersMs: number;
  /** For a whole request; 30 000 by default. */
  readonly requestMs: number;
  /** Between two requests; 65 000 by default, longer than clients and balancers keep idle connections, so that seldom one is closed under a new request. */
  readonly keepAliveMs: number;
  /** Without a byte in either direction while a call is in flight; 60 000 by default. */
  readonly stallMs: number;
  /** Further ones are closed at once; 2048 by default, so that the data file always gets its handles. */
  readonly connections: number;
}

/** A server that listens. */
export interface CoreServer {
  /** The base URL, without a slash at the end. */
  readonly url: string;
  /** Takes no more calls, lets those in flight end, then resolves. Leaves the core open. */
  close(): Promise<void>;
}

const DEFAULT_LIMITS: ClientLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  stallMs: 60_000,
  connections: 2048,
};

/**
 * Serves a core until it is closed, and has an embedded one write its queue.
 *
 * @throws RunError as {@link startServer}
 */
export async function startCoreServer(
  core: Core & Partial<QueueHolder>,
  options: CoreServerOptions & QueueOptions,
): Promise<CoreServer> {
  const server = await startServer(coreService(core), options);
  const { queueIntervalMs: intervalMs, onQueueFailure: onFailure = () => {} } = options;
  const { importQueued } = core;
  if (importQueued === undefined || intervalMs === null) return server;
  const endJob = startQueueJob({ importQueued }, { intervalMs, onFailure });
  return {
    url: server.url,
    async close() {
      await Promise.all([server.close(), endJob()]);
    },
  };
}

/**
 * Before anything is shown or written for a server.
 *
 * @throws RunError `port_unusable` where it couldn't listen
 */
export async function requirePort({ host, port }: Pick<CoreServerOptions, "host" | "port">) {
  const server = createServer();
  await listen(server, await addressOf(withoutBrackets(host), port), port);
  await new Promise((resolve) => server.close(resolve));
}

/**
 * Serves a service until it is closed.
 *
 * @throws RunError `port_unusable`; `config_invalid` for an address that isn't loopback without keys
 */
export async function startServer(
  service: Service,
  options: CoreServerOptions,
): Promise<CoreServer> {
  const { port, apiKeys, closeGraceMs = 10_000 } = options;
  const host = withoutBrackets(options.host);
  // Names are looked up here, so that what was checked is what is listened on.
  const address = await addressOf(host, port);
  if (apiKeys.length === 0 && !isLoopback(address)) {
    throw new RunError("config_invalid", `${host} can be reached from outside and no key is set`, {
      hint: "Configure an API key, or serve on 127.0.0.1.",
    });
  }
  const answer = serviceListener(service, apiKeys);
  const server = boundedServer({ ...DEFAULT_LIMITS, ...options.limits });
  const calls = answerCalls(server, answer);
  await listen(server, address, port);
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`,
    close: () => calls.close(closeGraceMs),
  };
}

function boundedServer(limits: ClientLimits): Server {
  const { headersMs, requestMs, keepAliveMs, stallMs, connections } = limits;
  const server = createServer({
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    // How often Node checks both.
    connectionsCheckingInterval: Math.ceil(Math.min(headersMs, requestMs) / 10),
    keepAliveTimeout: keepAliveMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    // A request without one is answered like every other that isn't right.
    requireHostHeader: false,
  });
  server.timeout = stallMs;
  server.maxConnections = connections;
  // A client that has sent a whole request and ends sending still wants its answer (RFC 9112 section 9.6).
  return Object.assign(server, { httpAllowHalfOpen: true });
}

async function addressOf(host: string, port: number): Promise<string> {
  try {
    return (await lookup(host)).address;
  } catch (error) {
    throw portUnusable(host, port, error);
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(portUnusable(host, port, error)));
    server.listen(port, host, resolve);
  });
}

function portUnusable(host: string, port: number, cause: unknown): RunError {
  const message = `cannot listen on ${host}:${port} (${systemErrorCode(cause)})`;
  return new RunError("port_unusable", message, {
    hint: "Stop what uses that port or choose another one, and check that the address is one of this machine's.",
    cause,
  });
}

const GREETING: Reply = {
  status: 200,
  contentType: "text/plain; charset=utf-8",
  text: "Hello\n",
};

/** A core's endpoints, as a server answers them. */
function coreService(core: Core): Service {
  const endpoint =
    (answer: Answer) =>
    async (incoming: IncomingMessage): Promise<Reply> => {
      requireKnownVersion(incoming);
      try {
        return json(200, await answer(core, incoming));
      } catch (error) {
        if (error instanceof RefusedWith) return json(400, error.body);
        throw error;
      }
    };
  return {
    name: "core",
    pathOf: endpointPath,
    routes: byPath(ROUTES.map((route) => ({ ...route, answer: endpoint(route.answer) }))),
    open: new Map(["/", HELLO].map((path) => [path, () => GREETING])),
    otherwise: (url) =>
      namesOtherTenant(url)
        ? failure(400, "only the app and the tenant named public are offered")
        : failure(404, "no such endpoint"),
  };
}
