/** The rows of a table as the users that JSON would have, for sources that read both alike. */

import { RunError } from "../errors/run-error.js";
import { readCsv } from "./csv/csv.js";
import { headerOf, layoutOf } from "./csv/table.js";
import { isOurColumn } from "./csv/table-form.js";
import { type FieldTree, placeOfColumn } from "./fields/field-tree.js";
import { UNNAMED } from "./fields/field-table.js";
import { columnPaths, objectReader } from "./fields/field-values.js";
import { isJson } from "./format.js";
import type { GivenMap } from "./generic/field-map.js";
import { meaningOf, PROFILE } from "./generic/field-names.js";
import { firstLine } from "./json/ndjson.js";
import { showNames } from "./show-name.js";
import type { FileHead } from "./source.js";

/** What a vendor writes into tables beside what the user has. */
interface TableOptions {
  /** Takes off a cell what isn't the user's own. */
  readonly clean?: ((text: string, row: readonly string[]) => string) | undefined;
  /** Whether columns count whatever the case of their names, which the table of fields writes small. */
  readonly anyCase?: boolean | undefined;
  /** What `--map` says is read, whatever its name. */
  readonly map: GivenMap;
}

/**
 * Opens a table by its header. Columns of a file of rejects are no user's.
 *
 * @returns the names of its columns, since that one is there may say something, though it is empty;
 *   its rows, and the users that they are by the paths of their columns (`identities[0].provider`)
 * @throws RunError `input_unrecognized` where there is no readable header, a column twice that would
 *   be read, or none that the table of fields names
 */
export function openTable(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
  fields: FieldTree,
  { clean = withoutGuard, anyCase = false, map }: TableOptions,
) {
  const layout = layoutOf(head);
  const columns = layout.header.flatMap((name, index) =>
    isOurColumn(name) ? [] : [{ index, name: anyCase ? knownName(name, fields) : name.trim() }],
  );
  const names = columns.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at && isRead(name, fields, map));
  if (twice.length > 0) {
    throw new RunError("input_unrecognized", `${head.path} has ${showNames(twice)} twice`, {
      hint: "Rename or remove one of the two columns.",
    });
  }
  if (names.every((name) => placeOfColumn(name, fields) === null)) {
    throw new RunError("input_unrecognized", `${head.path} has none of the vendor's columns`, {
      hint: `Found ${showNames(names)}.`,
    });
  }
  const first = columns.filter(({ name }, at) => names.indexOf(name) === at);
  const userOf = objectReader(columnPaths(first));
  return {
    names: new Set(names),
    rows: readCsv(bytes, layout),
    userOf: (row: readonly string[]) => userOf((index) => clean(row[index] ?? "", row)),
  };
}

/** Whether a column says something of the user, by the table of fields or by its own name. */
function isRead(name: string, fields: FieldTree, map: GivenMap): boolean {
  const given = [...map].find(([, names]) =>
    [names].flat().some((one) => one.split("=")[0] === name),
  );
  if (given !== undefined) return given[0] !== "ignore";
  const place = placeOfColumn(name, fields);
  const fate = place?.fate ?? null;
  if (place === null || (fate?.kind === "told" && fate.isHeard)) return meaningOf(name) !== PROFILE;
  if (fate?.kind === "told") return fate.code !== UNNAMED && fate.code !== "profile_not_migrated";
  return fate?.kind !== "meaningless";
}

/** A column's name as the table of fields has it, whatever its case; any other as it stands, since its capitals part its words. */
export function knownName(name: string, fields: FieldTree): string {
  const small = name.trim().toLowerCase();
  return placeOfColumn(small, fields) === null ? name.trim() : small;
}

/** What a system's JSON and its table are known by, and the names of their fields. */
interface Forms<Form = { readonly fields: FieldTree; readonly anyCase?: boolean | undefined }> {
  readonly json: Form;
  readonly table: Form;
  readonly ofJson: (head: FileHead) => object | undefined;
  readonly ofTable: Forms["ofJson"];
}

/** A file whose rows are a table's, though they stand as objects, one a line, as databases write them: they have more of its names than of JSON's. */
export function asRows(head: FileHead, { json, table, ofJson, ofTable }: Forms): FileHead {
  if (!isJson(head) || firstLine(head) === null) return head;
  const lines = { ...head, of: "lines" } as const;
  if (ofTable(lines) === undefined) return head;
  const known = ({ fields, anyCase = false }: Forms["json"]): number =>
    (headerOf(lines) ?? []).filter(
      (name) => placeOfColumn(anyCase ? knownName(name, fields) : name, fields) !== null,
    ).length;
  return ofJson(head) === undefined || known(table) > known(json) ? lines : head;
}

/** Stands before values that a spreadsheet would run; the tab isn't the user's. */
const GUARD = /^\t(?=[=+\-@])/;

function withoutGuard(text: string): string {
  return text.startsWith("\t") ? text.replace(GUARD, "") : text;
}
