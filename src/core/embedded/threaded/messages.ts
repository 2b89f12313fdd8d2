/** The messages between a threaded core and its thread, and how imports and failures are taken apart for them. One message holds all calls, or all answers, of one turn of the event loop. */

import { RunError, type RunErrorCode } from "../../../errors/run-error.js";
import type { PartName, PartRequest } from "../../account-parts.js";
import type { ImportOutcome, ImportRequest } from "../../core.js";
import type { EmbeddedCore } from "../assemble-core.js";
import { CoreFailure, type CoreFailureKind, type CoreFailureOptions } from "../../core-failure.js";

export type Method = Exclude<keyof EmbeddedCore, "target" | "coreId">;

/** What each method is asked with; an import is packed. */
export type Requests = {
  readonly [M in Method]: M extends "importUser"
    ? PackedImport
    : M extends "part"
      ? PackedPart
      : Parameters<EmbeddedCore[M]>[0];
};

/** What each method answers. */
export type Outcomes = {
  readonly [M in Method]: M extends "importUser"
    ? PackedOutcome
    : Awaited<ReturnType<EmbeddedCore[M]>>;
};

/** One call. Its number is not used again. */
export type Call<M extends Method = Method> = {
  readonly [N in M]: readonly [number: number, method: N, request: Requests[N]];
}[M];

/** One call's answer; they come in the order in which calls end. */
export type Answer =
  | readonly [number: number, succeeded: true, outcome: unknown]
  | readonly [number: number, succeeded: false, failure: FailureParts];

/** The number of the first answer, which comes unasked: the core id, or why opening failed. */
export const OPENING = 0;

/** A failure as it is handed over. */
type FailureParts =
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

type PackedPart = { readonly [Name in PartName]: readonly [Name, PartRequest<Name>] }[PartName];

type PackedImport = readonly [
  email: string,
  passwordHash: string,
  hashingAlgorithm: ImportRequest["hashingAlgorithm"],
  timeJoined: number | undefined,
];

type PackedOutcome = readonly [
  userId: string,
  email: string,
  timeJoined: number,
  didUserAlreadyExist: boolean,
];

export function packImport(request: ImportRequest): PackedImport {
  return [request.email, request.passwordHash, request.hashingAlgorithm, request.timeJoined];
}

export function unpackImport(packed: PackedImport): ImportRequest {
  const [email, passwordHash, hashingAlgorithm, timeJoined] = packed;
  return {
    email,
    passwordHash,
    ...(hashingAlgorithm === undefined ? {} : { hashingAlgorithm }),
    ...(timeJoined === undefined ? {} : { timeJoined }),
  };
}

/** Of an embedded core, which always tells an imported user's email and time. */
export function packOutcome({ user, didUserAlreadyExist }: ImportOutcome): PackedOutcome {
  const { userId, email = "", timeJoined = 0 } = user;
  return [userId, email, timeJoined, didUserAlreadyExist];
}

export function unpackOutcome(packed: PackedOutcome): ImportOutcome {
  const [userId, email, timeJoined, didUserAlreadyExist] = packed;
  const user = { userId, email, timeJoined, recipe: "emailpassword" } as const;
  return { status: "OK", user, didUserAlreadyExist };
}
