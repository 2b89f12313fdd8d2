/** The messages between a threaded core and its thread, and how imports and failures are taken apart for them. One message holds all calls, or all answers, of one turn of the event loop. */

import { RunError, type RunErrorCode } from "../../../errors/run-error.js";
import type { PartName, PartRequest } from "../../account-parts.js";
import type { AccountRequest } from "../../account-import.js";
import type { AccountOutcome, ImportOutcome, ImportRequest } from "../../core.js";
import type { EmbeddedCore } from "../assemble-core.js";
import { CoreFailure, type CoreFailureKind, type CoreFailureOptions } from "../../core-failure.js";

export type Method = Exclude<keyof EmbeddedCore, "target" | "coreId">;

/** What each method is asked with; imports are packed. */
export type Requests = {
  readonly [M in Method]: M extends "importUser"
    ? PackedImport
    : M extends "importAccount"
      ? PackedAccount
      : M extends "part"
        ? PackedPart
        : Parameters<EmbeddedCore[M]>[0];
};

/** What each method answers. */
export type Outcomes = {
  readonly [M in Method]: M extends "importUser"
    ? PackedOutcome
    : M extends "importAccount"
      ? AccountOutcome | PackedUser
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

/** Lists travel in two thirds of the time that objects take. */
type PackedAccount = readonly [
  wayIn: AccountRequest["wayIn"] | PackedPassword,
  isEmailVerified: boolean | undefined,
  timeJoined: number | undefined,
  externalUserId: string | undefined,
  metadata: AccountRequest["metadata"],
  roles: AccountRequest["roles"],
  totpDevices: AccountRequest["totpDevices"],
];

type PackedPassword = readonly [
  email: string,
  passwordHash: string,
  hashingAlgorithm: ImportRequest["hashingAlgorithm"],
];

export function packAccount(request: AccountRequest): PackedAccount {
  const { wayIn, isEmailVerified, timeJoined, externalUserId } = request;
  const { metadata, roles, totpDevices } = request;
  const way =
    wayIn.recipe === "emailpassword"
      ? ([wayIn.email, wayIn.passwordHash, wayIn.hashingAlgorithm] as const)
      : wayIn;
  return [way, isEmailVerified, timeJoined, externalUserId, metadata, roles, totpDevices];
}

export function unpackAccount(packed: PackedAccount): AccountRequest {
  const [way, isEmailVerified, timeJoined, externalUserId, metadata, roles, totpDevices] = packed;
  const wayIn = "recipe" in way ? way : { recipe: "emailpassword" as const, ...unpackWay(way) };
  return {
    wayIn,
    isEmailVerified,
    ...(timeJoined === undefined ? {} : { timeJoined }),
    externalUserId,
    metadata,
    roles,
    totpDevices,
  };
}

function unpackWay([email, passwordHash, hashingAlgorithm]: PackedPassword) {
  const way = { email, passwordHash };
  return hashingAlgorithm === undefined ? way : { ...way, hashingAlgorithm };
}

/** A new user with an email and no external id. */
type PackedUser = readonly [
  userId: string,
  email: string,
  timeJoined: number,
  isEmailVerified: boolean,
];

/** Of an embedded core. Whatever else it tells of a user travels as it is. */
export function packAccountOutcome(outcome: AccountOutcome): AccountOutcome | PackedUser {
  if (outcome.status !== "OK") return outcome;
  const { user, ownId } = outcome;
  const { userId, email, timeJoined = 0, recipe, isEmailVerified = false } = user;
  const isPlain = recipe === "emailpassword" && email !== undefined && userId === ownId;
  return isPlain ? [userId, email, timeJoined, isEmailVerified] : outcome;
}

export function unpackAccountOutcome(packed: AccountOutcome | PackedUser): AccountOutcome {
  if ("status" in packed) return packed;
  const [userId, email, timeJoined, isEmailVerified] = packed;
  const user = { userId, email, timeJoined, recipe: "emailpassword" } as const;
  const shown = isEmailVerified ? { ...user, isEmailVerified } : user;
  return { status: "OK", user: shown, ownId: userId };
}
