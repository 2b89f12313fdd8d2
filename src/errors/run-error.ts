/** The one error for a run that can't go on: a stable code, a message, and a hint that says what to do next. */

/**
 * Every reason for which a run stops. Stable: scripts and the CLI's exit codes depend on them.
 * Trouble with a single user is a reject with a code of its own, never a `RunError`.
 */
export type RunErrorCode =
  | "usage"
  | "input_unreadable"
  | "input_changed"
  | "no_users"
  | "input_unrecognized"
  | "hash_column_unread"
  | "column_unclear"
  | "input_damaged"
  | "mapping_invalid"
  | "checkpoint_missing"
  | "checkpoint_invalid"
  | "checkpoint_other_core"
  | "undo_unfinished"
  | "in_use"
  | "vault_missing"
  | "vault_key_wrong"
  | "outage"
  | "data_unusable"
  | "file_not_private"
  | "core_unreachable"
  | "key_refused"
  | "disk"
  | "core_incompatible"
  | "answer_mismatch"
  | "core_without_lookups"
  | "core_feature_missing"
  | "role_unknown"
  | "core_refuses_everything"
  | "port_unusable"
  | "config_invalid"
  | "hash_config_missing"
  | "hash_config_invalid"
  | "signer_key_missing"
  | "hash_too_costly"
  | "password_export_partial"
  | "proof_failed"
  | "proof_missing"
  | "proof_unavailable"
  | "proof_user_existed"
  | "user_exists"
  | "out_of_resources"
  | "confirmation_declined"
  | "hung_up"
  | "interrupted"
  | "terminated"
  | "internal";

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
    hint: "Allow more of them, as by ulimit -n 1024, or of memory, as by ulimit -v unlimited or a larger container, or lower --concurrency; then run the same command again.",
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
