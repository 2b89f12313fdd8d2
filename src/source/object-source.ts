/** A source whose users are objects, be they JSON or the rows of a table: it recognizes files by their fields, and says of each user what it becomes. */

import type { UserDraft } from "../account/user-draft.js";
import { headerOf } from "./csv/table.js";
import { defineSource, type SourceDefinition, toDrafts } from "./define-source.js";
import { compileExpression, isExpression } from "./expression.js";
import { isJson } from "./format.js";
import { columnPaths, isFilled, objectReader } from "./fields/field-values.js";
import type { FieldTree } from "./fields/field-tree.js";
import type { Told } from "./fields/field-watch.js";
import { parseObject } from "./json/json-object.js";
import { jsonUsersAt, readJsonUsers } from "./json/json-users.js";
import type { PathCounter } from "./mapping/path-counter.js";
import { unnamedFields } from "./unnamed-fields.js";
import { jsonForm } from "./raw/json-form.js";
import { RowDamage } from "./row-damage.js";
import type { FileHead, Source } from "./source.js";
import { openTable } from "./table-users.js";

/** What a user becomes. It throws nothing: a user that it can't read is damage. */
export type ReadUser = (user: object, told: Told) => UserDraft | RowDamage;

interface ObjectSource extends Pick<SourceDefinition, "name" | "label" | "hashes" | "noUsersHint"> {
  /** Where the list of users is in JSON; lists at the top and users on lines are found without. */
  readonly users: readonly string[];
  /** Any of these lists of fields that users at the start of a file have; `!` before one that none has. */
  readonly recognize: readonly (readonly string[])[];
  /** Columns that hold JSON in a table. */
  readonly json: readonly string[];
  readonly fields: FieldTree;
  /**
   * @param now epoch milliseconds; a lock that was over by then is none
   * @param samples users at the file's start
   */
  reader(now: number, samples: readonly object[]): ReadUser;
  /** Counts what each path reads, where that is asked for; absent for a source without paths. */
  readonly counter?: () => PathCounter;
}

/** @throws RunError `mapping_invalid` for an expression that can't be read */
export function objectSource(definition: ObjectSource): Source {
  const { users, recognize, fields, reader, counter, ...shown } = definition;
  const json = new Set(definition.json);
  const lists = recognize.map((names) => ({ names, tests: names.map(fieldTest) }));
  return defineSource({
    ...shown,
    fields,
    recognize(head) {
      const start = usersAtStart(head, users);
      const own = lists.find(({ tests }) => tests.every((test) => test(start)));
      const named = own?.names.filter((one) => !one.startsWith("!"));
      return named === undefined ? null : `users with ${named.join(", ")}`;
    },
    open(head, bytes, { watch, now, map, tellsPaths }) {
      const start = usersAtStart(head, users);
      const mapped = reader(now, start);
      const { hear, guard, learned } = unnamedFields(head, start, fields, { map, now });
      const counted = tellsPaths === true ? counter?.() : undefined;
      const watched = watch(fields, counted?.result);
      const read = (user: object, told: Told) => {
        counted?.count(user);
        return hear(user, mapped(user, told));
      };
      if (isJson(head)) {
        const { path } = jsonUsersAt(head, users);
        const objects = readJsonUsers(head, bytes, path);
        return guard(toDrafts(objects, watched.users(read), jsonForm(learned)));
      }
      const { rows, userOf } = openTable(head, bytes, fields);
      const rowOf = (row: readonly string[]): object => withJson(userOf(row), json);
      return guard(toDrafts(rows, watched.users(read, rowOf)));
    },
  });
}

function usersAtStart(head: FileHead, users: readonly string[]): readonly object[] {
  if (isJson(head)) return jsonUsersAt(head, users).samples;
  const header = headerOf(head) ?? [];
  const columns = columnPaths(header.map((name, index) => ({ index, name })));
  return [objectReader(columns)(() => "filled")];
}

/** Whether users have a field of `recognize`, be it empty; an expression has to give something. */
function fieldTest(name: string): (users: readonly object[]) => boolean {
  const isAbsent = name.startsWith("!");
  const { read, text } = compileExpression(isAbsent ? name.slice(1) : name);
  const isFound = isExpression(text)
    ? (value: unknown) => isFilled(value) && value !== false
    : (value: unknown) => value !== undefined;
  return (users) => isAbsent !== users.some((user) => isFound(read(user)));
}

/** A row's user with its columns of JSON as what they hold. */
function withJson(user: object, json: ReadonlySet<string>): object {
  for (const name of json) {
    const held: unknown = Reflect.get(user, name);
    if (typeof held !== "string") continue;
    const parsed = parseObject(`{"held":${held}}`);
    if (!(parsed instanceof RowDamage)) Reflect.set(user, name, Reflect.get(parsed, "held"));
  }
  return user;
}
