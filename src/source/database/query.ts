/** The SQL that reads users, in the words of the system whose database it is. */

import type { BesideTable, Conditions, DatabasePart } from "../mapping/database-part.js";
import type { DatabaseKind, Table, TableColumn } from "./database.js";

/** How a system writes what differs. */
interface SqlWords {
  /** A name in its quotation marks, so that none is a word of the language. */
  readonly name: (text: string) => string;
  /** A value in a list of JSON. */
  readonly item: (column: string, type: string | null) => string;
  readonly json: (column: string) => string;
  readonly text: (value: string) => string;
  readonly list: (item: string, order: string) => string;
  readonly object: (fields: readonly string[]) => string;
  /** A mark as a number, whatever its type is. */
  readonly mark: (column: string) => string;
  readonly asText: (column: string) => string;
  /** The same in a list of JSON, which may hold nothing else. */
  readonly textItem: (column: string) => string;
}

/** Numbers that JSON doesn't keep. */
const LARGE = new Set(["int8", "numeric"]);

export const SQL: Readonly<Record<DatabaseKind, SqlWords>> = {
  postgres: {
    name: (text) => `"${text.replaceAll('"', '""')}"`,
    item: (column, type) => (LARGE.has(type ?? "") ? `${column}::text` : column),
    json: (column) => `${column}::json`,
    text: (value) => `'${value.replaceAll("'", "''")}'`,
    list: (item, order) => `json_agg(${item}${order})`,
    object: (fields) => `json_build_object(${fields.join(", ")})`,
    mark: (column) => `coalesce(${column}::int, 0)`,
    asText: (column) => `${column}::text`,
    textItem: (column) => `${column}::text`,
  },
  mysql: {
    name: (text) => `\`${text.replaceAll("`", "``")}\``,
    item: (column, type) =>
      type === "bit" ? `${column} + 0` : type === null ? column : `cast(${column} as char)`,
    json: (column) => `json_extract(${column}, '$')`,
    text: (value) => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`,
    // JSON_ARRAYAGG knows no order in MySQL.
    list: (item, order) => `concat('[', group_concat(${item}${order} separator ','), ']')`,
    object: (fields) => `json_object(${fields.join(", ")})`,
    mark: (column) => `coalesce(${column}, 0)`,
    asText: (column) => column,
    textItem: (column) => `json_quote(cast(${column} as char))`,
  },
};

/** A table's name in a query, with its schema where it isn't found without. */
export function tableName({ schema, name, isNear }: Table, { name: quoted }: SqlWords): string {
  return isNear ? quoted(name) : `${quoted(schema)}.${quoted(name)}`;
}

/** The columns by which rows have an order that stays: the key, or a view's id. */
function orderOf({ key, columns }: Table): readonly string[] {
  if (key.length > 0) return key;
  const id = columns.find(({ name }) => name.toLowerCase() === "id");
  return id === undefined ? [] : [id.name];
}

/** All of a table, in the order of its key. */
export function wholeTable(table: Table, kind: DatabaseKind): string {
  return selectOf(table, [], "", SQL[kind]);
}

function selectOf(table: Table, beside: readonly string[], where: string, words: SqlWords): string {
  const order = orderOf(table).map((column) => `u.${words.name(column)}`);
  return [
    `select ${["u.*", ...beside].join(",\n  ")}`,
    `from ${tableName(table, words)} u`,
    ...(where === "" ? [] : [`where ${where}`]),
    ...(order.length === 0 ? [] : [`order by ${order.join(", ")}`]),
  ].join("\n");
}

/** A query of one's own without what would end it. */
export function ownQuery(sql: string): string {
  return sql.trim().replace(/[;\s]+$/, "");
}

/** A column by its own name; its type is null where nobody knows it. */
type Column = Pick<TableColumn, "name"> & { readonly type: string | null };

/** What is there of a system's tables. */
export interface Tables {
  /** By their names with what stands before them; null for one that isn't there. */
  find(name: string): Table | null;
  /** A column that is there, as it is called; of a table whose columns nobody knows any is. */
  column(table: Table, name: string): Column | null;
}

/** A query, and which of the tables beside the users' it reads. */
export interface UsersQuery {
  readonly sql: string;
  readonly read: readonly string[];
  readonly absent: readonly string[];
}

/** In whose words a query is, and what else it has to do. */
interface Asking {
  readonly kind: DatabaseKind;
  /** Told of a table or a column that must be there to read users rightly. */
  readonly missing: (name: string) => Error;
  /** A further condition for the users, `u`. */
  readonly only?: string | null;
}

/**
 * All that a system's tables say of each user, a row a user.
 *
 * @param table of the users
 */
export function usersQuery(
  part: DatabasePart,
  table: Table,
  tables: Tables,
  { kind, missing, only = null }: Asking,
): UsersQuery {
  const words = SQL[kind];
  const [read, absent]: [Set<string>, Set<string>] = [new Set(), new Set()];
  const columns: string[] = [];
  for (const [name, beside] of Object.entries(part.beside)) {
    const names = [beside.table, ...Object.keys(beside.join)];
    const found = names.flatMap((one) => tables.find(one) ?? []);
    const lacking = names.filter((one) => tables.find(one) === null);
    const [first] = lacking;
    if (first !== undefined && beside.needed) throw missing(first);
    if (first !== undefined) {
      for (const one of lacking) absent.add(one.replace("#", ""));
      continue;
    }
    for (const one of found) read.add(one.name);
    const scope = scopeOf(names, found, { tables, words, missing });
    const isNew = (column: string): boolean =>
      table.columns.length === 0 || tables.column(table, column) === null;
    columns.push(...besideColumns(name, beside, part, scope, isNew));
  }
  const where = [
    ...conditionsOf(part.where, (column) => `u.${words.name(column)}`, words),
    ...(only === null ? [] : [only]),
  ];
  const unread = [...absent].filter((one) => !read.has(one));
  return {
    sql: selectOf(table, columns, where.join(" and "), words),
    read: [...read],
    absent: unread,
  };
}

/** How the columns of some joined tables are written. */
interface Scope {
  readonly words: SqlWords;
  /** `column` of the first table, or `table.column`. */
  column(path: string): string;
  type(path: string): string | null;
  has(path: string): boolean;
  readonly from: readonly string[];
  readonly key: readonly string[];
}

function scopeOf(
  names: readonly string[],
  found: readonly Table[],
  {
    tables,
    words,
    missing,
  }: {
    readonly tables: Tables;
    readonly words: SqlWords;
    readonly missing: (name: string) => Error;
  },
): Scope {
  const placeOf = (path: string) => {
    const at = path.lastIndexOf(".");
    const index = at < 0 ? 0 : names.indexOf(path.slice(0, at));
    const table = found[index];
    if (table === undefined) throw new Error(`${path} is of no table that is joined`);
    return { index, table, column: path.slice(at + 1) };
  };
  const columnAt = (path: string): Column | null => {
    const { table, column } = placeOf(path);
    return tables.column(table, column);
  };
  return {
    words,
    has: (path) => columnAt(path) !== null,
    column(path) {
      const { index, table, column } = placeOf(path);
      const found = columnAt(path);
      if (found === null) throw missing(`${table.name}.${column}`);
      return `b${index}.${words.name(found.name)}`;
    },
    type: (path) => columnAt(path)?.type ?? null,
    from: found.map((table, index) => `${tableName(table, words)} b${index}`),
    key: found[0] === undefined ? [] : orderOf(found[0]),
  };
}

/** Before SQL in the place of a column. */
const AS_IT_IS = "=";

function besideColumns(
  name: string,
  beside: BesideTable,
  { key }: DatabasePart,
  scope: Scope,
  isNew: (column: string) => boolean,
): readonly string[] {
  const { words } = scope;
  const { one, exists, value, columns } = beside;
  const rows = rowsOf(beside, key, scope);
  const given = beside.order.length > 0 ? beside.order : scope.key;
  const order = given.map((path) => {
    const isLast = path.startsWith("-");
    return `${scope.column(isLast ? path.slice(1) : path)}${isLast ? " desc" : ""}`;
  });
  const by = order.length === 0 ? "" : ` order by ${order.join(", ")}`;
  const as = (sql: string, column: string): readonly string[] =>
    isNew(column) ? [`(select ${sql}) as ${words.name(column)}`] : [];
  if (exists) return as(`count(*) > 0 ${rows}`, name);
  const there = columns.filter(
    ([, path]) => path.startsWith(AS_IT_IS) || scope.has(path.replace(/\{\}$/, "")),
  );
  if (one) {
    return there.flatMap(([column, path]) =>
      as(
        path.startsWith(AS_IT_IS)
          ? `${path.slice(1).trim()} ${rows}`
          : `${scope.column(path)} ${rows}${by} limit 1`,
        column,
      ),
    );
  }
  const item =
    value === undefined
      ? words.object(there.flatMap(([column, path]) => [`'${column}'`, itemOf(path, scope)]))
      : words.textItem(scope.column(value));
  return as(`${words.list(item, by)} ${rows}`, name);
}

function rowsOf({ table, on, join, where }: BesideTable, key: string, scope: Scope): string {
  const { words, from } = scope;
  const [first, ...others] = from;
  const joins = Object.entries(join).map(([other, columns], index) => {
    const pairs = Object.entries(columns).map(
      ([its, own]) => `${scope.column(`${other}.${its}`)} = ${scope.column(own)}`,
    );
    return ` join ${others[index]} on ${pairs.join(" and ")}`;
  });
  const keys = typeof on === "string" ? { [on]: key } : on;
  const own = Object.entries(keys).map(([its, user]) =>
    its.startsWith(AS_IT_IS) ? its.slice(1).trim() : `${scope.column(its)} = u.${words.name(user)}`,
  );
  if (first === undefined) throw new Error(`${table} isn't there`);
  const all = [...own, ...conditionsOf(where, (path) => scope.column(path), words)];
  return `from ${first}${joins.join("")} where ${all.join(" and ")}`;
}

function itemOf(path: string, scope: Scope): string {
  const { words } = scope;
  return path.endsWith("{}")
    ? words.json(scope.column(path.slice(0, -2)))
    : words.item(scope.column(path), scope.type(path));
}

function conditionsOf(
  conditions: Conditions,
  columnOf: (path: string) => string,
  words: SqlWords,
): readonly string[] {
  return Object.entries(conditions).map(([path, { isNot, values, ...same }]) => {
    const column = columnOf(path);
    if ("column" in same) return `${column} = ${columnOf(same.column)}`;
    const [first] = values;
    if (typeof first === "boolean") {
      return `${words.mark(column)} ${first === isNot ? "=" : "<>"} 0`;
    }
    if (first === null) return `${column} is ${isNot ? "not " : ""}null`;
    const listed = values.map((one) => words.text(String(one))).join(", ");
    const text = words.asText(column);
    return isNot ? `(${column} is null or ${text} <> ${listed})` : `${text} in (${listed})`;
  });
}
