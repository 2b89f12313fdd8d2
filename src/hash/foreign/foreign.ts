/** Names the encodings that no core imports, and what to do about each. Without a row here they would be refused as well, but unnamed. */

import { defineFlaw, EXPORT_AGAIN, PASSWORDLESS, type Refusal } from "../flaw.js";
import { byOpening, openingOf } from "../by-opening.js";
import { ALGORITHMS } from "./algorithms.js";
import { PLACEHOLDERS } from "./placeholders.js";
import { PRE_HASHED } from "./pre-hashed.js";
import { type ForeignRow, fits } from "./row.js";
import { recognizeScheme } from "./schemes.js";
import { UPPER_CASED } from "./upper-cased.js";

const NONE: readonly ForeignRow[] = [];
const CRYPT = /^\{crypt\}(?!\{)/i;
const TABLE = byOpening(
  [...PLACEHOLDERS, ...PRE_HASHED, ...UPPER_CASED, ...ALGORITHMS],
  ({ opens }) => opens,
);

export const UNKNOWN_PREFIX = defineFlaw(
  "unknown_prefix",
  "an unknown text stands before a hash, and it may mark a password that was changed before hashing",
  `find out what the text means, then strip it in the export (--from htpasswd does so where it is the name in a line of htpasswd) or ${PASSWORDLESS}`,
);

export const UNKNOWN = defineFlaw(
  "unknown",
  "this is no encoding of a password that is known here",
  EXPORT_AGAIN,
);

/** The refusal for a vendor's placeholder, or null for any other text. */
export function recognizePlaceholder(text: string): Refusal | null {
  return find(PLACEHOLDERS, text);
}

/** The refusal for an encoding that no core imports, or null for a text that isn't in the tables. */
export function recognizeForeign(text: string): Refusal | null {
  if (text.charAt(0) !== "{") return find(TABLE.get(openingOf(text)) ?? NONE, text);
  // {CRYPT} says only that crypt made it; what follows names the algorithm.
  const crypt = CRYPT.exec(text)?.[0];
  const inner = crypt === undefined ? null : recognizeForeign(text.slice(crypt.length));
  return inner ?? recognizeScheme(text);
}

function find(rows: readonly ForeignRow[], text: string): Refusal | null {
  for (const row of rows) if (fits(row, text)) return row.flaw.refusal;
  return null;
}
