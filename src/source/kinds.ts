/** Objects of several kinds in one file: a dump's models, an export's entities, lists beside the users. No kind is read in place of another, and what others say of a user isn't passed over. */

import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import { type FieldTree, placeOfColumn } from "./fields/field-tree.js";
import type { GivenMap } from "./generic/field-map.js";
import { meaningOf, PROFILE } from "./generic/field-names.js";
import { placesOfObjects } from "./generic/json-head.js";
import { isObject } from "./json/json-value.js";
import { listOf, type TakesBeside } from "./json/lists-beside.js";
import { factOf, namesUser } from "./other-facts.js";
import { areOurLines } from "./raw/json-form.js";
import type { RowBatch } from "./raw/raw-row.js";
import { RowDamage } from "./row-damage.js";
import { fileWord, showNames } from "./show-name.js";
import type { FileHead } from "./source.js";

/** Properties in which exports and dumps say what an object is. */
const KIND_FIELDS =
  "model __typename _type _class entity entityType collection table resourceType objectType object kind type class".split(
    " ",
  );
const KIND = /^[A-Za-z_][\w.:/-]{0,79}$/;
/** What a user may have in common with any object. */
const IDS: ReadonlySet<string> = new Set(["id", "pk", "_id", "uuid", "key"]);
/** More than a schema has: then the property says something of each user. */
const MAX_KINDS = 200;
const MAX_IDS = 1000;
const ADDRESS = /"[^"@\s]+@[^"@\s]+"/;
const USERS = /user|customer|member|person|people|identit|account/i;
const STAFF = /admin|staff|bot|service|system|role|group/i;

/** What one file's kinds are watched by. */
interface Watched {
  /** Users at its start. */
  readonly samples: readonly object[];
  /** What `--map` says: an ignored property tells no kinds. */
  readonly map: GivenMap;
  /** What a known system's fields are: one that it names tells no kinds. */
  readonly fields?: FieldTree | undefined;
  /** Tells a known system's users from its other objects. */
  readonly isUser?: ((object: object) => boolean) | undefined;
  /** Tells objects that are read beside the users. */
  readonly isNamed?: ((object: object) => boolean) | undefined;
  /** Told of each object that isn't read, by its kind. */
  readonly onOther?: (kind: string) => void;
  /** Told of each object of a list beside the users that isn't read, by the list's path. */
  readonly onList?: ((list: string) => void) | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Hands the users of a file on, so long as none is of another kind. Every source of objects reads
 * them through it. A file of rejects may hold anything.
 *
 * @throws RunError `input_unrecognized` for an object of another kind, or one beside the users that says
 *   of them what they don't say themselves
 */
export async function* guardKinds(
  head: FileHead,
  batches: AsyncIterable<RowBatch<object>>,
  watched: Watched,
): AsyncGenerator<RowBatch<object>> {
  if (areOurLines(head.text)) return yield* batches;
  const kinds = new Kinds(head, watched);
  const refuse = strangersIn(head, watched);
  for await (const rows of batches) {
    for (const row of rows) {
      if (row instanceof RowDamage || listOf(row) !== null) continue;
      const other = kinds.see(row);
      if (other !== null) watched.onOther?.(other);
      else refuse(row);
    }
    yield rows;
  }
}

/**
 * Takes those objects of lists beside the users that are read, and tells the others.
 *
 * @throws RunError, from what it gives, `input_unrecognized` for an object that isn't read and says of users what they don't say themselves
 */
export function takesBeside(
  head: FileHead,
  { isNamed = () => false, onList, now }: Pick<Watched, "isNamed" | "onList" | "now">,
): TakesBeside {
  return (object, list) => {
    if (isNamed(object)) return true;
    const fact = factOf(list.split(".").at(-1) ?? "", object, now);
    if (fact !== null) {
      const where = `a list of their own (${showNames([list])}), which isn't read`;
      throw factStop(head, fact, where, `jq 'del(${jqPath(list)})'`);
    }
    onList?.(list);
    return false;
  };
}

/**
 * Stops for the kinds that the start of a file without known users shows.
 *
 * @throws RunError `input_unrecognized`
 */
export function refuseMixed(head: FileHead): void {
  for (const { samples } of placesOfObjects(head))
    new Kinds(head, { samples, map: new Map(), now: 0 });
}

class Kinds {
  readonly #head: FileHead;
  readonly #isUser: Watched["isUser"];
  readonly #isNamed: NonNullable<Watched["isNamed"]>;
  readonly #now: number;
  /** Each kind's first object, and the names of its own properties. */
  readonly #kinds = new Map<string, { readonly first: object; readonly names: Set<string> }>();
  readonly #ids = new Map<string, string>();
  #field: string | undefined;

  constructor(head: FileHead, { samples, map, fields, isUser, isNamed, now }: Watched) {
    this.#head = head;
    this.#now = now;
    this.#isUser = isUser;
    this.#isNamed = isNamed ?? (() => false);
    const ignored = [map.get("ignore") ?? []].flat();
    this.#field = KIND_FIELDS.find((name) => {
      const isFree = fields === undefined || placeOfColumn(name, fields) === null;
      const isNamed = isUser === undefined && !(isFree && maySort(name));
      return !isNamed && !ignored.includes(name) && samples.some((one) => kindOf(one, name));
    });
    for (const one of samples) this.#learn(one);
    for (const one of samples) this.see(one);
  }

  /** @returns the kind of an object that isn't read */
  see(object: object): string | null {
    const kind = this.#learn(object);
    if (kind === null || this.#field === undefined) return null;
    if (this.#isUser !== undefined) {
      if (this.#isUser(object) || this.#isNamed(object)) return null;
      const fact = factOf(kind, object, this.#now);
      if (fact === null) return kind;
      const where = `objects of their own (${showNames([kind])}), which aren't read`;
      const others = `select(.${this.#field} != ${JSON.stringify(kind)})`;
      throw factStop(this.#head, fact, where, `jq -c '${eachIn(this.#head)}${others}'`);
    }
    if (this.#isMixed(kind, object)) throw this.#mixed(this.#field);
    return null;
  }

  #learn(object: object): string | null {
    const field = this.#field;
    const kind = field === undefined ? null : kindOf(object, field);
    if (kind === null) return null;
    // What a known system's users aren't is read as what it is, be there ever so many kinds.
    if (this.#isUser !== undefined) return kind;
    const { first, names } = this.#kinds.get(kind) ?? { first: object, names: new Set<string>() };
    if (names.size === 0) this.#kinds.set(kind, { first, names });
    if (names.size < MAX_KINDS) for (const name of Object.keys(object)) names.add(name);
    if (this.#kinds.size > MAX_KINDS) this.#field = undefined;
    return kind;
  }

  /** Whether an object is of another kind than one that was met: in an envelope, of another shape, or of an id that another kind has, too. */
  #isMixed(kind: string, object: object): boolean {
    if (this.#kinds.size < 2) return false;
    if (envelopeOf(object, this.#field) !== null) return true;
    const id = Object.entries(object).find(([name]) => IDS.has(name))?.[1];
    if (typeof id === "string" || typeof id === "number") {
      const known = this.#ids.get(String(id));
      if (known !== undefined && known !== kind) return true;
      if (this.#ids.size < MAX_IDS) this.#ids.set(String(id), kind);
    }
    const own = Object.keys(object);
    return [...this.#kinds].some(([other, { names }]) => {
      const shared = own.filter((name) => name !== this.#field && names.has(name)).length;
      return other !== kind && shared * 2 < Math.min(own.length, names.size) - 1;
    });
  }

  #mixed(field: string): RunError {
    const kinds = [...this.#kinds];
    const reached = kinds.filter(([, { first }]) => ADDRESS.test(JSON.stringify(first)));
    const likely = (some: typeof kinds) =>
      some.find(([one]) => USERS.test(one) && !STAFF.test(one)) ??
      some.find(([one]) => USERS.test(one));
    const [kind, of] = likely(reached) ?? reached[0] ?? likely(kinds) ?? ["NAME"];
    const inner = of && envelopeOf(of.first, field);
    const take = inner ? ` | {id} + .${inner}` : "";
    const command = `jq -c '${eachIn(this.#head)}select(.${field} == ${JSON.stringify(kind)})${take}'`;
    const message = `${this.#head.path} holds objects of several kinds, by their property ${field}: ${showNames([...this.#kinds.keys()])}`;
    return new RunError("input_unrecognized", message, {
      hint: `Where ${field} only says what a user may do, say ${optionName("--map")} ignore=${field}. Otherwise write the users alone, and read those; what the others say of them, such as a second factor, stays behind: ${command} ${fileWord(this.#head.path)} | auth-migrate validate -`,
    });
  }
}

/** The property of an object that holds all that it says, beside its kind and its id; null without one. */
function envelopeOf(object: object, field: string | undefined): string | null {
  const others = Object.keys(object).filter((name) => name !== field && !IDS.has(name));
  const [name, ...more] = others;
  const isOne = name !== undefined && more.length === 0 && isObject(Reflect.get(object, name));
  return isOne ? name : null;
}

/** @param without the command that leaves them out */
function factStop({ path }: FileHead, what: string, where: string, without: string): RunError {
  return new RunError("input_unrecognized", `${path} holds ${what} of its users in ${where}`, {
    hint: `To have them read, say under related in a mapping what they hold (docs/mappings.md). To leave ${what} behind, and with them what they say of who may sign in: ${without} ${fileWord(path)} | auth-migrate validate -`,
  });
}

/** How jq comes to each object of a file. */
function eachIn({ text }: FileHead): string {
  return /^\s*\[/.test(text) ? ".[] | " : "";
}

function jqPath(path: string): string {
  return path
    .split(".")
    .map((step) => {
      const [name = "", each] = step.split("[]", 2);
      const quoted = `[${JSON.stringify(name).replaceAll("'", "\\u0027")}]`;
      return `.${/^[A-Za-z_]\w*$/.test(name) ? name : quoted}${each === undefined ? "" : "[]"}`;
    })
    .join("");
}

/** Whether a name says nothing of a user by itself: whose sort it may tell, its values say. */
function maySort(name: string): boolean {
  const meaning = meaningOf(name);
  return meaning === PROFILE || (meaning.kind === "unclear" && meaning.about === "state");
}

function kindOf(object: object, field: string): string | null {
  const value: unknown = isObject(object) ? object[field] : null;
  return typeof value === "string" && KIND.test(value) ? value : null;
}

/**
 * Makes the check for objects that say nothing of their kind: they name a user, and have little else
 * of what users have. Read as users they would be rejected one by one, and what they say would be lost.
 *
 * @returns what throws RunError `input_unrecognized` for an object that is no user
 */
function strangersIn(
  head: FileHead,
  { samples, map, isNamed }: Pick<Watched, "samples" | "map" | "isNamed">,
): (object: object) => void {
  if (samples.length === 0) return () => {};
  const counts = new Map<string, number>();
  for (const name of samples.flatMap((one) => Object.keys(one))) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const isUsual = (name: string): boolean => (counts.get(name) ?? 0) * 2 > samples.length;
  const usual = [...counts.keys()].filter((name) => isUsual(name) && !IDS.has(name));
  const ignored = [map.get("ignore") ?? []].flat();
  return (object) => {
    const shared = usual.reduce((sum, name) => sum + (name in object ? 1 : 0), 0);
    if (shared * 2 >= usual.length) return;
    const own = Object.keys(object).filter((name) => !IDS.has(name));
    const field = own.find((name) => namesUser(name) && !ignored.includes(name));
    if (field === undefined) return;
    const others = own.filter((name) => name !== field);
    const isOther = others.filter(isUsual).length * 2 < others.length;
    // A user may have little more than an address.
    const isStrange = isOther || (!isUsual(field) && !JSON.stringify(object).includes("@"));
    if (isStrange && isNamed?.(object) !== true) throw stranger(head, field);
  };
}

function stranger(head: FileHead, field: string): RunError {
  const { path, text } = head;
  const alone = `jq -c '${eachIn(head)}select(has(${JSON.stringify(field)}) | not)' ${fileWord(path)} | auth-migrate validate -`;
  const isListed = eachIn(head) === "" && !/^\s*\{.*\}\s*$/m.test(text.split("\n", 1)[0] ?? "");
  const write = isListed ? "." : `: ${alone}`;
  const message = `${path} holds objects of several kinds: some name a user by ${showNames([field])}, and are none themselves`;
  return new RunError("input_unrecognized", message, {
    hint: `Where they are users, say ${optionName("--map")} ignore=${field}. Otherwise take them out, and with them what they say of users, such as a second factor or a ban${write}`,
  });
}
