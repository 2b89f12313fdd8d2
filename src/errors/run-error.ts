/** The one error for a run that can't go on: a stable code, a message, and a hint that says what to do next. */

import { optionName } from "./option-name.js";

/**
 * Every reason for which a run stops, with the exit code that the shell is told. Stable: scripts depend
 * on them. A new one stands here and in docs/exit-codes.md. Trouble with a single user is a reject with
 * a code of its own, never a `RunError`.
 */
export const RUN_ERRORS = {
  usage: 2,
  input_unreadable: 66,
  input_changed: 66,
  no_users: 66,
  input_unrecognized: 66,
  hash_column_unread: 66,
  column_unclear: 66,
  input_damaged: 66,
  mapping_invalid: 78,
  checkpoint_missing: 66,
  checkpoint_invalid: 66,
  vault_missing: 66,
  vault_key_wrong: 78,
  in_use: 75,
  outage: 75,
  checkpoint_other_core: 66,
  undo_unfinished: 66,
  data_unusable: 66,
  file_not_private: 66,
  core_unreachable: 69,
  core_incompatible: 69,
  answer_mismatch: 69,
  core_without_lookups: 69,
  core_feature_missing: 69,
  core_refuses_everything: 69,
  port_unusable: 69,
  key_refused: 77,
  config_invalid: 78,
  role_unknown: 78,
  hash_config_missing: 78,
  hash_config_invalid: 78,
  signer_key_missing: 78,
  hash_too_costly: 78,
  password_export_partial: 65,
  proof_failed: 78,
  proof_missing: 78,
  proof_unavailable: 78,
  proof_user_existed: 78,
  user_exists: 65,
  disk: 74,
  out_of_resources: 75,
  confirmation_declined: 130,
  hung_up: 129,
  interrupted: 130,
  terminated: 143,
  internal: 1,
} as const;

/** A reason for which a run stops. */
export type RunErrorCode = keyof typeof RUN_ERRORS;

/** What a {@link RunError} may carry beside its message. */
interface RunErrorOptions {
  /** What the operator does next, as a sentence; it may name a command to type. */
  readonly hint: string;
  /** The error underneath, if any. It is never printed to users whole. */
  readonly cause?: unknown;
}

/**
 * A run that can't start or can't go on. Its message says what happened and where; its hint says
 * what to do next. Neither holds a hash, a key, a code or a whole contact.
 */
export class RunError extends Error {
  override readonly name = "RunError";
  /** Stable; programs decide by it. */
  readonly code: RunErrorCode;
  /** What the operator does next, as a sentence. */
  readonly hint: string;

  constructor(code: RunErrorCode, message: string, options: RunErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** The `code` of a Node.js system error or SQLite error (`"ENOENT"`, `"SQLITE_FULL"`), or `""`. */
export function systemErrorCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return typeof error.code === "string" ? error.code : "";
}

/** V8's words for buffers and for WebAssembly; neither has a code. */
const NO_MEMORY = /out of memory|allocation failed|could not allocate memory/i;

/** @returns the error to tell, or null where `cause` is something else */
export function exhausted(cause: unknown): RunError | null {
  const isMemory = cause instanceof RangeError && NO_MEMORY.test(cause.message);
  const code = systemErrorCode(cause);
  if (!isMemory && code !== "EMFILE" && code !== "ENFILE") return null;
  const what = isMemory
    ? "There is not enough memory."
    : `There are too many open files (${code}).`;
  return new RunError("out_of_resources", what, {
    hint: `Allow more of them, as by ulimit -n 1024, or of memory, as by ulimit -v unlimited or a larger container, or lower ${optionName("--concurrency")}; then run the same command again.`,
    cause,
  });
}

/**
 * Closes `open`. An error of closing is most likely a consequence of the failure, which is told
 * instead.
 */
export function closeAfterFailure(open: { close(): void }): void {
  try {
    open.close();
  } catch {
    // The failure before it is told.
  }
}

/** With a full stop at its end, whoever wrote it, as a core: no words stand behind another's but behind this. It sets none behind a command, whose last word it would change. */
export function sentence(text: string): string {
  return /: (?:(?!\. ).)*\bauth-migrate [a-z](?:(?!\. ).)*$/.test(text)
    ? text
    : text.replace(/[^.!?]$/, "$&.");
}
