/** A row that can't be read, as a value among the rows that can: one bad row never ends a file. */

/**
 * - `row_malformed`: not the shape of a row of this file.
 * - `row_too_large`: beyond the reader's bounds.
 * - `encoding_invalid`: not UTF-8.
 * - `mcf_plus_salt_column`: a complete hash beside a filled salt column; it would never verify.
 * - `flag_invalid`: nobody can say whether the vendor lets this user in.
 * - `truncated`: the file ends inside this row; always the last.
 */
export type RowDamageCode =
  | "row_malformed"
  | "row_too_large"
  | "encoding_invalid"
  | "mcf_plus_salt_column"
  | "flag_invalid"
  | "truncated";

/** A class, so that no object of an export can pass for one. */
export class RowDamage {
  readonly code: RowDamageCode;
  /** What is wrong and what to do about it, without any text of the row. */
  readonly hint: string;

  constructor(code: RowDamageCode, hint: string) {
    this.code = code;
    this.hint = hint;
  }
}

export const NOT_UTF8 = new RowDamage(
  "encoding_invalid",
  "The row holds bytes that are not UTF-8; save the export as UTF-8 and import the row again.",
);

/** True where decoding had to put a replacement character in place of a bad byte. */
export function isGarbled(text: string): boolean {
  return text.includes("\uFFFD");
}
