/** A proxy on loopback that opens tunnels (CONNECT), with or without a password, and leads every name to the server that a test gives. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface ConnectProxy {
  /** As in `127.0.0.1:41234`. */
  readonly host: string;
  /** What it was asked to lead to, in order. */
  readonly asked: readonly string[];
}

interface ProxyOptions {
  /** Where every tunnel ends. */
  readonly target: string;
  /** As in `ana:secret`; none by default. */
  readonly login?: string;
  /** What it answers in place of a tunnel; null hangs up. */
  readonly refusal?: number | null;
  /** A loopback address; `127.0.0.1` by default. */
  readonly address?: string;
  /** It speaks TLS, with this certificate. */
  readonly certificate?: { readonly key: string; readonly cert: string };
}

/** Ends with the test. */
export async function startConnectProxy(options: ProxyOptions): Promise<ConnectProxy> {
  const { target, login, refusal, address = "127.0.0.1", certificate } = options;
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString("base64")}`;
  const server = certificate === undefined ? createServer() : createTlsServer(certificate);
  server.on("request", (_, response: ServerResponse) => void response.writeHead(405).end());
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", ({ url = "", headers }: IncomingMessage, client: Socket) => {
    asked.push(url);
    client.on("error", () => client.destroy());
    if (refusal === null) return client.destroy();
    const status = headers["proxy-authorization"] === wanted ? refusal : 407;
    if (status !== undefined) return client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const { hostname, port } = new URL(target);
    const core = connect(Number(port), hostname.replace(/^\[|\]$/g, ""), () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      core.pipe(client).pipe(core);
    });
    sockets.add(core);
    core.on("error", () => client.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, address, resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  );
  const bound = server.address();
  const port = typeof bound === "object" ? bound?.port : undefined;
  const host = address.includes(":") ? `[${address}]` : address;
  return { host: `${host}:${port}`, asked };
}
