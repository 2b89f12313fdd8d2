/** Judges a row that was taken apart: one of another width than the header, or whose bytes are no text, becomes damage, alone. */

import { isTooDeep, MOST_LEVELS } from "../json/json-value.js";
import { NOT_UTF8, RowDamage } from "../row-damage.js";
import type { CsvLayout } from "./csv-rows.js";

/** Delimiters, and how messages call them. */
const SPELLED: ReadonlyMap<string, string> = new Map([
  [",", "commas"],
  [";", "semicolons"],
  ["\t", "tabs"],
  ["|", "vertical bars"],
]);

export const DELIMITERS: readonly string[] = [...SPELLED.keys()];

export const CUT_OFF = new RowDamage(
  "truncated",
  "The file ends inside its last row; export the users again.",
);

const JOINED = new RowDamage(
  "row_malformed",
  "The row has lines that would be rows of their own, so that quotation marks in the text of two rows may have joined all between them; double the marks within fields, and import the rows again.",
);

const TOO_DEEP = new RowDamage(
  "row_malformed",
  `The row has a value that is nested more than ${MOST_LEVELS} levels deep; no vendor's export is. Mend it in the export and import the row again.`,
);

/** A row's fields, or why they can't be had. */
export type CsvRow = readonly string[] | RowDamage;

/** How a row stood in its file. */
interface Stood {
  /** Without its line end. */
  readonly text: string;
  /** Whether it had a line end. */
  readonly isEnded: boolean;
  readonly isUtf8: boolean;
}

/**
 * Whether marks that are text have joined rows, as an export without quoting has them: the first
 * line and a later one have all columns, and an address in the same one. A field's line may look so
 * only where its writer wanted it to, and then it's their own row that is lost.
 */
function isJoined(text: string, { delimiter, lineEnd, header }: CsvLayout): boolean {
  if (!text.includes(lineEnd)) return false;
  const [first = [], ...later] = text.split(lineEnd).map((line) => line.split(delimiter));
  const at = first.findIndex((field) => field.includes("@"));
  const isRow = (fields: readonly string[]): boolean =>
    fields.length === header.length && fields[at]?.includes("@") === true;
  return isRow(first) && later.some(isRow);
}

/** @returns null for a row with nothing in it: spreadsheets write such rows below their last one */
export function judge(
  fields: readonly string[],
  { text, isEnded, isUtf8 }: Stood,
  layout: CsvLayout,
): CsvRow | null {
  const { delimiter, header } = layout;
  if (text === "") return null;
  const width = header.length;
  if (!isEnded && (!isUtf8 || fields.length < width)) return CUT_OFF;
  if (fields.every((field) => field.trim() === "")) return null;
  if (isJoined(text, layout)) return JOINED;
  if (fields.length === width) {
    if (!isUtf8) return NOT_UTF8;
    return text.length > MOST_LEVELS && fields.some(isTooDeep) ? TOO_DEEP : fields;
  }
  const other = DELIMITERS.find((name) => name !== delimiter && text.split(name).length === width);
  const what =
    other === undefined
      ? `${fields.length} columns where the header has ${width}`
      : `${SPELLED.get(other)} between its columns where the header has ${SPELLED.get(delimiter)}`;
  return new RowDamage(
    "row_malformed",
    `The row has ${what}; mend it in the export and import the row again.`,
  );
}
