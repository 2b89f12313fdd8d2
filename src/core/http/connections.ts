/** The connections of a server: calls that come one behind the other on a connection are answered one at a time, broken HTTP is told so, and closing cuts off no answer. What is answered to a call is decided elsewhere. */

import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { bytesOfFlaw, CUT_OFF, type Flaw, flawOf } from "./broken-request.js";
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
  /** Nothing counts any more that comes behind the calls that are here. */
  isOver: boolean;
  /** Told when everything in front of it is answered. */
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

  function isLast({ waiting, isOver, flaw }: Connection): boolean {
    return waiting.length === 0 && (closing || (isOver && flaw === null));
  }

  function begin(connection: Connection, call: Call): void {
    connection.current = call;
    if (isLast(connection)) call.outgoing.setHeader("connection", "close");
    call.outgoing.once("close", () => goOn(connection));
    answer(call.incoming, call.outgoing);
  }

  function goOn(connection: Connection): void {
    const { socket, waiting, isOver } = connection;
    connection.current = null;
    connection.bytesDone = socket.bytesRead;
    // What came behind the last answer of a connection is no call (RFC 9112 section 9.6).
    if (!socket.writable) return;
    const next = waiting.shift();
    if (next !== undefined) begin(connection, next);
    else if (closing || isOver) socket.destroySoon();
  }

  server.on("connection", (socket: Socket) => {
    const connection: Connection = {
      ...{ socket, current: null, waiting: [], latest: null },
      ...{ isOver: false, flaw: null, bytesDone: 0 },
    };
    connections.set(socket, connection);
    // Node, too, ends a connection by this method after the last answer on it.
    socket.destroySoon = () => end(connection);
    socket.once("close", () => connections.delete(socket));
    // Node doesn't tell of a request for an upgrade that is cut off in its body.
    socket.once("end", () => {
      if (connection.latest?.complete === false && socket.writable) tellFlaw(connection, CUT_OFF);
    });
  });

  const receive: RequestListener = (incoming, outgoing) => {
    const connection = connections.get(incoming.socket);
    if (connection === undefined) return;
    // One that is being ended is read on, see lingering.ts.
    if (!connection.socket.writable) return;
    if (connection.isOver) {
      connection.socket.pause();
      return;
    }
    connection.latest = incoming;
    // Of what is sent behind such a request before its answer, Node loses a part.
    connection.isOver = incoming.headers.upgrade !== undefined;
    const call = { incoming, outgoing };
    if (connection.current === null) begin(connection, call);
    else if (connection.waiting.length < MAX_WAITING) connection.waiting.push(call);
    else refuseFurther(connection, TOO_MANY);
  };
  server.on("request", receive);
  // An expectation that nobody knows may be passed over (RFC 9110 section 10.1.1).
  server.on("checkExpectation", receive);

  server.on("clientError", (error, stream) => {
    const connection = connections.get(stream);
    const flaw = flawOf(error);
    if (connection === undefined) stream.destroy();
    else if (stream.writable && flaw !== null) tellFlaw(connection, flaw);
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

/** Nothing has come since the last answer; what came before it of another request is given up. */
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
  const { socket, current, waiting, latest, isOver } = connection;
  if (socket.bytesRead === 0) {
    // Nothing was asked, so nothing is answered.
    socket.destroy();
  } else if (latest === null || latest.complete) {
    if (!isOver) refuseFurther(connection, flaw);
  } else if (waiting.at(-1)?.incoming === latest) {
    waiting.pop();
    connection.latest = null;
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
  connection.isOver = true;
  connection.flaw = flaw;
  connection.socket.pause();
  if (connection.current === null) connection.socket.destroySoon();
}

function end({ socket, waiting, flaw }: Connection): void {
  const isTold = flaw !== null && waiting.length === 0;
  endLingering(socket, isTold ? bytesOfFlaw(flaw) : "");
}
