/** A table whose columns are named as paths of properties, as `mongoexport --type=csv` and pandas write them (`emails.0.address`, `services.password.bcrypt`): its rows are the users that JSON would have. */

import { rowsAtStart } from "../csv/csv.js";
import type { CsvLayout } from "../csv/csv-rows.js";
import { isOurColumn, knownTimes } from "../csv/table-form.js";
import { columnPaths, objectReader } from "../fields/field-values.js";
import type { FileHead, ReadOptions } from "../source.js";
import { type FieldMap, mappedFields } from "./field-map.js";
import { haveContact, sampledProperties } from "./json-head.js";
import { userProperties } from "./json-property.js";
import { mapOfTable } from "./table-columns.js";

/** `emails.0.address`, `emails[0].address`, `profile.name`. */
const PATH = /^[\p{L}_$][\p{L}\p{N}_$-]*(?:\.[\p{L}\p{N}_$-]+|\[\d{1,3}\])+$/u;
/** Rows enough to see which columns hold points in time. */
const MAX_SAMPLES = 200;

/**
 * Whether a table's columns are paths that lead to a contact, by their names or by `--map`. They
 * aren't where one leads through another: `email`, `email.verified`.
 */
export function isPathTable(header: readonly string[], map: ReadOptions["map"]): boolean {
  const names = namesOf(header);
  if (!names.some((name) => PATH.test(name))) return false;
  const paths = names.map(pathOf);
  if (paths.some((path) => paths.some((other) => other.startsWith(`${path}.`)))) return false;
  if (new Set(paths).size < paths.length) return false;
  const given = mappedFields(map);
  if (given.has("email") || given.has("phone")) return true;
  return haveContact([readerOf(header)(() => "?")], userProperties(given, new Set()));
}

/**
 * What the table's first rows show of its properties.
 *
 * @param map as {@link mapOfPaths} gives it
 */
export async function sampledPaths(head: FileHead, layout: CsvLayout, map: FieldMap) {
  const read = readerOf(layout.header);
  const userOf = (row: readonly string[]) => read((index) => row[index] ?? "");
  const samples = (await rowsAtStart(head, layout)).map(userOf);
  const times = knownTimes(layout)?.map(pathOf) ?? null;
  const known = times && { times, expected: [] };
  const sampled = sampledProperties(samples.slice(0, MAX_SAMPLES), map, known);
  return { ...sampled, times: sampled.learned.times, samples, userOf };
}

/** `--map`'s names as the paths of a table's properties. @throws RunError as {@link mapOfTable} */
export function mapOfPaths(path: string, { header }: CsvLayout, map: ReadOptions["map"]): FieldMap {
  return mapOfTable(path, namesOf(header), map, pathOf);
}

function namesOf(header: readonly string[]): readonly string[] {
  return header.map((name) => name.trim()).filter((name) => !isOurColumn(name));
}

function readerOf(header: readonly string[]) {
  const columns = header.flatMap((name, index) =>
    isOurColumn(name) ? [] : [{ index, name: name.trim() }],
  );
  return objectReader(columnPaths(columns));
}

/** A column's name as the path by which its value is found. */
function pathOf(name: string): string {
  return name.replace(/\[(\d{1,3})\]/g, ".$1");
}
