/** The entry of a verifying thread: it verifies the passwords that it is sent, one after the other. */

import { parentPort, workerData } from "node:worker_threads";
import { RunError } from "../../../errors/run-error.js";
import { type VerifyOptions, verifyPassword } from "../../../hash/verify.js";
import type { VerifyAnswer, VerifyRequest } from "./thread.js";

const options: VerifyOptions = workerData;

parentPort?.on("message", async (request: VerifyRequest) => {
  parentPort?.postMessage(await answer(request));
});

/** Any other error is a bug and ends the thread; its text might repeat what was sent. */
async function answer({ hash, password }: VerifyRequest): Promise<VerifyAnswer> {
  try {
    if (typeof hash === "string") {
      return { verified: await verifyPassword(hash, password, options) };
    }
    // Loaded only here: a core's own threads never need it.
    const { verifyLegacyPassword } = await import("../../../hash/legacy/find-legacy-hash.js");
    const verified = await verifyLegacyPassword(hash.hash, password, hash.context);
    return { verified: verified === true };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { code, message, hint } = error;
    return { code, message, hint };
  }
}
