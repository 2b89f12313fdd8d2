/** A server on loopback that answers every call with one canned answer, or misbehaves as told. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createNetServer, type Server, type Socket } from "node:net";

export interface CannedServer {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  close(): Promise<void>;
}

/** Answers by an HTTP handler. */
export async function startHttp(
  handle: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<CannedServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    requests.push(request);
    let body = "";
    for await (const chunk of request) body += String(chunk);
    handle(request, response, body);
  });
  return { url: await listen(server), requests, close: () => closeServer(server) };
}

/** Does with each connection whatever a test wants, once the first bytes are there. */
export async function startRaw(handle: (socket: Socket) => void): Promise<CannedServer> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("data", () => handle(socket));
  });
  const url = await listen(server);
  return {
    url,
    requests: [],
    close() {
      for (const socket of sockets) socket.destroy();
      return closeServer(server);
    },
  };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      resolve(`http://127.0.0.1:${port}`);
    });
  });
}

function closeServer(server: Server & { closeAllConnections?: () => void }): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections?.();
  });
}
