/** A source of a mapping: it recognizes files by the mapping's fields, be they tables or JSON, and reads their users by its expressions. */

import { RunError } from "../../errors/run-error.js";
import { headerOf, layoutOf } from "../csv/table.js";
import { readCsv } from "../csv/csv.js";
import { isOurColumn } from "../csv/table-form.js";
import { defineSource, toDrafts } from "../define-source.js";
import { compileExpression, isExpression } from "../expression.js";
import type { FieldTable } from "../fields/field-table.js";
import { fieldTree } from "../fields/field-tree.js";
import type { Told } from "../fields/field-watch.js";
import { type ColumnPath, columnPaths, isFilled, objectOfCells } from "../fields/field-values.js";
import { jsonUsersAt, readJsonUsers } from "../json/json-users.js";
import { parseObject } from "../json/json-object.js";
import { valueAt } from "../json/json-value.js";
import { RowDamage } from "../row-damage.js";
import { showNames } from "../show-name.js";
import type { FileHead, Source } from "../source.js";
import { jsonForm } from "../raw/json-form.js";
import type { Mapping } from "./mapping-file.js";
import { mappedUsers } from "./mapped-user.js";
import { unnamedFields } from "./unnamed-fields.js";

/** @throws RunError `mapping_invalid` for an expression that can't be read */
export function mappedSource(mapping: Mapping): Source {
  const { name, label, recognize, users, noUsersHint, hashes } = mapping;
  const fields = fieldTree(fieldTable(mapping));
  const json = new Set(mapping.json);
  return defineSource({
    name,
    label,
    ...(hashes === undefined ? {} : { hashes }),
    ...(noUsersHint === undefined ? {} : { noUsersHint }),
    fields,
    recognize(head) {
      const start = usersAtStart(head, users);
      const own = recognize.find((names) => fits(names, start));
      const shown = own?.filter((one) => !one.startsWith("!"));
      return shown === undefined ? null : `users with ${shown.join(", ")}`;
    },
    open(head, bytes, { watch, now, map }) {
      const start = usersAtStart(head, users);
      const mapped = mappedUsers(mapping, now, start);
      const { hear, guard, learned } = unnamedFields(head, start, fields, { map, now });
      const read = (user: object, told: Told) => hear(user, mapped(user, told));
      if (!isTable(head)) {
        const { path } = jsonUsersAt(head, users);
        const objects = readJsonUsers(head, bytes, path, { documents: "many" });
        return guard(toDrafts(objects, watch(fields).users(read), jsonForm(learned)));
      }
      const layout = layoutOf(head);
      const columns = layout.header.flatMap((column, index) =>
        isOurColumn(column) ? [] : [{ index, name: column.trim() }],
      );
      requireColumns(head, columns, mapping);
      const paths = columnPaths(columns);
      const rowOf = (row: readonly string[]): object => rowObject(row, paths, json);
      return guard(toDrafts(readCsv(bytes, layout), watch(fields).users(read, rowOf)));
    },
  });
}

function isTable({ text }: FileHead): boolean {
  return !/^\s*[[{]/.test(text);
}

function usersAtStart(head: FileHead, users: readonly string[]): readonly object[] {
  if (!isTable(head)) return jsonUsersAt(head, users).samples;
  const header = headerOf(head) ?? [];
  const columns = columnPaths(header.map((name, index) => ({ index, name })));
  return [objectOfCells(columns, () => "filled")];
}

function fits(names: readonly string[], users: readonly object[]): boolean {
  return names.every((name) => {
    const isAbsent = name.startsWith("!");
    const { read, text } = compileExpression(isAbsent ? name.slice(1) : name);
    const has = (user: object): boolean => {
      const value = isExpression(text) ? read(user) : valueAt(user, text);
      return isExpression(text) ? isFilled(value) && value !== false : value !== undefined;
    };
    return isAbsent !== users.some(has);
  });
}

interface Column {
  readonly index: number;
  readonly name: string;
}

/** @throws RunError `input_unrecognized` for a column that is there twice */
function requireColumns({ path }: FileHead, columns: readonly Column[], { title }: Mapping): void {
  const names = columns.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length === 0) return;
  throw new RunError("input_unrecognized", `${path} has columns twice: ${showNames(twice)}`, {
    hint: `Rename or remove one of the two; ${title} writes each once.`,
  });
}

/** A row as the user that JSON would have; a column of JSON as what it holds. */
function rowObject(
  row: readonly string[],
  columns: readonly ColumnPath[],
  json: ReadonlySet<string>,
): object {
  const user = objectOfCells(columns, (index) => row[index] ?? "");
  for (const name of json) {
    const held: unknown = Reflect.get(user, name);
    if (typeof held !== "string") continue;
    const parsed = parseObject(`{"held":${held}}`);
    if (!(parsed instanceof RowDamage)) Reflect.set(user, name, Reflect.get(parsed, "held"));
  }
  return user;
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

/** Signs that a table of fields doesn't have for itself, as it has `[]` and `*`. */
const MORE_THAN_TABLE = /[|&?`'"(){}<>=!]|\[[\d:*-]/;

/** What each field that the mapping names is; what is read of a place counts before what is told of it. */
function fieldTable(mapping: Mapping): FieldTable {
  const seen = new Set<string>();
  const once = (paths: readonly string[]): string =>
    paths
      .flatMap((path) => (MORE_THAN_TABLE.test(path) ? compileExpression(path).fields : [path]))
      .filter((path) => !seen.has(path) && seen.add(path))
      .join("\n");
  const {
    hash = { value: [], whole: [] },
    flags,
    email_verified,
    phone_verified,
    metadata,
  } = mapping;
  const hashPaths =
    "credential" in hash
      ? Object.values(hash.credential)
      : [hash.value, hash.algorithm ?? [], hash.salt ?? []].flat();
  const ends = Object.values(flags).flatMap((rule) => ("until" in rule ? (rule.until ?? []) : []));
  for (const { list, provider, id, email, verified } of mapping.social) {
    for (const path of [provider, ...id, email ?? [], verified ?? []].flat()) {
      seen.add(`${list}.${path}`);
    }
  }
  const told: Record<string, readonly string[]> = { ...mapping.told };
  for (const [code, paths] of [
    ["other_emails_not_migrated", mapping.other_emails],
    ["other_phones_not_migrated", mapping.other_phones],
    ["social_identity_dropped", mapping.providers],
  ] as const) {
    told[code] = [...paths, ...(told[code] ?? [])];
  }
  const named = (groups: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(Object.entries(groups).map(([is, paths]) => [is, once(paths)]));
  return {
    pages: mapping.pages,
    read: {
      id: once(mapping.id),
      contact: once([mapping.email ?? [], mapping.phone ?? []].flat()),
      verified: once([email_verified?.from ?? [], phone_verified?.from ?? []].flat()),
      hash: once([...hashPaths, mapping.has_password ?? []].flat()),
      flag: once([...Object.keys(flags), ...ends]),
      factor: once(mapping.factors ?? []),
    },
    joined: once(mapping.joined ?? []),
    metadata: [
      ...Object.entries(metadata),
      ...(mapping.username === undefined
        ? []
        : [["preferred_username", mapping.username] as const]),
    ]
      .flatMap(([name, path]) => linesOf(once([path])).map((field) => `${field} > ${name}`))
      .join("\n"),
    roles: once(mapping.roles ?? []),
    ...(mapping.roles_apart === undefined ? {} : { rolesApart: mapping.roles_apart }),
    social: mapping.social,
    totp: once(mapping.totp ?? []),
    told: named(told),
    meaningless: named(mapping.meaningless),
  };
}
