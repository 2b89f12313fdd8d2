/** User records and plans of invented people. */

import type { HashVerdict } from "../../../src/hash/hash.js";
import { createSignerKeys } from "../../../src/hash/signer-keys.js";
import { Inspector } from "../../../src/stage/inspection.js";
import { type PlanningContext, planRecord, planWaiting } from "../../../src/stage/plan-row.js";
import type { RowRef } from "../../../src/events/events.js";
import type { StagedUser } from "../../../src/stage/staged-row.js";
import { isWaiting } from "../../../src/stage/waiting.js";
import { NOTHING_CARRIED } from "../../../src/plan/carried.js";
import type { Digester } from "../../../src/plan/digests.js";
import type { ImportPlan, PasswordlessPlan } from "../../../src/plan/plan.js";
import { DEFAULT_POLICY } from "../../../src/plan/policy.js";
import type { Contact, UserRecord } from "../../../src/account/user-record.js";
import { inputOf } from "./batches.js";

export const BCRYPT = "$2a$04$kWru01o9W3Sr.n9VuWmdDOnIQl02fRZH3HO/jfbbNyBTWKLzQ6BtW";

export const USABLE: HashVerdict = {
  verdict: "accepted",
  algorithm: "bcrypt",
  hash: BCRYPT,
  steps: [],
  notices: [],
};
export const REFUSED: HashVerdict = {
  verdict: "refused",
  code: "bcrypt_truncated",
  hint: "It was cut off.",
};
export const NO_HASH: HashVerdict = { verdict: "none" };

export function email(value: string, verified: boolean | null = null): Contact {
  return { value, verified };
}

export function phone(value: string, verified: boolean | null = null): Contact {
  return { value, verified };
}

/** A record of somebody with nothing but an id. */
export function record(fields: Partial<UserRecord> = {}): UserRecord {
  return {
    sourceId: "u-1",
    email: null,
    phone: null,
    hash: null,
    exclusions: [],
    notices: [],
    ...fields,
  };
}

export function importPlan(address: string, passwordHash = BCRYPT): ImportPlan {
  return {
    kind: "import",
    email: address,
    passwordHash,
    algorithm: "bcrypt",
    unverified: false,
    keepId: null,
    account: null,
    notices: [],
  };
}

export function passwordlessPlan(fields: Partial<PasswordlessPlan>): PasswordlessPlan {
  return {
    kind: "passwordless",
    first: "email",
    email: null,
    phone: null,
    keepId: null,
    account: null,
    notices: [],
    ...fields,
  };
}

/** Where nothing but the digester matters. */
export function planningContext(digester: Digester): PlanningContext {
  return {
    digester,
    policy: DEFAULT_POLICY,
    hashConfig: null,
    signerKeys: createSignerKeys(null),
    source: "csv",
    namespace: "",
    vendor: "csv",
    ...counting(),
    join: null,
    carried: NOTHING_CARRIED,
  };
}

/** Plans a user as if the file had no other. */
export function planAlone(user: UserRecord, row: RowRef, context: PlanningContext): StagedUser {
  const alone = { ...context, ...counting() };
  const planned = planRecord(user, row, alone);
  const { plan, keys } = isWaiting(planned) ? planWaiting(planned, row, alone) : planned;
  return { plan, keys };
}

function counting(): Pick<PlanningContext, "inspector" | "facts"> {
  const inspector = new Inspector();
  return { inspector, facts: inspector.begin(inputOf("users.csv", [], [1])) };
}
