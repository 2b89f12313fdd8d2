/** Sends what belongs to a user's account beside contacts and hash, part by part, once the user is at the core. Each call may be repeated, also by a later run. */

import { CoreFailure } from "../core/core-failure.js";
import type { CallResult } from "../calls/caller.js";
import type { PartName, PartOutcome, PartRequest } from "../core/account-parts.js";
import type { CallOutcome, Done, Task } from "../plan/action.js";
import { notesAfter, notesBefore, type PartWork, type SentPart } from "../plan/parts.js";
import { isRefusal, type SentPlan } from "../plan/plan.js";
import { MAPPED, PART } from "../plan/states.js";
import type { CallContext } from "./call-context.js";
import { roleUnknown } from "./require-carried.js";

interface Whose extends Pick<Task, "action" | "keys"> {
  readonly plan: SentPlan;
  /** The id under which the core keeps parts. */
  readonly userId: string;
}

/** The notice on a user whose part isn't kept by the core. */
const STAYS: Readonly<Record<SentPart, string>> = {
  verified: "verification_not_migrated",
  metadata: "metadata_not_migrated",
  roles: "roles_not_migrated",
  totp: "mfa_not_migrated",
};

/**
 * Sends parts of a user who was brought by this migration; a user who was there before gets none.
 *
 * @param done how the calls that bring the user ended
 * @throws RunError `role_unknown`, and what ends the run
 */
export async function sendParts(
  context: CallContext,
  task: Task,
  parts: readonly PartWork[],
  done: CallOutcome,
): Promise<CallOutcome> {
  // One call may have brought the user with all of them.
  if (done.kind !== "done" || done.outcome === "existed" || done.parts !== undefined) return done;
  if (done.mapped === MAPPED.never) return done;
  const { plan, keys } = task;
  if (isRefusal(plan)) return done;
  const { userId, failure } = await partsId(context, plan, done);
  const notices = [...done.notices];
  let notes = notesBefore(task, parts) ?? {};
  const until = (cause: CoreFailure): CallOutcome => ({
    kind: "incomplete",
    done: { ...done, notices, parts: notes },
    code: `core_${cause.kind}`,
    hint: `${cause.message}; the user is at the core, and running the same command again sends what is left of the account.`,
  });
  if (failure !== null) return until(failure);
  for (const work of parts) {
    const { part } = work;
    const refusal = await send(context, { plan, keys, userId, action: task.action }, work);
    if (refusal !== null && !mayStay(refusal, part, context)) return until(refusal);
    if (refusal !== null) notices.push(STAYS[part]);
    notes = notesAfter(notes, work, keys.parts[part], refusal === null ? PART.done : PART.refused);
  }
  return { ...done, notices, parts: notes };
}

/** Whether a user counts as brought without a part that the core doesn't take. */
function mayStay({ kind }: CoreFailure, part: SentPart, { policy }: CallContext): boolean {
  if (part === "totp" && policy.onLostFactor === "reject") return false;
  return kind === "refused" || isForAll(kind);
}

/** Without a license, or switched off: it is so for every user. */
function isForAll(kind: CoreFailure["kind"]): boolean {
  return kind === "disabled" || kind === "not_offered";
}

/** The id that the core shows the user by: the vendor's, where it is in force. */
async function partsId(
  { core, caller }: CallContext,
  { keepId }: SentPlan,
  { coreId, mapped }: Done,
): Promise<{ readonly userId: string; readonly failure: CoreFailure | null }> {
  if (mapped !== MAPPED.yes) return { userId: coreId, failure: null };
  if (keepId !== null) return { userId: keepId, failure: null };
  // An earlier run mapped it, and this one isn't asked to.
  const found = await caller.call("lookup", () => core.getUser(coreId));
  return found.ok
    ? { userId: found.value?.userId ?? coreId, failure: null }
    : { userId: coreId, failure: found.failure };
}

/** What stands against a part; null where the core has it now. */
async function send(
  context: CallContext,
  whose: Whose,
  work: PartWork,
): Promise<CoreFailure | null> {
  const { part } = work;
  const known = context.notKept.get(part);
  if (known !== undefined) return known;
  const failure = await SENDERS[part](context, whose, work);
  if (failure !== null && isForAll(failure.kind)) context.notKept.set(part, failure);
  return failure;
}

type Sender = (context: CallContext, whose: Whose, work: PartWork) => Promise<CoreFailure | null>;

const SENDERS: Readonly<Record<SentPart, Sender>> = {
  verified: sendVerification,
  metadata: sendMetadata,
  roles: sendRoles,
  totp: sendDevices,
};

function call<Name extends PartName>(
  { core, caller }: CallContext,
  name: Name,
  request: PartRequest<Name>,
): Promise<CallResult<PartOutcome<Name>>> {
  return caller.call("part", () => core.part(name, request));
}

/** A token that verified already is of an attempt whose answer was lost: the next one says so. */
const MOST_TOKENS = 3;
const TOKENS_REFUSED = new CoreFailure("refused", "The core took none of its own tokens", {
  reached: "yes",
});

async function sendVerification(
  context: CallContext,
  { plan, userId, action }: Whose,
  { come }: PartWork,
): Promise<CoreFailure | null> {
  const ofUser = { userId, email: plan.email ?? "" };
  if (!come.includes("yes")) {
    const undone = await call(context, "unverifyEmail", ofUser);
    return undone.ok ? null : undone.failure;
  }
  // The code that has just been consumed came to this email.
  if (action.kind === "create") return null;
  for (let tokens = 1; ; tokens += 1) {
    const made = await call(context, "createVerificationToken", ofUser);
    if (!made.ok) return made.failure;
    if (made.value.status !== "OK") return null;
    const { token } = made.value;
    const verified = await call(context, "verifyEmail", { method: "token", token });
    if (!verified.ok) return verified.failure;
    if (verified.value.status === "OK") return null;
    if (tokens === MOST_TOKENS) return TOKENS_REFUSED;
  }
}

async function sendMetadata(
  context: CallContext,
  { plan, userId }: Whose,
  { gone }: PartWork,
): Promise<CoreFailure | null> {
  const metadata = { ...plan.account?.metadata };
  if (context.cutOver) {
    const there = await call(context, "getMetadata", { userId });
    if (!there.ok) return there.failure;
    // What the application has written since stays.
    for (const field of Object.keys(there.value.metadata)) delete metadata[field];
  }
  const removed = Object.fromEntries(gone.map((field) => [field, null]));
  const metadataUpdate = { ...removed, ...metadata };
  const sent = await call(context, "updateMetadata", { userId, metadataUpdate });
  return sent.ok ? null : sent.failure;
}

async function sendRoles(
  context: CallContext,
  { userId }: Whose,
  { come, gone }: PartWork,
): Promise<CoreFailure | null> {
  for (const role of gone) {
    const taken = await call(context, "removeUserRole", { userId, role });
    if (!taken.ok) return taken.failure;
  }
  for (const role of come) {
    const failure = await giveRole(context, userId, role);
    if (failure !== null) return failure;
  }
  return null;
}

async function giveRole(
  context: CallContext,
  userId: string,
  role: string,
): Promise<CoreFailure | null> {
  for (let makes = context.policy.roles === "create"; ; makes = false) {
    const given = await call(context, "addUserRole", { userId, role });
    if (!given.ok) return given.failure;
    if (given.value.status === "OK") return null;
    if (!makes) throw roleUnknown([role]);
    const made = await call(context, "putRole", { role, permissions: [] });
    if (!made.ok) return made.failure;
  }
}

/** Periods before and after the present one whose codes count as well, as most cores have it. */
export const SKEW = 1;

async function sendDevices(
  context: CallContext,
  { plan, keys, userId }: Whose,
  { come, gone }: PartWork,
): Promise<CoreFailure | null> {
  const names = keys.parts.totp?.names ?? [];
  for (const name of come) {
    const device = plan.account?.totp[names.indexOf(name)];
    if (device === undefined) continue;
    const { secret: secretKey, period } = device;
    const request = { userId, deviceName: name, secretKey, period, skew: SKEW };
    // A device of this name is this very one.
    const sent = await call(context, "importTotpDevice", request);
    if (!sent.ok) return sent.failure;
  }
  // The user has the vendor's factor at every moment.
  for (const name of gone) {
    const removed = await call(context, "removeTotpDevice", { userId, deviceName: name });
    if (!removed.ok) return removed.failure;
  }
  return null;
}
