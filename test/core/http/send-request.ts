/** Sends requests exactly as they are given: through Node's own client, which adds what HTTP itself needs, or byte for byte. */

import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";

export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export function sendRequest(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
): Promise<Received> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sending = request({
      hostname,
      port,
      method,
      path,
      headers: { ...length, ...headers },
      agent: false,
    });
    sending.on("error", reject);
    sending.on("response", (response) => {
      response.setEncoding("utf8");
      let text = "";
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      response.on("error", reject);
    });
    sending.end(body);
  });
}

/** Everything that comes back until the server ends the connection; `then` is sent once something came. */
export function sendBytes(url: string, bytes: string, then?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let answer = "";
    socket.setEncoding("latin1");
    socket.on("data", (part: string) => {
      if (answer === "" && then !== undefined) socket.write(then);
      answer += part;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
    socket.write(bytes);
  });
}
