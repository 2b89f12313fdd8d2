/** The messages between a threaded core and its thread, and how failures are taken apart for them. One message holds all calls, or all answers, of one turn of the event loop. */

import { RunError, type RunErrorCode } from "../../../errors/run-error.js";
import type { PartName, PartRequest } from "../../account-parts.js";
import type { AccountEnd, AccountOutcome } from "../../core.js";
import type { EmbeddedCore } from "../assemble-core.js";
import { CoreFailure, type CoreFailureKind, type CoreFailureOptions } from "../../core-failure.js";

/** What a thread answers: all of a core, and several accounts at once. */
type Answering = Required<Omit<EmbeddedCore, "dialect">>;

export type Method = Exclude<keyof Answering, "target" | "coreId">;

/** What each method is asked with. */
export type Requests = {
  readonly [M in Method]: M extends "part" ? NamedPart : Parameters<Answering[M]>[0];
};

/** What each method answers. */
export type Outcomes = {
  readonly [M in Method]: M extends "importAccounts"
    ? readonly AccountEndParts[]
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

type NamedPart = { readonly [Name in PartName]: readonly [Name, PartRequest<Name>] }[PartName];

/** What came of one account among several, as it is handed over. */
type AccountEndParts =
  | AccountOutcome
  | { readonly status: "FAILED"; readonly failure: FailureParts };

/** What the thread's core says of an account that came with others. Never rejects. */
export function endPartsOf(outcome: Promise<AccountOutcome>): Promise<AccountEndParts> {
  return outcome.catch((failure: unknown) => ({ status: "FAILED", failure: partsOf(failure) }));
}

export function accountEndsOf(ends: readonly AccountEndParts[]): readonly AccountEnd[] {
  return ends.map((end) =>
    end.status === "FAILED" ? { status: "FAILED", failure: failureOf(end.failure) } : end,
  );
}
