/** Brings a user with their password whom an earlier run brought without it: first the one with the password is there, then the other one is removed, so that at no moment there is neither. */

import { randomUUID } from "node:crypto";
import { CoreFailure } from "../core/core-failure.js";
import type { Core, CoreUser } from "../core/core.js";
import type { CallResult, Caller } from "../calls/caller.js";
import type { Previous } from "../plan/entry.js";
import { MAPPED, MARK } from "../plan/states.js";
import { refuseChange } from "../plan/delta.js";
import { hasBegun, type KindRefusal, refuseKind } from "../plan/kind-change.js";
import type { ImportPlan, RefusalPlan } from "../plan/plan.js";
import type { CallContext } from "./call-context.js";
import { type Applied, applyImport, brought, unfinished } from "./apply-plan.js";
import { findExisting } from "./existing.js";
import type { Todo } from "./plan-batch.js";
import { rejected } from "./update-user.js";

/** What is to be done for a user whose way in changes, or how it has ended already. */
type KindWork =
  | {
      /** The user with the password, where they are there and nothing is to be sent; else null. */
      readonly found: CoreUser | null;
      /** Whether who has the email with a password since may be ours. */
      readonly lookedAt: number | null;
    }
  | { readonly decided: Applied };

/** Who is at the core of the two. */
interface Both {
  readonly without: CoreUser | null;
  readonly withPassword: CoreUser | null;
}

/**
 * Looks at both users before anything is sent.
 *
 * @param coreId of the user without a password
 * @throws RunError `answer_mismatch`, and what ends the run
 */
export async function checkKindChange(
  context: CallContext,
  todo: Todo,
  coreId: string | null,
): Promise<KindWork> {
  const { core, caller, cutOver } = context;
  const { plan, entry, keys } = todo;
  if (coreId === null || entry.previous === null)
    return { decided: rejected(refuseChange("removed_at_core")) };
  const begun = hasBegun(entry);
  const without = await caller.call("lookup", () => core.getUser(coreId));
  if (!without.ok) return lost(without);
  const existing = await findExisting(context, { plan, row: keys.row, kind: "import" });
  if (!existing.ok) return lost(existing);
  const both = { without: without.value, withPassword: existing.value.user };
  const why = whyNot(context, todo, both);
  if (why !== null) return { decided: rejected(why) };
  const { withPassword } = both;
  // Since the cut-over what was begun is finished, and no password is set.
  if (cutOver) return { found: withPassword, lookedAt: null };
  const removes = await context.removes();
  if (!removes.ok) return lost(removes);
  if (!removes.value) return { decided: rejected(refuseKind("noRemoval")) };
  return { found: null, lookedAt: begun ? null : context.now() };
}

/** Why nothing is sent; null where it may be. */
function whyNot(context: CallContext, { plan, entry }: Todo, both: Both): RefusalPlan | null {
  const { without, withPassword } = both;
  const { cutOver, policy } = context;
  const begun = hasBegun(entry);
  if (without === null) {
    // Who was begun loses this one last of all.
    if (!begun || withPassword === null) return refuseChange("removed_at_core");
  } else {
    if (!begun && withPassword !== null) return refuseKind("otherUser");
    if (cutOver && withPassword === null) return refuseKind("cutOver");
    const why = whyKept(context, without, entry.previous);
    // What was begun was vouched for then; since the cut-over no operator can.
    const isVouched = why === "notSaid" && !cutOver && (begun || policy.assumeNeverSignedIn);
    if (why !== null && !isVouched) return refuseKind(begun && withPassword ? "twoUsers" : why);
  }
  const losesId = entry.mapped === MAPPED.yes && plan.keepId === null;
  return losesId ? refuseKind("idKept") : null;
}

/** Why the user without a password may be in use; null where an earlier run made all that there is of them. */
function whyKept(
  { digester }: CallContext,
  user: CoreUser,
  previous: Previous | null,
): KindRefusal | null {
  const { email, phoneNumber, recipe, recipeUserId, isLinked, hasSignedIn } = user;
  const shown = [
    ...(email === undefined ? [] : [digester.contact("email", email)]),
    ...(phoneNumber === undefined ? [] : [digester.contact("phone", phoneNumber)]),
  ];
  const made = previous?.contacts.filter(({ mark }) => mark === MARK.held) ?? [];
  const isSame = shown.length === made.length && made.every(({ key }) => shown.includes(key));
  const isJoined = isLinked === true || recipeUserId !== undefined;
  if (recipe !== "passwordless" || isJoined || !isSame) return "notAsBrought";
  if (hasSignedIn === undefined) return "notSaid";
  return hasSignedIn ? "signedIn" : null;
}

/**
 * The calls. Each may be repeated, also by a later run: the import sets its own hash, and who is
 * removed stays so.
 *
 * @param coreId of the user without a password
 */
export async function applyKindChange(
  context: CallContext,
  {
    todo,
    found,
    lookedAt,
  }: { readonly todo: Todo; readonly found: CoreUser | null; readonly lookedAt: number | null },
  { plan, coreId }: { readonly plan: ImportPlan; readonly coreId: string },
): Promise<Applied> {
  const { caller, core } = context;
  const { entry, keys } = todo;
  const before = { row: keys.row, entryId: entry.id, theirs: false, lookedAt };
  const maybeOurs = hasBegun(entry);
  const applied =
    found === null
      ? await applyImport(context, plan, { ...before, maybeOurs })
      : brought(found, "import");
  if (applied.kind !== "done") return applied;
  // A user signed up with the email since the lookup.
  if (applied.outcome === "existed") return rejected(refuseKind("otherUser"));
  const removed = await caller.call("update", () => core.removeUser(coreId));
  if (!removed.ok) return unfinished({ ...removed, maybeApplied: true });
  return { ...applied, notices: [...applied.notices, "kind_changed"] };
}

/** Whether a core removes users: asked once, for an id that no user has, so that nothing changes. */
export function removalCheck(core: Core, caller: Caller): () => Promise<CallResult<boolean>> {
  const ask = async (): Promise<boolean> => {
    try {
      await core.removeUser(randomUUID());
      return true;
    } catch (error) {
      if (error instanceof CoreFailure && error.kind === "not_offered") return false;
      throw error;
    }
  };
  let answer: Promise<CallResult<boolean>> | null = null;
  return async () => {
    answer ??= caller.call("lookup", ask);
    const result = await answer;
    if (!result.ok) answer = null;
    return result;
  };
}

function lost(result: Extract<CallResult<unknown>, { ok: false }>): { readonly decided: Applied } {
  return { decided: unfinished({ ...result, maybeApplied: false }) };
}
