/** A row that can't be read, or is no user's, as a value among the rows that can: one bad row never ends a file. */

import type { UserDraft } from "../account/user-draft.js";
import { IMPRECISE_HINT } from "../account/tellable-id.js";
import { optionName } from "../errors/option-name.js";

/**
 * - `row_malformed`: not the shape of a row of this file.
 * - `row_too_large`: beyond the reader's bounds.
 * - `encoding_invalid`: not UTF-8.
 * - `mcf_plus_salt_column`: a complete hash beside a filled salt column; it would never verify.
 * - `flag_invalid`: it isn't clear whether the vendor lets this user in.
 * - `id_imprecise`: the id is a number whose last digits are lost.
 * - `field_ambiguous`: two properties of the user say different things of one field.
 * - `row_not_mended`: a row of a file of rejects that still stands there as text.
 * - `other_model`: no user's at all, and so no fault: the row is skipped.
 * - `truncated`: the file ends inside this row; always the last.
 */
type RowDamageCode =
  | "row_malformed"
  | "row_too_large"
  | "encoding_invalid"
  | "mcf_plus_salt_column"
  | "flag_invalid"
  | "id_imprecise"
  | "field_ambiguous"
  | "row_not_mended"
  | "other_model"
  | "truncated";

/** A class, so that no object of an export can pass for one. */
export class RowDamage {
  readonly code: RowDamageCode;
  /** What is wrong and what to do about it, without any text of the row. */
  readonly hint: string;
  /** What stood there, where only the damage knows it. Bytes that are no character are replaced. */
  readonly text: string;

  constructor(code: RowDamageCode, hint: string, text = "") {
    this.code = code;
    this.hint = hint;
    this.text = text;
  }
}

/** An object that is no user, and says something of one. */
export class RelatedObject extends RowDamage {
  /** The users whom it names, or by which they name it. */
  readonly keys: readonly string[];
  /** As {@link RelatedItem.namesUser}. */
  readonly namesUser: boolean;
  readonly namesSeveral: boolean;
  /** What it says, as a user's row would; damage where it can't be read. */
  readonly says: UserDraft | RowDamage;
  /** As {@link Related.isMark}. */
  readonly isMark: boolean;

  constructor(
    given: Pick<RelatedObject, "keys" | "namesUser" | "namesSeveral" | "says" | "isMark">,
  ) {
    super("other_model", "This object is no user. What it says of one goes along with that user.");
    this.keys = given.keys;
    this.namesUser = given.namesUser;
    this.namesSeveral = given.namesSeveral;
    this.says = given.says;
    this.isMark = given.isMark;
  }
}

/** A user who can't be read, and of whom other objects say something. */
export class Seeking extends RowDamage {
  readonly seeks: readonly string[];

  constructor({ code, hint, text }: RowDamage, seeks: readonly string[]) {
    super(code, hint, text);
    this.seeks = seeks;
  }
}

export const ID_IMPRECISE = new RowDamage("id_imprecise", IMPRECISE_HINT);

export const NOT_UTF8 = new RowDamage(
  "encoding_invalid",
  `The row holds bytes that are no characters of the file's encoding. Where the file isn't UTF-8, say what it is, as in ${optionName("--encoding")} windows-1252; else mend the row and import it again.`,
);

/** {@link NOT_UTF8} with what can be read of the row. */
export function notUtf8(bytes: Buffer): RowDamage {
  return new RowDamage(NOT_UTF8.code, NOT_UTF8.hint, bytes.toString());
}

export const NOT_MENDED = new RowDamage(
  "row_not_mended",
  "The row can't be read, or needs a decision, and isn't mended yet: it stands as text in auth_migrate_text (of JSON, auth_migrate.text). Write it out as a row again, remove that text, and import the file again.",
);

/** True where decoding had to put a replacement character in place of a bad byte. */
export function isGarbled(text: string): boolean {
  return text.includes("\uFFFD");
}
