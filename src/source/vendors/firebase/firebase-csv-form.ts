/** The columns of Firebase's `auth:export --format=csv` and what the exporter writes into each, by firebase-tools' src/accountExporter.ts, `transUserToArray`. */

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
