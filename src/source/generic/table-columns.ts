/** Finds out from a table's header which column is what: by common names, and by `--map` for the rest. Two columns that could both hold the hash or a contact are an error, never a guess. */

import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import { rowsAtStart } from "../csv/csv.js";
import type { CsvLayout } from "../csv/csv-rows.js";
import { withoutNull } from "../csv/table.js";
import { isOurColumn, knownTimes } from "../csv/table-form.js";
import { looksLikeData, NO_HEADER, showName, showNames } from "../show-name.js";
import { columnPaths, objectReader } from "../fields/field-values.js";
import type { FileHead, ReadOptions } from "../source.js";
import { accountTree, isRead, partOfColumn, type RowParts, socialIn } from "./account-fields.js";
import { countedColumn, isLeft, mapOption } from "./column-watch.js";
import { accountColumns, type FieldMap, type GivenMap, mappedFields } from "./field-map.js";
import {
  isContact,
  isUnsure,
  type Meaning,
  meaningOf,
  PROFILE,
  plainName,
  type TextField,
} from "./field-names.js";
import {
  HELD,
  type JsonProperty,
  meant,
  propertyIn,
  timesAmong,
  userProperties,
} from "./json-property.js";
import { areOwnEmails } from "./unread-hash.js";

/** A column of a user's own, as the property that it is. */
interface TableColumn {
  readonly index: number;
  readonly property: JsonProperty;
}

/** @returns true where a header has a column for an email or a phone by its common names */
export function hasContactColumn(header: readonly string[]): boolean {
  return header.some((name) => {
    const meaning = meaningOf(name);
    return meaning.kind === "text" && isContact(meaning);
  });
}

/**
 * `--map`'s names as the names of the columns that they are.
 *
 * @param as how a column's name is written
 * @throws RunError `input_unrecognized` for a column that isn't there, an unknown field, or a column
 *   twice that would be read
 */
export function mapOfTable(
  path: string,
  header: readonly string[],
  map: GivenMap,
  as = (name: string): string => name,
): FieldMap {
  const names = header.map((name) => name.trim());
  const lacks = (given: string): RunError =>
    unrecognized(
      path,
      `has no column ${showName(given)}, which ${optionName("--map")} names`,
      header,
    );
  const columnOf = (given: string): string => {
    const plain = plainName(given);
    const found =
      names.find((name) => as(name) === as(given)) ??
      names.find((name) => plain !== "" && plainName(name) === plain);
    if (found !== undefined) return as(found);
    throw lacks(given);
  };
  const mapped = new Map(
    Array.from(mappedFields(map), ([field, given]) => {
      if (field === "users") {
        const what = `${path} is a table: ${optionName("--map")} users is for JSON`;
        throw new RunError("input_unrecognized", what, { hint: "Leave it out." });
      }
      return [field, given.map((one) => ({ ...one, name: columnOf(one.name) }))] as const;
    }),
  );
  const missing = accountColumns(map).find((name) => !names.includes(name));
  if (missing !== undefined) throw lacks(missing);
  refuseDuplicates(path, header, map);
  return mapped;
}

/**
 * Resolves a header. A column named like a flag may hold points in time (`emailVerified` of
 * NextAuth's users): the rows at the file's start show it, and then an empty cell says "not yet". A
 * table of rejects says what the whole export has shown: its rows may be just those without such a
 * time.
 *
 * @param map as {@link mapOfTable} gives it
 * @returns a row's reader, each column as a property under its whole name, and the names of those
 *   that hold points in time
 * @throws RunError `input_unrecognized` for no column for a contact; `column_unclear` for two for one field, or for emails under another name
 */
export async function tableColumns(head: FileHead, layout: CsvLayout, map: FieldMap) {
  const { header } = layout;
  const rows = await rowsAtStart(head, layout);
  const cells = cellsOf(header, rows, userProperties(map, new Set(), header));
  const times = timesAmong(cells, knownTimes(layout));
  const properties = userProperties(map, times, header);
  const columns = columnsOf(head.path, header, properties);
  refuseUnreadEmails(head.path, columns, rows);
  const keyed = columns.map(({ index, property }) => {
    const { path } = property;
    const isAgain = columns.some((other) => other.index < index && other.property.path === path);
    // A second column of one name is heard as well.
    return { index, property, key: isAgain ? `${path}\0${index}` : path };
  });
  for (const { key, property } of keyed) properties.children.set(key, property);
  return {
    properties,
    expected: null,
    times: [...times],
    userOf: rowReader(keyed),
  };
}

function* cellsOf(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  properties: JsonProperty,
): Generator<readonly [JsonProperty, string]> {
  for (const [index, name] of header.entries()) {
    if (isOurColumn(name)) continue;
    const property = propertyIn(properties, name.trim());
    for (const row of rows) yield [property, withoutNull(row[index] ?? "")];
  }
}

/** Reads rows as objects, all of one shape. */
function rowReader(columns: readonly { readonly index: number; readonly key: string }[]) {
  const empty: Record<string, string> = Object.fromEntries(columns.map(({ key }) => [key, ""]));
  return (row: readonly string[]): object => {
    const user = { ...empty };
    for (const { index, key } of columns) {
      const text = row[index] ?? "";
      if (text !== "") user[key] = withoutNull(text);
    }
    return user;
  };
}

/** What a table's rows say of accounts, of which each column is a property under its whole name. */
export function partsOfTable(
  { children }: JsonProperty,
  { map, keepsAccount }: Pick<ReadOptions, "map" | "keepsAccount">,
): RowParts {
  const tree = keepsAccount ? accountTree(map) : null;
  const named = Array.from(children.values(), (property, index) => {
    const { path: name } = property;
    return { index, name, property, part: partOfColumn(name, tree) };
  });
  const paths = columnPaths(named.filter(({ part }) => part !== null));
  const isFlat = paths.every(({ steps }) => steps.length === 1);
  const userOf = objectReader(paths);
  const textAt = (row: object, name = ""): string => String(Reflect.get(row, name) ?? "");
  const isTold = keepsAccount === "all" && named.some(({ property }) => isLeft(property));
  const isAsked = isTold || named.some(({ part }) => isRead(part, keepsAccount));
  return {
    tree: isAsked ? tree : null,
    // Their names are the row's, unless one leads to an object.
    ...(isFlat && { names: [...new Set(paths.flatMap(({ steps }) => steps))] }),
    user: isFlat ? (row) => row : (row) => userOf((index) => textAt(row, named[index]?.name)),
    hasSocial: socialIn(map),
  };
}

function columnsOf(
  path: string,
  header: readonly string[],
  properties: JsonProperty,
): readonly TableColumn[] {
  const named = header.flatMap((name, index) => {
    if (isOurColumn(name)) return [];
    const property = propertyIn(properties, name.trim());
    const shown = `The column ${property.shown}`;
    return { index, property: { ...property, shown, held: HELD.text } };
  });
  const texts = new Map(
    (["id", "email", "phone", "hash", "salt", "plain"] as const).map((field) => [
      field,
      textColumn(path, named, field),
    ]),
  );
  const has = (field: TextField): boolean => texts.get(field) !== undefined;
  if (!has("email") && !has("phone")) {
    throw unrecognized(path, "has no column for an email or a phone", header);
  }
  const only = has("email") ? "email" : "phone";
  return named.map((column) => {
    const meanings = column.property.meanings.map((one): Meaning => {
      if (one.kind === "text") return texts.get(one.field) === column ? one : PROFILE;
      if (one.kind === "list") return { kind: "notice", code: `other_${one.of}s_not_migrated` };
      return one.kind === "verified" && one.of === "any" ? { ...one, of: only } : one;
    });
    return { index: column.index, property: meant(column.property, meanings) };
  });
}

/** @throws RunError `column_unclear` */
function textColumn(
  path: string,
  columns: readonly TableColumn[],
  field: TextField,
): TableColumn | undefined {
  const found = columns.flatMap((column) =>
    column.property.meanings.flatMap((one) =>
      one.kind === "text" && one.field === field ? [{ column, meaning: one }] : [],
    ),
  );
  const sure = found.filter((one) => !isUnsure(one.meaning));
  const [best, ...others] = (sure.length > 0 ? sure : found).sort(
    (one, other) => one.meaning.rank - other.meaning.rank,
  );
  if (field === "id" || field === "plain" || others.length === 0) return best?.column;
  const names = [best, ...others].map((one) => showName(one?.column.property.path ?? ""));
  const message = `${path} has several columns for ${field}: ${names.join(", ")}`;
  throw new RunError("column_unclear", message, {
    hint: `Say which one it is with ${optionName("--map")} ${field}=COLUMN.`,
  });
}

/** A password needs an email: a table without a column for it may have one of another name, with an email of its own in each row. */
function refuseUnreadEmails(
  path: string,
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): void {
  const as = columns.map(({ property }) => countedColumn(property, null).as);
  if (as.includes("email")) return;
  const unread = columns.find(({ index, property: { isMapped } }, at) => {
    return as[at] === null && !isMapped && areOwnEmails(rows.map((row) => row[index] ?? ""));
  });
  if (unread === undefined) return;
  const name = unread.property.path;
  const what = `${path} has emails in ${showName(name)}, which isn't read`;
  throw new RunError("column_unclear", what, {
    hint: `Say ${mapOption("email", name)} where they are the users' own, or ${mapOption("ignore", name)}.`,
  });
}

/** A repeated column stops a file only where it would be read. */
function refuseDuplicates(path: string, header: readonly string[], map: GivenMap): void {
  const keys = header.map(plainName);
  const given = new Set([...map.values()].flat().map(plainName));
  const tree = accountTree(map);
  const isMeant = (name: string): boolean =>
    given.has(plainName(name)) || meaningOf(name) !== PROFILE || partOfColumn(name, tree) !== null;
  const index = header.findIndex(
    (name, at) => keys[at] !== "" && keys.indexOf(keys[at] ?? "") !== at && isMeant(name),
  );
  if (index === -1) return;
  const message = `${path} has the column ${showName(header[index] ?? "")} twice`;
  throw new RunError("input_unrecognized", message, { hint: "Rename or remove one of the two." });
}

function unrecognized(path: string, what: string, header: readonly string[]): RunError {
  if (looksLikeData(header)) {
    return new RunError("input_unrecognized", `${path} has no header row`, { hint: NO_HEADER });
  }
  return new RunError("input_unrecognized", `${path} ${what}`, {
    hint: `The columns found are ${showNames(header)}. The first row must name the columns; name those you need with ${optionName("--map")}, as in ${optionName("--map")} email=COLUMN.`,
  });
}
