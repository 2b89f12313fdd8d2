/** A connection that says exactly the bytes it is told to, for what no HTTP client would send. What a test opens ends with it. */

import { connect } from "node:net";
import { onTestFinished } from "vitest";

export interface RawConnection {
  /** Resolves once the bytes have left this process. */
  send(bytes: string | Buffer): Promise<void>;
  /** Ends sending; answers still arrive. */
  endSending(): void;
  stopReading(): void;
  readOn(): void;
  /** What has arrived up to now. */
  received(): string;
  /** Resolves with everything received as soon as `text` is in it; rejects where the connection ends without. */
  until(text: string): Promise<string>;
  /** Whether the other side broke the connection off instead of ending it. */
  wasBrokenOff(): boolean;
  /** Resolves with everything received once the other side has ended the connection, or broken it off. */
  readonly closed: Promise<string>;
}

export async function rawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.setEncoding("latin1");
  socket.on("data", (part) => {
    text += part;
  });
  let brokenOff = false;
  socket.on("error", () => {
    brokenOff = true;
  });
  const closed = new Promise<string>((resolve) => {
    for (const event of ["end", "close"]) socket.once(event, () => resolve(text));
  });
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  return {
    send: (bytes) => new Promise((resolve) => socket.write(bytes, () => resolve())),
    endSending: () => void socket.end(),
    stopReading: () => void socket.pause(),
    readOn: () => void socket.resume(),
    received: () => text,
    wasBrokenOff: () => brokenOff,
    until(expected) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          if (!text.includes(expected)) return;
          socket.off("data", look);
          resolve(text);
        };
        socket.on("data", look);
        look();
        void closed.then(() => {
          if (!text.includes(expected)) reject(new Error(`it ended without ${expected}: ${text}`));
        });
      });
    },
    closed,
  };
}

/** A request as it goes over the wire, with a Host and, where there is a body, its length. */
export function requestText(
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown,
): string {
  const text = body === undefined ? "" : JSON.stringify(body);
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(text)) };
  const lines = Object.entries({ host: "127.0.0.1", ...length, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${line} HTTP/1.1\r\n${head}\r\n${text}`;
}

/** The statuses of the answers in `text`, in their order. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
