/** Any CSV file with a header: an application's own users table, a spreadsheet. Columns are known by their common names or by `--map`; hashes are handed on as they are. */

import type { UserDraft } from "../../account/user-draft.js";
import { detectLayout, readCsv } from "../csv/csv.js";
import type { CsvLayout } from "../csv/csv-rows.js";
import { layoutOf, withoutNull } from "../csv/table.js";
import { tableForm } from "../csv/table-form.js";
import { defineSource, toDrafts } from "../define-source.js";
import type { FieldTree } from "../fields/field-tree.js";
import { columnPaths, objectReader } from "../fields/field-values.js";
import { isJson } from "../format.js";
import type { RowBatch } from "../raw/raw-row.js";
import type { FileHead, ReadOptions } from "../source.js";
import {
  accountTree,
  isRead,
  partOfColumn,
  type RowParts,
  socialColumns,
  staysOf,
  withParts,
} from "./account-fields.js";
import { ColumnWatch, countedColumn, isFlag, isLeft } from "./column-watch.js";
import type { FieldMap } from "./field-map.js";
import { isPathTable, mapOfPaths, readPathTable } from "./path-table.js";
import { hasContactColumn, mapOfTable, type TableColumn, tableColumns } from "./table-columns.js";
import { UserReader } from "./user-reader.js";

const NO_MAP: ReadOptions["map"] = new Map();

export const genericCsv = defineSource({
  name: "csv",
  label: "any other CSV with a header row: [a table of your own](vendors/csv.md)",
  generic: true,
  recognize(head) {
    // A list on one line, as scripts write it, is no header.
    if (isJson(head) && /^\s*(?:\[\s*)?\{/.test(head.text)) return null;
    const layout = detectLayout(head);
    if (layout === null) return null;
    return hasContactColumn(layout.header) || isPathTable(layout.header, NO_MAP)
      ? `a header row of ${layout.header.length} columns with an email or a phone`
      : null;
  },
  open(head, bytes, options) {
    const layout = layoutOf(head);
    // At once, so that a name that the table lacks is refused before the first row is asked for.
    if (isPathTable(layout.header, options.map)) {
      const map = mapOfPaths(head.path, layout, options.map);
      return readPathTable(head, bytes, layout, map, options);
    }
    const map = mapOfTable(head.path, layout.header, options.map);
    return readUsers(head, bytes, layout, map, options);
  },
});

/** @throws RunError `hash_column_unread`, `column_unclear` before the rows are handed on that show it */
async function* readUsers(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
  layout: CsvLayout,
  map: FieldMap,
  options: ReadOptions,
): AsyncGenerator<RowBatch<UserDraft>> {
  const { columns, times } = await tableColumns(head, layout, map);
  const tree = options.keepsAccount ? accountTree(options.map) : null;
  const parts = partsOf(columns, tree, options);
  const watch = new ColumnWatch(head.path, null, options.onUnread);
  const reader = new UserReader(watch, options.now);
  const properties = columns.map(({ property }) => property);
  const drafts = toDrafts(
    readCsv(bytes, layout),
    (row) => withParts(reader.readRow(row, columns), row, parts, options),
    tableForm(layout, times),
  );
  yield* watch.guard(
    drafts,
    () => properties.some(isFlag),
    () => properties.map((property) => countedColumn(property, tree)),
    options.onColumns,
  );
}

/** What its rows say of accounts. */
function partsOf(
  columns: readonly TableColumn[],
  tree: FieldTree | null,
  { map, keepsAccount }: ReadOptions,
): RowParts<readonly string[]> {
  const named = columns.map(({ index, property }) => {
    const { path: name } = property;
    return { index, name, property, part: partOfColumn(name, tree) };
  });
  const userOf = objectReader(columnPaths(named.filter(({ part }) => part !== null)));
  const ofProviders = new Set(socialColumns(map));
  const social = named.filter(({ name }) => ofProviders.has(name));
  const left = named
    .map(({ index, property, part }) => ({
      index,
      codes: staysOf(countedColumn(property, null).as, part),
    }))
    .filter(({ codes }) => codes.length > 0);
  const isTold = keepsAccount === "all" && named.some(({ property }) => isLeft(property));
  const isAsked = isTold || named.some(({ part }) => isRead(part, keepsAccount));
  const cell = (row: readonly string[], index: number): string => withoutNull(row[index] ?? "");
  return {
    tree: isAsked ? tree : null,
    user: (row) => userOf((index) => cell(row, index)),
    stays: (row) =>
      left.flatMap(({ index, codes }) => (cell(row, index).trim() === "" ? [] : codes)),
    hasSocial: (row) => social.some(({ index }) => cell(row, index).trim() !== ""),
  };
}
