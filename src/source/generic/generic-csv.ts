/** Any CSV file with a header: an application's own users table, a spreadsheet. Columns are known by their common names or by `--map`; hashes are handed on as they are. */

import type { RawHash } from "../../hash/hash.js";
import type { UserDraft } from "../../record/user-draft.js";
import type { Exclusion } from "../../record/user-record.js";
import { detectLayout, readCsv } from "../csv/csv.js";
import type { CsvLayout } from "../csv/csv-layout.js";
import { withoutNull } from "../csv/null-text.js";
import { layoutOf } from "../csv/table.js";
import { defineSource, toDrafts } from "../define-source.js";
import type { RowBatch } from "../raw/raw-row.js";
import { knownTimes, tableForm } from "../raw/table-form.js";
import { RowDamage } from "../row-damage.js";
import type { FileHead } from "../source.js";
import { isPointInTime, readExclusion, readVerified, unclearFlag } from "./account-flags.js";
import {
  type CsvColumns,
  type FlagColumn,
  hasContactColumn,
  resolveColumns,
} from "./csv-columns.js";
import { besideOf, isLeftBehind, rawHashOf } from "./generic-draft.js";

export const genericCsv = defineSource({
  name: "csv",
  label: "CSV with a header row",
  generic: true,
  recognize(head) {
    const layout = detectLayout(head);
    return layout !== null && hasContactColumn(layout.header)
      ? `a header row of ${layout.header.length} columns with an email or a phone`
      : null;
  },
  open(head, bytes, options) {
    const layout = layoutOf(head);
    return readUsers(head, bytes, layout, resolveColumns(head.path, layout.header, options.map));
  },
});

async function* readUsers(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
  layout: CsvLayout,
  named: CsvColumns,
): AsyncGenerator<RowBatch<UserDraft>> {
  const times = await timesOf(head, layout, named);
  const columns = withTimes(named, times);
  const names = [...times].map((index) => (layout.header[index] ?? "").trim());
  const form = tableForm(layout, names);
  yield* toDrafts(readCsv(bytes, layout), (row) => toDraft(row, columns), form);
}

/**
 * A column named like a flag may hold points in time (`emailVerified` of NextAuth's users). The
 * rows at the file's start show it, and then an empty cell says "not yet". A table of rejects says
 * what the whole export has shown: its rows may be just those without such a time.
 *
 * @returns the columns' indexes
 */
async function timesOf(
  head: FileHead,
  layout: CsvLayout,
  columns: CsvColumns,
): Promise<ReadonlySet<number>> {
  const known = knownTimes(layout.header);
  const flags = [...columns.emailVerified, ...columns.phoneVerified];
  const isKnown = (index: number): boolean => known.includes((layout.header[index] ?? "").trim());
  const times = new Set(flags.map(({ index }) => index).filter(isKnown));
  for await (const rows of readCsv(headBytes(head), layout)) {
    for (const row of rows) {
      if (row instanceof RowDamage) continue;
      for (const { index } of flags) if (isPointInTime(cell(row, index).trim())) times.add(index);
    }
  }
  return times;
}

function withTimes(columns: CsvColumns, times: ReadonlySet<number>): CsvColumns {
  const timed = (flag: FlagColumn): FlagColumn =>
    times.has(flag.index) ? { ...flag, kind: "time" } : flag;
  return {
    ...columns,
    emailVerified: columns.emailVerified.map(timed),
    phoneVerified: columns.phoneVerified.map(timed),
  };
}

async function* headBytes(head: FileHead): AsyncGenerator<Buffer> {
  yield Buffer.from(head.text);
}

/** For nearly every row: nothing is made for it. */
const NONE: readonly never[] = [];

function toDraft(row: readonly string[], columns: CsvColumns): UserDraft | RowDamage {
  const exclusion = exclusionOf(row, columns);
  if (exclusion instanceof RowDamage) return exclusion;
  const email = cell(row, columns.email);
  return {
    sourceId: cell(row, columns.id),
    email,
    emailVerified: verifiedOf(row, columns.emailVerified),
    phone: cell(row, columns.phone),
    phoneVerified: verifiedOf(row, columns.phoneVerified),
    hash: hashOf(row, columns),
    exclusions: exclusion === null ? NONE : [exclusion],
    notices: noticesOf(row, columns, email),
  };
}

function cell(row: readonly string[], index: number): string {
  return withoutNull(row[index] ?? "");
}

function hashOf(row: readonly string[], columns: CsvColumns): RawHash | null {
  const { beside } = columns;
  const besideHash =
    beside.length === 0
      ? null
      : besideOf(beside.map(({ index, field }) => [field, cell(row, index)] as const));
  return rawHashOf(cell(row, columns.hash), cell(row, columns.salt), besideHash);
}

/** One column that says no is enough. */
function verifiedOf(row: readonly string[], columns: readonly FlagColumn[]): boolean | null {
  let verified: boolean | null = null;
  for (const { index, kind } of columns) {
    const answer = readVerified(cell(row, index).trim(), kind);
    if (answer === false) return false;
    verified ??= answer;
  }
  return verified;
}

/** One column that keeps the account out is enough. */
function exclusionOf(row: readonly string[], columns: CsvColumns): Exclusion | RowDamage | null {
  for (const { index, kind, exclusion, name } of columns.exclusions) {
    const answer = readExclusion(cell(row, index).trim(), kind, exclusion);
    if (answer === null) continue;
    return answer === "unreadable" ? unclearFlag(`The column ${name}`) : answer;
  }
  return null;
}

function noticesOf(row: readonly string[], columns: CsvColumns, email: string): readonly string[] {
  let notices: readonly string[] = NONE;
  for (const { code, indexes, alone } of columns.notices) {
    if (!indexes.some((index) => isLeftBehind(code, cell(row, index), email))) continue;
    notices = notices.length === 0 ? alone : [...notices, code];
  }
  return notices;
}
