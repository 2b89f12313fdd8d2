/** Reads rows of Firebase's `auth:export --format=csv`, which only looks like CSV: quotation marks in names aren't doubled, photo URLs aren't quoted, and claims keep their `\"`. A row is taken where all ways to read it say the same of the user. */

import {
  CREATED_AT,
  type CsvForm,
  FORMS,
  NAME_AT,
  ONE_LINE,
  PHOTO_AT,
  type Said,
  VERIFIED,
  VERIFIED_AT,
} from "./firebase-csv-form.js";

/** More commas than all that a user chooses can hold: a name has 256 characters, a photo 2048. */
const MAX_PIECES = 3000;

/**
 * What a row says about its user. Of names, pictures and claims it says only whether there are any.
 */
export interface FirebaseCsvRow extends Omit<Said, "disabled"> {
  readonly localId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly passwordHash: string;
  readonly salt: string;
  readonly disabled: boolean;
  readonly hasProfile: boolean;
  /** The row's cells; null where it may be cut into columns in several ways. */
  readonly cells: readonly string[] | null;
}

/** What one way to read the pieces so far makes of them. */
interface Found extends Said {
  /** How many commas stand in photo URLs; hardly any URL has one. */
  readonly oddities: number;
  /** Another way to read the same pieces says otherwise of phone or disabled. */
  readonly ambiguous: boolean;
}

const NOTHING: Found = {
  phone: "",
  disabled: "",
  hasSocial: false,
  hasClaims: false,
  hasJoined: false,
  isOpen: false,
  oddities: 0,
  ambiguous: false,
};

/**
 * All ways to read the pieces so far, by where the next one stands: twice the number of its column,
 * and one more where the column's value has begun before it.
 */
type Readings = ReadonlyMap<number, Found>;

const START: Readings = new Map([[0, NOTHING]]);

/** The form of the first of these lines that has exactly one; null where none has. */
export function formOf(lines: readonly string[]): CsvForm | null {
  for (const line of lines) {
    const pieces = splitLine(line);
    const fitting = FORMS.filter((form) => readPieces(pieces, form) !== null);
    if (fitting[0] !== undefined && fitting.length === 1) return fitting[0];
  }
  return null;
}

/**
 * Reads a line as a whole row.
 *
 * @param line with its line end, if it has one
 * @returns null where it is none, or can be read in ways that say different things of the user
 */
export function readRow(line: string, form: CsvForm): FirebaseCsvRow | null {
  const pieces = splitLine(line);
  const found = readPieces(pieces, form);
  const row = found === null ? null : toRow(pieces, found);
  return row === null || pieces.length > form.length ? row : { ...row, cells: pieces };
}

/** The pieces between a line's commas, without its line end. */
export function splitLine(line: string): string[] {
  const text = line.endsWith("\n") ? line.slice(0, -1) : line;
  return (text.endsWith("\r") ? text.slice(0, -1) : text).split(",");
}

/** Whether the pieces start as a row does, as far as the first column that may hold a line break. */
export function startsRow(pieces: readonly string[]): boolean {
  return pieces.length > NAME_AT && VERIFIED.test(pieces[VERIFIED_AT] ?? "");
}

/** The ways to read the pieces of a line whose last one goes on in the next line. */
export function readStart(pieces: readonly string[], form: CsvForm): Readings {
  return pieces.slice(0, -1).reduce(readerOf(form), START);
}

/**
 * Takes one more piece, the one at `index`; one with a line break in it fits only names and claims.
 *
 * @param surplus how many more pieces than columns there are, where that is known: ways that are
 *   further behind lead nowhere
 */
export function readerOf(
  form: CsvForm,
  surplus = Infinity,
): (readings: Readings, piece: string, index: number) => Readings {
  return (readings, piece, index) => {
    const longer = new Map<number, Found>();
    for (const [key, found] of readings) {
      if (index - (key >> 1) <= surplus) readPiece(longer, form, key, found, piece);
    }
    return longer;
  };
}

/** What the readings at a row's end say, or null where none has come there. */
export function endOf(readings: Readings, form: CsvForm): Found | null {
  return readings.get(2 * form.length) ?? null;
}

/**
 * @param pieces at least those before the first name
 * @returns null where what was found is ambiguous
 */
export function toRow(pieces: readonly string[], found: Found): FirebaseCsvRow | null {
  if (found.ambiguous) return null;
  const [localId = "", email = "", verified = "", passwordHash = "", salt = ""] = pieces;
  const { phone, hasSocial, hasClaims, hasJoined, isOpen } = found;
  return {
    localId,
    email,
    emailVerified: verified === "true",
    passwordHash,
    salt,
    disabled: found.disabled === "true",
    hasProfile: [NAME_AT, PHOTO_AT].some((index) => pieces[index]),
    phone,
    hasSocial,
    hasClaims,
    hasJoined,
    isOpen,
    cells: null,
  };
}

/** What a line's pieces say, or null where they are no row. */
function readPieces(pieces: readonly string[], form: CsvForm): Found | null {
  if (pieces.length < form.length || pieces.length > MAX_PIECES) return null;
  if (pieces.length === form.length) return readPlain(pieces, form);
  const read = readerOf(form, pieces.length - form.length);
  return endOf(pieces.reduce(read, START), form);
}

/** Reads as many pieces as there are columns, for which there is only one way. */
function readPlain(pieces: readonly string[], form: CsvForm): Found | null {
  let found = NOTHING;
  for (let column = 0; column < form.length; column++) {
    const piece = pieces[column] ?? "";
    // Most are empty, and only the email's mark never is.
    if (piece === "" && column !== VERIFIED_AT) continue;
    const { whole, says } = form[column] ?? {};
    if (whole?.test(piece) === false) return null;
    found = says?.(found, piece) ?? found;
  }
  return found;
}

function readPiece(
  longer: Map<number, Found>,
  form: CsvForm,
  key: number,
  found: Found,
  piece: string,
): void {
  const column = key >> 1;
  if (column === form.length) return;
  const next = 2 * column + 2;
  const { whole = ONE_LINE, says, parted } = form[column] ?? {};
  if (key % 2 === 1) {
    const odd = parted?.isOdd === true ? { ...found, oddities: found.oddities + 1 } : found;
    if (parted?.between.test(piece)) add(longer, key, odd);
    if (parted?.last.test(piece)) add(longer, next, odd);
    return;
  }
  // Some old users have no day of sign-up; but empty columns would fit everywhere.
  if (whole.test(piece) && !(column === CREATED_AT && piece === "")) {
    add(longer, next, (piece === "" ? null : says?.(found, piece)) ?? found);
  }
  if (parted?.first.test(piece)) add(longer, key + 1, parted.says?.(found, piece) ?? found);
}

/**
 * Keeps the likelier of two ways to one place, and marks it where the two differ in what matters.
 */
function add(longer: Map<number, Found>, key: number, found: Found): void {
  const other = longer.get(key);
  if (other === undefined) {
    longer.set(key, found);
    return;
  }
  const differ = other.phone !== found.phone || other.disabled !== found.disabled;
  const ambiguous = differ || other.ambiguous || found.ambiguous;
  const likelier = isLikelier(other, found) ? other : found;
  longer.set(key, ambiguous === likelier.ambiguous ? likelier : { ...likelier, ambiguous });
}

function isLikelier(one: Found, other: Found): boolean {
  return one.isOpen === other.isOpen ? one.oddities <= other.oddities : !one.isOpen;
}
