/** The fields that `--map field=name` takes, for tables and documents alike. */

import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import { showName, shownName } from "../show-name.js";
import type { Exclusion } from "../../account/user-record.js";
import { FACTOR, type Meaning, PROFILE, ROLES } from "./field-names.js";
import type { KeepsOut } from "./flag-names.js";

/**
 * `users` is the array of a JSON document that holds them; `ignore` is what isn't to be read, whatever
 * its name says; the others are a user's. A second factor decides about the user where it isn't
 * carried, too.
 */
const MAP_FIELDS = [
  "id",
  "email",
  "phone",
  "hash",
  "salt",
  "email_verified",
  "phone_verified",
  "active",
  "disabled",
  "totp",
  "roles",
  "users",
  "ignore",
] as const;

/** Fields that several columns may say something of. Of fields that a known system's table doesn't name, `--map` says these; what it names, no `--map` changes. */
const SEVERAL: ReadonlySet<string> = new Set([
  "active",
  "disabled",
  "email_verified",
  "phone_verified",
  "ignore",
]);

export type MapField = (typeof MAP_FIELDS)[number];

/** Fields of which a column may say yes by one of its values: `disabled=role=banned`. */
const FLAGS: ReadonlySet<string> = new Set([...SEVERAL].filter((field) => field !== "ignore"));

/** Parts of the account. `metadata.NAME` and `social.PROVIDER` say which; the others are fields of their own. */
export const MAPPED_PART = /^(?:(joined|roles|totp)|(metadata|social)\.(.+))$/s;

/** Parts that decide about the user, too: a factor, and a role of users who are kept out. */
const DECIDING_PARTS: ReadonlySet<string> = new Set(["totp", "roles"]);

/** The columns that `--map` names as parts of the account. */
export function accountColumns(map: GivenMap): string[] {
  return [...map].flatMap(([field, given]) => (MAPPED_PART.test(field) ? given : []));
}

/** A name that `--map` gives. */
interface MappedName {
  readonly name: string;
  /** Values that say yes, in lower case; absent where the whole column is the field. */
  readonly only?: readonly string[];
}

/** `--map`'s names by field; of most fields there is one. */
export type FieldMap = ReadonlyMap<MapField, readonly MappedName[]>;

/** {@link FieldMap} as the operator gives it. */
export type GivenMap = ReadonlyMap<string, string | readonly string[]>;

/**
 * `--map`'s names by field. Of a field that one column alone can be, the last one counts.
 *
 * @throws RunError `input_unrecognized` for an unknown field
 */
export function mappedFields(map: GivenMap): FieldMap {
  const fields = new Map<MapField, readonly MappedName[]>();
  for (const [name, given] of map) {
    if (MAPPED_PART.test(name) && !DECIDING_PARTS.has(name)) continue;
    const field = MAP_FIELDS.find((known) => known === name);
    if (field === undefined) {
      const message = `${optionName("--map")} has no field ${showName(name)}`;
      throw new RunError("input_unrecognized", message, {
        hint: `The fields are ${MAP_FIELDS.join(", ")}, joined, metadata.NAME and social.PROVIDER.`,
      });
    }
    const names = typeof given === "string" ? [given] : given;
    const counted = SEVERAL.has(field) || field === "roles" ? names : names.slice(-1);
    fields.set(field, FLAGS.has(field) ? withValues(names) : counted.map((name) => ({ name })));
  }
  return fields;
}

/**
 * Refuses a field of `--map` that a known system's file wouldn't hear: the operator would believe
 * that users are kept out by it.
 *
 * @param path of the file
 * @param system its source's name
 * @param hears whether fields that the system's table doesn't name are heard
 * @throws RunError `usage`
 */
export function refuseUnheard(path: string, system: string, map: GivenMap, hears: boolean): void {
  const unheard = [...map.keys()].find((field) => !hears || !SEVERAL.has(field));
  if (unheard === undefined) return;
  const others = hears
    ? `Of fields beside those that ${system} knows it says ${[...SEVERAL].join(", ")}. `
    : "";
  const message = `${optionName("--map")} ${shownName(unheard)}= changes nothing in ${path}: what ${system} says of its fields wins.`;
  throw new RunError("usage", message, {
    hint: `${others}Leave it out; or change the mapping (${optionName("--mapping", "FILE")}, a copy where it is built in); or read the file as of no known system, with ${optionName("--from")} csv or ${optionName("--from")} json.`,
  });
}

/** Signs of an expression, in which an `=` may stand as well. */
const BRACKETS = /[[\]|('"`]/;
const LAST_VALUE = /(?<![=!<>])=(?!=)[^\]'"`)=]*$/;

/** `NAME=VALUE` taken apart: each name once as a whole, and once with its values. */
function withValues(given: readonly string[]): readonly MappedName[] {
  const names = new Map<string, string[]>();
  const whole = new Set<string>();
  for (const text of given) {
    const at = BRACKETS.test(text) ? text.search(LAST_VALUE) : text.indexOf("=", 1);
    const name = at === -1 ? text : text.slice(0, at).trim();
    const value = at === -1 ? [] : [text.slice(at + 1)];
    const only = value.map((one) => one.trim().toLowerCase());
    names.set(name, [...(names.get(name) ?? []), ...only]);
    if (at === -1) whole.add(name);
  }
  return [
    ...Array.from(whole, (name) => ({ name })),
    ...Array.from(names, ([name, only]) => ({ name, only })).filter(({ only }) => only.length > 0),
  ];
}

/** What `--map` says of one column. */
export interface Said {
  readonly field: MapField;
  /** As in {@link MappedName}. */
  readonly only?: readonly string[] | undefined;
}

/** @throws RunError `usage` for a column of which a yes is said to keep out and to let in */
export function refuseContrary(mapped: ReadonlyMap<string, readonly Said[]>): void {
  for (const [name, said] of mapped) {
    const whole = said.flatMap(({ field, only }) => (only === undefined ? field : []));
    if (!whole.includes("active") || !whole.includes("disabled")) continue;
    const message = `${optionName("--map")} says of ${showName(name)} both that a yes lets a user in (active) and that it keeps them out (disabled).`;
    throw new RunError("usage", message, {
      hint: `Leave one of the two out. Where its values say it, name each: ${optionName("--map")} active=NAME=VALUE, ${optionName("--map")} disabled=NAME=VALUE.`,
    });
  }
}

/**
 * What a column means that `--map` names, by all that it says of it. A field without a value says
 * what the whole column is, and its name only how a point in time is read. A field with a value adds
 * what that value means: all others are read as before.
 *
 * @param known what its name means
 */
export function mappedMeanings(said: readonly Said[], known: Meaning): readonly Meaning[] {
  const whole = said.filter(({ only }) => only === undefined);
  const before = whole.length === 0 ? [known] : whole.map(({ field }) => flagFor(field, known));
  const standing = withStanding(before, said, known);
  const meanings = withVerified(withVerified(standing, said, "email"), said, "phone");
  const heard = meanings.filter((one) => one !== PROFILE && one.kind !== "unclear");
  return heard.length > 0 ? heard : [PROFILE];
}

/** With the values that keep out or let in. One that is said to do both keeps out. */
function withStanding(
  before: readonly Meaning[],
  said: readonly Said[],
  known: Meaning,
): readonly Meaning[] {
  const values = (of: MapField) =>
    said.flatMap(({ field, only }) => (field === of ? (only ?? []) : []));
  const [active, disabled] = [values("active"), values("disabled")];
  const named = new Set([...active, ...disabled]);
  // A column that may be a flag still asks of its words that keep out.
  if (named.size === 0 && !before.some(({ kind }) => kind === "unclear")) return before;
  const listed = (as: Exclusion, before: KeepsOut["values"] = new Map()) =>
    new Map<string, readonly Exclusion[]>([
      ...before,
      ...active.map((value) => [value, []] as const),
      ...disabled.map((value) => [value, [as]] as const),
    ]);
  if (before.some(({ kind }) => kind === "exclusion")) {
    return before.map((one) =>
      one.kind === "exclusion" ? { ...one, named, values: listed(one.exclusion, one.values) } : one,
    );
  }
  const exclusion = "disabled";
  const others = active.length > 0 ? ([exclusion] as const) : [];
  const rest = others.length === 0 && known.kind === "unclear" ? "asked" : others;
  const all = new Map([["", others], ...listed(exclusion)]);
  const flag = { kind: "exclusion", flag: "yes", exclusion, group: "mapped" } as const;
  return [{ ...flag, named, values: all, rest }, ...before];
}

/** With the values that say that one contact is verified. */
function withVerified(
  before: readonly Meaning[],
  said: readonly Said[],
  of: "email" | "phone",
): readonly Meaning[] {
  const only = said.flatMap((one) => (one.field === `${of}_verified` ? (one.only ?? []) : []));
  if (only.length === 0) return before;
  const isOf = (one: Meaning) => one.kind === "verified" && (one.of === of || one.of === "any");
  return before.some(isOf)
    ? before.map((one) => (isOf(one) ? { ...one, of, only, isKnown: true } : one))
    : [{ kind: "verified", of, flag: "yes", only }, ...before];
}

/**
 * What `--map` says about a contact's verification wins over every name that says it by itself.
 *
 * @param mapped the fields that `--map` gives
 */
export function unlessMapped(
  known: Meaning,
  mapped: { readonly has: (field: MapField) => boolean },
): Meaning {
  if (known.kind !== "verified") return known;
  const of = known.of === "any" ? (["email", "phone"] as const) : [known.of];
  return of.some((one) => mapped.has(`${one}_verified`)) ? PROFILE : known;
}

function flagFor(field: MapField, known: Meaning): Meaning {
  const heard = known.kind === "unclear" ? known.inner : known;
  const before = heard?.kind === "exclusion" || heard?.kind === "verified" ? heard.flag : null;
  switch (field) {
    case "ignore":
      return PROFILE;
    case "totp":
      return FACTOR;
    case "roles":
      return ROLES;
    case "active": {
      const flag = before === "since" || before === "expiry" ? before : "no";
      return { kind: "exclusion", flag, exclusion: "disabled", group: "mapped" };
    }
    case "disabled": {
      const flag = before === "until" || before === "bits" ? before : "yes";
      const exclusion = known.kind === "exclusion" ? known.exclusion : "disabled";
      const group = known.kind === "exclusion" ? known.group : "mapped";
      return { kind: "exclusion", flag, exclusion, group };
    }
    case "email_verified":
    case "phone_verified": {
      const of = field === "email_verified" ? "email" : "phone";
      const flag = known.kind === "verified" ? known.flag : before === "time" ? "time" : "yes";
      return { kind: "verified", of, flag };
    }
    default:
      return known.kind === "text" ? known : PROFILE;
  }
}
