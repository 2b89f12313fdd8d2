/** Reads lines of Firebase's `auth:export --format=csv` (firebase-tools' src/accountExporter.ts, `transUserToArray`) in the shape of its JSON. They only look like CSV: a name stands between quotation marks where it holds a comma, nothing in it is escaped, and a photo's URL has no quotation marks at all. */

/** The columns before the first provider's, and those behind the fourth's. */
const FIRST = ["localId", "email", "emailVerified", "passwordHash", "salt", "displayName"];
const NAME_AT = FIRST.length - 1;
const PHOTO_AT = FIRST.push("photoUrl") - 1;
const LATER = ["createdAt", "lastLoginAt", "phoneNumber", "disabled", "customAttributes"];
const PROVIDERS = ["google.com", "facebook.com", "twitter.com", "github.com"];
const LATER_PROVIDERS = [
  "apple.com",
  "microsoft.com",
  "gc.apple.com",
  "playgames.google.com",
  "linkedin.com",
  "yahoo.com",
];
/** A provider's columns. */
const IDENTITY = ["rawId", "email", "displayName", "photoUrl"];

const LATER_AT = FIRST.length + PROVIDERS.length * IDENTITY.length;
const CLAIMS_AT = LATER_AT + LATER.length - 1;

/**
 * How many cells a line has without commas in names, photos and claims: 52, or 28 in older versions.
 * The comma at each line's end makes one more, an empty one, unless a tool took it off.
 */
const WIDTHS: readonly number[] = [53, 52, 29, 28];
export const USUAL_WIDTH = 53;

/** The exporter writes an absent mark as false. */
const VERIFIED = /^(?:true|false)$/;
/** What {@link LATER} holds. Each quotation mark in claims is doubled or behind a backslash, so that `}"` can only end them. */
const LATER_CELLS = [/^\d*$/, /^\d*$/, /^(?:\+\d+)?$/, /^(?:true|false|)$/, /^(?:"\{.*)?$/s];
const WHOLE_CLAIMS = /^(?:"\{.*\}")?$/s;

/** Stands for a value that is there and can't be told from what stands beside it. */
const UNCLEAR = true;

/** What a line says. */
export interface CsvLine {
  /** The user as the JSON form has it; null where the line is no row, or can be read in two ways. */
  readonly user: object | null;
  /** Where the first quotation mark stands that may open a name; -1 where none does. */
  readonly opens: number;
  /** Behind the last one that may close a name; -1 where none does. */
  readonly closes: number;
  /** It starts as a row does, and is none: a line break in a photo's URL may have cut it. */
  readonly isHalf: boolean;
}

/** The width of a file's rows by its first lines; null where none shows it. Commas in names only make a row wider. */
export function widthOf(lines: readonly string[]): number | null {
  const widths = WIDTHS.filter((width) =>
    lines.some((line) => {
      const cells = cellsOf(line);
      return cells.length === width && cells[LATER_AT] !== "" && placesIn(cells, width).length > 0;
    }),
  );
  return widths.at(-1) ?? null;
}

/** Whether a line starts as a row does, as far as the first name. */
export function startsRow(line: string): boolean {
  return isStart(cellsOf(line));
}

/** @param line with its line end, if it has one */
export function readLine(line: string, width: number): CsvLine {
  const cells = cellsOf(line);
  // A last line that lacks its end may lack commas before it as well.
  const isCut = !line.endsWith("\n") && (cells.length > width || opensQuote(cells[NAME_AT] ?? ""));
  const places = isCut ? [] : placesIn(cells, width);
  const user =
    cells.length === width && places.length > 0 ? userOf(cells) : wider(cells, places, width);
  const isHalf = user === null && isStart(cells) && cells.length > PHOTO_AT;
  return { user, isHalf, ...quotesIn(line, cells, places, width) };
}

function isStart(cells: readonly string[]): boolean {
  return cells.length > NAME_AT && VERIFIED.test(cells[2] ?? "");
}

function cellsOf(line: string): string[] {
  return line.replace(/\r?\n?$/, "").split(",");
}

/** Where {@link LATER} may stand. Commas before it move it, so the true place is always among them. */
function placesIn(cells: readonly string[], width: number): number[] {
  if (cells.length < width || !isStart(cells)) return [];
  if (width % 2 === 1 && cells.at(-1) !== "") return [];
  if (cells.length === width && !WHOLE_CLAIMS.test(cells[CLAIMS_AT] ?? "")) return [];
  const places = Array.from({ length: cells.length - width + 1 }, (_, more) => LATER_AT + more);
  return places.filter((at) =>
    LATER_CELLS.every((cell, index) => cell.test(cells[at + index] ?? "")),
  );
}

/** The user of a row without a comma too many, for which there is only one way. */
function userOf(cells: readonly string[]): object {
  const user = { ...named(FIRST, cells, 0), ...named(LATER, cells, LATER_AT) };
  const providerUserInfo = [
    ...identitiesAt(cells, FIRST.length, PROVIDERS),
    ...identitiesAt(cells, CLAIMS_AT + 1, LATER_PROVIDERS),
  ];
  return { ...user, ...flagsOf(cells[2], cells[LATER_AT + 3]), providerUserInfo };
}

/** The user of a row with commas in it, where all places say the same of phone and flag. Of the rest it says what is there. */
function wider(cells: readonly string[], places: readonly number[], width: number): object | null {
  const at = places.find((place) => cells[place] !== "") ?? places[0];
  if (at === undefined) return null;
  const [createdAt, lastLoginAt, phoneNumber, disabled, claims] = cells.slice(at);
  const differs = (place: number): boolean =>
    cells[place + 2] !== phoneNumber || (cells[place + 3] === "true") !== (disabled === "true");
  if (places.some(differs)) return null;
  const [localId, email, verified, passwordHash, salt, name, photo] = cells;
  const more = at - LATER_AT;
  // A provider before or around the commas fills some of these as well.
  const social = [
    ...cells.slice(FIRST.length + more, at),
    ...cells.slice(cells.length - (width - CLAIMS_AT - 1)),
  ];
  return {
    localId,
    email,
    passwordHash,
    salt,
    createdAt,
    lastLoginAt,
    phoneNumber,
    ...flagsOf(verified, disabled),
    ...(name || photo ? { displayName: UNCLEAR } : {}),
    ...(claims && claims !== '"{}"' ? { customAttributes: UNCLEAR } : {}),
    // Without an id it stands for any social network.
    providerUserInfo: social.some(Boolean) ? [{ providerId: "google.com" }] : [],
  };
}

function flagsOf(verified?: string, disabled?: string): object {
  return { emailVerified: verified === "true", disabled: disabled === "true" };
}

function identitiesAt(cells: readonly string[], from: number, providers: readonly string[]) {
  return providers.flatMap((providerId, index) => {
    const at = from + index * IDENTITY.length;
    return cells[at] ? [{ providerId, ...named(IDENTITY, cells, at) }] : [];
  });
}

function named(names: readonly string[], cells: readonly string[], from: number): object {
  return Object.fromEntries(names.map((name, index) => [name, plain(cells[from + index] ?? "")]));
}

/** Names and claims stand in quotation marks, within which the exporter escapes them or doesn't. */
function plain(cell: string): string {
  const quoted = /^"(.*)"$/s.exec(cell);
  return quoted === null ? cell : (quoted[1] ?? "").replace(/\\"|""/g, '"');
}

function opensQuote(cell: string): boolean {
  return cell.startsWith('"');
}

/** Quotation marks outside of the claims. */
function quotesIn(
  line: string,
  cells: readonly string[],
  places: readonly number[],
  width: number,
): Pick<CsvLine, "opens" | "closes"> {
  let [opens, closes] = [-1, -1];
  if (!line.includes('"')) return { opens, closes };
  const [from, to] = claimsIn(cells, places, width);
  let at = 0;
  for (const [index, cell] of cells.entries()) {
    const end = at + cell.length;
    if (index < from || index > to) {
      if (opens === -1 && opensQuote(cell)) opens = at;
      if (cell.endsWith('"')) closes = end;
    }
    at = end + 1;
  }
  return { opens, closes };
}

/** The first and the last cell of the claims, where these are sure to be some. */
function claimsIn(
  cells: readonly string[],
  places: readonly number[],
  width: number,
): readonly [from: number, to: number] {
  const from = (places[0] ?? 0) + LATER.length - 1;
  const to = cells.length - (width - CLAIMS_AT);
  const areSure = places.length === 1 && cells[from]?.startsWith('"{') && cells[to]?.endsWith('}"');
  return areSure ? [from, to] : [cells.length, cells.length];
}
