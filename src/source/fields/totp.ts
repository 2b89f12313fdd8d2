/** Reads second factors by time as vendors export them: secrets in base32, addresses of keys, and Keycloak's credentials. */

import type { TotpDevice } from "../../account/account-parts.js";
import { parseObject } from "../json/json-object.js";
import { isObject } from "../json/json-value.js";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HASHES = ["SHA1", "SHA256", "SHA512"] as const;
const ADDRESS = "otpauth://totp/";

type Parts = Readonly<Record<string, unknown>>;

/**
 * A device of a secret in base32, of a key's address (`otpauth://totp/…`, the Key URI Format), or of
 * the core's own import (`secretKey`, `period`), or with its key in hexadecimal (`hexKey`).
 *
 * @returns null where the value is none of them
 */
export function readTotp(value: unknown): TotpDevice | null {
  if (isObject(value)) return deviceOf(value.secretKey ?? base32OfHex(value.hexKey), value);
  if (typeof value !== "string" || !value.startsWith(ADDRESS)) return deviceOf(value);
  if (!URL.canParse(value)) return null;
  const given = [...new URL(value).searchParams];
  // Of a part that is there twice apps take either one.
  if (new Set(given.map(([name]) => name.toLowerCase())).size < given.length) return null;
  const parts = Object.fromEntries(given);
  return deviceOf(parts.secret, parts);
}

/** RFC 6238 and the Key URI Format say what is usual. */
function deviceOf(key: unknown, parts: Parts = {}): TotpDevice | null {
  const { period = 30, digits = 6, algorithm = "SHA1" } = parts;
  const secret = typeof key === "string" ? plainBase32(key) : null;
  const hash = HASHES.find((name) => name === String(algorithm).replace(/^Hmac/, ""));
  const [seconds, length] = [Number(period), Number(digits)];
  const isTimed = [seconds, length].every((one) => Number.isInteger(one) && one > 0);
  if (secret === null || hash === undefined || !isTimed) return null;
  return { secret, period: seconds, digits: length, algorithm: hash };
}

/**
 * A device of a Keycloak credential of the type otp (OTPCredentialModel). Its secret is a text whose
 * bytes are the key, unless `secretEncoding` says that it is base32.
 *
 * @returns null for one that counts instead (hotp), or can't be read
 */
export function readKeycloakOtp(credential: object): TotpDevice | null {
  const data = inner(credential, "credentialData");
  const { value } = inner(credential, "secretData");
  if (data.subType !== "totp" || typeof value !== "string" || value === "") return null;
  return deviceOf(data.secretEncoding === "BASE32" ? value : base32Of(Buffer.from(value)), data);
}

/** Keycloak writes a credential's parts as texts of JSON. */
function inner(credential: object, name: string): Parts {
  const held: unknown = Reflect.get(credential, name);
  const parsed = typeof held === "string" ? parseObject(held) : held;
  return isObject(parsed) ? parsed : {};
}

function plainBase32(text: string): string | null {
  const plain = text.replace(/[\s-]/g, "").replace(/=+$/, "").toUpperCase();
  return /^[A-Z2-7]{16,}$/.test(plain) ? plain : null;
}

/** Empty where the text is no bytes in hexadecimal. */
export function base32OfHex(text: unknown): string {
  const isHex = typeof text === "string" && /^(?:[\da-f]{2})+$/i.test(text);
  return isHex ? base32Of(Buffer.from(text, "hex")) : "";
}

/** RFC 4648 6, without padding. */
function base32Of(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = bits.match(/.{1,5}/g) ?? [];
  return letters.map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}
