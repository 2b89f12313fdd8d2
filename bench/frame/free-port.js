/** A port for what is to listen there later, or again after a while. */

import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that systems hand out by themselves: another program would be given it meanwhile. */
const LEAST = 20_000;
const MOST = 30_000;

/** @returns one at which nothing listens on loopback */
export async function freePort() {
  const port = randomInt(LEAST, MOST);
  return (await isFree(port)) ? port : freePort();
}

function isFree(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else reject(error);
    });
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
