/** Reads names of flags by their words: `is_banned`, `accountNonLocked`, `date_deleted`, `email_status`. A name with such a word that isn't understood as a whole is unclear; the run stops where it is filled. */

import type { Exclusion } from "../../account/user-record.js";
import { type FlagWord, LIFTED, type WordRole } from "./flag-words.js";
import { roleOf, wordsOf } from "./name-words.js";

/**
 * How a column's values are to be read:
 * - `yes`, `no`: a flag that keeps an account out, or lets it in, where it is true;
 * - `time`, `since`: a point in time that keeps an account out, or lets it in, where it is filled;
 * - `until`, `expiry`: a point in time up to which an account is kept out, or let in;
 * - `from`: a point in time from which on it is let in;
 * - `word`: a state in a word;
 * - `bits`: Active Directory's `userAccountControl`.
 */
export type FlagKind =
  | "yes"
  | "no"
  | "time"
  | "since"
  | "until"
  | "expiry"
  | "from"
  | "word"
  | "bits";

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
  /** Of a companion: what the flag is about. */
  readonly group?: string;
}

/** What the values of a flag say, be it a mapping's or known by its name. */
export interface FlagValues<Says extends string> {
  /** How values are read that aren't listed, absent where these are unclear; and what a yes stands for. */
  readonly flag?: FlagKind | undefined;
  readonly exclusion: Exclusion;
  /** Single values, in lower case; nothing for one that lets in. */
  readonly values?: ReadonlyMap<string, readonly Says[]>;
  /** Those that `--map` names. */
  readonly named?: ReadonlySet<string>;
  /** What a mapping says of other numbers, which say nothing alone. */
  readonly numbers?: readonly Says[] | undefined;
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
 * `state` only with a word that keeps out, and `code` with a number as well.
 */
export type Unclear = "flag" | "weak" | "verification" | "companion" | "state" | "code";

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
  if (named.some((word) => PASSWORD.test(word))) {
    const inner = readFlagName(named.filter((word) => !PASSWORD.test(word)).join(" "));
    const isOut = inner?.kind === "exclusion";
    const isOfAccount = roles.has("entry") || named.includes("account");
    if (isOut && (isOfAccount || OF_PASSWORD.test(inner.group))) return outIf(inner);
    if (isOfAccount) return inner?.kind === "unclear" ? inner : null;
  }
  const flags = words.filter((word) => word?.role === "flag");
  const [verified] = words.filter((word) => word?.role === "verified");
  const isSaid = flags.length > 0 || verified !== undefined || roles.has("state");
  const ofContact = roles.has("email") || roles.has("phone");
  if (roles.has("other") && isOfOne(named)) {
    return outIf({ flag: "yes", exclusion: "disabled", group: "one" });
  }
  if (roles.has("other") || (roles.has("part") && !ofContact)) return null;
  if (roles.has("may") || roles.has("maynot")) return readPermission(flags, roles);
  const turn = roles.has("from") || roles.has("lifts") ? readTurn(roles) : null;
  if (turn !== null) return turn;
  if (!isSaid) return roles.has("sort") ? readSort(roles) : readPlain(named, roles);
  if (roles.has("sort")) roles.add("companion");
  if (verified !== undefined) return readVerification(verified, flags, roles);
  if (flags.length > 0 && isOfSetting(named, roles)) return null;
  const [first] = flags;
  return first === undefined ? readState(roles, named) : readFlag(first, flags, roles);
}

/** An account of a program, of which a column may have the id or a link alone. */
const PROGRAM = /^(?:service|system|machine|robot)(?:account|user)$/;
const PASSWORD = /^(?:password|passwd|pwd|pass|credentials?)$/;
/** What is said of a password as of its account: `password_locked`, Microsoft 365's `BlockCredential`. */
const OF_PASSWORD = /^(?:lock|block|disable|suspend|freeze)$/;

/** When an account is let in from then on: `account_valid_from`, `unlock_time`. */
function readTurn(roles: ReadonlySet<Role>): FlagName | null {
  const others = [...roles].filter((role) => !TURNING.has(role));
  const isLifted = roles.has("lifts");
  if (others.length > 0 || (isLifted && !roles.has("time"))) return null;
  return outIf({ flag: isLifted ? "until" : "from", exclusion: "disabled", group: "turn" });
}

const TURNING = new Set<Role>(["from", "lifts", "time", "account", "entry", "verified"]);

const SWITCH = /^(?:en|dis)able$/;
const ACCOUNT = /^(?:account|acct|user|usr|acc)$/;

/** What is switched on or off for a user: `enable_sounds`, `disable_mail`. */
function isOfSetting(named: readonly string[], roles: ReadonlySet<Role>): boolean {
  const isOfOther = roles.has("unknown") || contactOf(roles) !== "any";
  if (!SWITCH.test(named[0] ?? "") || !isOfOther || roles.has("entry")) return false;
  return !named.some((word) => ACCOUNT.test(word));
}

/** `is_deleted_ldap`. */
function isOfOne([first = "", second = ""]: readonly string[]): boolean {
  const role = roleOf(second);
  return /^(?:is|was)$/.test(first) && role?.role === "flag" && role.flag === "yes";
}

/** Asks only where it keeps out. */
function outIf(inner: Omit<KeepsOut, "kind">): UnclearName {
  return { kind: "unclear", about: "flag", inner: { kind: "exclusion", ...inner } };
}

/** Without a word of a flag: up to when an account is, `user_end_date`, and what its access is, `access_level`. */
function readPlain(named: readonly string[], roles: ReadonlySet<Role>): FlagName | null {
  const isStrange = roles.has("unknown") ? !isOfLetters(named, roles) : roles.has("feature");
  if (named.includes("only") && named.some((word) => WAY_IN.test(word))) {
    return outIf({ flag: "yes", exclusion: "disabled", group: "only" });
  }
  const isOthers = roles.has("person") && !roles.has("until");
  if (isStrange || isOthers || contactOf(roles) !== "any") return null;
  if (roles.has("not") || roles.has("lifts") || roles.has("from")) return null;
  const isEnd = roles.has("until") && !roles.has("companion");
  const isOut = roles.has("waiting") && ![...roles].some((role) => ABOUT.has(role));
  if (isOut) return outIf({ flag: "yes", exclusion: "disabled", group: "waiting" });
  if (roles.has("waiting")) return null;
  if (roles.has("entry") && named.some((word) => YES_NO.test(word))) {
    return outIf({ flag: "no", exclusion: "disabled", group: "may" });
  }
  if (roles.has("entry") && !isEnd) return roles.has("time") ? null : unclear("state");
  return isEnd ? outIf({ flag: "expiry", exclusion: "disabled", group: "end" }) : null;
}

/** `ds-pwp-account-expiration-time`. */
function isOfLetters(named: readonly string[], roles: ReadonlySet<Role>): boolean {
  return isKnownBut(3, named) && (roles.has("person") || named.some((word) => ACCOUNT.test(word)));
}

const YES_NO = /^(?:flag|flg|ind|indicator|yn|bool)$/;
/** `external_auth_only`, `web_service_access_only`: there is no way in by a password. */
const WAY_IN = /^(?:auth|authentication|login|logon|access|sso|ldap|portal|api)$/;

const ABOUT: ReadonlySet<Role> = new Set(["time", "until", "companion", "entry"]);

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
  return ![...roles].some((role) => STRANGE.has(role));
}

const STRANGE = new Set<Role>(["unknown", "feature", "from", "lifts", "waiting"]);

/** Whether words are known, but for so many of a system's own letters: `M_STATUS`, `erAccountStatus`. */
function isKnownBut(letters: number, named: readonly string[]): boolean {
  return named.every((word) => roleOf(word) !== null || word.length <= letters);
}

function readState(roles: ReadonlySet<Role>, named: readonly string[]): FlagName {
  const of = contactOf(roles);
  const isCode = named.some((word) => /^(?:id|code)$/.test(word));
  const isOwn = isPlain(roles) && !roles.has("person");
  if (of !== "any" && isOwn) return { kind: "verified", of, flag: "yes" };
  // Its values are numbers or letters, which no word explains.
  if (isOwn && isCode) return unclear("flag");
  const isSure = isOwn && !roles.has("companion") && !roles.has("time");
  return isSure
    ? { kind: "exclusion", flag: "word", exclusion: "disabled", group: "state" }
    : unclear(isOfNumbers(named, roles) ? "code" : "state");
}

/** Whether a state is the account's or a person's own, whose numbers no word explains. */
function isOfNumbers(named: readonly string[], roles: ReadonlySet<Role>): boolean {
  if (roles.has("feature") || roles.has("time") || contactOf(roles) !== "any") return false;
  return (
    isKnownBut(2, named) &&
    (!roles.has("companion") || named.some((word) => /^(?:id|code)$/.test(word)))
  );
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
  if (roles.has("feature") && isWeak && !roles.has("entry")) return null;
  const isStrange = !isPlain(roles) || contactOf(roles) !== "any";
  const isOne = flags.every((flag) => flag.flag === first.flag);
  if (isStrange && exclusion === "service_account") {
    return { ...unclear("flag"), inner: { kind: "exclusion", flag: "yes", exclusion, group } };
  }
  const isUnsure = isStrange || flags.some((flag) => flag.isUnsure === true);
  const isOut = isOne && !isWeak && !roles.has("not");
  if (isOut && isUnsure) return outIf({ flag: kindOf(roles, false), exclusion, group });
  if (isStrange || !isOne) return unclear(isWeak ? "weak" : "flag");
  // The name of an approver says that the account was approved.
  if (roles.has("companion")) return isWeak ? null : { ...unclear("companion"), group };
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
  return roles.has("email") ? "email" : roles.has("phone") ? "phone" : "any";
}

const unclear = (about: Unclear): UnclearName => ({ kind: "unclear", about });
