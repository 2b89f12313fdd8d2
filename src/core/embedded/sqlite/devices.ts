/** The statements on devices and their codes. Each runs inside the caller's transaction. */

import type { Database } from "../../../sqlite/database.js";
import type { CodeRequest } from "../../core.js";
import type { Device } from "../store.js";

type DeviceRow = readonly [string | null, string | null, Uint8Array, string, number, number];

interface DeviceStatements {
  add(device: Device): void;
  find(preAuthSessionId: string): Device | null;
  count(preAuthSessionId: string, failedAttempts: number): void;
  remove(preAuthSessionId: string): void;
  removeOf(contact: CodeRequest): void;
  removeOld(createdBefore: number): void;
}

export function prepareDevices(database: Database): DeviceStatements {
  const insert = database.prepare(
    `INSERT INTO device (pre_auth_session_id, email, phone_number, salt, link_digest,
       failed_attempts, time_created) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const select = database.prepare<DeviceRow>(
    `SELECT email, phone_number, salt, link_digest, failed_attempts, time_created
     FROM device WHERE pre_auth_session_id = ?`,
  );
  const setAttempts = database.prepare(
    "UPDATE device SET failed_attempts = ? WHERE pre_auth_session_id = ?",
  );
  const removeOne = database.prepare("DELETE FROM device WHERE pre_auth_session_id = ?");
  const removeByEmail = database.prepare("DELETE FROM device WHERE email = ?");
  const removeByPhone = database.prepare("DELETE FROM device WHERE phone_number = ?");
  const removeOld = database.prepare("DELETE FROM device WHERE time_created < ?");

  return {
    add({ preAuthSessionId, contact, salt, linkDigest, failedAttempts, timeCreated }) {
      const email = contact.email ?? null;
      const phone = contact.phoneNumber ?? null;
      insert.run(preAuthSessionId, email, phone, salt, linkDigest, failedAttempts, timeCreated);
    },
    find(preAuthSessionId) {
      const row = select.get(preAuthSessionId);
      if (row === undefined) return null;
      const [email, phone, salt, linkDigest, failedAttempts, timeCreated] = row;
      // Exactly one of the two columns is set.
      const contact = email === null ? { phoneNumber: phone ?? "" } : { email };
      return { preAuthSessionId, contact, salt, linkDigest, failedAttempts, timeCreated };
    },
    count(preAuthSessionId, failedAttempts) {
      setAttempts.run(failedAttempts, preAuthSessionId);
    },
    remove(preAuthSessionId) {
      removeOne.run(preAuthSessionId);
    },
    removeOf(contact) {
      if (contact.email === undefined) removeByPhone.run(contact.phoneNumber);
      else removeByEmail.run(contact.email);
    },
    removeOld(createdBefore) {
      removeOld.run(createdBefore);
    },
  };
}
