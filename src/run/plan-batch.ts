/** Plans a batch of rows: each becomes a user to send, a user who is finished already, or a refusal. An import and a dry run share it, so that their numbers can't differ. */

import { RunError } from "../errors/run-error.js";
import type { SourceItem } from "../source/source.js";
import { UNVERIFIED_NOT_REPLACED } from "./apply-plan.js";
import { type PlannedUser, type PlanningContext, planItem } from "./plan-row.js";
import { countExample } from "../events/findings.js";
import {
  type IntentWrite,
  type UserKeys,
  type Entry,
  isFinishedEntry,
  type Touch,
  mayBeThere,
  type Match,
} from "../plan/entry.js";
import type { Matcher } from "../checkpoint/ledger.js";
import { MAPPED, STATE } from "../plan/states.js";
import {
  type Change,
  judgeChange,
  refuseChange,
  type Update,
  type Verdict,
} from "../plan/delta.js";
import { type Contests, type Loss, lostTo, refusalOf, reservedHint } from "../plan/contests.js";
import type { MissingUsers } from "./missing-users.js";
import type { RowEvent, RowRef } from "../events/events.js";
import {
  type ImportPlan,
  isRefusal,
  type PasswordlessPlan,
  type RefusalPlan,
} from "../plan/plan.js";
import type { RejectsOut } from "./rejects-out.js";
import { ID_NOT_KEPT, type Tally } from "../events/tally.js";

/** The notice on a user who may be at the core under an earlier contact, too. */
const EARLIER_CONTACT_OPEN = "earlier_contact_open";

const NOT_REPLACED: readonly string[] = [UNVERIFIED_NOT_REPLACED];

/** A user for whom calls are to be made. */
export interface Todo {
  readonly plan: ImportPlan | PasswordlessPlan;
  readonly keys: PlannedUser["keys"];
  readonly entry: Entry;
  /** What is to change of a finished user; null for one who is to be brought. */
  readonly update: Update | null;
}

/** A user of an earlier run who gets the vendor's id, and no other call. */
export interface ToMap {
  readonly keys: PlannedUser["keys"];
  readonly entry: Entry;
  readonly keepId: string;
  /** Why the row's change isn't sent; null where there is none. */
  readonly change: RowEvent | null;
}

/** What became of one batch of rows. */
export interface PlannedBatch {
  readonly todo: readonly Todo[];
  /** Finished users whose id isn't kept yet. */
  readonly toMap: readonly ToMap[];
  /** Other finished users whose plan is the same as when they were sent. */
  readonly unchanged: number;
  /** Users whom this migration didn't bring and whose rows have changed. */
  readonly existed: number;
  /** Users for whom no call is made, or only the one that maps their id. */
  readonly touched: readonly Touch[];
  /** Rejects and skips. They are emitted and counted once their entries are durable. */
  readonly refusals: readonly RowEvent[];
  readonly intents: readonly IntentWrite[];
  /** The file was cut off after this batch. */
  readonly truncated: boolean;
}

/** What planning a batch needs of the run. */
export interface BatchContext extends PlanningContext {
  readonly ledger: Matcher;
  readonly tally: Tally;
  /** People sign in at the core, as `auth-migrate cutover` has recorded. */
  readonly cutOver: boolean;
  readonly missingUsers: MissingUsers;
  readonly rejects: RejectsOut;
  /** Which rows get the contacts that several claim. */
  readonly contests: Contests;
}

/**
 * Plans one batch of a file, in the file's order. Batches must be planned one after the other.
 *
 * @throws RunError `duplicate_found` under `--on-duplicate fail`, `disk`
 */
export function planBatch(
  items: readonly SourceItem[],
  file: string,
  context: BatchContext,
): PlannedBatch {
  const refusals: RowEvent[] = [];
  const users: PlannedUser[] = [];
  let truncated = false;
  for (const item of items) {
    const row = { file, number: item.number };
    context.inspector?.countRow(item);
    if (item.kind === "truncated") {
      truncated = true;
      continue;
    }
    const user = planItem(item, row, context);
    context.tally.read();
    context.rejects.keep(row, item.raw);
    if (user !== null) users.push(user);
    else if (item.kind !== "record") {
      if (item.kind === "reject") context.missingUsers.unreadable += 1;
      refusals.push(refusal(item, row, null));
    }
  }
  const classified = classify(users, context);
  // In the file's order, whether the row couldn't be read or its user can't be migrated.
  const all = [...refusals, ...classified.refusals].sort((a, b) => a.row.number - b.row.number);
  return { ...classified, refusals: all, truncated };
}

function classify(
  users: readonly PlannedUser[],
  context: BatchContext,
): Omit<PlannedBatch, "truncated"> {
  const { ledger, tally, policy } = context;
  const todo: Todo[] = [];
  const toMap: ToMap[] = [];
  const refusals: RowEvent[] = [];
  const intents: IntentWrite[] = [];
  const touched: Touch[] = [];
  let unchanged = 0;
  let existed = 0;
  ledger.expect(users.map(({ keys }) => keys));
  for (const user of users) {
    const { row, sourceId } = user.keys;
    const loss = lossOf(user, context);
    if (loss !== null && policy.onDuplicate === "fail")
      throw duplicateFound(row, lostTo(loss, user.keys));
    const { plan, keys } = loss === null ? user : beaten(user, loss, context);
    // Without an id this row and the better one are the same user.
    if (loss !== null && isRefusal(plan) && !keys.keyed) {
      refusals.push(refusal(plan, row, sourceId));
      continue;
    }
    const match = ledger.match(keys, context);
    if (match.kind !== "entry") {
      if (policy.onDuplicate === "fail") throw duplicateFound(row, match);
      if (match.outranks) tally.claimed(row, match.first);
      refusals.push(refusal(duplicate(match), row, sourceId));
      continue;
    }
    const { entry, holder } = match;
    if (holder !== null) tally.claimed(row, holder);
    const finished = isFinishedEntry(entry);
    if (isRefusal(plan)) {
      refusals.push(refusal(plan, row, sourceId));
      // A finished user stays known as finished: they are at the core, whatever the export says now.
      if (finished) touched.push({ keys, entry });
      else intents.push(refused(keys, entry, plan));
      if (finished && plan.kind === "skip") countExample(context.missingUsers.disabled, row);
      continue;
    }
    if (!finished && rollsBack(keys, entry)) {
      refusals.push(refusal(refuseChange("older_export"), row, sourceId));
      touched.push({ keys, entry });
      continue;
    }
    const isUnverified = plan.kind === "import" && plan.unverified;
    const change = finished ? judge(keys, isUnverified, { entry, context }) : null;
    const isSent = change !== null && isChange(change);
    if (change === null || isSent) {
      tally.planned(plan.kind, plan.kind === "import" ? plan.algorithm : null);
      tally.noticed(plan.notices, row);
      if (isOpenElsewhere(entry)) tally.noticed([EARLIER_CONTACT_OPEN], row);
    }
    if (!finished || isSent) {
      const update = isSent ? { change, coreId: ledger.coreIdOf(entry.id) } : null;
      if (update !== null) ledger.claim(keys, entry);
      todo.push({ plan, keys, entry, update });
      continue;
    }
    touched.push({ keys, entry });
    const { keepId } = plan;
    const told =
      change === null || change.kind === "existed" ? null : refusal(change, row, sourceId);
    if (keepId !== null && entry.mapped === MAPPED.no && isBrought(entry)) {
      toMap.push({ keys, entry, keepId, change: told });
      continue;
    }
    if (keepId !== null && entry.mapped !== MAPPED.yes) tally.noticed([ID_NOT_KEPT], row);
    if (told !== null) refusals.push(told);
    else if (change === null) unchanged += 1;
    else {
      existed += 1;
      if (isUnverified && policy.onExisting === "update") tally.noticed(NOT_REPLACED, row);
    }
  }
  return { todo, toMap, unchanged, existed, touched, refusals, intents };
}

/** The contact that a row doesn't get. A user who has it at the core since an earlier run keeps it. */
function lossOf(user: PlannedUser, { contests, ledger }: BatchContext): Loss | null {
  const loss = contests.lossOf(user);
  return loss === null || ledger.keeps(user.keys, loss.contact) ? null : loss;
}

/** The user of a row that loses a contact. The user is rejected and claims no contact. */
function beaten({ keys }: PlannedUser, loss: Loss, { digester }: BatchContext): PlannedUser {
  const plan = refusalOf(loss, keys);
  const claimless = { kind: null, contacts: [], reserved: [], plan: digester.plan(plan) };
  return { plan, keys: { ...keys, ...claimless } };
}

/** A run that was killed may have brought the user under a contact that the row no longer has. */
function isOpenElsewhere(entry: Entry): boolean {
  return entry.previous !== null && entry.tried && !entry.sawNobody && !isFinishedEntry(entry);
}

/** The core may hold a newer hash of an unfinished user, because an earlier run has sent it. */
function rollsBack({ kind }: UserKeys, entry: Entry): boolean {
  return kind === "import" && entry.previous?.isReplaced === true && mayBeThere(entry);
}

function judge(
  { contacts, kind }: UserKeys,
  isUnverified: boolean,
  { entry, context }: { readonly entry: Entry; readonly context: BatchContext },
): Verdict | null {
  const { previous } = entry;
  return previous && judgeChange({ contacts, kind, isUnverified }, entry, previous, context);
}

function isChange(verdict: Verdict): verdict is Change {
  return verdict.kind === "hash" || verdict.kind === "contacts" || verdict.kind === "kind";
}

/** Whether this migration brought the user. The id of a user who was at the core before may be in use. */
function isBrought({ state }: Entry): boolean {
  return state !== STATE.existed;
}

function duplicate({ kind, first, isReserved }: Duplicate): RefusalPlan {
  if (isReserved) return { kind: "reject", code: kind, hint: reservedHint(first) };
  const where = `${first.file}, row ${first.number}`;
  return {
    kind: "reject",
    code: kind,
    hint:
      kind === "duplicate"
        ? `The same user as in ${where}; the first one counts.`
        : `Another user, in ${where}, has the same contact; decide whose it is and import the other without it.`,
  };
}

type Duplicate = Exclude<Match, { readonly kind: "entry" }>;

function duplicateFound(row: RowRef, { kind, first }: Pick<Duplicate, "kind" | "first">): RunError {
  const same = kind === "duplicate" ? "is the same user as" : "has the same contact as";
  return new RunError(
    "duplicate_found",
    `${row.file}, row ${row.number} ${same} ${first.file}, row ${first.number}.`,
    { hint: "Remove one of the two rows, or let the first one count with --on-duplicate reject." },
  );
}

function refusal(plan: Readonly<RefusalPlan>, row: RowRef, sourceId: string | null): RowEvent {
  return { type: plan.kind, row, sourceId, code: plan.code, hint: plan.hint };
}

function refused(
  keys: PlannedUser["keys"],
  entry: Entry,
  { kind, code }: RefusalPlan,
): IntentWrite {
  const state = kind === "skip" ? STATE.skipped : STATE.rejected;
  // What an earlier run may have sent stays known, so that the user can be told from a stranger.
  const { tried: sawNobody, mapped } = entry;
  return { keys, entry, state, sawNobody, mapped, coreId: null, code };
}
