/** Recognizes that the process or the machine has no file handles or no memory left, which is neither a file's fault nor a bug. */

import { RunError, systemErrorCode } from "./run-error.js";

/** V8's words for buffers and for WebAssembly; neither has a code. */
const NO_MEMORY = /out of memory|allocation failed|could not allocate memory/i;

/** @returns the error to tell, or null where `cause` is something else */
export function exhausted(cause: unknown): RunError | null {
  if (cause instanceof RangeError && NO_MEMORY.test(cause.message)) {
    return new RunError("out_of_memory", "There is not enough memory.", {
      hint: "Allow more of it, as by ulimit -v unlimited or a larger container, or lower --concurrency; then run the same command again.",
      cause,
    });
  }
  const code = systemErrorCode(cause);
  if (code !== "EMFILE" && code !== "ENFILE") return null;
  return new RunError("out_of_handles", `There are too many open files (${code}).`, {
    hint: "Allow more of them, as by ulimit -n 1024, or lower --concurrency; then run the same command again.",
    cause,
  });
}
