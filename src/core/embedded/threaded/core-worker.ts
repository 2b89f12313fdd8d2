/** The entry of a threaded core: an embedded core whose calls come as messages. */

import { parentPort, workerData } from "node:worker_threads";
import type { AccountRequest } from "../../account-import.js";
import { type EmbeddedCore, openEmbeddedCore } from "../embedded-core.js";
import type { PostgresCoreOptions } from "../postgres/postgres-core.js";
import { answerCalls, type NamedCall, partsOf } from "./messages.js";

let methods: Readonly<Record<string, (...given: never[]) => Promise<unknown>>> = { open };

if (parentPort !== null) answerCalls<NamedCall>(parentPort, perform);

function perform([method, given]: NamedCall): Promise<unknown> {
  return methods[method]?.(...(given as never[])) ?? Promise.reject(new TypeError(method));
}

/** @returns the core id */
async function open(): Promise<string> {
  const {
    target: _,
    coreId,
    ...core
  }: EmbeddedCore = "database" in workerData
    ? await openPostgres(workerData)
    : openEmbeddedCore(workerData);
  const importOne = (account: AccountRequest) =>
    core.importAccount(account).catch((failure: unknown) => ({
      status: "FAILED",
      failure: partsOf(failure),
    }));
  methods = {
    ...core,
    importAccounts: (all: readonly AccountRequest[]) => Promise.all(all.map(importOne)),
  };
  return coreId;
}

/** The driver is loaded only for a database that it is needed for. */
async function openPostgres(options: PostgresCoreOptions): Promise<EmbeddedCore> {
  const { openPostgresCore } = await import("../postgres/postgres-core.js");
  return openPostgresCore(options);
}
