/** What the columns of a CSV row say of its user: whether a contact is verified, and whether the user is kept out. */

import type { RowDamage } from "../row-damage.js";
import { asFlag, readStanding, readVerified, type Standing, unclearFlag } from "./account-flags.js";
import type { ExclusionColumn, FlagColumn } from "./csv-columns.js";
import { keptOutFor, type KeptOut } from "./generic-draft.js";

/** A cell's text; empty for a column that the table lacks. */
export function cell(row: readonly string[], index: number): string {
  return row[index] ?? "";
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

/** One column that keeps the account out is enough, unless it is a lock and another column shows that it is over. */
export function keptOutBy(
  row: readonly string[],
  columns: readonly ExclusionColumn[],
  now: number,
): readonly KeptOut[] | RowDamage {
  let kept: readonly KeptOut[] = [];
  for (const column of columns) {
    const { index, name, group } = column;
    const text = cell(row, index).trim();
    const standing = standingOf(text, column, now);
    if (standing === null || standing === "over") continue;
    if (standing === "unreadable") return unclearFlag(`The column ${name}`, text);
    const isOver = columns.some(
      (other) =>
        other.group === group && standingOf(cell(row, other.index).trim(), other, now) === "over",
    );
    if (!isOver) kept = [...kept, keptOutFor(standing, `The column ${name}`, text)];
  }
  return kept;
}

function standingOf(
  text: string,
  { kind, exclusion, only }: ExclusionColumn,
  now: number,
): Standing {
  return readStanding(asFlag(text, only), kind, exclusion, now);
}
