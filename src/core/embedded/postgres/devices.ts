/** The table of devices: making many in one statement, finding and locking those of a code's contact, removing old ones. */

import type { Device } from "../store.js";
import { bareArray, textArray } from "./array-text.js";
import type { Ask, Connections } from "./connections.js";

type DeviceRow = readonly [string, string | null, string | null, string, string, number, number];

const ADD = `
  INSERT INTO auth_core.devices
    (pre_auth_session_id, email, phone_number, salt, link_digest, failed_attempts, time_created)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[],
    $6::integer[], $7::bigint[])`;

/** Locked in the order of their numbers, by every process. */
const LOCK = `
  WITH asked AS (
    SELECT id, email, phone_number FROM auth_core.devices WHERE pre_auth_session_id = ANY ($1)
  )
  SELECT pre_auth_session_id, email, phone_number, salt, link_digest, failed_attempts,
    time_created::float8
  FROM auth_core.devices WHERE id IN (
    SELECT id FROM asked
    UNION SELECT other.id FROM asked JOIN auth_core.devices AS other ON other.email = asked.email
    UNION SELECT other.id FROM asked
      JOIN auth_core.devices AS other ON other.phone_number = asked.phone_number
  ) ORDER BY id FOR UPDATE`;

export async function addDevices(
  { write }: Pick<Connections, "write">,
  devices: readonly Device[],
): Promise<undefined[]> {
  await write(ADD, [
    textArray(devices.map(({ preAuthSessionId }) => preAuthSessionId)),
    textArray(devices.map(({ contact }) => contact.email ?? null)),
    textArray(devices.map(({ contact }) => contact.phoneNumber ?? null)),
    textArray(devices.map(({ salt }) => Buffer.from(salt).toString("base64"))),
    textArray(devices.map(({ linkDigest }) => linkDigest)),
    bareArray(devices.map(({ failedAttempts }) => failedAttempts)),
    bareArray(devices.map(({ timeCreated }) => timeCreated)),
  ]);
  return devices.map(() => undefined);
}

/** Skips devices that another transaction is consuming; the next sweep finds them. */
export async function removeOldDevices(
  { write }: Pick<Connections, "write">,
  createdBefore: number,
): Promise<void> {
  await write(
    `DELETE FROM auth_core.devices WHERE id IN (
       SELECT id FROM auth_core.devices WHERE time_created < $1
       ORDER BY id FOR UPDATE SKIP LOCKED)`,
    [createdBefore],
  );
}

/**
 * The devices of some sessions and all others of the same contacts, held until the transaction
 * ends.
 */
export async function lockDevices(ask: Ask, sessions: readonly string[]): Promise<Device[]> {
  const { rows } = await ask<DeviceRow>(LOCK, [textArray(sessions)]);
  return rows.map(asDevice);
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
