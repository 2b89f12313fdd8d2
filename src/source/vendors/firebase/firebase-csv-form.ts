/** The columns of Firebase's `auth:export --format=csv` and what the exporter writes into each (firebase-tools' src/accountExporter.ts, `transUserToArray`), and rejects in the same form. These begin with a line that no user can write, and each row has its reason behind it. */

import type { RawForm } from "../../raw/raw-row.js";
import { NOT_MENDED, type RowDamage } from "../../row-damage.js";

/** Beside password and phone, a social identity: its id there, email, name and photo. */
const IDENTITY = ["id", "text", "name", "photo"] as const;

/** The exporter writes an absent flag as false. */
export const VERIFIED = /^(?:true|false)$/;
/** What other columns hold. It tells a row from another product's, and one reading from another. */
const MILLISECONDS = /^\d*$/;
const PHONE = /^(?:\+\d+)?$/;
const DISABLED = /^(?:true|false|)$/;
const LAST = /^$/;

export type Kind = (typeof IDENTITY)[number] | "claims" | RegExp;

/** What a row's columns hold. */
const COLUMNS: readonly Kind[] = [
  "text",
  "text",
  VERIFIED,
  "text",
  "text",
  "name",
  "photo",
  ...IDENTITY,
  ...IDENTITY,
  ...IDENTITY,
  ...IDENTITY,
  MILLISECONDS,
  MILLISECONDS,
  PHONE,
  DISABLED,
  "claims",
  ...IDENTITY,
  ...IDENTITY,
  ...IDENTITY,
  ...IDENTITY,
  ...IDENTITY,
  ...IDENTITY,
];
const OLD_COLUMNS = COLUMNS.slice(0, 28);

export const VERIFIED_AT = 2;
export const NAME_AT = 5;
export const PHOTO_AT = 6;
export const CREATED_AT = 23;
export const PHONE_AT = 25;
export const DISABLED_AT = 26;
export const CLAIMS_AT = 27;

/**
 * The forms of a file: 52 columns, or 28 in older versions. The comma at each line's end makes one
 * more, an empty one, unless a tool took it off.
 */
export type CsvForm = readonly Kind[];

export const FORMS: readonly CsvForm[] = [
  [...COLUMNS, LAST],
  COLUMNS,
  [...OLD_COLUMNS, LAST],
  OLD_COLUMNS,
];

/** The form of today, for a file that doesn't show its own. */
export const USUAL_FORM: CsvForm = [...COLUMNS, LAST];

/** How many columns a file of that form has. */
export function widthOf(form: CsvForm): number {
  return form.length;
}

/** Whether a text can stand in a column. Columns without a pattern take any text. */
export function fits(kind: Kind, piece: string): boolean {
  return !(kind instanceof RegExp) || kind.test(piece);
}

/** Whether a name begins a quotation that it doesn't end. */
export function opensName(piece: string): boolean {
  return piece.startsWith('"') && (piece.length === 1 || !piece.endsWith('"'));
}

/**
 * Whether a piece is claims. Each quotation mark in them is doubled or behind a backslash, so that
 * `}"` can only end them.
 */
export function isClaims(piece: string): boolean {
  return piece === "" || (piece.startsWith('"{') && piece.length > 3 && piece.endsWith('}"'));
}

/** Whether there are claims; `{}` is none. */
export function hasContent(claims: string): boolean {
  return claims !== "" && claims !== '"{}"';
}

const OURS = "auth_migrate_rejects";
const REASON = "auth_migrate";
/** Stands in place of a row that can't be read. */
const TEXT = "auth_migrate_text";

/** A spreadsheet fills the line up with commas. A user's row would go on with true or false. */
const FIRST_LINE = new RegExp(`^${OURS},firebase,(\\d+),*\\r?(?:\\n|$)`);

const CELL = '(?:"(?:[^"]|"")*"|[^",]*)';
const WHOLE_REASON = new RegExp(`^,${REASON},${CELL},${CELL},(${CELL})(\\r?\\n)?$`);

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

/** Where the row of a line of a file of rejects stood in the export, as the reason in it says. */
export function originOf(line: string): string | undefined {
  return parted(line)?.origin.replace(/^"|"$/g, "").replaceAll('""', '"');
}

function withoutReason(line: string): string {
  return parted(line)?.bare ?? line;
}

/** Only the last reason is ours: a row may hold any text. */
function parted(line: string): { readonly bare: string; readonly origin: string } | null {
  const at = line.lastIndexOf(`,${REASON},`);
  const found = at === -1 ? null : WHOLE_REASON.exec(line.slice(at));
  if (found === null) return null;
  const [, origin = "", end = ""] = found;
  return { bare: line.slice(0, at) + end, origin };
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
