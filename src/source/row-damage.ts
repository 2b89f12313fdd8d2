/** A row that can't be read, as a value among the rows that can: one bad row never ends a file. */

/**
 * - `row_malformed`: not the shape of a row of this file.
 * - `row_too_large`: beyond the reader's bounds.
 * - `encoding_invalid`: not UTF-8.
 * - `mcf_plus_salt_column`: a complete hash beside a filled salt column; it would never verify.
 * - `flag_invalid`: nobody can say whether the vendor lets this user in.
 * - `id_imprecise`: the id is a number that lost digits as JSON was read.
 * - `field_ambiguous`: two properties of the user say different things of one field.
 * - `truncated`: the file ends inside this row; always the last.
 */
export type RowDamageCode =
  | "row_malformed"
  | "row_too_large"
  | "encoding_invalid"
  | "mcf_plus_salt_column"
  | "flag_invalid"
  | "id_imprecise"
  | "field_ambiguous"
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
  "The row holds bytes that are no characters of the file's encoding. Where the file isn't UTF-8, say what it is, as in --encoding windows-1252; else mend the row and import it again.",
);

/** True where decoding had to put a replacement character in place of a bad byte. */
export function isGarbled(text: string): boolean {
  return text.includes("\uFFFD");
}
