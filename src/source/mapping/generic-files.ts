/** Files of no known system: any CSV with a header, be it an application's own users table or a spreadsheet, and any JSON of users. Their fields are known by common names or by `--map`; hashes are handed on as they are. */

import type { UserDraft } from "../../account/user-draft.js";
import { detectLayout, readCsv } from "../csv/csv.js";
import { layoutOf } from "../csv/table.js";
import { tableForm } from "../csv/table-form.js";
import { defineSource, toDrafts } from "../define-source.js";
import { isJson } from "../format.js";
import { accountTree, type RowParts, socialIn, withParts } from "../generic/account-fields.js";
import { ColumnWatch, countedColumn, isFlag } from "../generic/column-watch.js";
import { mappedFields } from "../generic/field-map.js";
import { describePlace, readingOf } from "../generic/json-document.js";
import { findUsers, isEmptyList } from "../generic/json-head.js";
import { type JsonProperty, metUnder, userProperties } from "../generic/json-property.js";
import { isPathTable, mapOfPaths, sampledPaths } from "../generic/path-table.js";
import {
  hasContactColumn,
  mapOfTable,
  partsOfTable,
  tableColumns,
} from "../generic/table-columns.js";
import { refuseContactsBeside } from "../generic/users-further-in.js";
import { readJson } from "../json/json.js";
import { readNdjson } from "../json/ndjson.js";
import { guardKinds, takesBeside } from "../kinds.js";
import { jsonForm } from "../raw/json-form.js";
import type { RawForm, RowBatch } from "../raw/raw-row.js";
import type { RowDamage } from "../row-damage.js";
import type { ReadOptions } from "../source.js";
import { UserReader } from "./user-reader.js";

const NO_MAP: ReadOptions["map"] = new Map();

export const genericCsv = defineSource({
  name: "csv",
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
    const isPaths = isPathTable(layout.header, options.map);
    // At once, so that a name that the table lacks is refused before the first row is asked for.
    const map = isPaths
      ? mapOfPaths(head.path, layout, options.map)
      : mapOfTable(head.path, layout.header, options.map);
    return readTable();

    async function* readTable(): AsyncGenerator<RowBatch<UserDraft>> {
      const { times, ...reading } = isPaths
        ? await sampledPaths(head, layout, map)
        : await tableColumns(head, layout, map);
      const rows = readCsv(bytes, layout);
      const parts = isPaths ? partsOf(options) : partsOfTable(reading.properties, options);
      const form = tableForm(layout, times);
      yield* readUsers(head.path, { ...reading, rows, parts, form }, options);
    }
  },
});

/** Without `--map`: the common names alone. */
const BY_NAME = userProperties(new Map(), new Set());

export const genericJson = defineSource({
  name: "json",
  generic: true,
  recognize(head) {
    if (!isJson(head)) return null;
    const [place] = findUsers(head, BY_NAME);
    if (place === undefined && isEmptyList(head, BY_NAME)) return "a JSON list without users";
    return place === undefined ? null : `${describePlace(place)} with an email or a phone`;
  },
  open(head, bytes, options) {
    const given = mappedFields(options.map);
    if (isEmptyList(head, BY_NAME)) return emptyList();
    refuseContactsBeside(head);
    const { place, learned, ...reading } = readingOf(head, given);
    const { array, samples } = place;
    const { map, now } = options;
    const beside = new Map<string, number>();
    const onList = (list: string): void => void beside.set(list, (beside.get(list) ?? 0) + 1);
    const takes = takesBeside(head, { onList, now });
    const objects =
      array === null
        ? readNdjson(bytes)
        : readJson(head.path, bytes, array, { takesBeside: takes });
    const rows = guardKinds(head, objects, { samples, map, now });
    const userOf = (object: object): object => object;
    const form = jsonForm(learned);
    const users = { ...reading, beside, rows, userOf, parts: partsOf(options), form };
    return readUsers(head.path, users, options);
  },
});

async function* emptyList(): AsyncGenerator<RowBatch<UserDraft>> {}

/** A file's users, whatever container they come from. */
interface Users<Row> {
  readonly rows: AsyncIterable<RowBatch<Row>>;
  readonly userOf: (row: Row) => object;
  readonly properties: JsonProperty;
  /** As {@link UserReader} takes it. */
  readonly expected: readonly JsonProperty[] | null;
  /** How rejects are written. */
  readonly form: RawForm;
  readonly parts: RowParts;
  /** A user with the values of `--map`'s expressions. */
  readonly view?: (user: object) => object;
  /** How many objects lists beside the users hold, by the lists' paths. */
  readonly beside?: ReadonlyMap<string, number>;
}

/** @throws RunError `hash_column_unread`, `column_unclear` before the rows are handed on that show it */
function readUsers<Row>(
  path: string,
  { rows, userOf, properties, expected, form, parts, view, beside = new Map() }: Users<Row>,
  options: ReadOptions,
): AsyncIterable<RowBatch<UserDraft>> {
  const watch = new ColumnWatch(path, null, options.onUnread);
  const tree = options.keepsAccount ? accountTree(options.map) : null;
  const reader = new UserReader(watch, properties, expected, options.now, tree);
  const read = (row: Row): UserDraft | RowDamage => {
    const user = userOf(row);
    const draft = reader.read(view?.(user) ?? user);
    return withParts(draft, user, parts, options, reader.stays());
  };
  const drafts = toDrafts(rows, read, form);
  return watch.guard(
    drafts,
    () => [...metUnder(properties)].some(isFlag),
    () => [
      ...[...metUnder(properties)].map((property) => countedColumn(property, tree)),
      ...[...beside].map(([list, filled]) => ({ name: `${list}[]`, as: null, filled })),
    ],
    options.onColumns,
  );
}

/** What objects say of accounts. */
function partsOf({ map, keepsAccount }: ReadOptions): RowParts {
  const tree = keepsAccount ? accountTree(map) : null;
  return { tree, user: (user) => user, hasSocial: socialIn(map) };
}
