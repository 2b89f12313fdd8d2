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
    return { verified: await verifyPassword(hash, password, options) };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { code, message, hint } = error;
    return { code, message, hint };
  }
}
