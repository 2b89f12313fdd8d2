/** What a core's thread is asked and answers, as it is handed over. */

import type { PartName, PartRequest } from "../../account-parts.js";
import type { AccountEnd, AccountOutcome } from "../../core.js";
import type { EmbeddedCore } from "../assemble-core.js";
import { type FailureParts, failureOf, partsOf } from "./messages.js";

/** What a core's thread answers: all of a core, several accounts at once, and to open it, which is asked first and answered by the core id. */
type Answering = Required<Omit<EmbeddedCore, "dialect">> & { open(): Promise<string> };

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

/** A call of a core's by its name. */
export type NamedCall<M extends Method = Method> = {
  readonly [N in M]: readonly [method: N, request: Requests[N]];
}[M];

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
