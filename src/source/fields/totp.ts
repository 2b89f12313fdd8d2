/** Reads second factors by time as vendors export them: secrets in base32, and Keycloak's credentials. */

import type { TotpDevice } from "../../account/account-parts.js";
import { parseObject } from "../json/json-object.js";
import { isObject } from "../json/json-value.js";

/** RFC 6238 and the Key URI Format, where nothing else is said. */
const USUAL = { period: 30, digits: 6, algorithm: "SHA1" } as const;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A device of a secret in base32 with the usual period and digits; null where the text is none. */
export function readTotp(value: unknown): TotpDevice | null {
  if (typeof value !== "string") return null;
  const secret = plainBase32(value);
  return secret === null ? null : { secret, ...USUAL };
}

/**
 * A device of a Keycloak credential of the type otp (OTPCredentialModel). Its secret is a text whose
 * bytes are the key, unless `secretEncoding` says that it is base32.
 *
 * @returns null for one that counts instead (hotp), or can't be read
 */
export function readKeycloakOtp(credential: object): TotpDevice | null {
  const data = inner(credential, "credentialData");
  const secretData = inner(credential, "secretData");
  const value = secretData.value;
  if (data.subType !== "totp" || typeof value !== "string" || value === "") return null;
  const secret =
    data.secretEncoding === "BASE32" ? plainBase32(value) : base32Of(Buffer.from(value));
  const { period = USUAL.period, digits = USUAL.digits, algorithm = "HmacSHA1" } = data;
  const hash = ALGORITHMS.get(String(algorithm));
  if (secret === null || hash === undefined) return null;
  if (typeof period !== "number" || typeof digits !== "number") return null;
  return { secret, period, digits, algorithm: hash };
}

const ALGORITHMS: ReadonlyMap<string, TotpDevice["algorithm"]> = new Map([
  ["HmacSHA1", "SHA1"],
  ["HmacSHA256", "SHA256"],
  ["HmacSHA512", "SHA512"],
]);

/** Keycloak writes a credential's parts as texts of JSON. */
function inner(credential: object, name: string): Readonly<Record<string, unknown>> {
  const held: unknown = Reflect.get(credential, name);
  const parsed = typeof held === "string" ? parseObject(held) : held;
  return isObject(parsed) ? parsed : {};
}

function plainBase32(text: string): string | null {
  const plain = text.replace(/[\s-]/g, "").replace(/=+$/, "").toUpperCase();
  return /^[A-Z2-7]{16,}$/.test(plain) ? plain : null;
}

/** RFC 4648 6, without padding. */
function base32Of(bytes: Buffer): string {
  let [bits, held, text] = [0, 0, ""];
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + BASE32[(held << (5 - bits)) & 31];
}
