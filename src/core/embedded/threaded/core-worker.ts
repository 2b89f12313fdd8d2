/** The entry of a threaded core: an embedded core whose calls come as messages. */

import { parentPort, workerData } from "node:worker_threads";
import { type EmbeddedCore, openEmbeddedCore } from "../embedded-core.js";
import type { PostgresCoreOptions } from "../postgres/postgres-core.js";
import { answerCalls, type NamedCall, type Opened } from "./messages.js";

let methods: Readonly<Record<string, (...given: never[]) => Promise<unknown>>> = { open };

if (parentPort !== null) {
  answerCalls<NamedCall>(parentPort, ([method, given]) => {
    return methods[method]?.(...(given as never[])) ?? Promise.reject(new TypeError(method));
  });
}

async function open(): Promise<Opened> {
  const core: EmbeddedCore =
    "database" in workerData ? await openPostgres(workerData) : openEmbeddedCore(workerData);
  const { target: _, coreId, ...calls } = core;
  methods = calls;
  return { coreId, names: Object.keys(calls) };
}

/** The driver is loaded only for a database that it is needed for. */
async function openPostgres(options: PostgresCoreOptions): Promise<EmbeddedCore> {
  const { openPostgresCore } = await import("../postgres/postgres-core.js");
  return openPostgresCore(options);
}
