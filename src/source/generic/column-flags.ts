/** What the columns of a CSV row say of its user: whether a contact is verified, and whether the user is kept out. */

import { withoutNull } from "../csv/table.js";
import type { RowDamage } from "../row-damage.js";
import type { ColumnWatch } from "./column-watch.js";
import type { CsvColumns } from "./csv-columns.js";
import { KeptOutBy, type KeptOut } from "./generic-draft.js";
import { readSaidVerified } from "./said-values.js";
import { bothOf } from "./user-fields.js";

/** A cell's text; empty where the row has none, or a database's NULL. */
export function cell(row: readonly string[], index: number): string {
  return withoutNull(row[index] ?? "");
}

/** One column that says no is enough. */
export function verifiedOf(
  row: readonly string[],
  columns: CsvColumns["emailVerified"],
  watch: ColumnWatch,
): boolean | null {
  let verified: boolean | null = null;
  for (const { index, name, meaning } of columns) {
    const text = cell(row, index).trim();
    watch.verification(name, text, meaning);
    verified = bothOf(verified, readSaidVerified(text, meaning));
  }
  return verified;
}

const NOTHING: readonly KeptOut[] = [];

/** The reasons that flags give to keep an account out, or damage where one isn't clear. */
export function keptOutBy(
  row: readonly string[],
  columns: CsvColumns["exclusions"],
  watch: ColumnWatch,
  now: number,
): readonly KeptOut[] | RowDamage {
  if (columns.length === 0) return NOTHING;
  const kept = new KeptOutBy();
  let damage: RowDamage | null = null;
  for (const { index, name, meaning } of columns) {
    const text = cell(row, index).trim();
    watch.value(name, text, meaning.named);
    damage ??= kept.hear(text, meaning, `The column ${name}`, now);
  }
  return damage ?? kept.reasons();
}
