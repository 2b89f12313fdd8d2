/** Lines of Apache's htpasswd: a name before a hash. A name may as well be the mark of a scheme, so only what is surely a person's is dropped. */

import type { Inner, Opener } from "./inner.js";
import { findVendor } from "./vendors.js";

/** `user:` before what `htpasswd -B` and its default write, and no other. */
const HTPASSWD = /^([^\s:$\0]{1,255}):(?=\$(?:2y|apr1)\$)/;

/** What is surely a person's name: no version (`v2`, `type1`), no initial. */
const PERSON = /^[a-z][\w.@+'-]*[a-z]$/i;

/** Words that mark a scheme and not a person; `sha1`, `wcf2` and `v1` are split at their digits. */
const SCHEME_WORDS = new Set(
  (
    "md sha ssha hmac pbkdf argon scrypt bcrypt crypt cryptmd blowfish bf nt ntlm lm ripemd whirlpool blake keccak " +
    "hash hashed rehash rehashed prehash prehashed pre wrapped layered double pepper peppered salt salted plain raw " +
    "password pass pw pwd legacy old migrated imported upgraded v ver version type base hex utf ascii nfkc trim lower " +
    "wcf wbb wp wordpress vb vbulletin ipb mybb smf phpbb joomla xf xenforo drupal typo phpass php phpfox django ldap " +
    "cake encrypted enc aes"
  ).split(" "),
);

export const HTPASSWD_OPENER: Opener = {
  opens: [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_."],
  open: openLine,
};

function openLine(text: string, vendor: string | null): Inner | null {
  if (text.charAt(text.indexOf(":") + 1) !== "$") return null;
  const [opening, user] = HTPASSWD.exec(text) ?? [];
  if (opening === undefined || user === undefined) return null;
  const isNamed = vendor !== null && findVendor(vendor)?.name === "htpasswd";
  if (!isNamed && !isPerson(user)) return null;
  return { kind: "text", text: text.slice(opening.length), steps: ["htpasswd_user_stripped"] };
}

function isPerson(user: string): boolean {
  const words = user.toLowerCase().split(/[^a-z]+/);
  return PERSON.test(user) && !words.some((word) => SCHEME_WORDS.has(word));
}
