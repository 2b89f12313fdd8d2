/** Imports whole accounts: checks each part as the call that brings it alone does. */

import type { AccountRequest, WayIn } from "../account-import.js";
import type { Core } from "../core.js";
import { refusal } from "../core-failure.js";
import { requireExternalId } from "./bounds.js";
import { requireEmail, requirePhone } from "./contacts.js";
import { joinedAt, type Making } from "./new-user.js";
import { importAccounts } from "./parts/account.js";
import { requireObject, withoutNulls } from "./parts/metadata.js";
import { named } from "./parts/roles.js";
import { requireIdentity } from "./parts/third-party.js";
import { requireDevice } from "./parts/totp.js";
import { requireHash } from "./password-calls.js";
import type { NewAccount, Store } from "./store.js";

export function accountCalls(store: Store, settings: Making): Pick<Core, "importAccount"> {
  const importOne = store.batched("change", importAccounts);
  return {
    importAccount(request) {
      try {
        return importOne(checkedAccount(request, settings));
      } catch (error) {
        return Promise.reject(error);
      }
    },
  };
}

/** @throws CoreFailure `refused`, `signer_key_missing` */
export function checkedAccount(
  request: AccountRequest,
  { signerKey, now, newUserId }: Making,
): NewAccount {
  const { wayIn, isEmailVerified = false, externalUserId = null } = request;
  const { metadata, roles = [], totpDevices = [] } = request;
  const nowMs = now();
  if (externalUserId !== null) requireExternalId(externalUserId);
  if (metadata !== undefined) requireObject("metadata", metadata);
  if (totpDevices.length > 0) requireDevices(totpDevices);
  const { email, phone, passwordHash, thirdParty } = waysOf(wayIn, signerKey);
  // Written out: copies took a quarter of what checking an account does.
  return {
    userId: newUserId(nowMs),
    timeJoined: joinedAt(request, nowMs),
    recipe: wayIn.recipe,
    email,
    phone,
    passwordHash,
    thirdParty,
    isEmailVerified,
    externalUserId,
    metadata: metadata === undefined ? NO_METADATA : withoutNulls(metadata),
    roles: roles.length === 0 ? roles : [...new Set(roles.map((role) => named("roles", role)))],
    totpDevices,
    nowMs,
  };
}

function requireDevices(devices: NewAccount["totpDevices"]): void {
  for (const device of devices) requireDevice(device);
  const names = devices.flatMap(({ deviceName }) => deviceName ?? []);
  if (new Set(names).size < names.length) throw refusal("totpDevices: two have one deviceName");
}

/** @throws CoreFailure `refused`, `signer_key_missing` */
function waysOf(
  wayIn: WayIn,
  signerKey: string | null,
): Pick<NewAccount, "email" | "phone" | "passwordHash" | "thirdParty"> {
  switch (wayIn.recipe) {
    case "emailpassword": {
      const passwordHash = requireHash(wayIn, signerKey);
      const email = requireEmail(wayIn.email);
      return { email, phone: null, passwordHash, thirdParty: NO_IDENTITY };
    }
    case "thirdparty": {
      const email = requireEmail(wayIn.email);
      const thirdParty = requireIdentity(wayIn);
      return { email, phone: null, passwordHash: null, thirdParty };
    }
    default: {
      const { email, phoneNumber } = wayIn;
      if (email === undefined && phoneNumber === undefined) {
        throw refusal("email and phoneNumber: a user must have one of them");
      }
      return {
        email: email === undefined ? null : requireEmail(email),
        phone: phoneNumber === undefined ? null : requirePhone(phoneNumber),
        passwordHash: null,
        thirdParty: NO_IDENTITY,
      };
    }
  }
}

const NO_METADATA: NewAccount["metadata"] = {};
const NO_IDENTITY: NewAccount["thirdParty"] = [null, null];
