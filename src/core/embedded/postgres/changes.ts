/** Changing a passwordless user's contacts, giving users external ids and removing them, each in a transaction of its own. The unique indexes decide who has a contact or an id, without a lookup before. */

import type { MapOutcome, MapRequest, UpdateOutcome } from "../../core.js";
import { IS_OWN_ID, removeParts, useOf } from "../parts/of-user.js";
import { changeEmail } from "../parts/verification.js";
import type { ContactChange } from "../store.js";
import { codeContactsOf, contactsAfter, PASSWORDLESS } from "../user-row.js";
import { type Connections, runScript } from "./connections.js";
import { takenIndex } from "./database-failure.js";
import { removeDevicesOf } from "./devices.js";
import { isOwnId, rowById } from "./lookups.js";

type UpdateStatus = UpdateOutcome["status"] | null;

const BY_INDEX: Readonly<Record<string, UpdateStatus>> = {
  users_email: "EMAIL_ALREADY_EXISTS_ERROR",
  users_phone_number: "PHONE_NUMBER_ALREADY_EXISTS_ERROR",
};

/** `null`: the change would leave the user without any contact; nothing was done. */
export async function changeContacts(
  { transact }: Pick<Connections, "transact">,
  userId: string,
  change: ContactChange,
): Promise<UpdateStatus> {
  try {
    return await transact(async (ask): Promise<UpdateStatus> => {
      const row = await rowById(ask, userId, "FOR UPDATE");
      if (row === undefined || row[1] !== PASSWORDLESS) return "UNKNOWN_USER_ID_ERROR";
      const { email, phone, touched } = contactsAfter(row, change);
      if (email === null && phone === null) return null;
      await ask("UPDATE auth_core.users SET email = $1, phone_number = $2 WHERE user_id = $3", [
        email,
        phone,
        row[0],
      ]);
      await removeDevicesOf(ask, touched);
      await runScript(ask, changeEmail(row, email));
      return "OK";
    });
  } catch (error) {
    const status = BY_INDEX[takenIndex(error) ?? ""];
    if (status === undefined) throw error;
    return status;
  }
}

/** By either id; a user who is known by neither is gone already. */
export function removeUser(
  { transact }: Pick<Connections, "transact">,
  userId: string,
): Promise<void> {
  return transact(async (ask) => {
    const row = await rowById(ask, userId, "FOR UPDATE");
    if (row === undefined) return;
    await ask("DELETE FROM auth_core.users WHERE user_id = $1", [row[0]]);
    await removeDevicesOf(ask, codeContactsOf(row));
    await runScript(ask, removeParts(row));
  });
}

/** A text says why it is refused; nothing was done. */
export async function mapId(
  { transact }: Pick<Connections, "transact">,
  { userId, externalUserId, force = false }: MapRequest,
): Promise<MapOutcome | string> {
  const attempt = (isTaken: boolean): Promise<MapOutcome | string> =>
    transact(async (ask): Promise<MapOutcome | string> => {
      const row = await rowById(ask, userId, "FOR UPDATE");
      if (row === undefined) return { status: "UNKNOWN_USER_ID_ERROR" };
      if (await isOwnId(ask, externalUserId)) return IS_OWN_ID;
      const doesUserIdExist = row[5] !== null;
      const holder = await rowById(ask, externalUserId);
      const doesExternalUserIdExist = isTaken || holder !== undefined;
      if (doesUserIdExist || doesExternalUserIdExist) {
        return {
          status: "USER_ID_MAPPING_ALREADY_EXISTS_ERROR",
          doesUserIdExist,
          doesExternalUserIdExist,
        };
      }
      const use = force ? null : await runScript(ask, useOf(row[0]));
      if (use !== null) return use;
      await ask("UPDATE auth_core.users SET external_user_id = $1 WHERE user_id = $2", [
        externalUserId,
        row[0],
      ]);
      return { status: "OK" };
    });
  try {
    return await attempt(false);
  } catch (error) {
    // Another process gave it to another user meanwhile.
    if (takenIndex(error) !== "users_external_user_id") throw error;
    return attempt(true);
  }
}
