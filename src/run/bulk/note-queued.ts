/** Notes the ids that the core's queue has given to users of a batch, as far as they are theirs. */

import type { QueuedIds } from "../../core/account-queue.js";
import type { Task } from "../../plan/action.js";
import type { OutcomeWrite } from "../../plan/entry.js";
import { MAPPED } from "../../plan/states.js";
import { queuedOf } from "../../plan/writes.js";
import { answerMismatch, firstContact, requireContact, requireOwnId } from "../answer-check.js";
import { startOf } from "../import-whole.js";
import type { RunContext } from "../run-batch.js";
import type { Sent } from "./find-members.js";

/** A user of a batch. */
export interface Member extends Pick<Sent, "plan"> {
  readonly task: Task;
  /** As the user was before any lookup. */
  readonly before: Task;
  readonly bytes: number;
}

/**
 * The queue has users by these ids, in their order; `isAgain`: or perhaps by others as well.
 *
 * @throws RunError `answer_mismatch` once the others are durable
 */
export async function noteQueued(
  run: RunContext,
  members: readonly Member[],
  { ids, isAgain }: { readonly ids: readonly QueuedIds[]; readonly isAgain: boolean },
): Promise<void> {
  const noted: Member[] = [];
  const writes: OutcomeWrite[] = [];
  let mismatch: unknown = null;
  for (const [place, member] of members.entries()) {
    const { plan, task } = member;
    const { entry } = task;
    const given = ids[place] ?? { userId: "" };
    const coreId = given.recipeUserId ?? given.userId;
    const mapped = plan.keepId === null ? MAPPED.no : MAPPED.yes;
    try {
      requireMember(given, member);
      requireOwnId(run.context, { userId: coreId, recipe: null }, startOf(task));
    } catch (error) {
      mismatch ??= error;
      continue;
    }
    noted.push(member);
    // How often an earlier run has sent one it isn't known, but where its row was taken off.
    const isUnsure = entry.tried && task.coreId === null;
    writes.push(queuedOf(entry, { coreId, mapped, isAgain: isAgain || isUnsure }));
  }
  try {
    await run.checkpoint.ledger.settleAll(writes);
    for (const { task } of noted) run.awaited.add(task, false);
  } catch (error) {
    run.stop.fail(error);
  }
  if (mismatch !== null) throw mismatch;
}

/**
 * Makes sure that ids of an answer are those of the user who was sent, as far as it says whose they are.
 *
 * @throws RunError `answer_mismatch`
 */
function requireMember(shown: QueuedIds, { plan, task }: Member): void {
  const { row } = task.keys;
  const { userId, recipeUserId, email, phoneNumber } = shown;
  const user = { userId, recipe: null, ...(email === undefined ? {} : { email }) };
  const contact = firstContact(plan);
  requireContact(phoneNumber === undefined ? user : { ...user, phoneNumber }, contact, row);
  // Beside the core's own id the answer has the one that is to be kept.
  const isKept = plan.keepId === null || recipeUserId === undefined || userId === plan.keepId;
  if (!isKept) throw answerMismatch(row, "with another external id than was sent");
}
