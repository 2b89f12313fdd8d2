/** The entry of a threaded core: an embedded core whose calls come as messages. */

import { parentPort, workerData } from "node:worker_threads";
import { type EmbeddedCore, openEmbeddedCore } from "../embedded-core.js";
import type { PostgresCoreOptions } from "../postgres/postgres-core.js";
import {
  endPartsOf,
  type Method,
  type NamedCall,
  type Outcomes,
  type Requests,
} from "./core-calls.js";
import { answerCalls } from "./messages.js";

type Methods = { readonly [M in Method]: (request: Requests[M]) => Promise<Outcomes[M]> };

let methods: Methods;

if (parentPort !== null) answerCalls<NamedCall>(parentPort, perform);

function perform<M extends Method>([method, request]: NamedCall<M>): Promise<unknown> {
  return method === "open" ? open() : methods[method](request);
}

/** @returns the core id */
async function open(): Promise<string> {
  const core: EmbeddedCore =
    "database" in workerData ? await openPostgres(workerData) : openEmbeddedCore(workerData);
  methods = {
    ...core,
    open,
    part: ([name, request]) => core.part(name, request),
    importAccounts: (all) =>
      Promise.all(all.map((account) => endPartsOf(core.importAccount(account)))),
  };
  return core.coreId;
}

/** The driver is loaded only for a database that it is needed for. */
async function openPostgres(options: PostgresCoreOptions): Promise<EmbeddedCore> {
  const { openPostgresCore } = await import("../postgres/postgres-core.js");
  return openPostgresCore(options);
}
