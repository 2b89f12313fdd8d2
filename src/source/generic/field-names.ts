/** The names under which applications' own tables and documents keep what a migration reads, and what each means. CSV columns and JSON properties share one table; flags follow the grammar of flag-names.ts. */

import { remembering } from "../remembering.js";
import { listed, readWords, type Topics, topicsAs, type Words, wordsAs } from "../word-lists.js";
import { type BesideField, mayBePlainText, saysPlainText } from "../user-parts.js";
import { type FlagName, readFlagName } from "./flag-names.js";
import { roleOf, wordsOf } from "./name-words.js";
import { factorNamed } from "./other-ways.js";

/** A user's fields that are one text each. `plain` is a password in plain text, which is told and never sent. */
export type TextField = "id" | "email" | "phone" | "hash" | "salt" | "plain";

/** What a column or property is for. */
export type Meaning =
  /** `rank` orders names of one field, the surest first. */
  | { readonly kind: "text"; readonly field: TextField; readonly rank: number }
  /** A list of them, which only JSON can hold. */
  | { readonly kind: "list"; readonly of: "email" | "phone" }
  | FlagName
  /** Kratos' `verifiable_addresses`: emails and phones that stand elsewhere, too. */
  | { readonly kind: "addresses" }
  | { readonly kind: "beside"; readonly field: BesideField }
  /**
   * A part of a credential that is several properties of the user. It goes beside the hash under
   * its own name.
   */
  | { readonly kind: "part"; readonly name: string }
  /** An object or a list of ways to sign in; a credential where a password is among them. */
  | { readonly kind: "credentials" }
  /** It has no place in the core: where it is filled, the user has this notice. */
  | { readonly kind: "notice"; readonly code: string };

/** What any other name means: names, dates, pictures. */
export const PROFILE: Meaning = { kind: "notice", code: "profile_not_migrated" };

/** What the words of a second factor's names mean. */
export const FACTOR: Meaning = { kind: "notice", code: "mfa_not_migrated" };

/** What a column means that `--map` calls the roles. */
export const ROLES: Meaning = { kind: "notice", code: "roles_not_migrated" };

const PLAIN: Meaning = { kind: "text", field: "plain", rank: 0 };

const BY_FACTOR: Readonly<Record<NonNullable<ReturnType<typeof factorNamed>>, Meaning>> = {
  factor: FACTOR,
  passkey: { kind: "notice", code: "passkey_not_migrated" },
  unclear: { kind: "unclear", about: "flag" },
  other: PROFILE,
};

const UNSURE_RANK = 1000;

/** What `words/fields.json` has: names in lower case, without spaces and punctuation. */
interface Fields {
  /** Those of one field have the surest first. */
  readonly texts: Topics<TextField>;
  /** Of a password in clear or hashed: the hash only where no clearer name is there. */
  readonly unsure: Topics<TextField>;
  /** Whose words alone would say too little: `geprüft` may be said of anything. */
  readonly verified: Topics<"email" | "phone">;
  readonly beside: Topics<BesideField>;
  /** By the code of a notice. */
  readonly notices: Topics;
  /** Whose words alone would say something else, or too little. */
  readonly means: readonly { readonly names: string; readonly means: Meaning }[];
  /** Objects that hold parts of the user alone. */
  readonly containers: string;
  /** Names of OpenID Connect's claims. */
  readonly metadata: Words;
  readonly totp: string;
}

export const FIELDS = readWords<Fields>("fields");

/** All names. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ...texts(FIELDS.texts, 0),
  ...texts(FIELDS.unsure, UNSURE_RANK),
  ...topicsAs(FIELDS.verified, (of): Meaning => ({ kind: "verified", of, flag: "yes" })),
  ...FIELDS.means.flatMap(({ names, means }) => wordsAs(names, means)),
  // Whether failed attempts may lock it (ASP.NET Core Identity), not whether they have.
  ["lockoutenabled", PROFILE],
  ...topicsAs(FIELDS.beside, (field): Meaning => ({ kind: "beside", field })),
  // Others by their words.
  ...topicsAs(FIELDS.notices, (code): Meaning => ({ kind: "notice", code })),
]);

/** A name without what people vary in it: case, spaces, punctuation. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** What a name means, in whatever case and with whatever between its words. */
export const meaningOf = remembering(meaningIn, 5000);

/** A claim's name as a URI has its own name last. */
const URI = /^https?:\/\/\S+\/(?=[^/]+$)/;

function meaningIn(given: string): Meaning {
  const name = given.replace(URI, "");
  const known = MEANINGS.get(plainName(name));
  if (known !== undefined) return known;
  if (saysPlainText(name)) return PLAIN;
  const words = wordsOf(name);
  const is = factorNamed(words);
  if (is !== null) return BY_FACTOR[is];
  const said = readSaltName(words) ?? readInnerName(name) ?? readFlagName(name);
  return said ?? (mayBePlainText(name) ? PLAIN : PROFILE);
}

const OF_HASH = /^(?:password|passwd|pwd|pass|pw|hash|hashed|secret)$/;
const ADDED = /^(?:suffix|postfix|prefix|secret|seed|nonce|random|iv)$/;
const OF_PASSWORD = /^(?:password|passwd|pwd|pass|pw)$/;
/** Written as one word with something else: `pwsalt`, `saltvalue`. */
const SALTED = /^salt(?!y|lake)|salt$/;
const OF_ANOTHER =
  /^(?:remember|reset|activat|confirm|token|otp|backup|recover|refresh|session|cookie|api|answer|pin$|e?mail|phone|link|url|file|question|hint)/;

/** What is said of a salt and is none: `salt_position`, `salt_format`. */
const OF_SALT =
  /^(?:position|placement|chang|modif|geaendert|geandert|format|encod|type|kind|len|length|size|round|cost|iteration|algo|method|version|order|mode|charset|source|strategy|style|creat|updat|at$|used?$|enabled?$)/;

/** What took part in a hash beside the password: `pw_salt`, `hash_pepper`, `password_suffix`. */
function readSaltName(words: readonly string[]): Meaning | null {
  if (words.some((word) => OF_ANOTHER.test(word) || OF_SALT.test(word))) return null;
  if (words.includes("pepper")) return { kind: "beside", field: "pepper" };
  const at = words.findIndex((word) => OF_HASH.test(word));
  const isKey = OF_PASSWORD.test(words[at] ?? "") && words[at + 1] === "key";
  const isAdded = isKey || (at !== -1 && words.slice(at + 1).some((word) => ADDED.test(word)));
  const isSalt =
    isAdded || words.some((word) => roleOf(word)?.role === "salt" || SALTED.test(word));
  return isSalt ? { kind: "text", field: "salt", rank: 500 } : null;
}

/** Objects in which applications keep all sorts of things of the account. */
const MIXED =
  /^(?:(?:raw)?(?:app|user|public|private|unsafe|trusted|untrusted)?meta(?:data)?|(?:custom)?(?:claims|attributes|data|fields|properties)|\w*(?:settings?|options?|info|details|flags|status|state|security|access)|config|extra|policy)$/;

/** A flag in such an object may be the account's: `app_metadata.banned`, `settings.account.locked`. */
function readInnerName(path: string): FlagName | null {
  if (!path.includes(".")) return null;
  const around = path.split(".");
  const name = around.pop() ?? "";
  const own = around.filter((part) => !MIXED.test(plainName(part)));
  if (own.length === around.length) return null;
  const inner = meaningOf([...own, name].join(" "));
  return inner.kind === "exclusion" ? { kind: "unclear", about: "flag", inner } : null;
}

/** Whether a name alone says that it is a password's hash, or a password: `Passwort`, of dates as well. */
export function namesPassword(meaning: Meaning): boolean {
  const isText = meaning.kind === "text" && meaning.rank >= 0;
  return isText && (meaning.field === "hash" || meaning.field === "plain");
}

/** A meaning where points in time were found: of `email_unverified` one says no more than a yes, and what is named like a password is none. */
export function withTime(meaning: Meaning, isTime: boolean): Meaning {
  if (isTime && namesPassword(meaning)) return PROFILE;
  const isOther = !isTime || meaning.kind !== "verified" || meaning.flag === "no";
  return isOther ? meaning : { ...meaning, flag: "time" };
}

/** True for a name that is only taken for the hash where no clearer one is there. */
export function isUnsure(meaning: Meaning): boolean {
  return meaning.kind === "text" && meaning.rank >= UNSURE_RANK;
}

/** True for an email or a phone, or a list of them. */
export function isContact(meaning: Meaning): boolean {
  if (meaning.kind === "list") return true;
  return meaning.kind === "text" && (meaning.field === "email" || meaning.field === "phone");
}

/** Whether a mapping reads an object or a list of this meaning as it is. */
export function readsNested(meaning: Meaning, isList: boolean): boolean {
  switch (meaning.kind) {
    case "part":
    case "exclusion":
      return true;
    case "addresses":
    case "list":
      return isList;
    case "text":
      return meaning.field === "hash" || (isList && isContact(meaning));
    default:
      return false;
  }
}

type Named = readonly (readonly [string, Meaning])[];

function texts(topics: Topics<TextField>, rank: number): Named {
  return (Object.keys(topics) as TextField[]).flatMap((field) =>
    listed(topics[field]).map((name, index): [string, Meaning] => [
      name,
      { kind: "text", field, rank: rank + index },
    ]),
  );
}
