/** Reads names of flags by their words: `is_banned`, `accountNonLocked`, `date_deleted`, `email_status`. A name with such a word that isn't understood as a whole is unclear; the run stops where it is filled. */

import type { Exclusion } from "../../account/user-record.js";
import { type FlagWord, LIFTED, type WordRole } from "./flag-words.js";
import { roleOf, wordsOf } from "./name-words.js";

/**
 * How a column's values are to be read:
 * - `yes`, `no`: a flag that keeps an account out, or lets it in, where it is true;
 * - `time`, `since`: a point in time that keeps an account out, or lets it in, where it is filled;
 * - `until`, `expiry`: a point in time up to which an account is kept out, or let in;
 * - `word`: a state in a word;
 * - `bits`: Active Directory's `userAccountControl`.
 */
export type FlagKind = "yes" | "no" | "time" | "since" | "until" | "expiry" | "word" | "bits";

/** The contact that is verified; `any` means the user's only one. */
export type Verifies = "email" | "phone" | "any";

/** What a name may say by its words. */
export type FlagName =
  | {
      readonly kind: "verified";
      readonly of: Verifies;
      readonly flag: FlagKind;
      /** The values that say yes, where `--map` names them. */
      readonly only?: readonly string[] | undefined;
      /** Its name says how all other values are read; else they say no. */
      readonly isKnown?: boolean;
    }
  | KeepsOut
  | UnclearName;

/** A name that may be a flag. */
export interface UnclearName {
  readonly kind: "unclear";
  readonly about: Unclear;
  /** What it says by itself, in an object of all sorts of things: it matters only where that keeps out. */
  readonly inner?: KeepsOut;
}

/** What the values of a flag say, be it a mapping's or known by its name. */
export interface FlagValues<Says extends string> {
  /** How values are read that aren't listed; absent where these are unclear. */
  readonly flag?: FlagKind | undefined;
  /** What a yes stands for. */
  readonly exclusion: Exclusion;
  /** Single values, in lower case; nothing for one that lets in. */
  readonly values?: ReadonlyMap<string, readonly Says[]>;
  /** Those of them that `--map` names. */
  readonly named?: ReadonlySet<string>;
  /** What is said of all others that aren't empty, however the flag is read; `asked` lets in all but the words that keep out everywhere. */
  readonly rest?: readonly Says[] | "asked" | undefined;
}

/** A name that says who is kept out. */
export interface KeepsOut extends FlagValues<Exclusion> {
  readonly kind: "exclusion";
  readonly flag: FlagKind;
  /** Flags about one thing. */
  readonly group: string;
}

/**
 * What a name that isn't understood may be. `weak` is a flag by a word like `enabled`, which is said
 * of many things. `companion` is about a flag, and matters only where no other column is one;
 * `state` only with a word that keeps out.
 */
export type Unclear = "flag" | "weak" | "verification" | "companion" | "state";

type Role = WordRole["role"] | "unknown";

/** @returns null for a name without such a word, and where it is of something else */
export function readFlagName(name: string): FlagName | null {
  return readWords(wordsOf(name));
}

function readWords(named: readonly string[]): FlagName | null {
  const words = named.map(roleOf);
  const roles = new Set<Role>(words.map((word) => word?.role ?? "unknown"));
  if (named.some((word) => PROGRAM.test(word)) && (roles.has("other") || roles.has("companion"))) {
    return unclear("flag");
  }
  if (roles.has("entry") && named.some((word) => PASSWORD.test(word))) return readOfPassword(named);
  const flags = words.filter((word) => word?.role === "flag");
  const [verified] = words.filter((word) => word?.role === "verified");
  const isSaid = flags.length > 0 || verified !== undefined || roles.has("state");
  const ofContact = roles.has("email") || roles.has("phone");
  if (roles.has("other") || (roles.has("part") && !ofContact)) return null;
  if (roles.has("may") || roles.has("maynot")) return readPermission(flags, roles);
  if (!isSaid) return roles.has("sort") ? readSort(roles) : readPlain(named, roles);
  if (roles.has("sort")) roles.add("companion");
  if (verified !== undefined) return readVerification(verified, flags, roles);
  const [first] = flags;
  return first === undefined
    ? readState(roles, named.includes("status") && named.some((word) => /^(?:id|code)$/.test(word)))
    : readFlag(first, flags, roles);
}

/** An account of a program, of which a column may have the id or a link alone. */
const PROGRAM = /^(?:service|system|machine|robot)(?:account|user)$/;
const PASSWORD = /^(?:password|passwd|pwd|pass)$/;
const END = /^(?:ends?|until|till?|bis|hasta|expir)/;

/** Whether the sign-in by password is kept from a user who may have another: `password_login_disabled`. */
function readOfPassword(named: readonly string[]): FlagName | null {
  const inner = readFlagName(named.filter((word) => !PASSWORD.test(word)).join(" "));
  return inner?.kind === "exclusion" ? { kind: "unclear", about: "flag", inner } : null;
}

/** Without a word of a flag: up to when an account is, `user_end_date`, and what its access is, `access_level`. */
function readPlain(named: readonly string[], roles: ReadonlySet<Role>): FlagName | null {
  const isOwn = isPlain(roles) && !roles.has("person") && contactOf(roles) === "any";
  if (!isOwn || roles.has("not")) return null;
  if (roles.has("entry")) return roles.has("time") || roles.has("until") ? null : unclear("state");
  if (!named.some((word) => END.test(word)) || roles.has("companion")) return null;
  const inner = { kind: "exclusion", flag: "expiry", exclusion: "disabled", group: "end" } as const;
  return { kind: "unclear", about: "flag", inner };
}

/** `can_login` lets in; what an account may do to others says nothing of itself. */
function readPermission(flags: readonly FlagWord[], roles: ReadonlySet<Role>): FlagName | null {
  if (!roles.has("entry")) return null;
  const letsIn = roles.has("may") && !roles.has("not");
  const isStrange = flags.length > 0 || !isPlain(roles) || roles.has("state");
  if (isStrange || roles.has("companion")) return unclear("flag");
  return { kind: "exclusion", flag: kindOf(roles, letsIn), exclusion: "disabled", group: "may" };
}

/** `type`, `user_kind`: most are of something else, and say so by other words than those for a program. */
function readSort(roles: ReadonlySet<Role>): FlagName | null {
  return !roles.has("feature") && contactOf(roles) === "any" ? unclear("state") : null;
}

/** Nothing but the account and its people. */
function isPlain(roles: ReadonlySet<Role>): boolean {
  return !roles.has("unknown") && !roles.has("feature");
}

function readState(roles: ReadonlySet<Role>, isCode: boolean): FlagName {
  const of = contactOf(roles);
  const isOwn = isPlain(roles) && !roles.has("person");
  if (of !== "any" && isOwn) return { kind: "verified", of, flag: "yes" };
  // Its values are numbers or letters, which no word explains.
  if (isOwn && isCode) return unclear("flag");
  const isSure = isOwn && !roles.has("companion") && !roles.has("time");
  return isSure
    ? { kind: "exclusion", flag: "word", exclusion: "disabled", group: "state" }
    : unclear("state");
}

function readVerification(
  { noun, negated }: Extract<WordRole, { role: "verified" }>,
  flags: readonly FlagWord[],
  roles: ReadonlySet<Role>,
): FlagName | null {
  const isStrange = flags.length > 0 || !isPlain(roles);
  if (!isStrange && roles.has("companion")) return null;
  const both = roles.has("email") && roles.has("phone");
  const isTime = roles.has("time");
  const isNegated = negated !== roles.has("not");
  // A noun alone may be a token, or the way in which it is done.
  const isBare = noun && !isTime && !roles.has("state") && contactOf(roles) === "any";
  if (isStrange || both || isBare || roles.has("until") || (isNegated && isTime)) {
    return unclear("verification");
  }
  const flag = isTime ? "time" : isNegated ? "no" : "yes";
  return { kind: "verified", of: contactOf(roles), flag };
}

function readFlag(
  first: FlagWord,
  flags: readonly FlagWord[],
  roles: ReadonlySet<Role>,
): FlagName | null {
  const { exclusion, group } = first;
  const isWeak = flags.every((flag) => flag.flag === "no");
  if (roles.has("feature") && isWeak) return null;
  const isStrange = !isPlain(roles) || contactOf(roles) !== "any";
  const isOne = flags.every((flag) => flag.flag === first.flag);
  if (isStrange && exclusion === "service_account") {
    return { ...unclear("flag"), inner: { kind: "exclusion", flag: "yes", exclusion, group } };
  }
  if (isStrange || !isOne) return unclear(isWeak ? "weak" : "flag");
  // The name of an approver says that the account was approved.
  if (roles.has("companion")) return isWeak ? null : unclear("companion");
  const isTime = roles.has("time") || roles.has("until");
  if (group === LIFTED && isTime) return null;
  const isNegated = roles.has("not");
  const isBare = first.noun && !isTime && !roles.has("state");
  if (isBare || (isNegated && isTime)) return unclear("flag");
  const letsIn = (first.flag === "no") !== isNegated;
  return { kind: "exclusion", flag: kindOf(roles, letsIn), exclusion, group };
}

function kindOf(roles: ReadonlySet<Role>, letsIn: boolean): FlagKind {
  if (roles.has("until")) return letsIn ? "expiry" : "until";
  if (roles.has("time")) return letsIn ? "since" : "time";
  return letsIn ? "no" : "yes";
}

function contactOf(roles: ReadonlySet<Role>): Verifies {
  if (roles.has("email")) return "email";
  return roles.has("phone") ? "phone" : "any";
}

function unclear(about: Unclear): UnclearName {
  return { kind: "unclear", about };
}
