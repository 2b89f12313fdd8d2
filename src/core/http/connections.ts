/** The connections of a server: calls that come one behind the other on a connection are answered one at a time, broken HTTP is told so, and closing cuts off no answer. What is answered to a call is decided elsewhere. */

import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { bytesOfFlaw, type Flaw, flawOf } from "./broken-request.js";
import { endLingering } from "./lingering.js";

interface Call {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

interface Connection {
  readonly socket: Socket;
  /** The call that is being answered; over when its answer has left. */
  current: Call | null;
  /** Calls that came before the answer to the one in front of them. */
  readonly waiting: Call[];
  /** The request that came last; its body may still be on the way. */
  latest: IncomingMessage | null;
  /** Told when everything in front of it is answered; nothing behind it counts. */
  flaw: Flaw | null;
  /** Of `socket.bytesRead`, those that belong to calls that are over. */
  bytesDone: number;
}

/** No client that waits for answers comes near it; the others are kept from filling the memory. */
const MAX_WAITING = 32;
const TOO_MANY: Flaw = {
  status: 429,
  message: "too many requests were sent on this connection without waiting for answers",
};

/**
 * Watches over a server's connections from before it listens.
 *
 * A connection's calls are answered one at a time, as RFC 9112 section 9.3.2 demands of calls that
 * change something: a client may send an update behind an import without waiting.
 *
 * @returns `close`, which takes no more calls, lets those in flight end, and resolves when the last
 *   connection has ended, or `graceMs` are over and the others are cut off
 */
export function watchConnections(
  server: Server,
  answer: RequestListener,
): { readonly close: (graceMs: number) => Promise<void> } {
  const connections = new Map<Duplex, Connection>();
  let closing = false;

  /** Node reads nothing that came with a request for an upgrade, behind it. */
  function isLastOf({ waiting }: Connection, { incoming }: Call): boolean {
    return waiting.length === 0 && (closing || incoming.headers.upgrade !== undefined);
  }

  function begin(connection: Connection, call: Call): void {
    connection.current = call;
    if (isLastOf(connection, call)) call.outgoing.setHeader("connection", "close");
    call.outgoing.once("close", () => goOn(connection));
    answer(call.incoming, call.outgoing);
  }

  function goOn(connection: Connection): void {
    const { socket, waiting, flaw } = connection;
    connection.current = null;
    connection.bytesDone = socket.bytesRead;
    // What came behind the last answer of a connection is no call (RFC 9112 section 9.6).
    if (!socket.writable) return;
    const next = waiting.shift();
    if (next !== undefined) begin(connection, next);
    else if (flaw !== null) endLingering(socket, bytesOfFlaw(flaw));
    else if (closing) socket.destroySoon();
  }

  server.on("connection", (socket: Socket) => {
    // Node ends a connection by this method after the last answer on it.
    socket.destroySoon = () => endLingering(socket);
    connections.set(socket, {
      ...{ socket, current: null, waiting: [], latest: null, flaw: null },
      bytesDone: 0,
    });
    socket.once("close", () => connections.delete(socket));
  });

  const receive: RequestListener = (incoming, outgoing) => {
    const connection = connections.get(incoming.socket);
    if (connection === undefined) return;
    connection.latest = incoming;
    const call = { incoming, outgoing };
    if (connection.flaw !== null) connection.socket.pause();
    else if (!connection.socket.writable) return;
    else if (connection.current === null) begin(connection, call);
    else if (connection.waiting.length < MAX_WAITING) connection.waiting.push(call);
    else refuseFurther(connection, TOO_MANY);
  };
  server.on("request", receive);
  // An expectation that nobody knows may be passed over (RFC 9110 section 10.1.1).
  server.on("checkExpectation", receive);

  server.on("clientError", (error, stream) => {
    const connection = connections.get(stream);
    if (connection === undefined || isIdle(connection)) stream.destroy();
    else if (connection.flaw === null && stream.writable) tellFlaw(connection, flawOf(error));
  });

  return {
    close(graceMs) {
      closing = true;
      for (const connection of connections.values()) announceEnd(connection);
      return new Promise((resolve) => {
        const deadline = setTimeout(() => {
          for (const stream of connections.keys()) stream.destroy();
        }, graceMs);
        // Node's HTTP server would also cut off answers that are written but have not left yet.
        NetServer.prototype.close.call(server, () => {
          clearTimeout(deadline);
          // Ends Node's own watch over slow requests.
          server.close();
          resolve();
        });
      });
    },
  };
}

/** Nothing of a call has come that isn't answered. */
function isIdle({ socket, current, bytesDone }: Connection): boolean {
  return current === null && socket.bytesRead === bytesDone;
}

function announceEnd(connection: Connection): void {
  const { socket, current, waiting } = connection;
  if (isIdle(connection)) socket.destroy();
  else if (current !== null && waiting.length === 0 && !current.outgoing.headersSent) {
    current.outgoing.setHeader("connection", "close");
  }
}

/** A call that was made must not look as if it had been refused: the flaw may be of a later one. */
function tellFlaw(connection: Connection, flaw: Flaw): void {
  const { socket, current, waiting, latest } = connection;
  if (latest === null || latest.complete) {
    refuseFurther(connection, flaw);
  } else if (waiting.at(-1)?.incoming === latest) {
    waiting.pop();
    refuseFurther(connection, flaw);
  } else if (current?.incoming === latest && !current.outgoing.headersSent) {
    // Broken off at once, so that the rest of the body can't arrive after all.
    socket.end(bytesOfFlaw(flaw), () => socket.destroy());
  } else {
    socket.destroySoon();
  }
}

/** Ends the connection after the answers to the calls in front. */
function refuseFurther(connection: Connection, flaw: Flaw): void {
  connection.flaw = flaw;
  connection.socket.pause();
  if (connection.current === null) endLingering(connection.socket, bytesOfFlaw(flaw));
}
