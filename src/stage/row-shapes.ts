/** The shapes of rows: everything of them but texts, in which most rows of an export are alike. A shape is held once, so that a row's text in a page is short, and made and read in a fraction of the time that JSON takes. */

import type { AccountPlan } from "../plan/account-plan.js";
import type { PlannedUser } from "../plan/action.js";
import type { UserKeys } from "../plan/entry.js";
import { SENT_PARTS } from "../plan/parts.js";
import { isRefusal, type Plan, type SentPlan } from "../plan/plan.js";

/** Of rows that differ in texts and keys alone. */
export interface RowShape {
  /** Of one of them. */
  readonly plan: Plan;
  readonly keys: UserKeys;
}

/** More of them aren't told apart: their rows are written as JSON. */
const MOST = 256;

/** The shapes of all rows so far. */
export class RowShapes {
  readonly #all: RowShape[] = [];
  /** That of the row before: most follow one of their own shape. */
  #last = -1;

  at(index: number): RowShape {
    const shape = this.#all[index];
    if (shape === undefined) throw new RangeError(`No row has had the shape ${index}.`);
    return shape;
  }

  /** @returns the index of the row's shape, -1 for a row with much of its own */
  of(user: PlannedUser): number {
    const last = this.#all[this.#last];
    if (last !== undefined && isAlike(last, user)) return this.#last;
    if (hasMuch(user.plan)) return -1;
    const known = this.#all.findIndex((shape) => isAlike(shape, user));
    if (known !== -1) this.#last = known;
    else if (this.#all.length === MOST) return -1;
    else this.#last = this.#all.push({ plan: user.plan, keys: user.keys }) - 1;
    return this.#last;
  }
}

/** Whether a plan has more than texts of its own. */
function hasMuch(plan: Plan): boolean {
  if (isRefusal(plan)) return false;
  const { account } = plan;
  if (account !== null && account.roles.length + account.totp.length > 0) return true;
  return plan.kind === "import" && plan.bridged !== undefined;
}

/** Whether a row has a shape. */
function isAlike({ plan, keys }: RowShape, { plan: own, keys: ownKeys }: PlannedUser): boolean {
  if (keys.keyed !== ownKeys.keyed || !bothOrNeither(keys.sourceId, ownKeys.sourceId)) return false;
  if (isRefusal(plan) || isRefusal(own)) {
    if (!isRefusal(plan) || !isRefusal(own)) return false;
    if (plan.kind !== own.kind || plan.code !== own.code) return false;
    if (plan.hint !== own.hint || plan.bridge !== own.bridge) return false;
    return areAllAlike(keys.reserved, ownKeys.reserved, (a, b) => a.kind === b.kind);
  }
  return (
    isSentAlike(plan, own) &&
    bothOrNeither(plan.keepId, own.keepId) &&
    (plan.keepId === keys.sourceId) === (own.keepId === ownKeys.sourceId) &&
    areAllAlike(
      keys.contacts,
      ownKeys.contacts,
      (a, b) => a.kind === b.kind && a.rank === b.rank,
    ) &&
    areAllAlike(plan.notices, own.notices) &&
    isSameList(plan.letIn, own.letIn) &&
    isAccountAlike(plan.account, own.account) &&
    SENT_PARTS.every((part) => isSameList(keys.parts[part]?.names, ownKeys.parts[part]?.names))
  );
}

function isSentAlike(plan: SentPlan, own: SentPlan): boolean {
  if (plan.kind === "import") {
    return (
      own.kind === "import" &&
      plan.algorithm === own.algorithm &&
      plan.unverified === own.unverified &&
      own.bridged === undefined
    );
  }
  if (plan.kind === "thirdparty") return own.kind === "thirdparty";
  return (
    own.kind === "passwordless" &&
    plan.first === own.first &&
    bothOrNeither(plan.email, own.email) &&
    bothOrNeither(plan.phone, own.phone)
  );
}

function isAccountAlike(account: AccountPlan | null, own: AccountPlan | null): boolean {
  if (account === null || own === null) return account === own;
  return (
    account.verified === own.verified &&
    bothOrNeither(account.joined, own.joined) &&
    bothOrNeither(account.metadata, own.metadata) &&
    own.roles.length + own.totp.length === 0
  );
}

/** Whether there is a value for both or for none. */
function bothOrNeither(a: unknown, b: unknown): boolean {
  return (a === null) === (b === null);
}

function isSameList(a?: readonly string[], b?: readonly string[]): boolean {
  return a === undefined || b === undefined ? a === b : areAllAlike(a, b);
}

function areAllAlike<T>(
  all: readonly T[],
  others: readonly T[],
  isSame: (a: T, b: T) => boolean = (a, b) => a === b,
): boolean {
  if (all === others) return true;
  return all.length === others.length && all.every((one, at) => isSame(one, others[at] as T));
}
