/** Intake: a batch of rows becomes users to send, users who are done already, and users who are not to be sent. An import and a dry run share it, so that their numbers can't differ. */

import { RunError } from "../errors/run-error.js";
import type { SourceItem } from "../source/source.js";
import { type PlannedUser, type PlanningContext, planRecord } from "./candidates.js";
import type { Admission, Entry, Kept, Ledger, Standing } from "./checkpoint/ledger.js";
import { isFinished, MAPPED, STATE } from "./checkpoint/schema.js";
import type { RowEvent, RowRef } from "./events.js";
import { type ImportPlan, isRefusal, type PasswordlessPlan, type RefusalPlan } from "./plan.js";
import { ID_NOT_KEPT, type Tally } from "./tally.js";

/** A user for whom calls are to be made. */
export interface Todo {
  readonly plan: ImportPlan | PasswordlessPlan;
  readonly candidate: PlannedUser["candidate"];
  readonly entry: Entry;
}

/** A user of an earlier run who is to get the vendor's id; nothing else is called for. */
export interface ToMap {
  readonly candidate: PlannedUser["candidate"];
  readonly entry: Entry;
  readonly keepId: string;
  /** What the row is rejected with all the same: it has changed since. */
  readonly change: RowEvent | null;
}

/** What became of one batch of rows. */
export interface Intake {
  readonly todo: readonly Todo[];
  /** Finished users whose id isn't kept yet. */
  readonly toMap: readonly ToMap[];
  /** Other finished users whose plan is the same as when they were sent. */
  readonly unchanged: number;
  /** All finished users: nothing happens to them. */
  readonly kept: readonly Kept[];
  /** Rejects and skips, to be told and counted once their admission is durable. */
  readonly refusals: readonly RowEvent[];
  readonly admissions: readonly Admission[];
  /** The file was cut off after this batch. */
  readonly truncated: boolean;
}

/** What intake needs of the run. */
export interface IntakeContext extends PlanningContext {
  readonly ledger: Ledger;
  readonly tally: Tally;
}

/**
 * Takes in one batch of a file, in the file's order. Batches must be taken in one after the other.
 *
 * @throws RunError `duplicate_found` under `--on-duplicate fail`
 */
export function takeIn(items: readonly SourceItem[], file: string, context: IntakeContext): Intake {
  const refusals: RowEvent[] = [];
  const users: PlannedUser[] = [];
  let truncated = false;
  for (const item of items) {
    const row = { file, number: item.number };
    if (item.kind === "truncated") {
      truncated = true;
      continue;
    }
    context.tally.read();
    if (item.kind === "record") users.push(planRecord(item.record, row, context));
    else refusals.push(refusal({ ...item, kind: "reject" }, row, null));
  }
  const standings = context.ledger.classify(users.map((user) => user.candidate));
  const sorted = sort(users, standings, context);
  // Told in the file's order, whether a row couldn't be read or its user can't be migrated.
  const all = [...refusals, ...sorted.refusals].sort((a, b) => a.row.number - b.row.number);
  return { ...sorted, refusals: all, truncated };
}

function sort(
  users: readonly PlannedUser[],
  standings: readonly Standing[],
  context: IntakeContext,
): Omit<Intake, "truncated"> {
  const todo: Todo[] = [];
  const toMap: ToMap[] = [];
  const refusals: RowEvent[] = [];
  const admissions: Admission[] = [];
  const kept: Kept[] = [];
  let unchanged = 0;
  for (const [index, { plan, candidate }] of users.entries()) {
    const standing = standings[index];
    if (standing === undefined) continue;
    const { row, sourceId } = candidate;
    if (standing.kind !== "entry") {
      if (context.policy.onDuplicate === "fail") throw duplicateFound(row, standing);
      refusals.push(refusal(duplicate(standing.kind, standing.first), row, sourceId));
      continue;
    }
    const { entry } = standing;
    const finished = entry.state !== null && isFinished(entry.state);
    if (finished) kept.push({ candidate, entry });
    if (isRefusal(plan)) {
      refusals.push(refusal(plan, row, sourceId));
      // A finished user stays known as finished: they are at the core, whatever the export says now.
      if (!finished) admissions.push(refused(candidate, entry, plan));
      continue;
    }
    const isChanged = finished && !entry.samePlan;
    if (!isChanged) {
      context.tally.planned(plan.kind, plan.kind === "import" ? plan.algorithm : null);
      context.tally.noticed(plan.notices, row);
    }
    if (!finished) {
      todo.push({ plan, candidate, entry });
      continue;
    }
    const { keepId } = plan;
    const change = isChanged ? refusal(CHANGED, row, sourceId) : null;
    if (keepId !== null && entry.mapped === MAPPED.no && isBrought(entry)) {
      toMap.push({ candidate, entry, keepId, change });
      continue;
    }
    if (keepId !== null && entry.mapped !== MAPPED.yes) context.tally.noticed([ID_NOT_KEPT], row);
    if (change === null) unchanged += 1;
    else refusals.push(change);
  }
  return { todo, toMap, unchanged, kept, refusals, admissions };
}

/** By this migration; whoever was at the core before it has an id that may be in use. */
function isBrought({ state }: Entry): boolean {
  return state !== STATE.existed;
}

const CHANGED: RefusalPlan = {
  kind: "reject",
  code: "changed_since_import",
  hint: "This user is at the core already and the export has changed since; the change is not sent, so that nothing newer at the core is rolled back.",
};

function duplicate(kind: "duplicate" | "duplicate_contact", first: RowRef): RefusalPlan {
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

function duplicateFound(
  row: RowRef,
  { kind, first }: Exclude<Standing, { readonly kind: "entry" }>,
): RunError {
  const same = kind === "duplicate" ? "is the same user as" : "has the same contact as";
  return new RunError(
    "duplicate_found",
    `${row.file}, row ${row.number} ${same} ${first.file}, row ${first.number}.`,
    { hint: "Remove one of the two rows, or let the first one count with --on-duplicate reject." },
  );
}

function refusal(plan: RefusalPlan, row: RowRef, sourceId: string | null): RowEvent {
  return { type: plan.kind, row, sourceId, code: plan.code, hint: plan.hint };
}

function refused(
  candidate: PlannedUser["candidate"],
  entry: Entry,
  { kind, code }: RefusalPlan,
): Admission {
  const state = kind === "skip" ? STATE.skipped : STATE.rejected;
  // What an earlier run may have sent stays known, so that the user can be told from a stranger.
  const { sawNobody, mapped } = entry;
  return { candidate, entry, state, sawNobody, mapped, coreId: null, code };
}
