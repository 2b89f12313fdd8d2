/** Codes' devices: scripts that keep and consume them. A call holds all devices of the code's contact until it is decided, so that each code works once, also among several processes. */

import type { CodeRequest } from "../core.js";
import { CoreFailure } from "../core-failure.js";
import type { CoreUser } from "../user.js";
import { ask, found, type Script } from "./script.js";
import type { Consumed, Consuming, Device, NewUser } from "./store.js";
import { asUser, newPasswordless, PASSWORDLESS, USER_COLUMNS, type UserRow } from "./user-row.js";

type DeviceRow = readonly [string, string | null, string | null, string, string, number, number];

/** Held in the order of their numbers, by every process. */
const HOLD = `
  WITH asked AS (
    SELECT id, email, phone_number FROM auth_core.devices WHERE pre_auth_session_id = $1
  )
  SELECT pre_auth_session_id, email, phone_number, salt, link_digest, failed_attempts,
    CAST(time_created AS double precision)
  FROM auth_core.devices WHERE id IN (
    SELECT id FROM asked
    UNION SELECT other.id FROM asked JOIN auth_core.devices AS other ON other.email = asked.email
    UNION SELECT other.id FROM asked
      JOIN auth_core.devices AS other ON other.phone_number = asked.phone_number
  ) ORDER BY id FOR UPDATE`;

const SIGN_UP = `
  INSERT INTO auth_core.users (user_id, recipe, email, phone_number, time_joined, signed_in,
    email_verified)
  VALUES ($1, ${PASSWORDLESS}, $2, $3, $4, 0, $5) ON CONFLICT DO NOTHING RETURNING user_id`;

const signIn = (change: string, who: string) =>
  `UPDATE auth_core.users SET ${change} WHERE ${who} = $1 RETURNING ${USER_COLUMNS}`;
const BY_EMAIL = signIn("signed_in = 1, email_verified = 1", `recipe = ${PASSWORDLESS} AND email`);
/** Only passwordless users have one. */
const BY_PHONE = signIn("signed_in = 1", "phone_number");

export function* addDevice({ contact, ...device }: Device): Script<void> {
  yield* ask(
    `INSERT INTO auth_core.devices (pre_auth_session_id, email, phone_number, salt, link_digest,
       failed_attempts, time_created) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    device.preAuthSessionId,
    contact.email ?? null,
    contact.phoneNumber ?? null,
    Buffer.from(device.salt).toString("base64"),
    device.linkDigest,
    device.failedAttempts,
    device.timeCreated,
  );
}

/** Skips devices that another transaction is consuming; the next sweep finds them. */
export function* removeOldDevices(createdBefore: number): Script<void> {
  yield* ask(
    `DELETE FROM auth_core.devices WHERE id IN (
       SELECT id FROM auth_core.devices WHERE time_created < $1 FOR UPDATE SKIP LOCKED)`,
    createdBefore,
  );
}

/** Ends the codes of some contacts. */
export function* removeDevicesOf(contacts: readonly CodeRequest[]): Script<void> {
  for (const { email, phoneNumber } of contacts) {
    const [column, contact] =
      email === undefined ? ["phone_number", phoneNumber] : ["email", email];
    yield* ask(`DELETE FROM auth_core.devices WHERE ${column} = $1`, contact ?? null);
  }
}

/** Signs in the passwordless user of a code that is accepted, or creates them, and ends every code of their contact. */
export function* consume({ preAuthSessionId, judge, newUser }: Consuming): Script<Consumed> {
  const held = yield* ask<DeviceRow>(HOLD, preAuthSessionId);
  const row = held.find(([session]) => session === preAuthSessionId);
  if (row === undefined) return { action: "leave" };
  const device = asDevice(row);
  const judged = judge(device);
  switch (judged.action) {
    case "accept":
      yield* removeDevicesOf([device.contact]);
      return { ...judged, ...(yield* signInUp(device.contact, newUser)), device };
    case "count":
      yield* ask(
        "UPDATE auth_core.devices SET failed_attempts = $1 WHERE pre_auth_session_id = $2",
        judged.failedAttempts,
        preAuthSessionId,
      );
      return judged;
    case "end":
      yield* ask("DELETE FROM auth_core.devices WHERE pre_auth_session_id = $1", preAuthSessionId);
      return judged;
    default:
      return judged;
  }
}

function asDevice(row: DeviceRow): Device {
  const [preAuthSessionId, email, phone, salt, linkDigest, failedAttempts, timeCreated] = row;
  // Exactly one of the two columns is set.
  const contact = email === null ? { phoneNumber: phone ?? "" } : { email };
  return {
    preAuthSessionId,
    contact,
    salt: Buffer.from(salt, "base64"),
    linkDigest,
    failedAttempts,
    timeCreated,
  };
}

/** Makes a passwordless user of a contact that has none. */
function* signInUp(
  contact: CodeRequest,
  newUser: NewUser,
): Script<{ readonly createdNewUser: boolean; readonly user: CoreUser }> {
  const { email = null, phoneNumber = null } = contact;
  const { userId, timeJoined } = newUser;
  const verified = email === null ? null : 1;
  const createdNewUser = yield* found(SIGN_UP, userId, email, phoneNumber, timeJoined, verified);
  if (createdNewUser) return { createdNewUser, user: newPasswordless(newUser, contact) };
  const [row] =
    email === null
      ? yield* ask<UserRow>(BY_PHONE, phoneNumber)
      : yield* ask<UserRow>(BY_EMAIL, email);
  if (row !== undefined) return { createdNewUser, user: asUser(row) };
  // The transaction is rolled back, so that the code is as good as before.
  throw new CoreFailure("busy", "a user's contact was changed while its code was consumed", {
    reached: "no",
    retryAfterMs: 0,
  });
}
