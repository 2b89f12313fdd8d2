/** Objects among and beside a mapping's users that say something of them: how each is read, and by which keys it and its users find each other. */

import { isImpreciseId } from "../../account/tellable-id.js";
import { compileExpression, readOrNull } from "../expression.js";
import type { FieldTable } from "../fields/field-table.js";
import { type FieldTree, fieldTree } from "../fields/field-tree.js";
import { FieldWatch } from "../fields/field-watch.js";
import { isFilled } from "../fields/field-values.js";
import { isObject, textOf, unwrap } from "../json/json-value.js";
import { listOf } from "../json/lists-beside.js";
import type { FileOfObjects, RelatedReader } from "../other-objects.js";
import { rememberingEach } from "../remembering.js";
import { ID_IMPRECISE, RelatedObject, RowDamage, Seeking } from "../row-damage.js";
import type { ReadOptions } from "../source.js";
import type { MappedForm, Mapping, RelatedForm } from "./mapping-file.js";
import { mappedUsers } from "./mapped-user.js";

/**
 * @returns undefined where no object of such a file can say anything
 * @throws RunError `mapping_invalid` for an expression that can't be read
 */
export function relatedReader(
  { keys, related: all, id, title }: Mapping,
  tableOf: (form: MappedForm) => FieldTable,
  options: Pick<ReadOptions, "now" | "keepsAccount">,
  { hasLists, isWhole }: FileOfObjects,
): RelatedReader | undefined {
  const related = all.filter(({ list }) => hasLists || list === undefined);
  if (related.length === 0) return undefined;
  const kinds = related.map((form, index) => {
    // No `--map` says more of its flags.
    const mapped = { ...form, title, others: "told" as const };
    const kind = kindReader(mapped, fieldTree(tableOf(mapped)), { ...options, isWhole });
    return { ...kind, form, index, listed: compileExpression(form.listed ?? "") };
  });
  const kindOf = rememberingEach((object) => kinds.find(({ isOne }) => isOne(object)) ?? null);
  const own = (keys.length > 0 ? keys : id).map(compileExpression);
  return {
    isNamed: (object) => kindOf(object) !== null,
    read(object) {
      const kind = kindOf(object);
      return kind === null ? null : kind.read(object, String(kind.index));
    },
    seeking(user, result) {
      const listed = kinds.flatMap(({ form, index, listed: places }) =>
        form.listed === undefined ? [] : keysIn(String(index), readOrNull(places, user)),
      );
      const seeks = own.flatMap((key) => keysIn(OWNER, [readOrNull(key, user)]));
      if (seeks.length + listed.length === 0) return result;
      return result instanceof RowDamage
        ? new Seeking(result, [...seeks, ...listed])
        : Object.assign(result, { seeks, listed });
    },
  };
}

/** Before the key of a user. */
const OWNER = "user";

function kindReader(
  mapped: RelatedForm & MappedForm,
  tree: FieldTree,
  {
    now,
    keepsAccount = null,
    isWhole,
  }: Pick<ReadOptions, "now" | "keepsAccount"> & Pick<FileOfObjects, "isWhole">,
) {
  const { where = "`true`", list, view: viewed = "@", factors, totp } = mapped;
  const [test, view] = [compileExpression(where), compileExpression(viewed)];
  const { user, users, keys: own } = mapped;
  const names = [users ?? user ?? own].flat().map(compileExpression);
  // Its fields are none of the users': they are counted by nobody.
  const watch = new FieldWatch(tree, { now, keepsAccount });
  const read = mappedUsers(mapped, now, []);
  const draftOf = watch.users<object>(
    (user, told) => read(user, told),
    (object) => {
      const seen = readOrNull(view, object);
      return isObject(seen) ? seen : object;
    },
  );
  const isMark = factors !== undefined && totp === undefined;
  return {
    isOne(object: object): boolean {
      const at = listOf(object);
      if (list === undefined ? at !== null : !`.${at ?? ""}`.endsWith(`.${list}`)) return false;
      const found = readOrNull(test, object);
      return isFilled(found) && found !== false;
    },
    read(object: object, index: string): RelatedObject {
      const namesUser = (users ?? user) !== undefined;
      const scope = namesUser ? OWNER : index;
      const found = names.map((name) => readOrNull(name, object));
      const values = users === undefined ? found : found.flat();
      const isLost = values.flat().some((value) => isImpreciseId(unwrap(value)));
      const keys = isLost ? [] : values.flatMap((value) => keysIn(scope, [value]));
      const says = isLost ? ID_IMPRECISE : draftOf(object);
      const namesSeveral = users !== undefined && isWhole;
      return new RelatedObject({ keys, namesUser, namesSeveral, says, isMark });
    },
  };
}

/** Whether a key is one of several parts, as Django's natural ones, by which the fields of two users may lead to one object. */
export function isNaturalKey(key: string): boolean {
  return key.startsWith(`["${OWNER}",[`);
}

/** Keys as texts that no other kind's has: a key of several parts, as Django's natural ones, is a list. */
function keysIn(scope: string, values: unknown): readonly string[] {
  return (Array.isArray(values) ? values : [values]).flatMap((value: unknown) => {
    const parts = (Array.isArray(value) ? value : [value]).map((one) => textOf(unwrap(one)));
    if (parts.length === 0 || parts.some((part) => part === null || part.trim() === "")) return [];
    return JSON.stringify([scope, Array.isArray(value) ? parts : parts[0]]);
  });
}
