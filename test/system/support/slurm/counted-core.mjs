// The embedded core on a port, as `serve` puts it there, with a line in a log for every answered call.
//
// node counted-core.mjs <port> <data file> <file of the API key> <log>

import { subscribe } from "node:diagnostics_channel";
import { appendFileSync, readFileSync } from "node:fs";
import { openEmbeddedCore, startCoreServer } from "../../../../dist/index.js";

const [port, file, keyFile, log] = process.argv.slice(2);
subscribe("http.server.response.finish", ({ request }) => appendFileSync(log, `${request.url}\n`));
const { url } = await startCoreServer(openEmbeddedCore({ file }), {
  host: "127.0.0.1",
  port: Number(port),
  apiKeys: [readFileSync(keyFile, "utf8")],
});
console.log(url);
