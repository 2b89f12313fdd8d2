/** The entry of a core's thread: an embedded core whose calls come as messages. A bridge has one that verifies its hashes and opens no core. */

import { parentPort, workerData } from "node:worker_threads";
import type { KeptHash } from "../../../hash/legacy/kept-password.js";
import type { AccountRequest } from "../../account-import.js";
import { type EmbeddedCore, openEmbeddedCore } from "../embedded-core.js";
import type { PostgresCoreOptions } from "../postgres/postgres-core.js";
import { answerCalls, type CoreCall, endPartsOf } from "./messages.js";

let core: EmbeddedCore;

if (parentPort !== null) answerCalls(parentPort, perform);

function perform([method, ...given]: CoreCall): Promise<unknown> {
  switch (method) {
    case "open":
      return open();
    case "verifyLegacy":
      return verifyLegacy(...(given as [kept: KeptHash, password: string]));
    case "importAccounts": {
      const [accounts] = given as [readonly AccountRequest[]];
      return Promise.all(accounts.map((account) => endPartsOf(core.importAccount(account))));
    }
    default:
      return (core[method] as (...given: readonly unknown[]) => Promise<unknown>)(...given);
  }
}

/** @returns the core id */
async function open(): Promise<string> {
  core = "database" in workerData ? await openPostgres(workerData) : openEmbeddedCore(workerData);
  return core.coreId;
}

/** The driver is loaded only for a database that it is needed for. */
async function openPostgres(options: PostgresCoreOptions): Promise<EmbeddedCore> {
  const { openPostgresCore } = await import("../postgres/postgres-core.js");
  return openPostgresCore(options);
}

/** Loaded only here: a core never needs it. */
async function verifyLegacy({ hash, context }: KeptHash, password: string): Promise<boolean> {
  const { verifyLegacyPassword } = await import("../../../hash/legacy/find-legacy-hash.js");
  return (await verifyLegacyPassword(hash, password, context)) === true;
}
