/** The entry of a verifying thread. */

import { parentPort, workerData } from "node:worker_threads";
import { RunError } from "../../../errors/run-error.js";
import { type VerifyOptions, verifyPassword } from "../../../hash/verify.js";
import { answerCalls } from "../threaded/messages.js";
import type { VerifyRequest } from "./pool.js";

const options: VerifyOptions = workerData;

if (parentPort !== null) answerCalls(parentPort, perform);

async function perform(request: VerifyRequest): Promise<boolean> {
  try {
    return await isVerified(request);
  } catch (error) {
    if (error instanceof RunError) throw error;
    // It is a bug and ends the thread: its text might repeat what was sent.
    setImmediate(() => {
      throw error;
    });
    return new Promise(() => {});
  }
}

async function isVerified({ hash, password }: VerifyRequest): Promise<boolean> {
  if (typeof hash === "string") return verifyPassword(hash, password, options);
  // Loaded only here: a core's own threads never need it.
  const { verifyLegacyPassword } = await import("../../../hash/legacy/find-legacy-hash.js");
  return (await verifyLegacyPassword(hash.hash, password, hash.context)) === true;
}
