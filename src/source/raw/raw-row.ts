/** Rows as they stood in their file, for a file of rejects that the same source reads again. They are decoded when they are asked for. */

import { NOT_MENDED, RowDamage } from "../row-damage.js";

/** What stood in the file. */
export interface RawText {
  /** Without the row's end; empty where it was too large to be kept. */
  readonly text: string;
  /**
   * `whole`: a row of the file's form, whatever became of it. `broken`: none. `held`: a row of a
   * file of rejects that isn't mended yet.
   */
  readonly state: "whole" | "broken" | "held";
}

/** Why a row stands in a file of rejects. */
export interface Reason {
  readonly code: string;
  readonly hint: string;
  /** Where it stood, for people. */
  readonly row: string;
}

/**
 * How rows of one input are written so that its source reads them again. All text but the rows' is
 * ours.
 */
export interface RawForm {
  /** Equal for rows that one file can hold. */
  readonly key: string;
  /** What such a file begins with. */
  readonly opening: string;
  /**
   * One row with its end. A whole one is read again as it was; a broken one is rejected until it is
   * mended.
   */
  write(raw: RawText, reason: Reason): string;
}

/** A row beside the form in which it can be written. */
export interface RawRow extends RawText {
  /** Its name. */
  readonly source: string;
  readonly form: RawForm;
  /** The file must begin with a byte-order mark: the operator names another encoding than UTF-8. */
  readonly marked: boolean;
}

/** Where a batch's rows stood. */
export interface RawRows {
  readonly form: RawForm;
  at(index: number): RawText;
  /** The line at which a row begins, from 1, as an editor counts; absent where rows aren't lines. */
  readonly line?: (index: number) => number | undefined;
  /** Of a file of rejects: what {@link Reason.row} says of a row; absent of any other. */
  readonly origin?: ((index: number) => string | undefined) | undefined;
}

/** Rows in file order, as a reader hands them on. */
export interface RowBatch<Row> extends ReadonlyArray<Row | RowDamage> {
  /** Of the same indexes. Keeping it keeps the batch's bytes. */
  readonly raw?: RawRows;
}

/** The rows, together with their raw texts. */
export function withRaw<Row>(
  rows: readonly (Row | RowDamage)[],
  raw: RawRows | undefined,
): RowBatch<Row> {
  return raw === undefined ? rows : Object.assign(rows, { raw });
}

/** What a row is in its file by what its reader made of it. */
export function stateOf(row: unknown): RawText["state"] {
  if (row === NOT_MENDED) return "held";
  return row instanceof RowDamage ? "broken" : "whole";
}
