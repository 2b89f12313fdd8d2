/** The work on one user: is somebody there already, what is called, and what the checkpoint is told. Order: the intent is durable, the call is made, the outcome is durable, it is counted. */

import { RunError } from "../errors/run-error.js";
import type { CoreUser } from "../core/core.js";
import { withoutContact } from "./candidates.js";
import {
  addSecondContact,
  type Applied,
  type Applier,
  applyImport,
  applyPasswordless,
  type Done,
  unfinished,
} from "./apply-plan.js";
import type { Admission, Settlement } from "./checkpoint/ledger.js";
import { MAPPED, STATE } from "./checkpoint/schema.js";
import { findExisting } from "./existing.js";
import type { Todo } from "./intake.js";
import { keepId } from "./keep-id.js";
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
  /** The lookup found somebody whom this migration didn't bring, and the operator wants them updated. */
  readonly theirs: boolean;
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
  const { plan, entry } = todo;
  if (!maybeOurs(todo) || !isOurs(user, todo)) {
    const { onExisting } = applier.policy;
    if (onExisting === "fail") throw userExists(todo);
    if (onExisting === "update") return { ...send(todo, false), theirs: true };
    return decide(todo, await keepId(applier, plan.keepId, existed(user)));
  }
  if (plan.kind === "import" && !entry.samePlan) return send(todo, true);
  if (plan.kind === "import" && plan.keepId === null) return decide(todo, imported(user));
  return { ...send(todo, true), found: user };
}

/** Makes the calls for a user whose outcome isn't decided yet. */
export async function applyWork(applier: Applier, work: Work): Promise<Applied> {
  return keepId(applier, work.todo.plan.keepId, await bring(applier, work));
}

async function bring(applier: Applier, { todo, found, theirs }: Work): Promise<Applied> {
  const { plan, candidate } = todo;
  const before = { row: candidate.row, maybeOurs: maybeOurs(todo), theirs };
  if (plan.kind === "import") {
    return found === null ? applyImport(applier, plan, before) : imported(found);
  }
  if (found !== null) return addSecondContact(applier, plan, found, "created");
  return applyPasswordless(applier, plan, before);
}

/** What the checkpoint is told of an outcome. */
export function settlementOf(work: Work, applied: Applied): Settlement {
  const { todo, admission } = work;
  const entryId = todo.entry.id;
  switch (applied.kind) {
    case "done":
      return {
        entryId,
        state: STATE[applied.outcome],
        sawNobody: false,
        mapped: applied.mapped,
        coreId: withoutContact(applied.coreId),
        code: null,
      };
    case "unmapped":
      return { ...settlementOf(work, applied.done), code: applied.code };
    case "rejected":
    case "failed":
      return {
        entryId,
        state: STATE[applied.kind],
        sawNobody: applied.maybeApplied && admission.sawNobody,
        mapped: MAPPED.no,
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
  const { mapped } = todo.entry;
  return { entryId: id, state: STATE.planned, sawNobody, mapped, coreId: null, code: null };
}

function send(todo: Todo, sawNobody: boolean): Work {
  const { entry, candidate } = todo;
  const saw = sawNobody || entry.sawNobody;
  const told = { state: STATE.intent, mapped: entry.mapped, coreId: null, code: null };
  const admission = { candidate, entry, sawNobody: saw, ...told };
  return { todo, admission, decided: null, found: null, theirs: false };
}

function decide(todo: Todo, decided: Applied): Work {
  const work = send(todo, todo.entry.sawNobody);
  const { entryId: _entryId, ...settled } = settlementOf(work, decided);
  return { ...work, admission: { ...work.admission, ...settled }, decided };
}

function existed({ userId }: CoreUser): Done {
  const mapped = MAPPED.never;
  return { kind: "done", outcome: "existed", coreId: userId, notices: [], mapped };
}

/** An earlier run sent this very plan and left no outcome. */
function imported({ userId }: CoreUser): Done {
  const mapped = MAPPED.no;
  return { kind: "done", outcome: "imported", coreId: userId, notices: [], mapped };
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
