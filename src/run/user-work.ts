/** The work on one user: is somebody there already, what is called, and what the checkpoint is told. Order: the intent is durable, the call is made, the outcome is durable, it is counted. */

import type { CoreUser } from "../core/core.js";
import { withoutContact } from "../plan/user-keys.js";
import type { CallContext } from "./call-context.js";
import {
  addSecondContact,
  type Applied,
  applyImport,
  applyPasswordless,
  brought,
  type Done,
  existed,
  unfinished,
  userExists,
} from "./apply-plan.js";
import type { IntentWrite, PlanKind, OutcomeWrite } from "../plan/entry.js";
import { MAPPED, STATE } from "../plan/states.js";
import { refuseChange } from "../plan/delta.js";
import { CONTACT_CONFLICT, type Existing, findExisting, OTHER_WAY_IN } from "./existing.js";
import type { Todo } from "./plan-batch.js";
import { hasBegun, refuseKind } from "../plan/kind-change.js";
import { applyKindChange, checkKindChange } from "./change-kind.js";
import { keepId } from "./keep-id.js";
import type { RefusalPlan } from "../plan/plan.js";
import { applyUpdate, checkUpdate, outcomeWriteOfUpdate } from "./update-user.js";

/** A user between lookup and outcome. */
export interface Work {
  readonly todo: Todo;
  /** Written before the calls: the intent, or an outcome that needs none; null where the entry stays as it is. */
  readonly intent: IntentWrite | null;
  /** The outcome that the lookup already decided; null where calls are to be made. */
  readonly decided: Applied | null;
  /** A user of an earlier, unfinished run, to be completed instead of created. */
  readonly found: CoreUser | null;
  /** The lookup found a user whom this migration didn't bring, and the operator wants them updated. */
  readonly theirs: boolean;
  /** What the lookup has shown and the operator is told, whatever comes of the calls. */
  readonly notices: readonly string[];
  /** When the lookup found no user; null where none was made, or any user there may be replaced. */
  readonly lookedAt: number | null;
}

/** True where a user is looked up before anything is sent. */
export function looksUp(
  { looksUp: ever, wasEmpty }: CallContext,
  { update, entry }: Todo,
): boolean {
  if (update === null) return ever && !wasEmpty;
  // Whatever the operator vouches for: who may be removed must have been looked at.
  return ever || update.change.kind === "kind" || hasBegun(entry);
}

/** What is done for a user who isn't looked up: there is nobody, or whoever is there is to be replaced. */
export function unseen({ wasEmpty }: CallContext, todo: Todo): Work {
  const { plan, update, entry } = todo;
  const isSafe = update !== null || wasEmpty;
  if (isSafe || plan.kind !== "import" || !plan.unverified) return send(todo, isSafe);
  return decide(todo, { ...UNVERIFIED_UNSEEN, maybeApplied: entry.sawNobody });
}

const UNVERIFIED_UNSEEN = {
  kind: "rejected",
  code: "email_unverified",
  hint: "The vendor never verified this email, and the core offers no look-ups: nobody can tell whether its hash would replace the password of a user who is there. Have it verified at the vendor, or, if the core has no users, say so with --assume-empty.",
} as const;

/**
 * Looks a user up and decides what is to be done.
 *
 * @throws RunError `user_exists` under `--on-existing fail`, and whatever ends the run
 */
export async function prepareWork(context: CallContext, todo: Todo): Promise<Work> {
  if (!looksUp(context, todo)) return unseen(context, todo);
  if (todo.update?.change.kind === "kind") {
    const work = await checkKindChange(context, todo, todo.update.coreId);
    return "decided" in work
      ? { ...send(todo, true), intent: null, decided: work.decided }
      : { ...send(todo, true), ...work };
  }
  if (todo.update !== null) {
    const decided = await checkUpdate(context, todo, todo.update);
    return decided === null ? send(todo, true) : { ...send(todo, true), intent: null, decided };
  }
  const { plan } = todo;
  const { row } = todo.keys;
  const other = kindTried(todo);
  if (other !== null) {
    const lookup = await findExisting(context, { plan, row, kind: other });
    if (!lookup.ok) return decide(todo, unfinished({ ...lookup, maybeApplied: true }));
    const { user } = lookup.value;
    if (user !== null) return leave(todo, brought(user, other), refuseTried(context, other));
  }
  const lookup = await findExisting(context, { plan, row });
  if (!lookup.ok) {
    return decide(todo, unfinished({ ...lookup, maybeApplied: todo.entry.sawNobody }));
  }
  const work = await meet(context, todo, lookup.value);
  return lookup.value.hasOtherWay ? { ...work, notices: OTHER_WAY } : work;
}

/** What is to be done for a user, by who is there. */
async function meet(context: CallContext, todo: Todo, existing: Existing): Promise<Work> {
  const { plan } = todo;
  const { row } = todo.keys;
  const { policy } = context;
  const { user, byFirst, isSplit } = existing;
  const isUnverified = plan.kind === "import" && plan.unverified;
  const replaces = policy.onExisting === "update" && !isUnverified;
  // A user who signs up from now on is not ours, unless the operator wants them replaced.
  if (user === null) return { ...send(todo, true), lookedAt: replaces ? null : context.now() };
  // A user with only the second contact is another one: ours got the first contact first.
  if (maybeOurs(todo) && byFirst) return goOn(context, todo, user);
  if (policy.onExisting === "fail") throw userExists(row);
  if (replaces && plan.kind === "import") return { ...send(todo, false), theirs: true };
  // No code is consumed for a user who was there: it would sign them in. Only their contacts are set.
  if (replaces)
    return byFirst ? { ...send(todo, false), theirs: true, found: user } : send(todo, true);
  const left = existed(user, plan, policy, row);
  const notices = isSplit ? [...left.notices, CONTACT_CONFLICT] : left.notices;
  return decide(todo, await keepId(context, { keepId: plan.keepId, row }, { ...left, notices }));
}

const OTHER_WAY: readonly string[] = [OTHER_WAY_IN];

/** An earlier run has brought the user, who perhaps lacks the rest. */
function goOn({ cutOver }: CallContext, todo: Todo, user: CoreUser): Work {
  const { plan, entry } = todo;
  if (plan.kind === "import" && !entry.samePlan) {
    return cutOver
      ? leave(todo, brought(user, "import"), refuseChange("changed_after_cutover"))
      : send(todo, true);
  }
  if (plan.kind === "import" && plan.keepId === null) return decide(todo, brought(user, "import"));
  return { ...send(todo, true), found: user };
}

/** Makes the calls for a user whose outcome isn't decided yet. */
export function applyWork(context: CallContext, work: Work): Promise<Applied> | Applied {
  const { plan } = work.todo;
  const applied = bring(context, work);
  return plan.keepId === null ? applied : keepWhenBrought(context, work.todo, applied);
}

async function keepWhenBrought(
  context: CallContext,
  { plan: { keepId: id }, keys: { row } }: Todo,
  applied: Promise<Applied> | Applied,
): Promise<Applied> {
  return keepId(context, { keepId: id, row }, await applied);
}

// Not async, as little else here: of every promise there are as many as users on their way.
function bring(
  context: CallContext,
  { todo, found, theirs, lookedAt }: Work,
): Promise<Applied> | Applied {
  const { plan, keys, update } = todo;
  if (update !== null) {
    const { coreId, change } = update;
    return change.kind === "kind" && plan.kind === "import" && coreId !== null
      ? applyKindChange(context, { todo, found, lookedAt }, { plan, coreId })
      : applyUpdate(context, todo, update);
  }
  const { row } = keys;
  const before = { row, entryId: todo.entry.id, maybeOurs: maybeOurs(todo), theirs, lookedAt };
  if (plan.kind === "import") {
    return found === null ? applyImport(context, plan, before) : brought(found, "import");
  }
  if (found !== null) {
    return addSecondContact(context, plan, found, theirs ? "existed" : "created");
  }
  return applyPasswordless(context, plan, before);
}

/** Whether a decided outcome isn't in the intent, and has to be written by itself. */
export function isToSettle({ intent, decided }: Work): boolean {
  return intent === null && decided?.kind === "refused";
}

/** What the checkpoint is told of an outcome. */
export function outcomeWriteOf(work: Work, applied: Applied): OutcomeWrite {
  const { todo, intent } = work;
  const { update } = todo;
  if (update !== null) return outcomeWriteOfUpdate(todo, update, applied);
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
        updated: null,
      };
    case "unmapped":
      return { ...outcomeWriteOf(work, applied.done), code: applied.code };
    case "refused":
      return outcomeWriteOf(work, applied.done);
    case "rejected":
    case "failed":
      return {
        entryId,
        state: STATE[applied.kind],
        sawNobody: applied.maybeApplied && intent?.sawNobody === true,
        mapped: MAPPED.no,
        coreId: null,
        code: applied.code,
        updated: null,
      };
  }
}

/** A user whom the run was stopped before; nothing is known and nothing was sent. */
export function postponed(todo: Todo): Work {
  const work = send(todo, false);
  // The entry of a user who is known already stays as it is.
  const isNew = todo.entry.state === null;
  const intent = isNew ? { ...intentOf(todo, false), state: STATE.planned } : null;
  return { ...work, intent };
}

/** An intent whose call was never made, because the run was stopped; null where nothing is to be written. */
export function withdrawn({ todo, intent }: Work): OutcomeWrite | null {
  // What was intended for a finished user the next run sends.
  if (intent === null || todo.update !== null) return null;
  const { id, sawNobody, mapped } = todo.entry;
  const nothing = { coreId: null, code: null, updated: null };
  return { entryId: id, state: STATE.planned, sawNobody, mapped, ...nothing };
}

function send(todo: Todo, sawNobody: boolean): Work {
  const intent = intentOf(todo, sawNobody);
  const nothing = { decided: null, found: null, theirs: false, notices: [], lookedAt: null };
  return { todo, intent, ...nothing };
}

function intentOf({ entry, keys, update }: Todo, sawNobody: boolean): IntentWrite {
  const { mapped } = entry;
  // A finished user stays finished, whatever comes of the update.
  const stays = update !== null && entry.state !== null;
  return {
    keys,
    entry,
    mapped,
    sawNobody: sawNobody || entry.sawNobody,
    code: null,
    state: stays ? entry.state : STATE.intent,
    coreId: stays ? update.coreId : null,
  };
}

function decide(todo: Todo, decided: Applied): Work {
  const work = send(todo, todo.entry.sawNobody);
  const { entryId: _entryId, updated: _updated, ...settled } = outcomeWriteOf(work, decided);
  return { ...work, intent: { ...intentOf(todo, false), ...settled }, decided };
}

/** An earlier run brought the user by another plan, which stays, so that every run says so. */
function leave(todo: Todo, done: Done, refusal: RefusalPlan): Work {
  const decided = { kind: "refused", done, refusal } as const;
  return { ...send(todo, true), intent: null, decided };
}

/** The next run can do what this one is asked for: it knows then that the user is there. */
function refuseTried({ cutOver }: CallContext, tried: PlanKind): RefusalPlan {
  if (tried === "import") return refuseKind("noPassword");
  return refuseKind(cutOver ? "cutOver" : "offered");
}

/** Another kind of plan that an earlier run may have carried out under this contact; null where there is none. */
function kindTried({ plan, entry }: Todo): PlanKind | null {
  const kind = entry.previous?.kind ?? null;
  return entry.sawNobody && kind !== plan.kind ? kind : null;
}

/** An earlier run found no user and may have sent this one. A user who is there since is probably ours. */
function maybeOurs({ entry }: Todo): boolean {
  return entry.sawNobody;
}
