/** The attempts at one import (interface.md 4.4), which replaces the hash of the user who has the email by then. A late attempt looks the email up again first. */

import type { CoreUser, ImportOutcome, ImportRequest } from "../core/core.js";
import { CoreFailure } from "../core/core-failure.js";
import type { CallContext, Before } from "./call-context.js";
import { mayHaveWorked } from "../calls/caller.js";
import type { RowRef } from "../events/events.js";
import { findByEmail } from "./existing.js";
import type { ImportPlan } from "../plan/plan.js";

/** How long a lookup that found no user holds: people may sign up later, and a shorter time costs more calls. */
const FRESH_MS = 10_000;

/** A user has the email since the lookup; ours, where an earlier attempt may have worked. */
export interface FoundSince {
  readonly found: CoreUser;
  readonly ours: boolean;
}

/** What is called for each attempt. A class, since there is one for every user on their way. */
export class ImportAttempts {
  readonly plan: ImportPlan;
  readonly #context: Pick<CallContext, "core" | "caller" | "now">;
  readonly #row: RowRef;
  readonly #isLookedUp: boolean;
  #freshUntil: number;
  #maybeOurs: boolean;

  constructor(
    context: Pick<CallContext, "core" | "caller" | "now">,
    plan: ImportPlan,
    { row, lookedAt, maybeOurs }: Pick<Before, "row" | "lookedAt" | "maybeOurs">,
  ) {
    this.plan = plan;
    this.#context = context;
    this.#row = row;
    this.#isLookedUp = lookedAt !== null;
    this.#freshUntil = lookedAt === null ? Number.POSITIVE_INFINITY : lookedAt + FRESH_MS;
    this.#maybeOurs = maybeOurs;
  }

  /** Whether an import may have taken effect by now. A lookup that was lost has changed nothing. */
  get maybeOurs(): boolean {
    return this.#maybeOurs;
  }

  /** One attempt; rejects with a `CoreFailure`, as the core's own import. */
  next(): Promise<ImportOutcome | FoundSince> {
    return this.#isLookedUp && this.#context.now() > this.#freshUntil
      ? this.#lookAgain()
      : this.#send();
  }

  async #lookAgain(): Promise<ImportOutcome | FoundSince> {
    const { core, caller } = this.#context;
    caller.count("lookup");
    const found = await findByEmail(core, this.plan.email, this.#row);
    return found === null ? this.#send() : { found, ours: this.#maybeOurs };
  }

  #send(): Promise<ImportOutcome> {
    return this.#context.core
      .importUser(requestOf(this.plan))
      .catch((failure: unknown) => this.#failed(failure));
  }

  #failed(failure: unknown): never {
    this.#maybeOurs ||= failure instanceof CoreFailure && mayHaveWorked(failure);
    // However short the wait was: somebody is there now, or nobody.
    this.#freshUntil = Number.NEGATIVE_INFINITY;
    throw failure;
  }
}

function requestOf({ email, passwordHash, algorithm }: ImportPlan): ImportRequest {
  return algorithm === "vendor_scrypt"
    ? { email, passwordHash, hashingAlgorithm: "vendor_scrypt" }
    : { email, passwordHash };
}
