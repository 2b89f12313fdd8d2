/** The attempts at one import (interface.md 4.4), which replaces the hash of whoever has the email by then. So before a late one somebody looks again. It repeats nothing by itself. */

import type { CoreUser, ImportOutcome, ImportRequest } from "../core/core.js";
import { CoreFailure } from "../core/core-failure.js";
import type { Applier, Before } from "./applier.js";
import { mayHaveWorked } from "./caller.js";
import { findByEmail } from "./existing.js";
import type { ImportPlan } from "./plan.js";

/** A lookup that found nobody is good for so long: no longer, as people may sign up; no shorter, as it is one more call. */
const FRESH_MS = 10_000;

/** Somebody has the email since the lookup: ours where an attempt before may have worked. */
export interface FoundSince {
  readonly found: CoreUser;
  readonly ours: boolean;
}

export interface ImportAttempts {
  /** One attempt; rejects with a `CoreFailure`, as the core's own import. */
  attempt(): Promise<ImportOutcome | FoundSince>;
  /** Whether an import may have taken effect by now. A look-up that was lost has changed nothing. */
  maybeOurs(): boolean;
}

/** Makes what is called for each attempt. */
export function importAttempts(
  { core, caller, now }: Pick<Applier, "core" | "caller" | "now">,
  plan: ImportPlan,
  { lookedAt, maybeOurs }: Pick<Before, "lookedAt" | "maybeOurs">,
): ImportAttempts {
  let freshUntil = lookedAt === null ? Number.POSITIVE_INFINITY : lookedAt + FRESH_MS;
  let ours = maybeOurs;
  const failed = (failure: unknown): never => {
    ours ||= failure instanceof CoreFailure && mayHaveWorked(failure);
    // However short the wait was: somebody is there now, or nobody.
    if (lookedAt !== null) freshUntil = Number.NEGATIVE_INFINITY;
    throw failure;
  };
  const send = (): Promise<ImportOutcome> => core.importUser(requestOf(plan)).catch(failed);
  const lookAgain = async (): Promise<ImportOutcome | FoundSince> => {
    caller.count("lookup");
    const found = await findByEmail(core, plan.email);
    return found === null ? send() : { found, ours };
  };
  return { attempt: () => (now() > freshUntil ? lookAgain() : send()), maybeOurs: () => ours };
}

function requestOf({ email, passwordHash, algorithm }: ImportPlan): ImportRequest {
  return algorithm === "vendor_scrypt"
    ? { email, passwordHash, hashingAlgorithm: "vendor_scrypt" }
    : { email, passwordHash };
}
