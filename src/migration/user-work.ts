/** The work on one user: is somebody there already, what is called, and what the checkpoint is told. Order: the intent is durable, the call is made, the outcome is durable, it is counted. */

import { RunError } from "../errors/run-error.js";
import type { CoreUser } from "../core/core.js";
import {
  addSecondContact,
  type Applied,
  type Applier,
  applyImport,
  applyPasswordless,
  unfinished,
} from "./apply-plan.js";
import type { Admission, Settlement } from "./checkpoint/ledger.js";
import { STATE } from "./checkpoint/schema.js";
import { findExisting } from "./existing.js";
import type { Todo } from "./intake.js";
import { needsLookups } from "./preflight.js";

/** A user between lookup and outcome. */
export interface Work {
  readonly todo: Todo;
  /** Written before the calls: the intent, or an outcome that needs none. */
  readonly admission: Admission;
  /** The outcome that the lookup already decided; null where calls are to be made. */
  readonly decided: Applied | null;
  /** A user of an earlier, unfinished run, to be completed instead of created. */
  readonly found: CoreUser | null;
}

/**
 * Looks the user up where the policy wants it, and decides what is to be done.
 *
 * @throws RunError `user_exists` under `--on-existing fail`, and whatever ends the run
 */
export async function prepareWork(applier: Applier, todo: Todo): Promise<Work> {
  // Without lookups the operator vouches for an empty core, or wants whoever is there replaced.
  if (!needsLookups(applier.policy)) return send(todo, applier.policy.assumeEmpty);
  const lookup = await findExisting(applier.core, applier.caller, todo.plan);
  if (!lookup.ok) {
    return decide(todo, unfinished({ ...lookup, maybeApplied: todo.entry.sawNobody }));
  }
  const user = lookup.value;
  if (user === null) return send(todo, true);
  if (!maybeOurs(todo) || !isOurs(user, todo)) {
    if (applier.policy.onExisting === "fail") throw userExists(todo);
    return decide(todo, done("existed", user));
  }
  if (todo.plan.kind === "passwordless") return { ...send(todo, true), found: user };
  return todo.entry.samePlan ? decide(todo, done("imported", user)) : send(todo, true);
}

/** Makes the calls for a user whose outcome isn't decided yet. */
export function applyWork(applier: Applier, { todo, found }: Work): Promise<Applied> {
  const { plan, candidate } = todo;
  const before = { row: candidate.row, maybeOurs: maybeOurs(todo) };
  if (plan.kind === "import") return applyImport(applier, plan, before);
  if (found !== null) return addSecondContact(applier, plan, found, "created");
  return applyPasswordless(applier, plan, before);
}

/** What the checkpoint is told of an outcome. */
export function settlementOf({ todo, admission }: Work, applied: Applied): Settlement {
  const entryId = todo.entry.id;
  switch (applied.kind) {
    case "done":
      return {
        entryId,
        state: STATE[applied.outcome],
        sawNobody: false,
        coreId: applied.coreId,
        code: null,
      };
    case "rejected":
    case "failed":
      return {
        entryId,
        state: STATE[applied.kind],
        sawNobody: applied.maybeApplied && admission.sawNobody,
        coreId: null,
        code: applied.code,
      };
  }
}

/** A user whom the run was stopped before; nothing is known and nothing was sent. */
export function postponed(todo: Todo): Work {
  const work = send(todo, false);
  return { ...work, admission: { ...work.admission, state: STATE.planned } };
}

/** An intent whose call was never made, because the run was stopped. */
export function withdrawn({ todo }: Work): Settlement {
  const { id, sawNobody } = todo.entry;
  return { entryId: id, state: STATE.planned, sawNobody, coreId: null, code: null };
}

function send(todo: Todo, sawNobody: boolean): Work {
  const { entry, candidate } = todo;
  const saw = sawNobody || entry.sawNobody;
  const state = STATE.intent;
  const admission = { candidate, entry, state, sawNobody: saw, coreId: null, code: null };
  return { todo, admission, decided: null, found: null };
}

function decide(todo: Todo, decided: Applied): Work {
  const work = send(todo, todo.entry.sawNobody);
  const { state, sawNobody, coreId, code } = settlementOf(work, decided);
  return { ...work, admission: { ...work.admission, state, sawNobody, coreId, code }, decided };
}

function done(outcome: "imported" | "existed", user: CoreUser): Applied {
  return { kind: "done", outcome, coreId: user.userId, notices: [] };
}

/** An earlier run saw nobody and may have sent this user: whoever is there since is probably ours. */
function maybeOurs({ entry }: Todo): boolean {
  return entry.sawNobody;
}

/** A user who has only the second contact is somebody else: ours got the first one first. */
function isOurs(user: CoreUser, { plan }: Todo): boolean {
  if (plan.kind === "import" || plan.first === "email") return user.email === plan.email;
  return user.phoneNumber === plan.phone;
}

function userExists({ candidate }: Todo): RunError {
  const { file, number } = candidate.row;
  return new RunError(
    "user_exists",
    `The user of ${file}, row ${number}, is at the core already.`,
    {
      hint: "With --on-existing skip such users are left as they are and counted; with update their hashes are replaced.",
    },
  );
}
