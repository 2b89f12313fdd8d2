/** A user's whole account as the core's queue takes it. Pure. */

import type { AccountRequest, WayIn } from "../../core/account-import.js";
import type { Rules, Task } from "../../plan/action.js";
import { mayQueueNew } from "../../plan/joining.js";
import { asksForOthers } from "../../plan/parts.js";
import type { SentPlan } from "../../plan/plan.js";

/**
 * Whether the queue may have a user: it makes users and never changes one, so only those go there
 * of whom none was found at the core. A user whose row has changed since an attempt goes alone: what
 * that one has brought, or brings yet, is not what the row says now.
 */
export function mayQueue(task: Task, rules: Pick<Rules, "carried">): boolean {
  const { action, entry, keys } = task;
  if (action.kind !== "import" && action.kind !== "create") return false;
  if (!action.sawNobody || action.theirs) return false;
  if (entry.tried && (!entry.samePlan || asksForOthers(task, rules))) return false;
  if (!mayQueueNew(action.plan)) return false;
  // The core shows such a user by an id that no checkpoint keeps.
  return action.plan.keepId === null || keys.sourceId === action.plan.keepId;
}

/** What stands around the texts of an account in JSON, and of each of its roles and devices; more than it takes. */
const FRAME_BYTES = 640;
const PIECE_BYTES = 160;

/** At least as many bytes as a user's account takes in a request. Of its texts only the metadata may be long. */
export function bytesOf(plan: SentPlan): number {
  const { keepId, email, account } = plan;
  const { metadata = null, roles = [], totp = [] } = account ?? {};
  let characters = (keepId?.length ?? 0) + (email?.length ?? 0);
  if (plan.kind === "import") characters += plan.passwordHash.length;
  for (const role of roles) characters += role.length;
  for (const { secret } of totp) characters += secret.length;
  const long = metadata === null ? 0 : Buffer.byteLength(JSON.stringify(metadata));
  // A character of UTF-16 takes three bytes at most, or six where JSON escapes it.
  return FRAME_BYTES + PIECE_BYTES * (roles.length + totp.length) + 6 * characters + long;
}

/** Whether an account in the queue is one that was sent. The core may have brought contacts into its own form. */
export function isSameAccount(queued: AccountRequest, sent: AccountRequest): boolean {
  const [one, other] = [queued.wayIn, sent.wayIn];
  if (one.recipe !== other.recipe || queued.externalUserId !== sent.externalUserId) return false;
  if (sent.timeJoined !== undefined && queued.timeJoined !== sent.timeJoined) return false;
  const hashOf = (way: WayIn): string | null =>
    way.recipe === "emailpassword" ? way.passwordHash.trim() : null;
  return hashOf(one) === hashOf(other);
}

/** The contact under which an account of the queue is looked for. */
export function contactOf({ wayIn }: AccountRequest): string {
  const { email } = wayIn;
  if (email !== undefined) return email.trim().toLowerCase();
  return wayIn.recipe === "passwordless" ? (wayIn.phoneNumber ?? "") : "";
}
