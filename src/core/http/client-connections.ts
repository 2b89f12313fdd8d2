/** The connections to a remote core, each for one call at a time, straight or through a proxy. The one place that knows undici. */

import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { connectionFailure, ProxyFailure } from "./connection-failure.js";
import type { CoreFailure } from "../core-failure.js";
import { proxyFor } from "./proxy.js";

interface ConnectionOptions {
  readonly connections: number;
  /** How long to wait for a connection, in milliseconds. */
  readonly timeoutMs: number;
  /** Certificate authorities (PEM) to trust instead of Node's own. */
  readonly ca?: string | undefined;
  /** The variables that may name a proxy. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * No answer that is used comes near this: a page of 500 users has about 300 KiB. One of the queue
 * shows whole accounts, which came in a request of 15 MB at most.
 */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * Connects only when a call needs it.
 *
 * @throws RunError `config_invalid`: a variable that names no proxy
 */
export function openConnections(origin: string, options: ConnectionOptions) {
  const { connections, timeoutMs, ca, env } = options;
  const tls = { timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) };
  const perConnection = {
    connections,
    pipelining: 1,
    // The reader of the answer keeps the time.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
    connect: tls,
  };
  const proxy = proxyFor(origin, env);
  if (proxy === null) {
    const pool = new Pool(origin, perConnection);
    return connectionsOf(pool, (error) => connectionFailure(error, { origin, proxy: null }));
  }
  const { variable, uri, token, noProxy } = proxy;
  let isUsed = false;
  const agent = new EnvHttpProxyAgent({
    ...perConnection,
    // One proxy for either scheme, in place of what undici would read from the environment itself.
    httpProxy: uri,
    httpsProxy: "",
    noProxy,
    ...(token === undefined ? {} : { token }),
    requestTls: tls,
    proxyTls: { timeout: timeoutMs },
    clientFactory: (url, given: Pool.Options) => {
      const pool = new Pool(url, { ...given, headersTimeout: timeoutMs });
      return tunnels(pool, () => {
        isUsed = true;
      });
    },
  });
  return connectionsOf(agent, (error) =>
    connectionFailure(error, { origin, proxy: { variable, isUsed } }),
  );
}

/** @param failureOf why a call got no whole answer */
function connectionsOf(dispatcher: Dispatcher, failureOf: (error: Error) => CoreFailure) {
  return {
    /** The handler gets the answer; it keeps the time. */
    dispatch: (request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void =>
      void dispatcher.dispatch(request, handler),
    failureOf,
    close: () => dispatcher.close(),
  };
}

/**
 * Types why a proxy opens no way to the core, which undici tells in words alone. Behind an error of
 * undici's own, as where the proxy hangs up, it would also try again for ever.
 */
function tunnels(pool: Pool, onOpened: () => void): Pool {
  const connect = pool.connect.bind(pool);
  const open = async (options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    const tunnel = await connect(options).catch((error: unknown) => {
      throw new ProxyFailure(null, error);
    });
    if (tunnel.statusCode !== 200) {
      tunnel.socket.on("error", () => {}).destroy();
      throw new ProxyFailure(tunnel.statusCode);
    }
    onOpened();
    return tunnel;
  };
  return Object.assign(pool, { connect: open });
}
