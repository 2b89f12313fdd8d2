/** The calls in flight at a server: how many a connection may have, the answer to broken HTTP, and a close that cuts off no answer. */

import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { systemErrorCode } from "../../errors/run-error.js";

/** Unanswered calls on one connection. No real client comes near it; each answer waits in memory. */
const MAX_PIPELINED = 32;

/** How long a client may go on sending behind the last answer before the connection is broken off. */
const LINGER_MS = 500;

/** What Node says where a client ends sending in the middle of a request. */
const CUT_OFF = { code: "HPE_INVALID_EOF_STATE" };

interface Connection {
  /** Those without an answer yet, in the order in which they came. */
  readonly calls: Map<ServerResponse, IncomingMessage>;
  /** Nothing counts any more that comes behind them. */
  isOver: boolean;
}

/**
 * Has a server's calls answered.
 *
 * @returns `close`, which takes no more calls, lets those in flight end, and cuts off what is left
 *   after `graceMs`; it resolves when the last connection has ended
 */
export function answerCalls(
  server: Server,
  answer: RequestListener,
): { readonly close: (graceMs: number) => Promise<void> } {
  const connections = new Map<Socket, Connection>();
  let closing = false;

  server.on("connection", (socket) => {
    const connection: Connection = { calls: new Map(), isOver: false };
    connections.set(socket, connection);
    // Node, too, ends a connection by this method after the last answer on it.
    socket.destroySoon = () => endLingering(socket);
    socket.once("close", () => connections.delete(socket));
    // Node doesn't tell of a request for an upgrade that is cut off in its body.
    socket.once("end", () => {
      const last = [...connection.calls.values()].at(-1);
      if (last?.complete === false && socket.writable) endBroken(CUT_OFF, socket, connection);
    });
  });
  const receive: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming;
    const connection = connections.get(socket);
    if (connection === undefined || connection.calls.size === MAX_PIPELINED) socket.destroy();
    else if (!closing && !connection.isOver) {
      const { calls } = connection;
      calls.set(outgoing, incoming);
      // Of what is sent behind such a request Node loses a part.
      if (incoming.headers.upgrade !== undefined) endAfterLast(connection);
      outgoing.once("close", () => {
        calls.delete(outgoing);
        if ((closing || connection.isOver) && calls.size === 0) socket.destroySoon();
      });
      answer(incoming, outgoing);
    }
  };
  server.on("request", receive);
  // An expectation that isn't known may be passed over (RFC 9110 section 10.1.1).
  server.on("checkExpectation", receive);
  server.on("clientError", (error, stream) => {
    const socket = stream as Socket;
    const connection = connections.get(socket);
    // What comes behind the last answer of a connection must not cut that answer off.
    if (connection !== undefined && socket.writable) endBroken(error, socket, connection);
  });

  return {
    close(graceMs) {
      closing = true;
      for (const [socket, connection] of connections) {
        if (connection.calls.size > 0) endAfterLast(connection);
        else socket.destroySoon();
      }
      return closed(server, graceMs);
    },
  };
}

/** Resolves when the last connection has ended, or is cut off after `graceMs`. */
function closed(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
    // Node's HTTP server would also cut off answers that are written but have not left yet.
    NetServer.prototype.close.call(server, () => {
      clearTimeout(deadline);
      // Ends Node's own watch over slow requests.
      server.close();
      resolve();
    });
  });
}

/** Ends a connection on which something came that is no call. Calls before it keep their answers. */
function endBroken(error: unknown, socket: Socket, connection: Connection): void {
  const [outgoing, incoming] = [...connection.calls].at(-1) ?? [];
  if (outgoing !== undefined && incoming?.complete === false) connection.calls.delete(outgoing);
  if (connection.calls.size > 0) endAfterLast(connection);
  else if (socket.bytesRead === 0) socket.destroy();
  else if (connection.isOver || outgoing?.headersSent === true) socket.destroySoon();
  else answerBroken(error, socket);
}

/** An answer that is rendered already, and waits behind another, can't say any more that it is the last. */
function endAfterLast(connection: Connection): void {
  connection.isOver = true;
  const last = [...connection.calls.keys()].at(-1);
  if (last !== undefined) last.shouldKeepAlive = false;
}

/** A connection that is closed over unread bytes takes its last answer with it (RFC 9112 section 9.6). */
function endLingering(socket: Socket): void {
  socket.end(() => {
    const deadline = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(deadline));
  });
  socket.resume();
}

/** Most bytes of a request's line and headers, together. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Status and message by the code of Node's error. */
const FLAWS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request didn't arrive in time"],
  HPE_INVALID_EOF_STATE: [400, "the request was cut off before its end"],
  HPE_HEADER_OVERFLOW: [431, `the headers are larger than ${MAX_HEADER_BYTES} bytes`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "the chunk extensions are too large"],
};

/**
 * Tells a client what is wrong, in the form of all other errors, and ends the connection.
 *
 * @param error of the event `clientError`
 */
function answerBroken(error: unknown, stream: Duplex): void {
  const [status, message] = FLAWS[systemErrorCode(error)] ?? [400, "this is not an HTTP request"];
  const body = JSON.stringify({ message });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `date: ${new Date().toUTCString()}`,
    "connection: close",
  ];
  stream.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => stream.destroy());
}
