/** Looks a user up at the core, as far as the decision asks for it. Lookups change nothing. */

import { randomUUID } from "node:crypto";
import { unlessNotOffered } from "../core/core-failure.js";
import type { CodeRequest, Core } from "../core/core.js";
import type { CoreUser } from "../core/user.js";
import type { CallResult, Caller } from "../calls/caller.js";
import type { RowRef } from "../events/events.js";
import type { Action, Existing, MatchedUser, OneCallPlan, Question, Seen } from "../plan/action.js";
import type { SentPlan } from "../plan/plan.js";
import { decide, NOTHING_SEEN } from "../plan/decide.js";
import { isBy } from "../plan/decide-change.js";
import type { PlanKind } from "../plan/entry.js";
import { mayHaveContact, requireContact, showsContact } from "./answer-check.js";
import type { CallContext } from "./call-context.js";

/**
 * Asks one question after the other, until it is decided what is done for the user.
 *
 * @throws RunError `answer_mismatch`, and what ends the run
 */
export async function lookUp(context: CallContext, user: MatchedUser): Promise<Action> {
  const seen: { -readonly [Answer in keyof Seen]: Seen[Answer] } = { at: NOTHING_SEEN.at };
  for (;;) {
    const action = decide(user, seen, context);
    if (action.kind !== "look_up") return action;
    const { question, plan } = action;
    const answer = await ask(context, user, question, plan);
    // Onto an object of its own: a spread that adds a name took as long as half of a lookup's path.
    if (answer.ok) Object.assign(seen, { [question]: answer.value, at: context.now() });
    else seen.failure = answer.failure;
  }
}

function ask(
  context: CallContext,
  { keys: { row }, coreId }: MatchedUser,
  question: Question,
  plan: SentPlan,
): Promise<CallResult<unknown>> {
  switch (question) {
    case "own":
      return findExisting(context, plan, row, plan.kind);
    case "other":
      return findExisting(context, plan, row, plan.kind === "import" ? "passwordless" : "import");
    case "brought":
      return context.caller.call("lookup", () => context.core.getUser(coreId ?? ""));
    case "removes":
      return context.removes();
  }
}

/** Finds the users whom a plan would touch or stand beside, by its social account and by each of its contacts. */
async function findExisting(
  { core, caller }: { readonly core: Core; readonly caller: Caller },
  plan: SentPlan,
  row: RowRef,
  kind: PlanKind,
): Promise<CallResult<Existing>> {
  // At once: what was answered first would grow old behind other users' lookups.
  const byContact = contactsOf(plan).map(async (contact) => {
    const result = await caller.call("lookup", () => core.findUsers(contact));
    return result.ok ? { ...result, value: havingContact(result.value, contact, row) } : result;
  });
  const asked =
    plan.kind === "thirdparty"
      ? [caller.call("lookup", () => core.findByThirdParty(plan.identity)), ...byContact]
      : byContact;
  const found: (readonly CoreUser[])[] = [];
  for (const result of await Promise.all(asked)) {
    if (!result.ok) return result;
    found.push(result.value);
  }
  return { ok: true, value: existingOf(found, plan, kind), maybeApplied: false };
}

/**
 * The user who signs in as a plan has it, or null; rejects as the core does.
 *
 * @throws RunError `answer_mismatch`
 */
export async function findPlanned(
  core: Core,
  plan: OneCallPlan,
  row: RowRef,
): Promise<CoreUser | null> {
  const { email } = plan;
  const users =
    plan.kind === "thirdparty"
      ? await core.findByThirdParty(plan.identity)
      : havingContact(await core.findUsers({ email }), { email }, row);
  return users.find((user) => isBy(user, plan)) ?? null;
}

/** The users who have the contact. For linked accounts the core also shows ways in with other contacts. */
function havingContact(
  users: readonly CoreUser[],
  contact: CodeRequest,
  row: RowRef,
): readonly CoreUser[] {
  const having = users.filter((user) => mayHaveContact(user, contact));
  if (having.length === 0) for (const user of users) requireContact(user, contact, row);
  return having;
}

/**
 * @param found the users with the social account of a plan that has one, and with each contact, the
 *   first one's first
 */
function existingOf(
  found: readonly (readonly CoreUser[])[],
  plan: SentPlan,
  kind: PlanKind,
): Existing {
  const led = found.map((users) => users.find((user) => isBy(user, plan, kind)) ?? null);
  const user = led.find((one) => one !== null) ?? null;
  const asked = [...(plan.kind === "thirdparty" ? [null] : []), ...contactsOf(plan)];
  // A user may come between two answers: the later one then shows what the earlier one would by now.
  const leadsTo = (there: CoreUser, place: number): boolean => {
    const [shown = null, contact = null] = [led[place], asked[place]];
    if (shown !== null) return shown.userId === there.userId;
    return contact === null ? isBy(there, plan) : showsContact(there, contact);
  };
  return {
    user,
    byFirst: user !== null && leadsTo(user, 0),
    // A social account's user may have another email there by now.
    isSplit:
      user !== null && kind !== "thirdparty" && !led.every((_, place) => leadsTo(user, place)),
    hasOtherWay: found
      .flat()
      .some((other) => !isBy(other, plan, kind) && other.userId !== user?.userId),
  };
}

/** The contacts under which the user is to be found, the first one first. */
function contactsOf(plan: SentPlan): CodeRequest[] {
  if (plan.kind !== "passwordless") return [{ email: plan.email }];
  const email: CodeRequest[] = plan.email === null ? [] : [{ email: plan.email }];
  const phone: CodeRequest[] = plan.phone === null ? [] : [{ phoneNumber: plan.phone }];
  return plan.first === "email" ? [...email, ...phone] : [...phone, ...email];
}
/** Whether a core removes users: asked once, for an id that no user has, so that nothing changes. */
export function removalCheck(core: Core, caller: Caller): () => Promise<CallResult<boolean>> {
  const ask = (): Promise<boolean> =>
    unlessNotOffered(() => core.removeUser(randomUUID()).then(() => true), false);
  let answer: Promise<CallResult<boolean>> | null = null;
  return async () => {
    answer ??= caller.call("lookup", ask);
    const result = await answer;
    if (!result.ok) answer = null;
    return result;
  };
}
