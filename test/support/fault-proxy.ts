/** A TCP proxy of our own between a client and a core: it reads whole requests and does to each one what a test tells it, down to the bytes and the end of the connection. */

import { Agent, request as httpRequest } from "node:http";
import { createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { freePort } from "../../bench/frame/free-port.js";

/** A request as it came. */
export interface ProxiedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One request and all that can be done about it. */
export interface Exchange {
  readonly request: ProxiedRequest;
  /** Has the core do it; answers what would go back, in bytes. */
  forward(): Promise<Buffer>;
  /** Resolves once the bytes have left. */
  write(bytes: Buffer | string): Promise<void>;
  /** Ends the proxy's side of the connection and goes on reading. */
  end(): void;
  /** Breaks the connection off with a reset. */
  reset(): void;
}

/** What happens to a request. Without a `write` the client waits. */
export type Fault = (exchange: Exchange) => Promise<void> | void;

export interface FaultProxy {
  /** Stays the same while the proxy is down and whatever core is behind it. */
  readonly url: string;
  /** Requests that have come so far. */
  readonly requests: number;
  /** What comes from now on goes to the core at this URL. */
  lead(coreUrl: string): void;
  /** From now on connections are refused, and open ones are broken off. */
  down(): Promise<void>;
  /** Listens again, at the same port. */
  up(): Promise<void>;
}

/**
 * Starts a proxy that ends with the test.
 *
 * @param choose what to do about each request, told its number from 1
 */
export async function startFaultProxy(
  coreUrl: string,
  choose: (request: ProxiedRequest, number: number) => Fault,
): Promise<FaultProxy> {
  const agent = new Agent({ keepAlive: true });
  const sockets = new Set<Socket>();
  let core = coreUrl;
  let server: Server | null = null;
  const port = await freePort();
  let requests = 0;

  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Whoever resets what we write to is what we are here for.
    socket.on("error", () => socket.destroy());
    eachRequest(socket, (request) => {
      requests += 1;
      const exchange = exchangeOver(socket, request, () => forward(agent, core, request));
      void act(choose(request, requests), exchange);
    });
  };
  const up = async (): Promise<void> => {
    const listening = createServer({ allowHalfOpen: true, noDelay: true }, serve);
    server = listening;
    await new Promise<void>((resolve) => listening.listen(port, "127.0.0.1", resolve));
  };
  const down = async (): Promise<void> => {
    const listening = server;
    server = null;
    const closed = new Promise<void>((resolve) => {
      if (listening === null) resolve();
      else listening.close(() => resolve());
    });
    for (const socket of sockets) socket.resetAndDestroy();
    await closed;
  };

  await up();
  onTestFinished(async () => {
    await down();
    agent.destroy();
  });
  return {
    url: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    lead(url) {
      core = url;
    },
    down,
    up,
  };
}

/** A core that is away breaks the connection off, as a proxy's own host does. */
async function act(fault: Fault, exchange: Exchange): Promise<void> {
  try {
    await fault(exchange);
  } catch {
    exchange.reset();
  }
}

function exchangeOver(
  socket: Socket,
  request: ProxiedRequest,
  forwarded: () => Promise<Buffer>,
): Exchange {
  return {
    request,
    forward: forwarded,
    write: (bytes) =>
      new Promise((resolve) => {
        if (socket.destroyed) resolve();
        else socket.write(bytes, () => resolve());
      }),
    end: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
  };
}

/** Takes whole requests out of what a socket sends. */
function eachRequest(socket: Socket, onRequest: (request: ProxiedRequest) => void): void {
  let waiting = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    waiting = Buffer.concat([waiting, Buffer.from(chunk)]);
    for (;;) {
      const headEnd = waiting.indexOf("\r\n\r\n");
      if (headEnd < 0) return;
      const [start = "", ...lines] = waiting.subarray(0, headEnd).toString("latin1").split("\r\n");
      const headers = Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      const { "transfer-encoding": encoding, ...others } = headers;
      const found =
        encoding === "chunked"
          ? chunkedBody(waiting, headEnd + 4)
          : sizedBody(waiting, headEnd + 4, Number(headers["content-length"] ?? 0));
      if (found === null) return;
      waiting = waiting.subarray(found.end);
      const [method = "", path = ""] = start.split(" ");
      onRequest({ method, path, headers: others, body: found.bytes.toString() });
    }
  });
  socket.on("end", () => socket.end());
}

/** A body, and where it ends. */
interface Body {
  readonly bytes: Buffer;
  readonly end: number;
}

function sizedBody(waiting: Buffer, start: number, size: number): Body | null {
  const end = start + size;
  return waiting.length < end ? null : { bytes: waiting.subarray(start, end), end };
}

/** RFC 9112 section 7.1, without trailers. */
function chunkedBody(waiting: Buffer, start: number): Body | null {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = waiting.indexOf("\r\n", at);
    if (lineEnd < 0) return null;
    const size = Number.parseInt(waiting.subarray(at, lineEnd).toString("latin1"), 16);
    const end = lineEnd + 2 + size + 2;
    if (waiting.length < end) return null;
    if (size === 0) return { bytes: Buffer.concat(parts), end };
    parts.push(waiting.subarray(lineEnd + 2, end - 2));
    at = end;
  }
}

function forward(agent: Agent, core: string, request: ProxiedRequest): Promise<Buffer> {
  const { method, path, body, headers } = request;
  const { host: _ours, connection: _theirs, ...rest } = headers;
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(`${core}${path}`, { method, agent, headers: rest }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () => {
        const type = answer.headers["content-type"] ?? "application/json";
        resolve(answerText(answer.statusCode ?? 0, Buffer.concat(parts), { "content-type": type }));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

/** An HTTP answer as it goes over the wire. */
export function answerText(
  status: number,
  body: Buffer | string,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const all = { ...headers, "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} Whatever\r\n${lines.join("")}\r\n`),
    Buffer.from(body),
  ]);
}
