/** The properties of JSON users as a tree, each looked up once: what it means by its name or by `--map`, and whether an object there is looked into. Users differ in what they have, so the tree grows as they come, within bounds. */

import { parseFlag } from "../../account/parse-flag.js";
import { showName } from "../show-name.js";
import {
  type FieldMap,
  type MapField,
  mappedMeanings,
  refuseContrary,
  type Said,
  unlessMapped,
} from "./field-map.js";
import {
  FIELDS,
  isContact,
  type Meaning,
  meaningOf,
  namesPassword,
  PROFILE,
  plainName,
  type TextField,
  withTime,
} from "./field-names.js";
import { inPlace } from "./in-place.js";
import { textOf } from "../json/json-value.js";
import { type DateOrder, isPointInTime, orderOf } from "../point-in-time.js";
import { setOf } from "../word-lists.js";

const CONTAINERS = setOf(FIELDS.containers);

/** Some documents have ids for names; beyond this many, names that no mapping reads are looked up each time. */
const MAX_CHILDREN = 1000;

/** What is known of a file's properties before they are met. */
interface Naming {
  /** `--map`'s paths, and what each was said to be. */
  readonly mapped: ReadonlyMap<string, readonly Said[]>;
  /** Fields that `--map` gives: no name stands for them by itself. */
  readonly claimed: ReadonlySet<MapField>;
  /** As {@link timesAmong} gives them. */
  readonly times: ReadonlySet<string>;
  /** What a name of the user's own means beside the others. */
  readonly inPlace: (name: string) => Meaning;
  /** How often more became known of what a mapping of the file says. */
  changes: number;
}

/** What users hold in a property, as bits. */
export const HELD = { text: 1, list: 2, object: 4 } as const;

/** One property, wherever users have it. */
export interface JsonProperty {
  /** With dots between nested names, as `--map` takes it. Empty for the user itself. */
  readonly path: string;
  /** The path as people may see it. */
  readonly shown: string;
  /** One, or more where `--map` says so. */
  readonly meanings: readonly Meaning[];
  /** True where properties of an object here are the user's own. */
  readonly descends: boolean;
  /** True where a path of `--map` leads through here. */
  readonly leads: boolean;
  /** The operator has said what it is. */
  readonly isMapped: boolean;
  /** A mapping reads it, and doesn't leave it behind. */
  readonly isNamed: boolean;
  /** Users who have something here. */
  filled: number;
  /** How dates are written here, as far as the first values show it. */
  readonly dates: Set<DateOrder>;
  /** Of {@link HELD}, as far as it was seen. */
  held: number;
  /** How many names lead to it. */
  readonly depth: number;
  readonly naming: Naming;
  /** Those that were met. */
  readonly children: Map<string, JsonProperty>;
}

/** A property of other meanings. */
export function meant(property: JsonProperty, meanings: readonly Meaning[]): JsonProperty {
  return { ...property, meanings, isNamed: meanings.some(isNamed) };
}

function isNamed({ kind }: Meaning): boolean {
  return !LEFT.has(kind);
}

const LEFT: ReadonlySet<Meaning["kind"]> = new Set(["notice", "unclear", "credentials"]);

/** Values whose dates are looked at. */
const MAX_DATES = 1000;

/** Notes a user's text there, and how it is written where it is a date. */
export function noteText(property: JsonProperty, text: string): void {
  noteHeld(property, HELD.text, text === "");
  if (text === "") return;
  property.filled += 1;
  const order = property.filled > MAX_DATES ? null : orderOf(text);
  if (order !== null) property.dates.add(order);
}

/** Notes a user's object or list there. */
export function noteObject(property: JsonProperty, value: unknown): void {
  noteHeld(property, Array.isArray(value) ? HELD.list : HELD.object);
}

/** Notes what a user holds there. An empty text says something of flags alone. */
export function noteHeld(property: JsonProperty, held: number, isEmpty = false): void {
  const isFlag = property.meanings.some(({ kind }) => kind === "exclusion" || kind === "verified");
  if ((property.held & held) !== 0 || (isEmpty && !isFlag)) return;
  property.held |= held;
  if (property.isNamed) property.naming.changes += 1;
}

function newProperty(
  path: string,
  meanings: readonly Meaning[],
  depth: number,
  naming: Naming,
): JsonProperty {
  const isMapped = naming.mapped.has(path);
  return {
    path,
    shown: showName(path),
    meanings,
    descends:
      mayLead(path, depth) &&
      !isMapped &&
      (CONTAINERS.has(plainName(path)) || meanings.every(mayDescend)),
    leads: [...naming.mapped.keys()].some((mapped) => mapped.startsWith(`${path}.`)),
    isMapped,
    isNamed: meanings.some(isNamed),
    filled: 0,
    dates: new Set(),
    held: 0,
    depth,
    naming,
    children: new Map(),
  };
}

/** The property of that name below another. */
export function propertyIn(parent: JsonProperty, name: string): JsonProperty {
  const known = parent.children.get(name);
  if (known !== undefined) return known;
  const { depth, naming, children } = parent;
  const path = depth === 0 ? name : `${parent.path}.${name}`;
  const auto = depth === 0 ? naming.inPlace(name) : nestedMeaning(parent.path, name);
  const given = naming.mapped.get(path);
  const unsaid = unclaimed(auto, naming.claimed);
  const said = given === undefined ? [unsaid] : mapped(given, auto, unsaid);
  const meanings = said.map((meaning) => withTime(meaning, naming.times.has(path)));
  const made = newProperty(path, meanings, depth + 1, naming);
  if (children.size < MAX_CHILDREN || made.isNamed) children.set(name, made);
  return made;
}

/**
 * The paths of what holds points in time: flags, which say "not yet" where they are empty, and
 * names of passwords under which every value is a date or a yes or no (`Passwort` of a day on which
 * it was set, `password` of whether there is one).
 *
 * @param known what the whole export has shown, of which these are the rejects; null for an export
 */
export function timesAmong(
  values: Iterable<readonly [property: JsonProperty, value: unknown]>,
  known: readonly string[] | null,
): Set<string> {
  const times = new Set(known);
  const passwords = new Map<string, boolean>();
  for (const [{ path, meanings }, value] of values) {
    const isVerified = meanings.some(({ kind }) => kind === "verified");
    const named = meanings.find(namesPassword);
    if (!isVerified && named === undefined) continue;
    const text = textOf(value)?.trim() ?? null;
    if (text === "" || value === null || value === undefined) continue;
    const isTime = text !== null && isPointInTime(text);
    if (isTime && isVerified) times.add(path);
    if (named === undefined) continue;
    // Digits may be a password, and so may a birthday in a column that is known for such.
    const isDate =
      isTime && !/^\d{9}/.test(text) && !(named.kind === "text" && named.field === "plain");
    const isNone = text !== null && (isDate || parseFlag(text) !== null);
    passwords.set(path, isNone && passwords.get(path) !== false);
  }
  // Rejects may be just those whose hash is such a text.
  for (const [path, isNone] of passwords) if (isNone && known === null) times.add(path);
  return times;
}

/** All properties met under one, except those that hold others. */
export function* metUnder({ children }: JsonProperty): Generator<JsonProperty> {
  for (const child of children.values()) {
    if (child.children.size === 0) yield child;
    else yield* metUnder(child);
  }
}

/**
 * The tree for one file.
 *
 * @param map `--map`'s paths by field
 * @param times as {@link timesAmong} gives them
 * @param names of the users' own properties, as far as they are known
 * @throws RunError `usage` for a property of which a yes is said to keep out and to let in
 */
export function userProperties(
  map: FieldMap,
  times: ReadonlySet<string>,
  names: readonly string[] = [],
): JsonProperty {
  const mapped = new Map<string, Said[]>();
  for (const [field, paths] of map) {
    if (field === "users") continue;
    for (const { name, only } of paths) {
      mapped.set(name, [...(mapped.get(name) ?? []), { field, only }]);
    }
  }
  refuseContrary(mapped);
  const claimed = new Set(map.keys());
  const naming = { mapped, claimed, times, inPlace: inPlace(names), changes: 0 };
  return newProperty("", [PROFILE], 0, naming);
}

/** `profile.email` is the user's, and so is `human.email.verified`. */
function mayLead(path: string, depth: number): boolean {
  if (depth === 1) return true;
  const [parent = "", name = ""] = path.split(".");
  return depth === 2 && CONTAINERS.has(plainName(parent)) && isContact(meaningOf(name));
}

function mayDescend(meaning: Meaning): boolean {
  return meaning === PROFILE || meaning.kind === "verified" || isContact(meaning);
}

/** `email.address` is the email's; `profile.email` the user's; `manager.email` another user's. */
function nestedMeaning(parent: string, name: string): Meaning {
  // An element's place in a list says nothing.
  const around = parent.split(".").filter((step) => !/^\d+$/.test(step));
  while (CONTAINERS.has(plainName(around[0] ?? ""))) around.shift();
  const alone = meaningOf(name);
  if (around.length === 0) {
    return alone.kind === "text" && alone.field === "id" ? PROFILE : alone;
  }
  const joined = meaningOf([...around, name].join("."));
  // A flag or a state that stands in an object is most often the object's.
  const isOfParent = joined.kind === "unclear" && ["weak", "state", "code"].includes(joined.about);
  if (isOfParent) return PROFILE;
  // `security.mfa_enabled` is the user's as well.
  if (joined === PROFILE && alone.kind === "notice" && alone.code === "mfa_not_migrated") {
    return alone;
  }
  const of = meaningOf(around.at(-1) ?? "");
  const isSame = of.kind === "text" && alone.kind === "text" && of.field === alone.field;
  return joined === PROFILE && isSame && isContact(alone) ? alone : joined;
}

function unclaimed(meaning: Meaning, claimed: Naming["claimed"]): Meaning {
  if (meaning.kind === "text") {
    return meaning.field !== "plain" && claimed.has(meaning.field) ? PROFILE : meaning;
  }
  if (meaning.kind === "list") return claimed.has(meaning.of) ? PROFILE : meaning;
  return unlessMapped(meaning, claimed);
}

const OWN: ReadonlySet<TextField> = new Set(["id", "email", "phone", "hash"]);

/** @param known what the name means, if no other property is said to be that */
function mapped(given: readonly Said[], auto: Meaning, known: Meaning): readonly Meaning[] {
  const said = given.flatMap(({ field }): readonly Meaning[] => {
    switch (field) {
      case "id":
      case "email":
      case "phone":
      case "hash":
      case "salt":
        return [{ kind: "text", field, rank: -1 }];
      default:
        return [];
    }
  });
  // Who the user is, and where, stays so when it is something else as well.
  const isOwn = known.kind === "text" && OWN.has(known.field) && said.length > 0;
  const texts = isOwn ? [...said, known] : said;
  const flags = given.filter(
    ({ field }) => !texts.some((text) => text.kind === "text" && text.field === field),
  );
  if (flags.length === 0) return texts;
  const own = auto.kind === "text" ? known : auto;
  return [...texts, ...mappedMeanings(flags, texts.length > 0 ? PROFILE : own)];
}
