/** bcrypt and argon2 of a changed password: marked in the text, or known by the vendor's name or a pepper. */

import { hashAlgorithmOf } from "../grammar.js";
import { normalizeArgon2, parseArgon2 } from "../argon2.js";
import { normalizeBcrypt } from "../bcrypt.js";
import { PRE_HASH_FORMS, preHashCandidates, type PreHashForm } from "../prehash.js";
import { findVendor } from "../vendors.js";
import { memoryOf, verifyPassword } from "../verify.js";
import { BOUNDS, outOfBounds, type Parsed, verified } from "./legacy-hash.js";

/** What took part beside the password, where that is known. */
export interface LegacyContext {
  /** As `--from` names it; null where none is named. */
  readonly vendor: string | null;
  /** The site's pepper; null without one. */
  readonly pepper: string | null;
  /** Names under which the user may have signed in. */
  readonly userNames: readonly string[];
}

/** Nothing but the password took part, as far as the hash itself shows. */
export const NO_CONTEXT: LegacyContext = { vendor: null, pepper: null, userNames: [] };

/** A mark before a hash, and what it says was done to the password. */
interface Mark {
  readonly mark: string;
  readonly format: string;
  /** The name of a form of `prehash.ts`. */
  readonly form: string;
}

const MARKS: readonly Mark[] = [
  // WordPress 6.8 (wp_hash_password).
  { mark: "$wp", format: "wordpress_bcrypt", form: "wordpress_hmac_sha384" },
  // Django's BCryptSHA256PasswordHasher.
  { mark: "bcrypt_sha256$", format: "django_bcrypt_sha256", form: "sha256_hex" },
  // TYPO3's M$, for accounts from before salted passwords (SaltedPasswordsUtility).
  { mark: "M", format: "typo3_upgraded", form: "md5_hex" },
];

/** A hash behind a mark. */
export function parseMarked(text: string): Parsed {
  for (const { mark, format, form } of MARKS) {
    if (!text.startsWith(`${mark}$2`)) continue;
    return changed(format, text.slice(mark.length), [form]);
  }
  return null;
}

const PASSLIB_2 =
  /^\$bcrypt-sha256\$v=2,t=2[aby],r=(\d{1,2})\$([./A-Za-z0-9]{22})\$([./A-Za-z0-9]{31})$/;
const PASSLIB_1 = /^\$bcrypt-sha256\$2[aby],(\d{1,2})\$([./A-Za-z0-9]{22})\$([./A-Za-z0-9]{31})$/;

/** passlib's bcrypt_sha256, version 2 keyed with the salt, version 1 not (passlib/handlers/bcrypt.py). */
export function parsePasslibBcrypt(text: string): Parsed {
  const [, cost = "", salt = "", hash = ""] = PASSLIB_2.exec(text) ?? PASSLIB_1.exec(text) ?? [];
  if (hash === "") return null;
  const bcrypt = `$2a$${cost.padStart(2, "0")}$${salt}${hash}`;
  return changed("passlib_bcrypt_sha256", bcrypt, ["passlib_sha256_base64"]);
}

/** A bare hash of a vendor that always changes the password, or may with the pepper that was given. */
export function parseUnmarked(text: string, context: LegacyContext): Parsed {
  const { vendor: name, pepper, userNames } = context;
  const vendor = name === null ? null : findVendor(name);
  const isChanged = vendor?.preHash === "always" || pepper !== null;
  const algorithm = hashAlgorithmOf(text);
  if (!isChanged || algorithm === null) return null;
  const forms = PRE_HASH_FORMS.filter(
    ({ vendors, needs }) =>
      (vendor === null ? needs === "salt" : vendors.includes(vendor.name)) &&
      (needs !== "salt" || pepper !== null) &&
      (needs !== "user_name" || userNames.length > 0),
  );
  const [first] = forms;
  if (first === undefined) return null;
  const format = forms.length === 1 ? `${algorithm}_of_${first.name}` : `${algorithm}_peppered`;
  return ofForms(format, text, forms, context);
}

/** An argon2 hash that a core takes, but for the length of its output. */
export function parseOddArgon2(text: string, { vendor }: LegacyContext): Parsed {
  const isAsTyped = vendor === null || findVendor(vendor)?.preHash !== "always";
  const isArgon2 = hashAlgorithmOf(text) === "argon2";
  const odd = isArgon2 && isAsTyped ? sound("argon2", text) : null;
  if (typeof odd !== "string") return odd;
  return verified("argon2", memoryOf(odd), (password) => verifyPassword(odd, password));
}

/** A hash of what a form of `prehash.ts`, by its name, makes of the password. */
export function changed(format: string, text: string, names: readonly string[]): Parsed {
  const forms = PRE_HASH_FORMS.filter(({ name }) => names.includes(name));
  return ofForms(format, text, forms, NO_CONTEXT);
}

/** A hash of what one of some forms makes of the password; what is tried costs as much each time. */
function ofForms(
  format: string,
  text: string,
  forms: readonly PreHashForm[],
  { pepper, userNames }: LegacyContext,
): Parsed {
  const triesOf = ({ tries = 1, needs }: PreHashForm): number =>
    needs === "user_name" ? tries * userNames.length : tries;
  // Hashes from before the pepper are of the password alone.
  const isTypedTried = pepper !== null;
  const tries = forms.reduce((sum, form) => sum + triesOf(form), isTypedTried ? 1 : 0);
  const hash = sound(format, text, tries);
  if (typeof hash !== "string") return hash;
  const context = { hash, userNames, salts: pepper === null ? [] : [pepper] };
  return verified(format, memoryOf(hash), async (password) => {
    for await (const one of preHashCandidates(password, context, forms, [])) {
      if (await verifyPassword(hash, one.password, { argon2Secret: one.argon2Secret })) return true;
    }
    return isTypedTried && verifyPassword(hash, password);
  });
}

/** The text as a core would take it, within the bounds; null where it isn't bcrypt or argon2. */
function sound(format: string, text: string, tries = 1): string | Parsed {
  const algorithm = hashAlgorithmOf(text);
  if (algorithm !== "bcrypt" && algorithm !== "argon2") return null;
  const verdict =
    algorithm === "bcrypt"
      ? normalizeBcrypt(text)
      : normalizeArgon2(text, { allowHash: ["argon2-any"] });
  if (verdict.verdict !== "accepted") return null;
  const argon2 = parseArgon2(verdict.hash);
  if (argon2 === null) {
    const cost = Number(verdict.hash.slice(4, 6));
    return cost + Math.log2(tries) > BOUNDS.bcryptCost
      ? outOfBounds(format, "iterations")
      : verdict.hash;
  }
  const { memory, iterations, hash } = argon2;
  if (Buffer.byteLength(hash, "base64") < BOUNDS.shortestHash) return outOfBounds(format, "hash");
  if (memory * 1024 > BOUNDS.memory) return outOfBounds(format, "memory");
  return memory * iterations * tries > BOUNDS.argon2
    ? outOfBounds(format, "iterations")
    : verdict.hash;
}
