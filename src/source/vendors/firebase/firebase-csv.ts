/** Reads rows of Firebase's `auth:export --format=csv`, which only looks like CSV: quotation marks in names aren't doubled, photo URLs aren't quoted, and claims keep their `\"`. A row is taken where all ways to read it say the same of the user. */

import {
  CLAIMS_AT,
  CREATED_AT,
  type CsvForm,
  DISABLED_AT,
  FORMS,
  fits,
  hasContent,
  isClaims,
  type Kind,
  NAME_AT,
  opensName,
  PHONE_AT,
  PHOTO_AT,
  VERIFIED,
  VERIFIED_AT,
} from "./firebase-csv-form.js";

/** More commas than all that a user chooses can hold: a name has 256 characters, a photo 2048. */
const MAX_PIECES = 3000;

/**
 * What a row says about its user. Of names, pictures and claims it says only whether there are any.
 */
export interface FirebaseCsvRow {
  readonly localId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly passwordHash: string;
  readonly salt: string;
  readonly phone: string;
  readonly disabled: boolean;
  readonly hasSocial: boolean;
  readonly hasProfile: boolean;
  readonly hasClaims: boolean;
  readonly hasJoined: boolean;
  /** The row's cells; null where it may be cut into columns in several ways. */
  readonly cells: readonly string[] | null;
  /** A name starts with a quotation mark that nothing closes: it may go on in the next line. */
  readonly isOpen: boolean;
}

/** Where a reading stands: between two columns, or in a column that the next comma is part of. */
const BETWEEN = 0;
const IN_NAME = 1;
const IN_PHOTO = 2;
const IN_CLAIMS = 3;
type Inside = typeof BETWEEN | typeof IN_NAME | typeof IN_PHOTO | typeof IN_CLAIMS;

/** What one way to read the pieces so far makes of them. */
interface Found {
  readonly phone: string;
  readonly disabled: string;
  readonly hasSocial: boolean;
  readonly hasClaims: boolean;
  /** The user has a day of sign-up; some old users have none. */
  readonly hasJoined: boolean;
  readonly isOpen: boolean;
  /** How many commas stand in photo URLs; hardly any URL has one. */
  readonly oddities: number;
  /** Another way to read the same pieces says otherwise of phone or disabled. */
  readonly ambiguous: boolean;
}

/** All ways to read the pieces so far, by the next column and what they are inside of. */
type Readings = ReadonlyMap<number, Found>;

const START: Readings = new Map([
  [
    keyOf(0, BETWEEN),
    {
      phone: "",
      disabled: "",
      hasSocial: false,
      hasClaims: false,
      hasJoined: false,
      isOpen: false,
      oddities: 0,
      ambiguous: false,
    },
  ],
]);

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
      if (index - (key >> 2) <= surplus) readPiece(longer, form, key, found, piece);
    }
    return longer;
  };
}

/** What the readings at a row's end say, or null where none has come there. */
export function endOf(readings: Readings, form: CsvForm): Found | null {
  return readings.get(keyOf(form.length, BETWEEN)) ?? null;
}

/**
 * @param pieces at least those before the first name
 * @returns null where what was found is ambiguous
 */
export function toRow(pieces: readonly string[], found: Found): FirebaseCsvRow | null {
  if (found.ambiguous) return null;
  const piece = (index: number): string => pieces[index] ?? "";
  return {
    localId: piece(0),
    email: piece(1),
    emailVerified: piece(VERIFIED_AT) === "true",
    passwordHash: piece(3),
    salt: piece(4),
    phone: found.phone,
    disabled: found.disabled === "true",
    hasSocial: found.hasSocial,
    hasProfile: piece(NAME_AT) !== "" || piece(PHOTO_AT) !== "",
    hasClaims: found.hasClaims,
    hasJoined: found.hasJoined,
    cells: null,
    isOpen: found.isOpen,
  };
}

function keyOf(column: number, inside: Inside): number {
  return column * 4 + inside;
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
  let hasSocial = false;
  let isOpen = false;
  for (let column = 0; column < form.length; column++) {
    const kind = form[column] ?? "text";
    const piece = pieces[column] ?? "";
    if (kind === "id") hasSocial ||= piece !== "";
    else if (kind === "name") isOpen ||= opensName(piece);
    else if (kind === "claims" ? !isClaims(piece) : !fits(kind, piece)) return null;
  }
  return {
    phone: pieces[PHONE_AT] ?? "",
    disabled: pieces[DISABLED_AT] ?? "",
    hasSocial,
    hasClaims: hasContent(pieces[CLAIMS_AT] ?? ""),
    hasJoined: (pieces[CREATED_AT] ?? "") !== "",
    isOpen,
    oddities: 0,
    ambiguous: false,
  };
}

function readPiece(
  longer: Map<number, Found>,
  form: CsvForm,
  key: number,
  found: Found,
  piece: string,
): void {
  const column = key >> 2;
  const kind = form[column];
  const next = keyOf(column + 1, BETWEEN);
  switch (key & 3) {
    case IN_NAME:
      add(longer, key, found);
      if (piece.endsWith('"')) add(longer, next, found);
      return;
    case IN_CLAIMS:
      add(longer, piece.endsWith('}"') ? next : key, found);
      return;
    case IN_PHOTO:
      if (piece.includes("\n")) return;
      add(longer, key, { ...found, oddities: found.oddities + 1 });
      add(longer, next, { ...found, oddities: found.oddities + 1 });
      return;
  }
  if (kind === "name") {
    add(longer, next, opensName(piece) ? { ...found, isOpen: true } : found);
    if (piece.startsWith('"')) add(longer, keyOf(column, IN_NAME), found);
  } else if (kind === "claims") {
    if (isClaims(piece)) add(longer, next, { ...found, hasClaims: hasContent(piece) });
    else if (piece.startsWith('"{')) {
      add(longer, keyOf(column, IN_CLAIMS), { ...found, hasClaims: true });
    }
  } else if (kind !== undefined && !piece.includes("\n")) {
    readSingle(longer, column, kind, found, piece);
  }
}

function readSingle(
  longer: Map<number, Found>,
  column: number,
  kind: Kind,
  found: Found,
  piece: string,
): void {
  const next = keyOf(column + 1, BETWEEN);
  if (kind instanceof RegExp) {
    // Some old users have none; but empty columns would fit everywhere.
    if (!kind.test(piece) || (column === CREATED_AT && piece === "")) return;
    if (column === PHONE_AT) add(longer, next, { ...found, phone: piece });
    else if (column === CREATED_AT) add(longer, next, { ...found, hasJoined: true });
    else add(longer, next, column === DISABLED_AT ? { ...found, disabled: piece } : found);
    return;
  }
  add(longer, next, kind === "id" && piece !== "" ? { ...found, hasSocial: true } : found);
  // A user's own photo may be any text; a provider's is a URL.
  const mayHoldCommas = kind === "photo" && (column === PHOTO_AT || piece.startsWith("http"));
  if (mayHoldCommas) add(longer, keyOf(column, IN_PHOTO), found);
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
