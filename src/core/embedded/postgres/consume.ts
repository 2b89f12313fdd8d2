/** Consuming codes, many in one transaction. A call locks all devices of the code's contact until it is decided, so that each code works once, also among several processes. */

import type { CodeRequest } from "../../core.js";
import type { CoreUser } from "../../user.js";
import { CoreFailure } from "../../core-failure.js";
import type { Consumed, Consuming, Device, Judgement, NewUser } from "../store.js";
import { asUser, newPasswordless, PASSWORDLESS, USER_COLUMNS, type UserRow } from "../user-row.js";
import { bareArray, textArray } from "./array-text.js";
import type { Ask, Connections } from "./connections.js";
import { lockDevices } from "./devices.js";

/** What was decided, in one statement. The devices of a contact that went in are all spent. */
const DECIDE = `
  WITH spent AS (
    DELETE FROM auth_core.devices WHERE email = ANY ($1) OR phone_number = ANY ($2)
  ), ended AS (
    DELETE FROM auth_core.devices WHERE pre_auth_session_id = ANY ($3)
  )
  UPDATE auth_core.devices AS mine SET failed_attempts = counted.number
  FROM unnest($4::text[], $5::integer[]) AS counted (session, number)
  WHERE mine.pre_auth_session_id = counted.session`;

const SIGN_UP = `
  INSERT INTO auth_core.users (user_id, recipe, email, phone_number, time_joined, signed_in,
    email_verified)
  SELECT user_id, ${PASSWORDLESS}, email, phone_number, time_joined, 0,
    CASE WHEN email IS NOT NULL THEN 1 END
  FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[])
    AS given (user_id, email, phone_number, time_joined)
  ON CONFLICT DO NOTHING RETURNING user_id`;

/** Locked in one order in every process, so that none waits for another in a circle. */
const SIGN_IN = `
  WITH there AS (
    SELECT user_id FROM auth_core.users
    WHERE recipe = ${PASSWORDLESS} AND (email = ANY ($1) OR phone_number = ANY ($2))
    ORDER BY user_id FOR NO KEY UPDATE
  )
  UPDATE auth_core.users SET signed_in = 1,
    email_verified = CASE WHEN email = ANY ($1) THEN 1 ELSE email_verified END
  WHERE user_id IN (SELECT user_id FROM there) RETURNING ${USER_COLUMNS}`;

export function consumeAll(
  { transact }: Pick<Connections, "transact">,
  items: readonly Consuming[],
): Promise<Consumed[]> {
  return transact(async (ask) => {
    const sessions = [...new Set(items.map(({ preAuthSessionId }) => preAuthSessionId))];
    const { results, accepted, counted, ended } = decide(items, await lockDevices(ask, sessions));
    if (accepted.length + counted.size + ended.length > 0) {
      await ask(DECIDE, [
        textArray(accepted.flatMap(({ device }) => device.contact.email ?? [])),
        textArray(accepted.flatMap(({ device }) => device.contact.phoneNumber ?? [])),
        textArray(ended),
        textArray([...counted.keys()]),
        bareArray([...counted.values()]),
      ]);
    }
    const signedIn = await signInUp(ask, accepted);
    return results.map(
      (result): Consumed =>
        "judged" in result ? result.judged : { action: "accept", ...signedIn(result.accepted) },
    );
  });
}

interface Accepted {
  readonly device: Device;
  readonly newUser: NewUser;
}

type Result =
  | { readonly accepted: Accepted }
  | { readonly judged: Exclude<Judgement, { action: "accept" }> };

interface Decided {
  /** In the order of the items. */
  readonly results: readonly Result[];
  /** One at most of each contact. */
  readonly accepted: readonly Accepted[];
  /** Wrong digits by session. */
  readonly counted: ReadonlyMap<string, number>;
  /** Sessions. */
  readonly ended: readonly string[];
}

/** Decides as if one item came after the other. */
function decide(items: readonly Consuming[], devices: readonly Device[]): Decided {
  const open = new Map(devices.map((device) => [device.preAuthSessionId, device]));
  const accepted: Accepted[] = [];
  const counted = new Map<string, number>();
  const ended: string[] = [];
  const results = items.map(({ preAuthSessionId, judge, newUser }): Result => {
    const device = open.get(preAuthSessionId);
    if (device === undefined) return { judged: { action: "leave" } };
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
    for (const [session, { contact }] of open) {
      if (textOf(contact) !== textOf(device.contact)) continue;
      open.delete(session);
      // One statement must not write a row twice.
      counted.delete(session);
    }
    const one = { device, newUser };
    accepted.push(one);
    return { accepted: one };
  });
  return { results, accepted, counted, ended };
}

/**
 * Makes a passwordless user of each contact that has none.
 *
 * @returns what became of each
 */
async function signInUp(
  ask: Ask,
  accepted: readonly Accepted[],
): Promise<(one: Accepted) => Omit<Extract<Consumed, { action: "accept" }>, "action">> {
  // In one order in every process, as imports.
  const sorted = accepted.toSorted((a, b) =>
    textOf(a.device.contact) < textOf(b.device.contact) ? -1 : 1,
  );
  const made = new Set(await signUp(ask, sorted));
  const others = sorted.filter(({ newUser }) => !made.has(newUser.userId));
  const there = await signIn(
    ask,
    others.map(({ device }) => device.contact),
  );
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

/** @returns the ids of the users who didn't exist before */
async function signUp(ask: Ask, accepted: readonly Accepted[]): Promise<string[]> {
  if (accepted.length === 0) return [];
  const { rows } = await ask<[string]>(SIGN_UP, [
    bareArray(accepted.map(({ newUser }) => newUser.userId)),
    textArray(accepted.map(({ device }) => device.contact.email ?? null)),
    textArray(accepted.map(({ device }) => device.contact.phoneNumber ?? null)),
    bareArray(accepted.map(({ newUser }) => newUser.timeJoined)),
  ]);
  return rows.map(([userId]) => userId);
}

/** The passwordless users with some contacts, by each contact of theirs; they have signed in now. */
async function signIn(ask: Ask, contacts: readonly CodeRequest[]): Promise<Map<string, CoreUser>> {
  if (contacts.length === 0) return new Map();
  const { rows } = await ask<UserRow>(SIGN_IN, [
    textArray(contacts.flatMap(({ email }) => email ?? [])),
    textArray(contacts.flatMap(({ phoneNumber }) => phoneNumber ?? [])),
  ]);
  return new Map(
    rows.flatMap((row): [string, CoreUser][] =>
      [row[2], row[3]].flatMap((contact) => (contact === null ? [] : [[contact, asUser(row)]])),
    ),
  );
}

/** An email never looks like a phone number. */
function textOf({ email, phoneNumber }: CodeRequest): string {
  return email ?? phoneNumber ?? "";
}
