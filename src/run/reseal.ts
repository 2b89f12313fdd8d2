/** Keeps the hash of a user again whose vault is lost: where the stand-in still is at the core, and never over a password that was set since. */

import type { CallResult } from "../calls/caller.js";
import type { CallOutcome, Done, Task } from "../plan/action.js";
import { NONE } from "../plan/codes.js";
import { rejected, unfinished } from "../plan/outcomes.js";
import type { ImportPlan } from "../plan/plan.js";
import { NOT_RESEALED_REMOTE, refuseChange } from "../plan/refusals.js";
import type { StandIn } from "../vault/stand-in.js";
import type { CallContext } from "./call-context.js";

/** `own`: the user has set a password at the core. */
type Resealed = "resealed" | "own" | "gone" | "unknown";

/** The record is there before the stand-in, so that a kill in between locks nobody out. */
export async function reseal(
  context: CallContext,
  { entry, coreId }: Task,
  { email, bridged }: ImportPlan,
): Promise<CallOutcome> {
  const { core, keeper } = context;
  if (keeper === undefined || bridged === undefined) throw new Error("there is nothing to reseal");
  const standIn = await keeper.keep(email, bridged);
  const result =
    core.target.kind === "embedded"
      ? await replaceGuarded(context, email, standIn)
      : await replaceVouchedFor(context, email, standIn);
  if (!result.ok) return unfinished({ ...result, maybeApplied: true });
  if (result.value === "gone") return rejected(refuseChange("removed_at_core"));
  if (result.value === "unknown") return rejected(NOT_RESEALED_REMOTE);
  if (result.value === "own") await keeper.erase(email);
  const notices = result.value === "resealed" ? RESEALED : NONE;
  const done: Done = {
    kind: "done",
    outcome: "imported",
    coreId: coreId ?? "",
    notices,
    mapped: entry.mapped,
  };
  return done;
}

const RESEALED: readonly string[] = ["resealed"];

/** The core compares and writes at once. */
function replaceGuarded(
  { core, caller }: CallContext,
  email: string,
  { hash }: StandIn,
): Promise<CallResult<Resealed>> {
  return caller.call("update", async () => {
    const request = { email, currentHash: hash, passwordHash: hash, anyOfSalt: true };
    const { status } = await core.replacePassword(request);
    if (status === "UNKNOWN_USER") return "gone";
    return status === "OK" ? "resealed" : "own";
  });
}

/** A remote core can't compare: without the operator's word only a stand-in that is there already is sure. */
function replaceVouchedFor(
  { core, caller, cutOver, policy, looksUp }: CallContext,
  email: string,
  { hash, password }: StandIn,
): Promise<CallResult<Resealed>> {
  return caller.call("update", async () => {
    const { status } = await core.signIn({ email, password });
    if (status === "OK") return "resealed";
    if (cutOver || !policy.assumeNeverSignedIn) return "unknown";
    const users = looksUp ? await core.findUsers({ email }) : null;
    if (users?.every(({ recipe }) => recipe !== "emailpassword" && recipe !== null)) return "gone";
    await core.importUser({ email, passwordHash: hash });
    return "resealed";
  });
}
