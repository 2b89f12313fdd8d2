/** The failures of a core. They tell a caller what a retry depends on: whether the call reached the core, and how long to wait. */

/**
 * - `unreachable`: no answer, or an answer that isn't the core's (refused, reset, timed out, 502, 504, broken body).
 * - `busy`: 429 or 503.
 * - `refused`: 400 and other 4xx: the core says no to this one request.
 * - `signer_key_missing`: a vendor scrypt import and no signer key in the core's configuration.
 * - `key_refused`: 401, and a 403 that says nothing else.
 * - `forbidden`: a 403 whose words aren't about the key.
 * - `tenant_unknown`: the core has no such app or tenant, or has this call for an app alone.
 * - `not_offered`: 404, 405, 501: the core has no such endpoint.
 * - `disabled`: 402, or a 403 that is not about the key: the core has it, but switched off.
 * - `incompatible`: something answers, but it isn't a core (HTML, no `status`).
 * - `broken`: 500 and other 5xx.
 * - `disk`: 507, or the embedded core's disk.
 * - `damaged`: the embedded core's data file is.
 */
export type CoreFailureKind =
  | "unreachable"
  | "busy"
  | "refused"
  | "signer_key_missing"
  | "key_refused"
  | "forbidden"
  | "tenant_unknown"
  | "not_offered"
  | "disabled"
  | "incompatible"
  | "broken"
  | "disk"
  | "damaged";

/** Whether the call took effect at the core: it can't have, it is unknown, or the core answered. */
export type Reached = "no" | "unknown" | "yes";

/** As the failure has them. */
export interface CoreFailureOptions
  extends Pick<CoreFailure, "reached">,
    Partial<Pick<CoreFailure, "status" | "retryAfterMs" | "field" | "hint">> {
  readonly cause?: unknown;
}

/** The core's no to one request; `message` names the field and the reason, no contents. */
export function refusal(message: string, status = 400): CoreFailure {
  return new CoreFailure("refused", message, { reached: "yes", status });
}

/** A call that got no business outcome. Its message names no hash, key, code or contact. */
export class CoreFailure extends Error {
  override readonly name = "CoreFailure";
  /** What went wrong, as a caller must tell it apart. */
  readonly kind: CoreFailureKind;
  /** Whether the call took effect. */
  readonly reached: Reached;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;
  /** How long the core asks to wait, in milliseconds (`Retry-After`). */
  readonly retryAfterMs: number | undefined;
  /** The configuration field that the core lacks, in its dialect; of `signer_key_missing` alone. */
  readonly field: string | undefined;
  /** What the operator can do about just this failure, in sentences; undefined where its kind says all. */
  readonly hint: string | undefined;

  constructor(kind: CoreFailureKind, message: string, options: CoreFailureOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.reached = options.reached;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.field = options.field;
    this.hint = options.hint;
  }
}

/** What a call answers; `otherwise` where the core doesn't offer the call. @throws what the call throws else */
export async function unlessNotOffered<T, O>(call: () => Promise<T>, otherwise: O): Promise<T | O> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof CoreFailure && error.kind === "not_offered") return otherwise;
    throw error;
  }
}
