/** The entry of a threaded core: an embedded core whose calls come as messages. */

import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { type EmbeddedCore, openEmbeddedCore } from "../embedded-core.js";
import type { PostgresCoreOptions } from "../postgres/postgres-core.js";
import {
  type Answer,
  type Call,
  endPartsOf,
  type Method,
  OPENING,
  type Outcomes,
  partsOf,
  type Requests,
} from "./messages.js";

type Methods = { readonly [M in Method]: (request: Requests[M]) => Promise<Outcomes[M]> };

if (parentPort !== null) void answerOn(parentPort);

/** Calls that come before the core is open wait in the port. */
async function answerOn(port: MessagePort): Promise<void> {
  const answer = answersTo(port);
  let core: EmbeddedCore;
  try {
    core = "database" in workerData ? await openPostgres(workerData) : openEmbeddedCore(workerData);
  } catch (error) {
    // Nothing listens, so the thread ends by itself.
    answer([OPENING, false, partsOf(error)]);
    return;
  }
  answer([OPENING, true, core.coreId]);
  const methods: Methods = {
    ...core,
    part: ([name, request]) => core.part(name, request),
    importAccounts: (all) =>
      Promise.all(all.map((account) => endPartsOf(core.importAccount(account)))),
  };

  // Not async, as what it calls: there is one of each for every user on their way.
  function perform<M extends Method>([number, method, request]: Call<M>): void {
    const failed = (error: unknown): void => answer([number, false, partsOf(error)]);
    try {
      methods[method](request).then((outcome) => answer([number, true, outcome]), failed);
    } catch (error) {
      failed(error);
    }
  }

  port.on("message", (calls: readonly Call[]) => {
    for (const call of calls) perform(call);
  });
}

/** The driver is loaded only for a database that it is needed for. */
async function openPostgres(options: PostgresCoreOptions): Promise<EmbeddedCore> {
  const { openPostgresCore } = await import("../postgres/postgres-core.js");
  return openPostgresCore(options);
}

/** Calls that share a commit end together, so their answers go together. */
function answersTo(port: MessagePort): (answer: Answer) => void {
  let answers: Answer[] = [];
  return (answer) => {
    if (answers.length === 0) {
      setImmediate(() => {
        port.postMessage(answers);
        answers = [];
      });
    }
    answers.push(answer);
  };
}
