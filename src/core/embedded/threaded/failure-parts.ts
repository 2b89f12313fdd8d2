/** Takes failures apart, since errors cross a thread without their class, and puts them together again. Causes are left out. */

import { RunError, type RunErrorCode } from "../../../errors/run-error.js";
import { CoreFailure, type CoreFailureKind, type CoreFailureOptions } from "../../core-failure.js";

/** A failure as it is handed over. */
export type FailureParts =
  | {
      readonly type: "CoreFailure";
      readonly kind: CoreFailureKind;
      readonly message: string;
      readonly options: CoreFailureOptions;
    }
  | {
      readonly type: "RunError";
      readonly code: RunErrorCode;
      readonly message: string;
      readonly hint: string;
    }
  /** A bug, as JavaScript itself hands it over. */
  | { readonly type: "other"; readonly error: unknown };

export function partsOf(error: unknown): FailureParts {
  if (error instanceof CoreFailure) {
    const { kind, message, reached, status, retryAfterMs, field } = error;
    return {
      type: "CoreFailure",
      kind,
      message,
      options: { reached, status, retryAfterMs, field },
    };
  }
  if (error instanceof RunError) {
    const { code, message, hint } = error;
    return { type: "RunError", code, message, hint };
  }
  return { type: "other", error };
}

export function failureOf(parts: FailureParts): unknown {
  switch (parts.type) {
    case "CoreFailure":
      return new CoreFailure(parts.kind, parts.message, parts.options);
    case "RunError":
      return new RunError(parts.code, parts.message, { hint: parts.hint });
    default:
      return parts.error;
  }
}
