/** The messages between a threaded core and its thread, and how imports and failures are taken apart for them. One message holds all calls, or all answers, of one turn of the event loop. */

import { RunError, type RunErrorCode } from "../../../errors/run-error.js";
import type { PartName, PartRequest } from "../../account-parts.js";
import type { AccountRequest, WayIn } from "../../account-import.js";
import type { AccountEnd, AccountOutcome, ImportOutcome, ImportRequest } from "../../core.js";
import type { CoreUser } from "../../user.js";
import type { EmbeddedCore } from "../assemble-core.js";
import { CoreFailure, type CoreFailureKind, type CoreFailureOptions } from "../../core-failure.js";

/** What a thread answers: all of a core, and several accounts at once. */
type Answering = Required<Omit<EmbeddedCore, "dialect">>;

export type Method = Exclude<keyof Answering, "target" | "coreId">;

/** What each method is asked with; imports are packed. */
export type Requests = {
  readonly [M in Method]: M extends "importUser"
    ? PackedImport
    : M extends "importAccount"
      ? PackedAccount
      : M extends "importAccounts"
        ? readonly PackedAccount[]
        : M extends "part"
          ? PackedPart
          : Parameters<Answering[M]>[0];
};

/** What each method answers. */
export type Outcomes = {
  readonly [M in Method]: M extends "importUser"
    ? PackedOutcome
    : M extends "importAccount"
      ? AccountOutcome | PackedUser
      : M extends "importAccounts"
        ? readonly PackedEnd[]
        : Awaited<ReturnType<Answering[M]>>;
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

/** Lists travel in two thirds of the time that objects take, and one of them in that of two. */
type PackedAccount = readonly [
  /** The email alone where the user has a password. */
  way: string | WayIn,
  passwordHash: string | undefined,
  hashingAlgorithm: ImportRequest["hashingAlgorithm"],
  isEmailVerified: boolean | undefined,
  timeJoined: number | undefined,
  externalUserId: string | undefined,
  metadata: AccountRequest["metadata"],
  roles: AccountRequest["roles"],
  totpDevices: AccountRequest["totpDevices"],
];

export function packAccount(request: AccountRequest): PackedAccount {
  const { wayIn, isEmailVerified, timeJoined, externalUserId } = request;
  const { metadata, roles, totpDevices } = request;
  const byPassword = wayIn.recipe === "emailpassword" ? wayIn : null;
  return [
    byPassword?.email ?? wayIn,
    byPassword?.passwordHash,
    byPassword?.hashingAlgorithm,
    isEmailVerified,
    timeJoined,
    externalUserId,
    metadata,
    roles,
    totpDevices,
  ];
}

// Field by field: literals with spreads in them took ten times as long.
export function unpackAccount(packed: PackedAccount): AccountRequest {
  const [way, passwordHash, hashingAlgorithm, isEmailVerified, timeJoined, ...others] = packed;
  const [externalUserId, metadata, roles, totpDevices] = others;
  const wayIn = typeof way === "string" ? byPassword(way, passwordHash, hashingAlgorithm) : way;
  const request: { -readonly [Field in keyof AccountRequest]: AccountRequest[Field] } = {
    wayIn,
    isEmailVerified,
    externalUserId,
    metadata,
    roles,
    totpDevices,
  };
  if (timeJoined !== undefined) request.timeJoined = timeJoined;
  return request;
}

function byPassword(
  email: string,
  passwordHash: string = "",
  hashingAlgorithm: ImportRequest["hashingAlgorithm"],
): WayIn {
  const recipe = "emailpassword";
  return hashingAlgorithm === undefined
    ? { recipe, email, passwordHash }
    : { recipe, email, passwordHash, hashingAlgorithm };
}

/** A new user as the request has them. Only their id, and when they joined, are left to tell. */
type PackedUser = readonly [userId: string, timeJoined: number];

/** Of an embedded core. Whatever else it tells of a user travels as it is. */
export function packAccountOutcome(
  outcome: AccountOutcome,
  [email, , , isVerified = false]: PackedAccount,
): AccountOutcome | PackedUser {
  if (outcome.status !== "OK") return outcome;
  const { user, ownId } = outcome;
  const { userId, timeJoined = 0, isEmailVerified = false } = user;
  const isAsAsked =
    user.recipe === "emailpassword" && user.email === email && isEmailVerified === isVerified;
  return isAsAsked && userId === ownId ? [userId, timeJoined] : outcome;
}

export function unpackAccountOutcome(
  packed: AccountOutcome | PackedUser,
  [way, , , isEmailVerified]: PackedAccount,
): AccountOutcome {
  if ("status" in packed) return packed;
  const [userId, timeJoined] = packed;
  const [email, recipe] = [String(way), "emailpassword" as const];
  const user: CoreUser = isEmailVerified
    ? { userId, email, timeJoined, recipe, isEmailVerified }
    : { userId, email, timeJoined, recipe };
  return { status: "OK", user, ownId: userId };
}

/** What came of one account among several. */
type PackedEnd =
  | AccountOutcome
  | PackedUser
  | { readonly status: "FAILED"; readonly failure: FailureParts };

/** What the thread's core says of an account that came with others. Never rejects. */
export function endOfPacked(
  outcome: Promise<AccountOutcome>,
  packed: PackedAccount,
): Promise<PackedEnd> {
  return outcome.then(
    (known) => packAccountOutcome(known, packed),
    (failure: unknown) => ({ status: "FAILED", failure: partsOf(failure) }),
  );
}

export function unpackAccountEnds(
  ends: readonly PackedEnd[],
  asked: readonly PackedAccount[],
): readonly AccountEnd[] {
  const unpacked: AccountEnd[] = [];
  for (const [index, packed] of asked.entries()) {
    const end = ends[index] as PackedEnd;
    if ("status" in end && end.status === "FAILED") {
      unpacked.push({ status: "FAILED", failure: failureOf(end.failure) });
    } else unpacked.push(unpackAccountOutcome(end, packed));
  }
  return unpacked;
}
