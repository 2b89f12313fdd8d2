/** The process, or the machine, has no file handles left: no file's fault and no bug, and not to be told as one. */

import { RunError, systemErrorCode } from "./run-error.js";

/** @returns the error to tell, or null where `cause` is something else */
export function outOfHandles(cause: unknown): RunError | null {
  const code = systemErrorCode(cause);
  if (code !== "EMFILE" && code !== "ENFILE") return null;
  return new RunError("out_of_handles", `There are too many open files (${code}).`, {
    hint: "Allow more of them, as by ulimit -n 1024, or lower --concurrency; then run the same command again.",
    cause,
  });
}
