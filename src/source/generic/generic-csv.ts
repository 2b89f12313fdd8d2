/** Any CSV file with a header: an application's own users table, a spreadsheet. Columns are known by their common names or by `--map`; hashes are handed on as they are. */

import type { RawHash } from "../../hash/hash.js";
import type { UserDraft } from "../../account/user-draft.js";
import { detectLayout, readCsv } from "../csv/csv.js";
import type { CsvLayout } from "../csv/csv-rows.js";
import { layoutOf } from "../csv/table.js";
import { defineSource, toDrafts } from "../define-source.js";
import type { RowBatch } from "../raw/raw-row.js";
import { isOurColumn, knownTimes, tableForm } from "../csv/table-form.js";
import { rowReader } from "../fields/field-values.js";
import { RowDamage } from "../row-damage.js";
import {
  accountTree,
  isRead,
  partOfColumn,
  socialColumns,
  requireAccountColumns,
  type RowParts,
  staysOf,
  withParts,
} from "./account-fields.js";
import type { FileHead, ReadOptions } from "../source.js";
import { matters } from "./account-flags.js";
import { cell, keptOutBy, verifiedOf } from "./column-flags.js";
import { ColumnWatch } from "./column-watch.js";
import { type CsvColumns, hasContactColumn, resolveColumns } from "./csv-columns.js";
import {
  besideOf,
  decidedBy,
  factorIn,
  type KeptOut,
  keptOut,
  rawHashOf,
  ssoOnly,
} from "./generic-draft.js";
import { factorIsOff, isFactorSwitch, type Way } from "./other-ways.js";
import { isPathTable, readPathTable } from "./path-table.js";
import { isPointInTime } from "../point-in-time.js";
import { hashByName, plainPassword } from "../user-parts.js";
import { saysFactor, saysNoLogin } from "./said-values.js";
import { unreadHash } from "./unread-hash.js";

const NO_MAP: ReadOptions["map"] = new Map();

export const genericCsv = defineSource({
  name: "csv",
  label:
    "any other CSV with a header row, with `,`, `;`, TAB or a vertical bar: an application's own users table (WordPress, Laravel, Devise, NextAuth and others), a spreadsheet. Columns are recognized by their common names; `--map field=column` for the rest",
  generic: true,
  recognize(head) {
    // A list on one line, as scripts write it, is no header.
    if (/^\s*(?:\[\s*)?\{/.test(head.text)) return null;
    const layout = detectLayout(head);
    if (layout === null) return null;
    return hasContactColumn(layout.header) || isPathTable(layout.header, NO_MAP)
      ? `a header row of ${layout.header.length} columns with an email or a phone`
      : null;
  },
  open(head, bytes, options) {
    const layout = layoutOf(head);
    if (isPathTable(layout.header, options.map)) return readPathTable(head, bytes, layout, options);
    // At once, so that a header that can't be read is refused before the first row is asked for.
    const named = resolveColumns(head.path, layout.header, options.map);
    requireAccountColumns(head.path, layout.header, options.map);
    return readUsers(head, bytes, layout, named, options);
  },
});

/** @throws RunError `hash_column_unread`, `column_unclear` before the rows are handed on that show it */
async function* readUsers(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
  layout: CsvLayout,
  named: CsvColumns,
  options: ReadOptions,
): AsyncGenerator<RowBatch<UserDraft>> {
  const { now, onColumns } = options;
  const tree = options.keepsAccount ? accountTree(options.map) : null;
  const header = layout.header.flatMap((given, index) => {
    const name = given.trim();
    return isOurColumn(name) ? [] : [{ index, name, part: partOfColumn(name, tree) }];
  });
  const userOf = tree === null ? () => [] : rowReader(header, tree);
  const times = await timesOf(head, layout, named);
  const columns = resolveColumns(head.path, layout.header, options.map, times);
  const form = tableForm(
    layout,
    [...times].map((index) => columns.names[index] ?? ""),
  );
  const switches = columns.deciding.filter(({ name }) => isFactorSwitch(name));
  const watch = new ColumnWatch(head.path);
  const filled = new Uint32Array(layout.header.length);
  const ofProviders = new Set(socialColumns(options.map));
  const social = header.filter(({ name }) => ofProviders.has(name));
  const left = header
    .map(({ index, part }) => ({ index, codes: staysOf(columns.roles[index] ?? null, part) }))
    .filter(({ codes }) => codes.length > 0);
  const isTold = options.keepsAccount === "all" && columns.left.length > 0;
  const isAsked = isTold || header.some(({ part }) => isRead(part, options.keepsAccount));
  const parts: RowParts<readonly string[]> = {
    tree: isAsked ? tree : null,
    user: (row) => userOf((index) => cell(row, index)),
    stays: (row) =>
      left.flatMap(({ index, codes }) => (cell(row, index).trim() === "" ? [] : codes)),
    hasSocial: (row) => social.some(({ index }) => cell(row, index).trim() !== ""),
  };
  const read = (row: readonly string[]): UserDraft | RowDamage => {
    for (let index = 0; index < filled.length; index++) {
      if (cell(row, index) !== "") filled[index] = (filled[index] ?? 0) + 1;
    }
    const factor = watchRow(row, columns, watch, now);
    return withParts(toDraft(row, columns, { switches, factor }, watch, now), row, parts, options);
  };
  yield* watch.guard(
    toDrafts(readCsv(bytes, layout), read, form),
    () => columns.exclusions.length > 0,
    () =>
      header.map(({ index, name, part }) => ({
        name,
        as: columns.roles[index] ?? part,
        filled: filled[index] ?? 0,
      })),
    onColumns,
  );
}

/**
 * Notes unclear flags and unread hashes.
 *
 * @returns the column that says of a second factor what its name doesn't
 */
function watchRow(
  row: readonly string[],
  { unclear, unread, names, texts }: CsvColumns,
  watch: ColumnWatch,
  now: number,
): string | null {
  let factor: string | null = null;
  for (const { index, meaning } of unclear) {
    if (matters(meaning, cell(row, index).trim(), now)) {
      watch.unclear(names[index] ?? "", meaning.about);
    }
  }
  for (const { index } of unread) {
    const name = names[index] ?? "";
    const text = row[index] ?? "";
    if (saysNoLogin(text)) watch.unclear(name, "flag");
    if (saysFactor(name, text)) factor = name;
    const found = unreadHash(name, text);
    if (found === "always" || (found === "alone" && cell(row, texts.hash) === "")) {
      watch.hash(name, names[texts.hash] ?? null);
    }
  }
  return factor;
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
  { names, emailVerified, phoneVerified }: CsvColumns,
): Promise<ReadonlySet<number>> {
  const known = knownTimes(layout.header);
  const flags = [...emailVerified, ...phoneVerified].map(({ index }) => index);
  const times = new Set(flags.filter((index) => known.includes(names[index] ?? "")));
  for await (const rows of readCsv([Buffer.from(head.text)], layout)) {
    for (const row of rows) {
      if (row instanceof RowDamage) continue;
      for (const index of flags) if (isPointInTime(cell(row, index).trim())) times.add(index);
    }
  }
  return times;
}

/** What a table's columns are, as far as its header and its first rows show it. */
export async function tableColumns(head: FileHead, map: ReadOptions["map"]): Promise<CsvColumns> {
  const layout = layoutOf(head);
  const named = resolveColumns(head.path, layout.header, map);
  return resolveColumns(head.path, layout.header, map, await timesOf(head, layout, named));
}

/** The notice of a second factor that isn't carried. */
const BY_TIME = "mfa_not_migrated";

/** Shared by nearly every row, so that nothing is made for it. */
const NONE: readonly never[] = [];

/** The columns that say whether factors are in use, and one that says of a factor what its name doesn't. */
interface OfFactors {
  readonly switches: CsvColumns["deciding"];
  readonly factor: string | null;
}

function toDraft(
  row: readonly string[],
  columns: CsvColumns,
  { switches, factor }: OfFactors,
  watch: ColumnWatch,
  now: number,
): UserDraft | RowDamage {
  const emailVerified = verifiedOf(row, columns.emailVerified, watch);
  const phoneVerified = verifiedOf(row, columns.phoneVerified, watch);
  const kept = keptOutBy(row, columns.exclusions, watch, now);
  if (kept instanceof RowDamage) return kept;
  const email = cell(row, columns.texts.email);
  const hash = hashOf(row, columns);
  const isOff = switches.length > 0 && factorIsOff(waysOf(row, switches));
  const told = noticesOf(row, columns, email, factor !== null);
  const notices = isOff ? told.filter((code) => code !== BY_TIME) : told;
  const said = saidBeside(row, columns, factor);
  const beside = said.filter(({ group }) => !(isOff && group === BY_TIME));
  const alone = ssoOnly(hash, notices, () => waysOf(row, columns.ways));
  const draft = {
    sourceId: cell(row, columns.texts.id),
    email,
    emailVerified,
    phone: cell(row, columns.texts.phone),
    phoneVerified,
    hash,
    exclusions: NONE,
    notices,
  };
  const reasons = kept.length + beside.length + alone.length;
  return reasons === 0 ? draft : Object.assign(draft, keptOut([...kept, ...beside, ...alone]));
}

/** What columns say that aren't flags: roles, second factors, one of these under a name that says nothing. */
function saidBeside(
  row: readonly string[],
  { deciding }: CsvColumns,
  factor: string | null,
): readonly KeptOut[] {
  const said = deciding.flatMap(
    ({ code, index, name }) => decidedBy(code, `The column ${name}`, cell(row, index)) ?? [],
  );
  if (factor === null) return said;
  return [...said, { by: "factor", why: factorIn(`The column ${factor}`), group: BY_TIME }];
}

function waysOf(row: readonly string[], ways: CsvColumns["ways"]): readonly Way[] {
  return ways.map(({ index, name }) => ({ name: `The column ${name}`, text: cell(row, index) }));
}

function hashOf(row: readonly string[], columns: CsvColumns): RawHash | null {
  const { beside, texts, names } = columns;
  const made =
    cell(row, texts.hash).trim() === ""
      ? plainPassword(names[texts.plain] ?? "", cell(row, texts.plain))
      : hashByName(names[texts.hash] ?? "", cell(row, texts.hash));
  if (made !== null) return made;
  const besideHash =
    beside.length === 0
      ? null
      : besideOf(beside.map(({ index, meaning }) => [meaning.field, cell(row, index)] as const));
  return rawHashOf(cell(row, texts.hash), cell(row, texts.salt), besideHash);
}

function noticesOf(
  row: readonly string[],
  { left, told }: CsvColumns,
  email: string,
  hasFactor: boolean,
): readonly string[] {
  let found = 0;
  for (const { index, bit, isLeftBehind } of left) {
    if (isLeftBehind(cell(row, index), email)) found |= bit;
  }
  const codes = told(found);
  return hasFactor && !codes.includes(BY_TIME) ? [...codes, BY_TIME] : codes;
}
