/** Fields that a mapping's or a module's table doesn't name, or leaves to be heard: an application's own columns beside the system's. They are heard as in a file of no known system, so that a flag, a second factor or a hash among them isn't passed over. */

import type { UserDraft } from "../account/user-draft.js";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import { childOf, type FieldNode, type FieldTree, placeOfColumn } from "./fields/field-tree.js";
import { ColumnWatch, isFlag } from "./generic/column-watch.js";
import { type FieldMap, type MapField, mappedFields } from "./generic/field-map.js";
import { isJson } from "./format.js";
import { meaningOf } from "./generic/field-names.js";
import { pathsOf, sampledProperties } from "./generic/json-head.js";
import { metUnder } from "./generic/json-property.js";
import { UserReader } from "./mapping/user-reader.js";
import { isObject, valueAt } from "./json/json-value.js";
import { type Learned, learnedFrom } from "./raw/json-form.js";
import type { RowBatch } from "./raw/raw-row.js";
import { RowDamage } from "./row-damage.js";
import { exclusionsIn } from "./user-parts.js";
import { showName, showNames, shownName } from "./show-name.js";
import type { FileHead, ReadOptions } from "./source.js";

/** What was read by the table, so that none of the other fields is taken for it. A salt that the table doesn't name is heard. */
const READ: readonly MapField[] = ["id", "email", "phone", "hash"];

/** Fields of `--map` that say which values of a flag keep a user out. */
const KEEPS_OUT: ReadonlySet<MapField> = new Set(["active", "disabled"]);

/** A form of a system's users. */
interface Form {
  readonly fields: FieldTree;
  /** Whether it is a flag of which `--map` may say what a value means. */
  readonly isFlag?: (name: string) => boolean;
}

/** How a file's further fields are read. */
interface Unnamed {
  /** The draft with what they say of the user. */
  readonly hear: (user: object, draft: UserDraft | RowDamage) => UserDraft | RowDamage;
  /**
   * Hands batches on, so long as no further field stops the run.
   *
   * @throws RunError `hash_column_unread`, `column_unclear`
   */
  readonly guard: (
    batches: AsyncIterable<RowBatch<UserDraft>>,
  ) => AsyncIterable<RowBatch<UserDraft>>;
  readonly learned?: Learned;
}

/** Where they are told alone. */
export const UNHEARD: Unnamed = {
  hear: (_user, draft) => draft,
  guard: (batches) => batches,
};

/**
 * @param samples users at the file's start
 * @throws RunError `input_unrecognized` for an unknown field of `--map`
 */
export function unnamedFields(
  head: FileHead,
  samples: readonly object[],
  form: Form,
  { map, now }: Pick<ReadOptions, "map" | "now">,
): Unnamed {
  const { root, nodes } = form.fields.places;
  const watch = new ColumnWatch(head.path, isJson(head) ? "json" : "csv");
  const others = samples.map((user) => without(user, root));
  const fields = mappedFields(map);
  requireNamed(head, others, fields, form);
  const { properties, expected, learned } = sampledProperties(
    others,
    new Map([...fields, ...READ.map((field) => [field, []] as const)]),
    learnedFrom(head.text),
  );
  const reader = new UserReader(watch, properties, expected, now);
  const read = flagsOf(nodes);
  return {
    learned,
    hear(user, draft) {
      if (draft instanceof RowDamage) return draft;
      const rest = without(user, root);
      if (rest === NOTHING && expected.length === 0) return draft;
      const heard = reader.read(rest, draft);
      return heard instanceof RowDamage ? heard : both(draft, heard);
    },
    guard: (batches) =>
      watch.guard(
        batches,
        (group) => read.has(group) || [...metUnder(properties)].some(isFlag),
        () => [],
        undefined,
      ),
  };
}

/**
 * Refuses a name of `--map` that is none of the further fields: it may be mistyped, or one that the
 * system's table names. In JSON flags and what is to be ignored may come with later users alone.
 *
 * @param others of users at the file's start
 */
function requireNamed(
  head: FileHead,
  others: readonly object[],
  map: FieldMap,
  { fields, isFlag: isOwn }: Form,
): void {
  if (others.length === 0) return;
  for (const [field, names] of map) {
    const missing = names.find(({ name, only }) => {
      if (only !== undefined && KEEPS_OUT.has(field) && isOwn?.(name)) return false;
      const place = placeOfColumn(name, fields);
      const mayBeFlag = ["exclusion", "unclear", "verified"].includes(meaningOf(name).kind);
      const isNew = mayBeFlag && (place === null || isHeard(place));
      const mayComeLate = isJson(head) && (field === "ignore" || isNew);
      return !mayComeLate && others.every((user) => valueAt(user, name) === undefined);
    });
    if (missing === undefined) continue;
    const named = showName(missing.name);
    const found = pathsOf(others);
    const beside = `Of other fields ${found.length === 0 ? "there is none" : `these are ${showNames(found)}`}.`;
    const place = placeOfColumn(missing.name, fields);
    if (place !== null && !isHeard(place)) {
      const said = `${optionName("--map")} ${field}=${shownName(missing.name)}`;
      const ofValue = KEEPS_OUT.has(field) && isOwn?.(missing.name) === true;
      const value = `${said}=VALUE says what one of its values means, and wins. `;
      const what = `What ${named} means in ${head.path} is known, by the mapping or as the system's own, and wins over ${said}`;
      const hint = `${ofValue ? value : ""}Leave ${said} out, or change the mapping (${optionName("--mapping", "FILE")}, a copy where it is built in). ${beside}`;
      throw new RunError("input_unrecognized", what, { hint });
    }
    const message = `${head.path} has no field ${named} beside those that are known, of which ${optionName("--map")} ${field}= would say what it is`;
    throw new RunError("input_unrecognized", message, {
      hint: `Compare the name with the file's. ${beside}`,
    });
  }
}

/** What the flags that the table names are about; a state is about everything. */
function flagsOf(nodes: readonly FieldNode[]): { has(group: string | undefined): boolean } {
  const flags = nodes.flatMap(({ path, fate }) => {
    if (fate?.kind !== "read" || fate.is !== "flag") return [];
    const meaning = meaningOf(path);
    return meaning.kind === "exclusion" ? [meaning.group] : [];
  });
  return { has: (group) => flags.includes("state") || flags.includes(group ?? "") };
}

function isHeard({ fate }: FieldNode): boolean {
  return fate?.kind === "told" && fate.isHeard === true;
}

const NOTHING: Record<string, unknown> = Object.freeze({});

/** What of a user the table of fields doesn't know, or leaves to be heard. Of most users that is nothing: an object for each took a tenth of reading. */
function without(user: object, node: FieldNode): Readonly<Record<string, unknown>> {
  let rest = NOTHING;
  for (const name of Object.keys(user)) {
    // No application's own: it is written to trip a reader.
    if (name === "__proto__") continue;
    const place = childOf(node, name);
    const isWhole = place === null || isHeard(place);
    if (!isWhole && place.cover !== null) continue;
    const value: unknown = Reflect.get(user, name);
    const left = isWhole ? value : isObject(value) ? without(value, place) : NOTHING;
    if (left === NOTHING) continue;
    if (rest === NOTHING) rest = {};
    rest[name] = left;
  }
  return rest;
}

/** One that says no is enough; both keep a user out. */
function both(known: UserDraft, heard: UserDraft): UserDraft {
  const told = heard.notices.filter((code) => code !== "profile_not_migrated");
  const reasons = [...known.exclusions, ...heard.exclusions];
  const because = { ...heard.because, ...known.because };
  return {
    ...known,
    hash: heard.hash,
    emailVerified: heard.emailVerified === false ? false : known.emailVerified,
    phoneVerified: heard.phoneVerified === false ? false : known.phoneVerified,
    ...(reasons.length === 0 ? {} : { exclusions: exclusionsIn(reasons) }),
    ...(Object.keys(because).length === 0 ? {} : { because }),
    notices: [...new Set([...known.notices, ...told])].sort(),
  };
}
