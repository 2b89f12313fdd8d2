/** The cryptography of codes (interface.md 2.1): makes a device with its link code and digits, and checks them against stored digests. */

import { createHmac, hash, randomBytes, randomInt } from "node:crypto";

const SECRET_BYTES = 32;
const DIGITS = 6;

/**
 * Makes a device for the caller's digits, or for random ones.
 *
 * The link code is a keyed digest of the digits; the key is the device's secret and a salt that
 * only the store has. The store can thus check digits that it doesn't keep. A reader of the store
 * can't try out all the digits, because the device's secret isn't stored.
 */
export function newCodeSecrets(
  userInputCode = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0"),
) {
  const secrets = randomBytes(2 * SECRET_BYTES);
  const [device, salt] = [secrets.subarray(0, SECRET_BYTES), secrets.subarray(SECRET_BYTES)];
  const linkCode = linkCodeOf(device, salt, userInputCode);
  return {
    deviceId: device.toString("base64"),
    userInputCode,
    linkCode,
    preAuthSessionId: sessionIdOf(device),
    salt,
    linkDigest: linkDigestOf(linkCode),
  };
}

export function linkCodeOf(device: Uint8Array, salt: Uint8Array, userInputCode: string): string {
  return createHmac("sha256", Buffer.concat([device, salt]))
    .update(userInputCode)
    .digest("base64url");
}

/** The digest of a link code, which is stored. Only digests are compared, so that timing reveals nothing. */
export function linkDigestOf(linkCode: string): string {
  return hash("sha256", linkCode, "base64url");
}

/** base64url of SHA-256 of the device's secret. */
export function sessionIdOf(device: Uint8Array): string {
  return hash("sha256", device, "base64url");
}

/** The secret inside a device id, or null for what can't be one. */
export function deviceSecretOf(deviceId: string): Buffer | null {
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(deviceId)) return null;
  return Buffer.from(deviceId, "base64");
}
