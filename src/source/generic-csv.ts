/** Any CSV file with a header: an application's own users table, a spreadsheet. Columns are known by their common names or by `--map`; hashes are handed on as they are. */

import { RunError } from "../errors/run-error.js";
import type { RawHash } from "../hash/hash.js";
import type { UserDraft } from "../record/user-draft.js";
import type { Exclusion } from "../record/user-record.js";
import { readExclusion, readVerified } from "./account-flags.js";
import { detectLayout, readCsv } from "./csv.js";
import {
  type CsvColumns,
  type FlagColumn,
  hasContactColumn,
  resolveColumns,
} from "./csv-columns.js";
import { defineSource, toDrafts } from "./define-source.js";
import { RowDamage } from "./row-damage.js";

const PROFILE = ["profile_not_migrated"] as const;
const MFA = ["mfa_not_migrated"] as const;
const PROFILE_AND_MFA = [...PROFILE, ...MFA] as const;

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
    const layout = detectLayout(head);
    if (layout === null) {
      throw new RunError("input_unrecognized", `${head.path} has no readable header row`, {
        hint: "The first row must name the columns, each name once, with quotation marks closed.",
      });
    }
    const columns = resolveColumns(head.path, layout.header, options.map);
    return toDrafts(readCsv(bytes, layout), (row) => toDraft(row, columns));
  },
});

function toDraft(row: readonly string[], columns: CsvColumns): UserDraft | RowDamage {
  const exclusion = exclusionOf(row, columns);
  if (exclusion instanceof RowDamage) return exclusion;
  return {
    sourceId: cell(row, columns.id),
    email: cell(row, columns.email),
    emailVerified: verifiedOf(row, columns.emailVerified),
    phone: cell(row, columns.phone),
    phoneVerified: verifiedOf(row, columns.phoneVerified),
    hash: toHash(cell(row, columns.hash), cell(row, columns.salt)),
    exclusion,
    notices: noticesOf(row, columns),
  };
}

/** Databases write their NULL as one of these two where they write CSV. */
function cell(row: readonly string[], index: number): string {
  const text = row[index] ?? "";
  return text === "NULL" || text === "\\N" ? "" : text;
}

/** What a filled salt column means, normalization decides. */
function toHash(text: string, salt: string): RawHash | null {
  if (text.trim() === "") return null;
  return salt.trim() === "" ? { kind: "text", text } : { kind: "salted", hash: text, salt };
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
    if (answer !== "unreadable") return answer;
    return new RowDamage(
      "flag_invalid",
      `The column ${name} doesn't say clearly whether the account is active or disabled; write true or false and import the row again.`,
    );
  }
  return null;
}

function noticesOf(row: readonly string[], columns: CsvColumns): readonly string[] {
  const filled = (index: number): boolean => cell(row, index) !== "";
  const profile = columns.others.some(filled);
  if (columns.mfa.some(filled)) return profile ? PROFILE_AND_MFA : MFA;
  return profile ? PROFILE : [];
}
