/** The columns of Firebase's `auth:export --format=csv` and what the exporter writes into each (firebase-tools' src/accountExporter.ts, `transUserToArray`), and rejects in the same form. These begin with a line that no user can write, and each row has its reason behind it. */

import type { RawForm } from "../../raw/raw-row.js";
import { NOT_MENDED, type RowDamage } from "../../row-damage.js";

/** What a row says about its user between its first columns, beside how it was read. */
export interface Said {
  readonly phone: string;
  readonly disabled: string;
  readonly hasSocial: boolean;
  readonly hasClaims: boolean;
  /** The user has a day of sign-up; some old users have none. */
  readonly hasJoined: boolean;
  /** A name starts with a quotation mark that nothing closes: it may go on in the next line. */
  readonly isOpen: boolean;
}

type Says = <Of extends Said>(said: Of, value: string) => Of;

/** What stands in a column: it tells a row from another product's, and one reading from another. */
export interface Column {
  /** Fits a whole value; absent where any does that has no line break in it. */
  readonly whole?: RegExp;
  /** Adds what a filled value says; absent where it says nothing. */
  readonly says?: Says;
  /** How a value stands in several pieces, where it may hold commas. */
  readonly parted?: Parted;
}

/** The first piece of a value, those between, and the last. */
interface Parted {
  readonly first: RegExp;
  readonly between: RegExp;
  readonly last: RegExp;
  readonly says?: Says;
  /** Hardly any value is. */
  readonly isOdd?: boolean;
}

/** Has no line break in it. */
export const ONE_LINE = /^[^\n]*$/;
const ANY = /^/;

/** The exporter writes an absent flag as false. */
export const VERIFIED = /^(?:true|false)$/;
const MILLISECONDS = /^\d*$/;
const PLAIN: Column = {};
const NAME: Column = {
  whole: ANY,
  says: (said, name) => (opensName(name) ? { ...said, isOpen: true } : said),
  parted: { first: /^"/, between: ANY, last: /"$/ },
};
const PHOTO = { first: ONE_LINE, between: ONE_LINE, last: ONE_LINE, isOdd: true };
/**
 * Each quotation mark in claims is doubled or behind a backslash, so that `}"` can only end them.
 * `{}` is none.
 */
const CLAIMS: Column = {
  whole: /^(?:"\{.*\}")?$/s,
  says: (said, claims) => ({ ...said, hasClaims: claims !== '"{}"' }),
  parted: {
    first: /^"\{(?!.*\}"$)/s,
    between: /^(?!.*\}"$)/s,
    last: /\}"$/,
    says: (said) => ({ ...said, hasClaims: true }),
  },
};
/** Beside password and phone, a social identity: its id there, email, name and photo, a URL. */
const IDENTITY: readonly Column[] = [
  { says: (said) => ({ ...said, hasSocial: true }) },
  PLAIN,
  NAME,
  { parted: { ...PHOTO, first: /^http[^\n]*$/ } },
];

const FIRST: readonly Column[] = [
  PLAIN,
  PLAIN,
  { whole: VERIFIED },
  PLAIN,
  PLAIN,
  NAME,
  // The user's own may be any text.
  { parted: PHOTO },
  ...Array.from({ length: 4 }, () => IDENTITY).flat(),
  { whole: MILLISECONDS, says: (said) => ({ ...said, hasJoined: true }) },
  { whole: MILLISECONDS },
  { whole: /^(?:\+\d+)?$/, says: (said, phone) => ({ ...said, phone }) },
  { whole: /^(?:true|false|)$/, says: (said, disabled) => ({ ...said, disabled }) },
  CLAIMS,
];
const ALL = [...FIRST, ...Array.from({ length: 6 }, () => IDENTITY).flat()];
const LAST: Column = { whole: /^$/ };

export const VERIFIED_AT = 2;
export const NAME_AT = 5;
export const PHOTO_AT = 6;
export const CREATED_AT = 23;

/**
 * The forms of a file: 52 columns, or 28 in older versions. The comma at each line's end makes one
 * more, an empty one, unless a tool took it off.
 */
export type CsvForm = readonly Column[];

/** The form of today, for a file that doesn't show its own. */
export const USUAL_FORM: CsvForm = [...ALL, LAST];

export const FORMS: readonly CsvForm[] = [USUAL_FORM, ALL, [...FIRST, LAST], FIRST];

/** Whether a name begins a quotation that it doesn't end. */
export function opensName(piece: string): boolean {
  return piece.startsWith('"') && (piece.length === 1 || !piece.endsWith('"'));
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
  const { length: width } = form;
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
  return FORMS.find(({ length }) => length === width) ?? null;
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
