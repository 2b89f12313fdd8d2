/** Keeps ids: a user whom this migration brought gets the vendor's id at the core, so that the application's foreign keys stay valid. A user who was there before gets no id, and no user loses one. */

import type { Core, UserIdMapping } from "../core/core.js";
import { CoreFailure, unlessNotOffered } from "../core/core-failure.js";
import { answerMismatch, showsContact } from "./answer-check.js";
import type { CallContext } from "./call-context.js";
import { USER_VANISHED } from "./create-user.js";
import { MAPPED, STATE } from "../plan/states.js";
import type { RowRef } from "../events/events.js";
import type { Caller, CallResult } from "../calls/caller.js";
import type { CallOutcome, Done, MapIdAction, Task } from "../plan/action.js";
import { isBy } from "../plan/decide-change.js";
import { idOf } from "../plan/expected.js";
import { withOwnId, withoutId } from "../plan/outcomes.js";

/** How asking the core to map an id ended. `vanished`: it knows no such user. */
type Mapping =
  /** The vendor's id is in force. */
  | { readonly kind: "kept"; readonly coreId: string }
  | { readonly kind: "not_kept" | "vanished" }
  | { readonly kind: "failed"; readonly failure: CoreFailure };

interface ToKeep {
  /** The user's id as the core shows it, or the core's own. */
  readonly userId: string;
  readonly id: string;
  readonly row: RowRef;
  /** The user is there since an earlier run, by which the core may keep data under the id to be replaced. */
  readonly isEarlier?: boolean;
}

/**
 * The last call for a user.
 *
 * @param outcome of the calls that bring the user
 */
export async function keepId(
  context: CallContext,
  { id, row }: Pick<ToKeep, "id" | "row">,
  outcome: CallOutcome,
): Promise<CallOutcome> {
  if (outcome.kind !== "done" || outcome.mapped === MAPPED.yes) return outcome;
  if (outcome.mapped === MAPPED.never) return withOwnId(outcome, id);
  const mapping = await mapId(context, { userId: outcome.coreId, id, row });
  switch (mapping.kind) {
    case "kept":
      return { ...outcome, coreId: mapping.coreId, mapped: MAPPED.yes };
    case "not_kept":
      return withoutId(outcome);
    case "vanished":
      return USER_VANISHED;
    case "failed":
      return { kind: "incomplete", done: outcome, ...whyUnmapped(mapping.failure) };
  }
}

/**
 * Maps a vendor's id to a user whom this migration brought. It may be repeated: a mapping of this
 * very pair, made by an attempt whose answer was lost or by a run that was killed, is in force.
 *
 * @throws RunError `answer_mismatch`
 */
export async function mapId(context: CallContext, toKeep: ToKeep): Promise<Mapping> {
  const { userId, id, row, isEarlier = false } = toKeep;
  const { core, caller } = context;
  if (userId === id) return findMapped(context, id, row);
  const map = () => core.mapUserId({ userId, externalUserId: id });
  // Many such users may be refused, one behind the other: for each that is an answer, and no fault of the run's.
  const result = await caller.call("map", isEarlier ? () => map().catch(orRefused) : map);
  if (!result.ok) {
    const { failure } = result;
    // The id is some user's own at the core, or the core keeps data under the one to be replaced.
    return failure.kind === "refused" ? { kind: "not_kept" } : { kind: "failed", failure };
  }
  if (result.value === null) return { kind: "not_kept" };
  const { status } = result.value;
  if (status === "OK") return { kind: "kept", coreId: userId };
  const pair = await caller.call("lookup", () => core.findMapping(userId));
  if (!pair.ok) return { kind: "failed", failure: pair.failure };
  requirePair(pair.value, userId, row);
  if (pair.value?.externalUserId === id) return { kind: "kept", coreId: pair.value.userId };
  // This call alone may not know a user by another external id.
  const vanished = pair.value === null && status === "UNKNOWN_USER_ID_ERROR";
  return { kind: vanished ? "vanished" : "not_kept" };
}

/** @returns null where the core refuses a call */
function orRefused(error: unknown): null {
  if (error instanceof CoreFailure && error.kind === "refused") return null;
  throw error;
}

/** The core shows the user by the vendor's id already; the checkpoint keeps the core's own. */
async function findMapped(
  { core, caller }: CallContext,
  id: string,
  row: RowRef,
): Promise<Mapping> {
  const pair = await caller.call("lookup", () => core.findMapping(id));
  if (!pair.ok) return { kind: "failed", failure: pair.failure };
  requirePair(pair.value, id, row);
  return { kind: "kept", coreId: pair.value?.userId ?? id };
}

function requirePair(pair: UserIdMapping | null, asked: string, row: RowRef): void {
  if (pair === null || pair.userId === asked || pair.externalUserId === asked) return;
  throw answerMismatch(row, "with the ids of another user than was asked for");
}

/** The code and hint where the id couldn't be mapped for now. */
function whyUnmapped({ kind, message }: CoreFailure): { code: string; hint: string } {
  return {
    code: `core_${kind}`,
    hint: `${message}; the user is at the core, and running the same command again maps the vendor's id.`,
  };
}

/** The one call for a user of an earlier run, whose id is to be kept since. */
export async function mapFinished(
  context: CallContext,
  { keys: { row }, entry, coreId }: Task,
  { keepId: id, refusal }: MapIdAction,
): Promise<CallOutcome> {
  const outcome = entry.state === STATE.imported ? "imported" : "created";
  const mapped = MAPPED.no;
  let done: Done = { kind: "done", outcome, coreId: coreId ?? "", notices: [], mapped };
  // A user without an id at the core is shown by another id that must not be kept.
  const mapping =
    coreId === null ? null : await mapId(context, { userId: coreId, id, row, isEarlier: true });
  if (mapping?.kind === "failed") {
    return { kind: "incomplete", done, ...whyUnmapped(mapping.failure) };
  }
  done = mapping?.kind === "kept" ? { ...done, mapped: MAPPED.yes } : withoutId(done);
  return refusal === null ? done : { kind: "refused", done, refusal };
}

/**
 * Asks whether the vendor's id will lead to a user for whom it is decided what is done: not where
 * somebody else has it, or the user another one. That the core keeps data under the user's own id,
 * only the call itself shows.
 *
 * @returns null where that is no answer
 */
export async function wouldKeepId(
  { core, caller }: { readonly core: Core; readonly caller: Pick<Caller, "call"> },
  { action, coreId }: Task,
): Promise<boolean | null> {
  const id = action.kind === "look_up" || action.kind === "postpone" ? null : idOf(action);
  if (id === null) return true;
  // A user without an id at the core is shown by another id that must not be kept.
  if (action.kind === "map_id" && coreId === null) return false;
  const found = "found" in action ? action.found : null;
  const isTheirs = "theirs" in action && action.theirs;
  if (found !== null && (isTheirs || found.userId === id)) return found.userId === id;
  const ours = found?.userId ?? coreId;
  const own: CallResult<UserIdMapping | null> | null =
    ours === null ? null : await caller.call("lookup", () => core.findMapping(ours));
  if (own?.ok === false) return null;
  const pair = own?.value ?? null;
  if (pair?.externalUserId === id || ours === id) return true;
  // Whom a new user is to stand for is removed first.
  if (pair !== null && action.kind !== "change_kind") return false;
  // A core may keep ids and find no user by one.
  const holder = await caller.call("lookup", () => unlessNotOffered(() => core.getUser(id), null));
  if (!holder.ok) return null;
  if (!isTheirs) return holder.value === null;
  const { plan } = action;
  return (
    holder.value !== null &&
    isBy(holder.value, plan) &&
    showsContact(holder.value, { email: plan.email ?? "" })
  );
}
