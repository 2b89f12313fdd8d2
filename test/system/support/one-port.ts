/** One port before several servers: each connection goes to the next server that takes it, as a balancer has it. */

import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface OnePort {
  readonly url: string;
}

/** @param urls asked again for every connection, so that servers may come and go */
export async function startOnePort(urls: () => readonly string[]): Promise<OnePort> {
  const sockets = new Set<Socket>();
  let count = 0;
  const pass = (client: Socket, left: readonly string[]): void => {
    const [url, ...others] = left;
    if (url === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(url);
    const server = connect(Number(port), hostname);
    sockets.add(server);
    let isOpen = false;
    server.on("connect", () => {
      isOpen = true;
      client.pipe(server).pipe(client);
    });
    server.on("error", () => {
      if (isOpen) client.destroy();
      else pass(client, others);
    });
    server.on("close", () => {
      sockets.delete(server);
      if (isOpen) client.destroy();
    });
    client.on("close", () => server.destroy());
  };
  const balancer = createServer({ noDelay: true }, (client) => {
    sockets.add(client);
    client.on("error", () => client.destroy());
    client.on("close", () => sockets.delete(client));
    const all = urls();
    count += 1;
    const first = count % all.length;
    pass(client, [...all.slice(first), ...all.slice(0, first)]);
  });
  await new Promise<void>((resolve) => balancer.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    balancer.close();
  });
  const address = balancer.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}` };
}
