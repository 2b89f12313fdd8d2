/** The HTTP response to a call that failed. It shows the caller no file names and no other core's details. */

import { CoreFailure, type CoreFailureKind } from "../core-failure.js";

/** An HTTP error: `{"message"}` and the headers that go with it. */
interface ErrorResponse {
  readonly status: number;
  readonly message: string;
  readonly headers: Record<string, string>;
}

interface Shown {
  readonly status: number;
  /** Says it in place of the failure's own message, which names files or the core behind. */
  readonly message?: string;
}

const BY_KIND = {
  refused: { status: 400 },
  signer_key_missing: { status: 400 },
  not_offered: { status: 404 },
  disabled: { status: 403 },
  busy: { status: 503, message: "the core is busy" },
  disk: { status: 507, message: "the core cannot write to its disk" },
  damaged: { status: 507, message: "the core's data file is damaged" },
  broken: { status: 500, message: "the core failed" },
  unreachable: { status: 502, message: "the core behind this server is unreachable" },
  incompatible: { status: 502, message: "what is behind this server is not a core" },
  key_refused: { status: 502, message: "the core behind this server refuses its key" },
} satisfies Record<CoreFailureKind, Shown>;

const DEFAULT_RETRY_AFTER_S = 1;

export function errorResponse(error: unknown): ErrorResponse {
  if (!(error instanceof CoreFailure)) {
    return { status: 500, message: BY_KIND.broken.message, headers: {} };
  }
  const shown: Shown = BY_KIND[error.kind];
  const seconds = Math.ceil((error.retryAfterMs ?? DEFAULT_RETRY_AFTER_S * 1000) / 1000);
  return {
    status: error.kind === "refused" ? (error.status ?? shown.status) : shown.status,
    message: shown.message ?? error.message,
    headers: error.kind === "busy" ? { "retry-after": String(seconds) } : {},
  };
}
