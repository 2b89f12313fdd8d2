/** The calls in flight at a server: how many a connection may have, the answer to broken HTTP, and a close that cuts off no answer. */

import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { answerBroken } from "./broken-request.js";

/** Unanswered calls on one connection. No real client comes near it; each answer waits in memory. */
const MAX_PIPELINED = 32;

/**
 * Has a server's calls answered.
 *
 * @returns `close`, which takes no more calls, lets those in flight end, and resolves when the last
 *   connection has ended, or `graceMs` are over and the others are cut off
 */
export function answerCalls(
  server: Server,
  answer: RequestListener,
): { readonly close: (graceMs: number) => Promise<void> } {
  const connections = new Map<Socket, Map<ServerResponse, IncomingMessage>>();
  let closing = false;

  server.on("connection", (socket) => {
    connections.set(socket, new Map());
    socket.once("close", () => connections.delete(socket));
  });
  const receive: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming;
    const calls = connections.get(socket);
    if (calls === undefined || calls.size === MAX_PIPELINED) socket.destroy();
    else if (!closing) {
      calls.set(outgoing, incoming);
      // Of what is sent behind such a request Node loses a part.
      if (incoming.headers.upgrade !== undefined) outgoing.shouldKeepAlive = false;
      outgoing.once("close", () => {
        calls.delete(outgoing);
        if (closing && calls.size === 0) socket.destroySoon();
      });
      answer(incoming, outgoing);
    } else if (calls.size === 0) socket.destroy();
  };
  server.on("request", receive);
  // An expectation that isn't known may be passed over (RFC 9110 section 10.1.1).
  server.on("checkExpectation", receive);
  server.on("clientError", (error, stream) => {
    const socket = stream as Socket;
    const calls = [...(connections.get(socket) ?? [])];
    const [outgoing, incoming] = calls.at(-1) ?? [];
    // Calls before the broken one keep their answers; their last one ends the connection.
    const last = incoming?.complete === false ? calls.at(-2)?.[0] : outgoing;
    // What comes behind the last answer of a connection must not cut that answer off.
    if (!socket.writable) return;
    if (socket.bytesRead === 0) socket.destroy();
    else if (last !== undefined) last.shouldKeepAlive = false;
    else if (outgoing?.headersSent === true) socket.destroySoon();
    else answerBroken(error, socket);
  });

  return {
    close(graceMs) {
      closing = true;
      for (const [socket, calls] of connections) {
        const last = [...calls.keys()].at(-1);
        if (last !== undefined) last.shouldKeepAlive = false;
        else socket.destroySoon();
      }
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
    },
  };
}
