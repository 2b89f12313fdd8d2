/** Writes and reads rejects of Firebase's CSV, which has no header and only looks like CSV. The first line is ours, and no user can write it. Each further line is a row with its reason behind it. */

import { NOT_MENDED, type RowDamage } from "../../row-damage.js";
import type { RawForm } from "../../raw/raw-row.js";
import { type CsvForm, FORMS, widthOf } from "./firebase-csv-form.js";

const OURS = "auth_migrate_rejects";
const REASON = "auth_migrate";
/** Stands in place of a row that can't be read. */
const TEXT = "auth_migrate_text";

/** A spreadsheet fills the line up with commas. A user's row would go on with true or false. */
const FIRST_LINE = new RegExp(`^${OURS},firebase,(\\d+),*\\r?(?:\\n|$)`);

const CELL = '(?:"(?:[^"]|"")*"|[^",]*)';
const WHOLE_REASON = new RegExp(`^,${REASON},${CELL},${CELL},${CELL}(\\r?\\n)?$`);

/**
 * How rows of a form are written.
 *
 * @param again true for rows that have a reason behind them already, which the new one replaces
 */
export function rejectsForm(form: CsvForm, again: boolean): RawForm {
  const width = widthOf(form);
  return {
    key: `firebase csv ${width}`,
    opening: `${OURS},firebase,${width}\n`,
    write({ text, state }, { code, hint, row }) {
      // Only names and claims hold line breaks, and neither is migrated.
      const line = text.replace(/\r?\n$/, "").replace(/\r?\n/g, " ");
      if (state === "held") return `${line}\n`;
      const bare = again ? withoutReason(line) : line;
      const shown = state === "broken" ? `${TEXT},${quoted(bare)}` : bare;
      return `${[shown, REASON, quoted(code), quoted(hint), quoted(row)].join(",")}\n`;
    },
  };
}

/** The form that a file's first line names; null where it is no file of rejects. */
export function formOfRejects(text: string): CsvForm | null {
  const width = Number(FIRST_LINE.exec(text)?.[1]);
  return FORMS.find((form) => widthOf(form) === width) ?? null;
}

/**
 * A line of a file of rejects without its reason; damage where it isn't mended yet, null for the
 * first line.
 */
export function rowLine(line: string): string | RowDamage | null {
  if (FIRST_LINE.test(line)) return null;
  return line.startsWith(`${TEXT},`) ? NOT_MENDED : withoutReason(line);
}

/** Only the last one is ours: a row may hold any text. */
function withoutReason(line: string): string {
  const at = line.lastIndexOf(`,${REASON},`);
  const found = at === -1 ? null : WHOLE_REASON.exec(line.slice(at));
  return found === null ? line : line.slice(0, at) + (found[1] ?? "");
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
