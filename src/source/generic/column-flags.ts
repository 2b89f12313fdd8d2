/** What the columns of a CSV row say of its user: whether a contact is verified, and whether the user is kept out. */

import { withoutNull } from "../csv/table.js";
import type { RowDamage } from "../row-damage.js";
import { asFlag, readStanding, readVerified, unclearFlag } from "./account-flags.js";
import type { ExclusionColumn, FlagColumn } from "./csv-columns.js";
import { keptOutFor, type KeptOut } from "./generic-draft.js";

/** A cell's text; empty where the row has none, or a database's NULL. */
export function cell(row: readonly string[], index: number): string {
  return withoutNull(row[index] ?? "");
}

/** One column that says no is enough. */
export function verifiedOf(row: readonly string[], columns: readonly FlagColumn[]): boolean | null {
  let verified: boolean | null = null;
  for (const { index, kind, only } of columns) {
    const answer = readVerified(asFlag(cell(row, index), only), kind);
    if (answer === false) return false;
    verified ??= answer;
  }
  return verified;
}

const NOTHING: readonly KeptOut[] = [];

/** One column that keeps the account out is enough, unless it is a lock and another column shows that it is over. */
export function keptOutBy(
  row: readonly string[],
  columns: readonly ExclusionColumn[],
  now: number,
): readonly KeptOut[] | RowDamage {
  if (columns.length === 0) return NOTHING;
  const kept: (KeptOut & { readonly group: string })[] = [];
  const over: string[] = [];
  for (const { index, name, group, kind, exclusion, only } of columns) {
    const text = cell(row, index).trim();
    const standing = readStanding(asFlag(text, only), kind, exclusion, now);
    if (standing === "unreadable") return unclearFlag(`The column ${name}`, text);
    if (standing === "over") over.push(group);
    else if (standing !== null) {
      kept.push({ group, ...keptOutFor(standing, `The column ${name}`, text) });
    }
  }
  return kept.filter(({ group }) => !over.includes(group));
}
