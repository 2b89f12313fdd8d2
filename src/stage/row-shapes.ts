/** The shapes of rows: everything of them but texts, in which most rows of an export are alike. A shape is held once, so that a row's text in a page is short, and made and read in a fraction of the time that JSON takes. */

import type { AccountPlan } from "../plan/account-plan.js";
import type { PlannedUser } from "../plan/action.js";
import type { UserKeys } from "../plan/entry.js";
import { SENT_PARTS } from "../plan/parts.js";
import { isRefusal, type Plan, type RefusalPlan, type SentPlan } from "../plan/plan.js";

/** Of rows that differ in texts and keys alone. */
export interface RowShape {
  /** Of one of them. */
  readonly plan: Plan;
  readonly keys: UserKeys;
}

/** More of them aren't told apart: their rows are written as JSON. */
const MOST = 4096;

/** The shapes of all rows so far. */
export class RowShapes {
  readonly #all: RowShape[] = [];
  readonly #bySignature = new Map<string, number>();

  at(index: number): RowShape {
    const shape = this.#all[index];
    if (shape === undefined) throw new RangeError(`No row has had the shape ${index}.`);
    return shape;
  }

  /** @returns the index of the row's shape, -1 for a row with much of its own */
  of({ plan, keys }: PlannedUser): number {
    const signature = isRefusal(plan) ? refusalSignature(plan, keys) : signatureOf(plan, keys);
    if (signature === null) return -1;
    const known = this.#bySignature.get(signature);
    if (known !== undefined) return known;
    if (this.#all.length === MOST) return -1;
    const index = this.#all.push({ plan, keys }) - 1;
    this.#bySignature.set(signature, index);
    return index;
  }
}

/** Most hints are said of many rows. */
function refusalSignature({ kind, code, hint }: RefusalPlan, keys: UserKeys): string {
  let text = `${kind} ${keys.keyed ? "k" : ""}${keys.sourceId === null ? "-" : ""}`;
  for (const contact of keys.reserved) text += contact.kind;
  return `${text} ${code} ${hint}`;
}

/** Everything of a row that isn't a text of its own, as one text; null where a row has more of its own. */
function signatureOf(plan: SentPlan, keys: UserKeys): string | null {
  const { account, keepId } = plan;
  let text = account === null ? "" : accountSignature(account);
  if (account !== null && text === "") return null;
  text += `${keepId === null ? "-" : keepId === keys.sourceId ? "s" : "o"}${keys.sourceId === null ? "-" : ""}`;
  if (plan.kind === "import") {
    if (plan.bridged !== undefined) return null;
    text += `i${plan.algorithm}${plan.unverified ? "u" : ""}`;
  } else if (plan.kind === "passwordless") {
    text += `p${plan.first}${plan.email === null ? "-" : ""}${plan.phone === null ? "+" : ""}`;
  } else text += "t";
  if (keys.keyed) text += "k";
  for (const { kind, rank } of keys.contacts) text += `${kind}${rank}`;
  for (const notice of plan.notices) text += `,${notice}`;
  for (const option of plan.letIn ?? []) text += `/${option}`;
  if (plan.letIn !== undefined) text += "/";
  for (const part of SENT_PARTS) {
    const given = keys.parts[part];
    if (given !== undefined) text += `;${part} ${given.names.join("\n")}`;
  }
  return text;
}

function accountSignature({ verified, joined, metadata, roles, totp }: AccountPlan): string {
  if (roles.length + totp.length > 0) return "";
  return `a${verified === null ? "-" : verified ? "v" : "u"}${joined === null ? "-" : "j"}${metadata === null ? "-" : "m"}`;
}
