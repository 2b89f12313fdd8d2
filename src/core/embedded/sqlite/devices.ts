/** The statements on devices and their codes. Each runs inside the caller's transaction. */

import type { Database } from "../../../sqlite/database.js";
import type { CodeRequest } from "../../core.js";
import type { Device } from "../store.js";

type DeviceRow = readonly [string | null, string | null, Uint8Array, string, number, number];

export class Devices {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  add({ preAuthSessionId, contact, salt, linkDigest, failedAttempts, timeCreated }: Device): void {
    const { email = null, phoneNumber = null } = contact;
    this.#sql.insert.run(
      preAuthSessionId,
      email,
      phoneNumber,
      salt,
      linkDigest,
      failedAttempts,
      timeCreated,
    );
  }

  find(preAuthSessionId: string): Device | null {
    const row = this.#sql.select.get(preAuthSessionId);
    if (row === undefined) return null;
    const [email, phone, salt, linkDigest, failedAttempts, timeCreated] = row;
    // Exactly one of the two columns is set.
    const contact = email === null ? { phoneNumber: phone ?? "" } : { email };
    return { preAuthSessionId, contact, salt, linkDigest, failedAttempts, timeCreated };
  }

  count(preAuthSessionId: string, failedAttempts: number): void {
    this.#sql.setAttempts.run(failedAttempts, preAuthSessionId);
  }

  remove(preAuthSessionId: string): void {
    this.#sql.remove.run(preAuthSessionId);
  }

  removeOf({ email, phoneNumber }: CodeRequest): void {
    if (email === undefined) this.#sql.removeByPhone.run(phoneNumber);
    else this.#sql.removeByEmail.run(email);
  }

  removeOld(createdBefore: number): void {
    this.#sql.removeOld.run(createdBefore);
  }
}

function prepare(database: Database) {
  return {
    insert: database.prepare(
      `INSERT INTO device (pre_auth_session_id, email, phone_number, salt, link_digest,
         failed_attempts, time_created) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    select: database.prepare<DeviceRow>(
      `SELECT email, phone_number, salt, link_digest, failed_attempts, time_created
       FROM device WHERE pre_auth_session_id = ?`,
    ),
    setAttempts: database.prepare(
      "UPDATE device SET failed_attempts = ? WHERE pre_auth_session_id = ?",
    ),
    remove: database.prepare("DELETE FROM device WHERE pre_auth_session_id = ?"),
    removeByEmail: database.prepare("DELETE FROM device WHERE email = ?"),
    removeByPhone: database.prepare("DELETE FROM device WHERE phone_number = ?"),
    removeOld: database.prepare("DELETE FROM device WHERE time_created < ?"),
  };
}
