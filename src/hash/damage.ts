/** Undoes what transport did to a text, by a table of named layers. A layer is undone where its whole shape fits; the caller finds out whether that leads to a hash. Every pattern is linear: no repetition inside a repetition. */

import { padBase64, toStandardBase64 } from "./base64.js";
import type { Step } from "./steps.js";

interface Layer {
  readonly step: Step;
  /** The text without this layer, or null where the layer isn't there. Never the text itself. */
  readonly undo: (text: string) => string | null;
}

/**
 * White space, line ends, NUL padding (libsodium, CHAR columns), and what can't be seen: byte-order
 * marks, zero-width characters, marks of the direction. Contacts lose the same.
 */
const TRIMMABLE = /[\s\0\p{Cf}]/u;

const SPACE = 0x20;
const TILDE = 0x7e;

const QUOTES = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["“", "”"],
  ["‘", "’"],
]);
/** What exporters write before a cell that a spreadsheet would run (OWASP, "CSV Injection"). */
const FORMULA = /^'[+=@-]/;
/** Quotation marks by what may open them: Python's literals have a letter before, a spreadsheet's texts `=`. */
const OPENS_QUOTED = new Set([...QUOTES.keys(), ..."bBuU="].map((mark) => mark.charCodeAt(0)));

/** What encoders escape in a hash; `\2` is none of them, so phpBB's `$H\2y$` stays whole. */
const ESCAPE = /\\(?:u00([0-7][0-9a-f])|x([0-7][0-9a-f])|([$/"'`\\+=.,:{}!nrt]))/gi;
const WHITE_SPACE = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
const PERCENT = /(?:%[0-9a-f]{2})+/gi;
const ENTITY = /&(?:#0{0,5}(\d{2,3})|#x0{0,4}([0-9a-f]{2})|([a-z]{2,6}));/gi;
const NAMED_ENTITIES = new Map([
  ["amp", "&"],
  ["quot", '"'],
  ["apos", "'"],
  ["dollar", "$"],
  ["equals", "="],
  ["plus", "+"],
  ["sol", "/"],
  ["comma", ","],
  ["period", "."],
  ["colon", ":"],
  ["lcub", "{"],
  ["rcub", "}"],
]);

/** No encoding of a whole hash is shorter, and many digests are. */
const MIN_ENCODED = 40;
const HEX = /^(?:(?:\\x|0x)?([0-9a-f]+)|x'([0-9a-f]+)')$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Whether an encoded text starts with ASCII (high bits are clear), a byte-order mark or a quotation
 * mark. It spares decoding salts and digests, which seldom pass.
 */
const HEX_OF_TEXT = /^(?:e[2f]|(?:[0-7].){4})/i;
const BASE64_OF_TEXT =
  /^(?:[47]|(?:[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589].){2})/;
const PRINTABLE = /^[\t\n\r\0\x20-\x7e\u00A0“”‘’\p{Cf}]+$/u;

const BASE64_FIELD = /[A-Za-z0-9+/ ]+={0,2}/g;

/**
 * Lengths of 10, 16, 32 and 64 bytes in base64: salts and hashes of vendor scrypt and argon2. With a
 * character less, a text is no base64 or none of these.
 */
const USUAL_DIGITS = new Set([14, 22, 43, 86]);
const HOLDS_BASE64 = /\$(?:argon2|f_scrypt|fbscrypt|firescrypt|firebase-scrypt)/;

/**
 * Add a layer here: those around a text first, then those inside it. The first that fits is undone,
 * and what it leaves may have another.
 */
const LAYERS: readonly Layer[] = [
  { step: "unquoted", undo: unquote },
  { step: "hex_decoded", undo: decodeHex },
  { step: "base64_decoded", undo: decodeBase64 },
  { step: "trim", undo: dropWrittenNuls },
  { step: "unescaped", undo: resolveEscapes },
  { step: "percent_decoded", undo: decodePercent },
  { step: "entities_decoded", undo: decodeEntities },
  { step: "dollars_halved", undo: halveDollars },
  {
    step: "plus_restored",
    undo: (text) => (text.includes(" ") && HOLDS_BASE64.test(text) ? restorePlus(text) : null),
  },
];

/** The text without its outermost layer of damage, with the step's name, or null where none is known. */
export function undoDamage(text: string): { readonly text: string; readonly step: Step } | null {
  const trimmed = trim(text);
  if (trimmed !== text) return { text: trimmed, step: "trim" };
  for (const layer of LAYERS) {
    const undone = layer.undo(text);
    if (undone !== null) return { text: undone, step: layer.step };
  }
  return null;
}

/** The text without white space, padding and marks at its ends. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isTrimmable(text, start)) start++;
  while (end > start && isTrimmable(text, end - 1)) end--;
  return end - start === text.length ? text : text.slice(start, end);
}

function isTrimmable(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  // Nearly every character is printable ASCII and needs no pattern.
  return (code <= SPACE || code > TILDE) && TRIMMABLE.test(text.charAt(index));
}

/**
 * The text between quotation marks of any kind, or behind the one that keeps a spreadsheet from
 * running it; null where there are none.
 */
export function unquote(text: string): string | null {
  if (!OPENS_QUOTED.has(text.charCodeAt(0))) return null;
  const start = QUOTES.has(text.charAt(0)) ? 0 : 1;
  const close = QUOTES.get(text.charAt(start));
  if (close === undefined || text.length < start + 2 || !text.endsWith(close)) {
    return FORMULA.test(text) ? text.slice(1) : null;
  }
  const inner = text.slice(start + 1, -1);
  // CSV doubles the quotation marks inside quotation marks.
  return close === '"' && isDoubled(inner, '"') ? inner.replaceAll('""', '"') : inner;
}

/**
 * Base64 whose `+` became blanks, as form decoding does (application/x-www-form-urlencoded), or
 * null. A blank may also come from a folded line. It was a `+` where the field with it has a usual
 * length, or ends in padding.
 */
export function restorePlus(text: string): string | null {
  let isSure = text.includes(" ");
  const restored = text.replace(BASE64_FIELD, (field) => {
    if (!field.includes(" ")) return field;
    isSure &&= field.endsWith("=") ? field.length % 4 === 0 : USUAL_DIGITS.has(field.length);
    return field.replaceAll(" ", "+");
  });
  return isSure ? restored : null;
}

/**
 * Base64 without the line breaks that encoders put in: MIME's (RFC 2045), PostgreSQL's and MySQL's
 * after 76 characters, LDIF's with a blank behind (RFC 2849).
 */
export function joinLines(text: string): string {
  return text.includes("\n") ? text.replaceAll(/\r?\n ?/g, "") : text;
}

/** The text that is encoded in canonical base64 (RFC 4648), in one line or several, or null. */
export function decodeBase64(text: string): string | null {
  if (text.length < MIN_ENCODED || !BASE64_OF_TEXT.test(text)) return null;
  const joined = joinLines(text);
  const digits = BASE64.test(joined) ? toStandardBase64(joined) : null;
  return digits === null ? null : printable(Buffer.from(padBase64(digits), "base64"));
}

/** The text that is encoded in hexadecimal, or null. */
export function decodeHex(text: string): string | null {
  if (text.length < MIN_ENCODED) return null;
  const [, bare, quoted] = HEX.exec(text) ?? [];
  const digits = bare ?? quoted ?? "";
  if (digits.length % 2 === 1 || !HEX_OF_TEXT.test(digits)) return null;
  return printable(Buffer.from(digits, "hex"));
}

/** Bytes as text where an encoder of hashes may have written them all. */
function printable(bytes: Buffer): string | null {
  const text = bytes.toString();
  return PRINTABLE.test(text) ? text : null;
}

/** NUL padding that is written out as `\0`, by MySQL's INTO OUTFILE. */
function dropWrittenNuls(text: string): string | null {
  let end = text.length;
  while (text.endsWith("\\0", end) && text.charAt(end - 3) !== "\\") end -= 2;
  return end === text.length ? null : text.slice(0, end);
}

function resolveEscapes(text: string): string | null {
  if (!text.includes("\\")) return null;
  const resolved = text.replace(ESCAPE, (_all, unicode?: string, hex?: string, mark?: string) =>
    mark === undefined ? fromHex(unicode ?? hex ?? "") : (WHITE_SPACE.get(mark) ?? mark),
  );
  return otherThan(text, resolved);
}

function decodePercent(text: string): string | null {
  if (!text.includes("%")) return null;
  const decoded = text.replace(PERCENT, (run) =>
    // Nearly always one character of ASCII, as in `%24`.
    /^%[0-7].$/.test(run)
      ? fromHex(run.slice(1))
      : Buffer.from(run.replaceAll("%", ""), "hex").toString(),
  );
  return otherThan(text, decoded);
}

function decodeEntities(text: string): string | null {
  if (!text.includes("&")) return null;
  const decoded = text.replace(ENTITY, (all, decimal?: string, hex?: string, name?: string) => {
    if (hex !== undefined) return fromHex(hex);
    if (decimal !== undefined) return String.fromCharCode(Number(decimal));
    return NAMED_ENTITIES.get((name ?? "").toLowerCase()) ?? all;
  });
  return otherThan(text, decoded);
}

/** Halves dollar signs where each of them is doubled. Where single ones stand too, two enclose an empty field. */
function halveDollars(text: string): string | null {
  if (text.charAt(text.indexOf("$") + 1) !== "$" || !isDoubled(text, "$")) return null;
  return text.replaceAll("$$", () => "$");
}

/** Whether `text` has `character`, and only in pairs. */
function isDoubled(text: string, character: string): boolean {
  const pairs = text.split(character + character);
  return pairs.length > 1 && pairs.every((between) => !between.includes(character));
}

function fromHex(digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** What a layer leaves, or null where it changed nothing. */
function otherThan(text: string, undone: string): string | null {
  return undone === text ? null : undone;
}
