/** The properties of JSON users as a tree, each looked up once: what it means by its name or by `--map`, and whether an object there is looked into. Users differ in what they have, so the tree grows as they come, within bounds. */

import type { MapField } from "./field-map.js";
import { isContact, type Meaning, meaningOf, PROFILE, plainName } from "./field-names.js";

/** Objects that hold parts of the user and nothing of anybody else's. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...["profile", "user", "account", "attributes", "contact", "contactinfo", "auth"],
  ...["authentication", "fields", "traits", "local", "personal", "personalinfo", "userinfo"],
]);

/** Some documents have ids for names; beyond this many names they are looked up each time. */
const MAX_CHILDREN = 1000;

/** What is known of a file's properties before they are met. */
interface Naming {
  /** `--map`'s paths, and what each was said to be. */
  readonly mapped: ReadonlyMap<string, readonly Meaning[]>;
  /** Fields that `--map` gives: no name stands for them by itself. */
  readonly claimed: ReadonlySet<MapField>;
  /** Paths of flags that hold points in time. */
  readonly times: ReadonlySet<string>;
}

/** One property, wherever users have it. */
export class JsonProperty {
  /** With dots between nested names, as `--map` takes it. Empty for the user itself. */
  readonly path: string;
  /** One, or more where `--map` says so. */
  readonly meanings: readonly Meaning[];
  /** True where properties of an object here are the user's own. */
  readonly descends: boolean;
  /** True where a path of `--map` leads through here. */
  readonly leads: boolean;
  readonly #naming: Naming;
  readonly #depth: number;
  readonly #children = new Map<string, JsonProperty>();

  constructor(path: string, meanings: readonly Meaning[], depth: number, naming: Naming) {
    this.path = path;
    this.meanings = meanings;
    this.leads = [...naming.mapped.keys()].some((mapped) => mapped.startsWith(`${path}.`));
    this.descends = depth === 1 && !naming.mapped.has(path) && meanings.every(mayDescend);
    this.#naming = naming;
    this.#depth = depth;
  }

  child(name: string): JsonProperty {
    const known = this.#children.get(name);
    if (known !== undefined) return known;
    const path = this.#depth === 0 ? name : `${this.path}.${name}`;
    const auto = this.#depth === 0 ? meaningOf(plainName(name)) : nestedMeaning(this.path, name);
    const meanings = this.#naming.mapped.get(path) ?? [unclaimed(auto, path, this.#naming)];
    const made = new JsonProperty(path, meanings, this.#depth + 1, this.#naming);
    if (this.#children.size < MAX_CHILDREN) this.#children.set(name, made);
    return made;
  }
}

/**
 * The tree for one file.
 *
 * @param map `--map`'s paths by field
 * @param times paths of flags that are known to hold points in time
 */
export function userProperties(
  map: ReadonlyMap<MapField, string>,
  times: ReadonlySet<string>,
): JsonProperty {
  const mapped = new Map<string, Meaning[]>();
  for (const [field, path] of map) {
    const meaning = mappedMeaning(field, path, times);
    if (meaning !== null) mapped.set(path, [...(mapped.get(path) ?? []), meaning]);
  }
  return new JsonProperty("", [PROFILE], 0, { mapped, claimed: new Set(map.keys()), times });
}

function mayDescend(meaning: Meaning): boolean {
  return meaning === PROFILE || meaning.kind === "verified" || isContact(meaning);
}

/** `email.address` is the email's; `profile.email` the user's; `manager.email` somebody else's. */
function nestedMeaning(parent: string, name: string): Meaning {
  const joined = meaningOf(plainName(`${parent}.${name}`));
  if (joined !== PROFILE || !CONTAINERS.has(plainName(parent))) return joined;
  const alone = meaningOf(plainName(name));
  return alone.kind === "text" && alone.field === "id" ? PROFILE : alone;
}

function unclaimed(meaning: Meaning, path: string, { claimed, times }: Naming): Meaning {
  if (meaning.kind === "text") return claimed.has(meaning.field) ? PROFILE : meaning;
  if (meaning.kind === "list") return claimed.has(meaning.of) ? PROFILE : meaning;
  if (meaning.kind !== "verified") return meaning;
  if (claimed.has(`${meaning.of}_verified`)) return PROFILE;
  return times.has(path) ? { ...meaning, flag: "time" } : meaning;
}

function mappedMeaning(field: MapField, path: string, times: ReadonlySet<string>): Meaning | null {
  const known = meaningOf(plainName(path.slice(path.lastIndexOf(".") + 1)));
  switch (field) {
    case "users":
      return null;
    case "active":
      return { kind: "exclusion", flag: "no", exclusion: "disabled" };
    case "disabled":
      return known.kind === "exclusion"
        ? known
        : { kind: "exclusion", flag: "yes", exclusion: "disabled" };
    case "email_verified":
    case "phone_verified": {
      const flag = known.kind === "verified" ? known.flag : "yes";
      const of = field === "email_verified" ? "email" : "phone";
      return { kind: "verified", of, flag: times.has(path) ? "time" : flag };
    }
    default:
      return { kind: "text", field, rank: -1 };
  }
}
