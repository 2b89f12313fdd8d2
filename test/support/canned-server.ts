/** A server on loopback that answers every call with one canned answer, or misbehaves as told. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createNetServer, type Server, type Socket } from "node:net";

export interface CannedServer {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
  close(): Promise<void>;
}

export type Handle = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Answers by an HTTP handler. */
export async function startHttp(handle: Handle): Promise<CannedServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer(recording(requests, handle));
  return { url: await listen(server), requests, close: () => closeServer(server) };
}

/**
 * Answers by an HTTP handler behind TLS, with this certificate.
 *
 * @param host a loopback address; `127.0.0.1` by default
 */
export async function startHttps(
  certificate: { readonly key: string; readonly cert: string },
  handle: Handle,
  host?: string,
): Promise<CannedServer> {
  const requests: IncomingMessage[] = [];
  const server = createTlsServer(certificate, recording(requests, handle));
  const url = (await listen(server, host)).replace("http:", "https:");
  return { url, requests, close: () => closeServer(server) };
}

function recording(requests: IncomingMessage[], handle: Handle) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests.push(request);
    let body = "";
    for await (const chunk of request) body += String(chunk);
    handle(request, response, body);
  };
}

/** Has another server do a request, and answers as it does. */
export function handOn(
  url: string,
  { method = "", headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
): void {
  const sent = Object.entries({ "api-key": headers["api-key"], rid: headers.rid }).flatMap(
    ([name, value]) => (typeof value === "string" ? [[name, value] as [string, string]] : []),
  );
  fetch(url, { method, headers: sent, ...(body === "" ? {} : { body }) }).then(
    async (answer) => {
      response.writeHead(answer.status).end(await answer.text());
    },
    () => response.writeHead(502).end(),
  );
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

function listen(server: Server, host = "127.0.0.1"): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, host, () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${port}`);
    });
  });
}

function closeServer(server: Server & { closeAllConnections?: () => void }): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections?.();
  });
}
