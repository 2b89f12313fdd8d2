/** The connections to a remote core, each for one call at a time. The one place that knows undici. */

import { TLSSocket } from "node:tls";
import { buildConnector, type Dispatcher, Pool } from "undici";
import type { CoreFailure } from "../core-failure.js";
import { connectionFailure } from "./connection-failure.js";

/** What opening connections takes. */
interface ConnectionOptions {
  readonly connections: number;
  /** How long to wait for a connection, in milliseconds. */
  readonly timeoutMs: number;
  /** Certificate authorities (PEM) to trust instead of Node's own. */
  readonly ca?: string;
}

export interface Connections {
  /** The handler gets the answer; it keeps the time. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Why a call got no whole answer. */
  failureOf(error: Error): CoreFailure;
  /** Lets calls in flight end. */
  close(): Promise<void>;
}

/** No answer that is used comes near this; a page of 500 users has about 300 KiB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Connects only when a call needs it. */
export function openConnections(origin: string, options: ConnectionOptions): Connections {
  const { connections, timeoutMs, ca } = options;
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    // The reader of the answer keeps the time.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
    connect: showingCertificates({ timeout: timeoutMs, ...(ca === undefined ? {} : { ca }) }),
  });
  return {
    dispatch: (request, handler) => void pool.dispatch(request, handler),
    failureOf: (error) => connectionFailure(error, { origin }),
    close: () => pool.close(),
  };
}

/**
 * Puts the core's certificate beside the error that refuses it, for its dates: Node itself does so
 * only where the name is wrong. Its own check has the last word, right behind this listener.
 */
function showingCertificates(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (to, callback) => {
    let cert: object | undefined;
    const socket: unknown = connect(to, (...[error, connected]) => {
      if (error === null) callback(null, connected);
      else callback(cert === undefined ? error : Object.assign(error, { cert }), null);
    });
    if (!(socket instanceof TLSSocket)) return;
    socket.prependOnceListener("secure", () => {
      cert = socket.getPeerCertificate();
    });
  };
}
