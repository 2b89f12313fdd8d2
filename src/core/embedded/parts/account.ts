/** Users who are new, each with their whole account: as many as come, in a statement for each part of all. */

import type { AccountOutcome } from "../../core.js";
import { CoreFailure } from "../../core-failure.js";
import { ask, askEach, changeEach, found, type Script, type ScriptValue } from "../script.js";
import type { NewAccount } from "../store.js";
import {
  asUser,
  OWN_ID,
  RECIPE_NUMBERS,
  SELECT_USERS,
  shownId,
  type UserRow,
} from "../user-row.js";
import { merge } from "./metadata.js";
import { holdRole } from "./roles.js";
import { add, freeName } from "./totp.js";

/** @returns what came of each, in their order */
export function* importAccounts(given: readonly NewAccount[]): Script<AccountOutcome[]> {
  const accounts: Account[] = [];
  const externalIds: string[] = [];
  for (const account of given) {
    accounts.push({ account, row: rowOf(account) });
    if (account.externalUserId !== null) externalIds.push(account.externalUserId);
  }
  const known = yield* knownRoles(given);
  const taken = yield* ownIdsAmong(externalIds);
  const refused = new Map<Account, AccountOutcome>();
  for (const one of accounts) {
    const { roles, externalUserId } = one.account;
    const refusal =
      roles.length > 0 || externalUserId !== null ? refusalOf(one, known, taken) : null;
    if (refusal !== null) refused.set(one, refusal);
  }
  const wanted = refused.size === 0 ? accounts : accounts.filter((one) => !refused.has(one));
  const made = yield* changeEach(INSERT, wanted.map(columnsOf));
  if (made < wanted.length) {
    const there = yield* ownIdsAmong(wanted.map(({ row }) => row[0]));
    for (const one of wanted) {
      if (!there.has(one.row[0])) refused.set(one, yield* conflictOf(one));
    }
  }
  yield* addParts(refused.size === 0 ? accounts : accounts.filter((one) => !refused.has(one)));
  const outcomes: AccountOutcome[] = [];
  for (const one of accounts) {
    const refusal = refused.get(one);
    outcomes.push(refusal ?? { status: "OK", user: asUser(one.row), ownId: one.row[0] });
  }
  return outcomes;
}

function refusalOf(
  { account: { roles }, row }: Account,
  known: ReadonlySet<string>,
  taken: ReadonlySet<string | null>,
): AccountOutcome | null {
  const role = roles.find((name) => !known.has(name));
  if (role !== undefined) return { status: "UNKNOWN_ROLE_ERROR", role };
  return taken.has(row[5]) ? ID_EXISTS : null;
}

interface Account {
  readonly account: NewAccount;
  /** As the core will show it. */
  readonly row: UserRow;
}

function rowOf(account: NewAccount): UserRow {
  const { userId, timeJoined, recipe, email, phone, externalUserId, isEmailVerified } = account;
  const [provider, idThere] = account.thirdParty;
  const verified = isEmailVerified && email !== null ? 1 : null;
  // As of a passwordless user whom a code made.
  const signedIn = recipe === "passwordless" ? 0 : null;
  const number = RECIPE_NUMBERS[recipe];
  // biome-ignore format: a row
  return [userId, number, email, phone, timeJoined, externalUserId, signedIn, verified, provider, idThere];
}

const ID_EXISTS = { status: "EXTERNAL_ID_ALREADY_EXISTS_ERROR" } as const;

/** The users who are new, by all columns that any has. A lookup before would cost more, and seldom finds one. */
const INSERT = `INSERT INTO auth_core.users (user_id, recipe, email, phone_number, time_joined,
    external_user_id, signed_in, email_verified, third_party_id, third_party_user_id,
    third_party_email, password_hash)
  VALUES ($1::uuid, $2::smallint, $3, $4, $5::bigint, $6, $7::smallint, $8::smallint, $9, $10, $11,
    $12) ON CONFLICT DO NOTHING`;

function columnsOf({ row, account }: Account): readonly ScriptValue[] {
  const [, , email, , , , , , provider] = row;
  const columns = [...row, null, account.passwordHash];
  // A social account's email is no way in.
  if (provider !== null) [columns[2], columns[10]] = [null, email];
  return columns;
}

/** Held in one order, so that no two processes wait for each other. */
function* knownRoles(accounts: readonly NewAccount[]): Script<Set<string>> {
  const asked = new Set<string>();
  for (const { roles } of accounts) for (const role of roles) asked.add(role);
  const known = new Set<string>();
  for (const role of [...asked].sort()) if (yield* holdRole(role)) known.add(role);
  return known;
}

/** Those that are a user's own id. By one that is another's external id, two users would answer to one. */
function* ownIdsAmong(ids: readonly (string | null)[]): Script<Set<string | null>> {
  const alike = ids.filter((id) => id !== null && OWN_ID.test(id));
  const rows = yield* askEach<readonly [string]>(
    "SELECT user_id FROM auth_core.users WHERE user_id IN (VALUES ($1::uuid))",
    alike.map((id) => [id]),
  );
  return new Set(rows.map(([userId]) => userId));
}

/** Who has the contact, the social account or the id. */
function* conflictOf({ row }: Account): Script<AccountOutcome> {
  const [, recipe, email, phone, , externalId, , , provider, idThere] = row;
  if (provider !== null) {
    const [user] = yield* ask<UserRow>(
      `${SELECT_USERS} WHERE third_party_id = $1 AND third_party_user_id = $2`,
      provider,
      idThere,
    );
    if (user !== undefined) return exists("thirdParty", user);
  } else {
    const byEmail = `${SELECT_USERS} WHERE email = $1 AND recipe = $2`;
    const [user] = email === null ? [] : yield* ask<UserRow>(byEmail, email, recipe);
    if (user !== undefined) return exists("email", user);
    const byPhone = `${SELECT_USERS} WHERE phone_number = $1`;
    const [other] = phone === null ? [] : yield* ask<UserRow>(byPhone, phone);
    if (other !== undefined) return exists("phoneNumber", other);
  }
  if (externalId !== null) {
    const isTaken = yield* found(
      "SELECT user_id FROM auth_core.users WHERE external_user_id = $1",
      externalId,
    );
    if (isTaken) return ID_EXISTS;
  }
  throw new CoreFailure("busy", "a user was removed while being imported", {
    reached: "no",
    retryAfterMs: 0,
  });
}

function exists(by: "email" | "phoneNumber" | "thirdParty", user: UserRow): AccountOutcome {
  return { status: "USER_ALREADY_EXISTS_ERROR", by, user: asUser(user) };
}

/** What an application kept under an external id before it was a user's stays, as it does when parts come one by one. */
function* addParts(accounts: readonly Account[]): Script<void> {
  const described: Account[] = [];
  const held: ScriptValue[][] = [];
  const guarded: Account[] = [];
  for (const one of accounts) {
    const { metadata, roles, totpDevices } = one.account;
    if (Object.keys(metadata).length > 0) described.push(one);
    for (const role of roles) held.push([shownId(one.row), role]);
    if (totpDevices.length > 0) guarded.push(one);
  }
  yield* addMetadata(described);
  yield* changeEach(
    `INSERT INTO auth_core.user_roles (user_id, role) VALUES ($1, $2)
     ON CONFLICT (user_id, role) DO NOTHING`,
    held,
  );
  yield* addDevices(guarded);
}

function* addMetadata(accounts: readonly Account[]): Script<void> {
  const sets: ScriptValue[][] = [];
  for (const { row, account } of accounts) {
    sets.push([shownId(row), JSON.stringify(account.metadata)]);
  }
  const added = yield* changeEach(
    `INSERT INTO auth_core.user_metadata (user_id, metadata) VALUES ($1, $2)
     ON CONFLICT (user_id) DO NOTHING`,
    sets,
  );
  if (added === accounts.length) return;
  // What has just been added stays as it is.
  for (const { row, account } of accounts) yield* merge(shownId(row), account.metadata);
}

type DeviceRow = readonly [
  userId: string,
  name: string,
  secret: string,
  period: number,
  skew: number,
  createdAt: number,
];

// Written out, as lists: copies of the devices took half of what adding them did.
function deviceRows({ row, account: { totpDevices, nowMs } }: Account): DeviceRow[] {
  const userId = shownId(row);
  const named = totpDevices.flatMap(({ deviceName }) => deviceName ?? []);
  return totpDevices.map(({ deviceName, secretKey, period, skew }) => {
    const name = deviceName ?? freeName(named);
    if (deviceName === undefined) named.push(name);
    return [userId, name, secretKey, period, skew, nowMs];
  });
}

function* addDevices(accounts: readonly Account[]): Script<void> {
  const devices = accounts.flatMap(deviceRows);
  const added = yield* changeEach(
    `INSERT INTO auth_core.totp_devices
       (user_id, name, secret, period, skew, verified, last_step, created_at)
     VALUES ($1, $2, $3, $4::integer, $5::integer, 1, -1, $6::float8)
     ON CONFLICT (user_id, name) DO NOTHING`,
    devices,
  );
  if (added === devices.length) return;
  const there = yield* askEach<readonly [string, string]>(
    `SELECT user_id, name FROM auth_core.totp_devices
     WHERE verified = 1 AND (user_id, name, secret) IN (VALUES ($1, $2, $3))`,
    devices.map(([userId, name, secret]) => [userId, name, secret]),
  );
  const known = new Set(there.map((row) => row.join("\n")));
  const given = accounts.flatMap(({ account }) => account.totpDevices);
  for (const [at, [userId, name, secretKey, period, skew, createdAt]] of devices.entries()) {
    if (known.has(`${userId}\n${name}`)) continue;
    const device = { userId, deviceName: given[at]?.deviceName, secretKey, period, skew };
    yield* add({ ...device, isVerified: true }, createdAt);
  }
}
