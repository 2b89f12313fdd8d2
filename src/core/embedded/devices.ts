/** Codes' devices: scripts that keep and consume many at once. A call holds all devices of the code's contact until it is decided, so that each code works once, also among several processes. */

import type { CodeRequest } from "../core.js";
import { CoreFailure } from "../core-failure.js";
import type { CoreUser } from "../user.js";
import { ask, askEach, changeEach, type Script } from "./script.js";
import type { Consumed, Consuming, Device, Judgement, NewUser } from "./store.js";
import { asUser, newPasswordless, PASSWORDLESS, USER_COLUMNS, type UserRow } from "./user-row.js";
import { contactsOf } from "./users.js";

type DeviceRow = readonly [string, string | null, string | null, string, string, number, number];

/** Held in the order of their numbers, by every process. */
const HOLD = `
  WITH asked AS (
    SELECT id, email, phone_number FROM auth_core.devices
    WHERE pre_auth_session_id IN (VALUES ($1))
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
  VALUES ($1::uuid, ${PASSWORDLESS}, $2, $3, $4::bigint, 0, $5::smallint) ON CONFLICT DO NOTHING RETURNING user_id`;

/** Held in one order in every process, so that none waits for another in a circle. */
const signIn = (change: string, who: string) => `
  WITH there AS (
    SELECT user_id FROM auth_core.users WHERE ${who} IN (VALUES ($1))
    ORDER BY user_id FOR NO KEY UPDATE
  )
  UPDATE auth_core.users SET ${change}
  WHERE user_id IN (SELECT user_id FROM there) RETURNING ${USER_COLUMNS}`;
const BY_EMAIL = signIn("signed_in = 1, email_verified = 1", `recipe = ${PASSWORDLESS} AND email`);
/** Only passwordless users have one. */
const BY_PHONE = signIn("signed_in = 1", "phone_number");

export function* addDevices(devices: readonly Device[]): Script<undefined[]> {
  yield* changeEach(
    `INSERT INTO auth_core.devices (pre_auth_session_id, email, phone_number, salt, link_digest,
       failed_attempts, time_created) VALUES ($1, $2, $3, $4, $5, $6::integer, $7::bigint)`,
    devices.map(({ contact, ...device }) => [
      device.preAuthSessionId,
      contact.email ?? null,
      contact.phoneNumber ?? null,
      Buffer.from(device.salt).toString("base64"),
      device.linkDigest,
      device.failedAttempts,
      device.timeCreated,
    ]),
  );
  return devices.map(() => undefined);
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
  const [emails, phones] = contactsOf(contacts);
  yield* changeEach("DELETE FROM auth_core.devices WHERE email IN (VALUES ($1))", emails);
  yield* changeEach("DELETE FROM auth_core.devices WHERE phone_number IN (VALUES ($1))", phones);
}

/** Signs in the passwordless users of the codes that are accepted, or creates them, and ends every code of their contacts. */
export function* consumeAll(items: readonly Consuming[]): Script<Consumed[]> {
  const sessions = [...new Set(items.map(({ preAuthSessionId }) => preAuthSessionId))];
  const rows = yield* askEach<DeviceRow>(
    HOLD,
    sessions.map((session) => [session]),
  );
  const { results, accepted, counted, ended } = decide(items, rows.map(asDevice));
  yield* removeDevicesOf(accepted.map(({ device }) => device.contact));
  yield* changeEach(
    "DELETE FROM auth_core.devices WHERE pre_auth_session_id IN (VALUES ($1))",
    ended.map((session) => [session]),
  );
  for (const [session, failedAttempts] of counted) {
    yield* ask(
      "UPDATE auth_core.devices SET failed_attempts = $1 WHERE pre_auth_session_id = $2",
      failedAttempts,
      session,
    );
  }
  const signedIn = yield* signInUp(accepted);
  return results.map(
    (result): Consumed =>
      "judged" in result ? result.judged : { action: "accept", ...signedIn(result.accepted) },
  );
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

interface Accepted {
  readonly device: Device;
  readonly newUser: NewUser;
}

type Result =
  | { readonly accepted: Accepted }
  | { readonly judged: Exclude<Judgement, { action: "accept" }> };

/** Decides as if one item came after the other. */
function decide(items: readonly Consuming[], devices: readonly Device[]) {
  const open = new Map(devices.map((device) => [device.preAuthSessionId, device]));
  /** One at most of each contact. */
  const accepted: Accepted[] = [];
  /** Contacts whose codes have ended with the one that was accepted. */
  const over = new Set<string>();
  /** Wrong digits by session. */
  const counted = new Map<string, number>();
  const ended: string[] = [];
  const results = items.map(({ preAuthSessionId, judge, newUser }): Result => {
    const device = open.get(preAuthSessionId);
    if (device === undefined || over.has(textOf(device.contact))) {
      return { judged: { action: "leave" } };
    }
    const judged = judge(device);
    if (judged.action === "count") {
      const { failedAttempts } = judged;
      open.set(preAuthSessionId, { ...device, failedAttempts });
      counted.set(preAuthSessionId, failedAttempts);
    }
    if (judged.action === "end") {
      open.delete(preAuthSessionId);
      counted.delete(preAuthSessionId);
      ended.push(preAuthSessionId);
    }
    if (judged.action !== "accept") return { judged };
    over.add(textOf(device.contact));
    const one = { device, newUser };
    accepted.push(one);
    return { accepted: one };
  });
  return { results, accepted, counted, ended };
}

/** Makes a passwordless user of each contact that has none, and says what became of each. */
function* signInUp(
  accepted: readonly Accepted[],
): Script<(one: Accepted) => Omit<Extract<Consumed, { action: "accept" }>, "action">> {
  const ids = yield* askEach<readonly [string]>(
    SIGN_UP,
    accepted.map(({ device: { contact }, newUser: { userId, timeJoined } }) => {
      const { email = null, phoneNumber = null } = contact;
      return [userId, email, phoneNumber, timeJoined, email === null ? null : 1];
    }),
    ([, email, phone]) => email ?? phone,
  );
  const made = new Set(ids.map(([userId]) => userId));
  const others = accepted.filter(({ newUser }) => !made.has(newUser.userId));
  const [emails, phones] = contactsOf(others.map(({ device }) => device.contact));
  const there = new Map<string | null, CoreUser>();
  for (const row of yield* askEach<UserRow>(BY_EMAIL, emails)) there.set(row[2], asUser(row));
  for (const row of yield* askEach<UserRow>(BY_PHONE, phones)) there.set(row[3], asUser(row));
  return ({ device, newUser }) => {
    const { contact } = device;
    if (made.has(newUser.userId)) {
      return { createdNewUser: true, user: newPasswordless(newUser, contact), device };
    }
    const user = there.get(textOf(contact));
    // The transaction is rolled back, so that the code is as good as before.
    if (user === undefined) {
      throw new CoreFailure("busy", "a user's contact was changed while its code was consumed", {
        reached: "no",
        retryAfterMs: 0,
      });
    }
    return { createdNewUser: false, user, device };
  };
}

/** An email never looks like a phone number. */
function textOf({ email, phoneNumber }: CodeRequest): string {
  return email ?? phoneNumber ?? "";
}
