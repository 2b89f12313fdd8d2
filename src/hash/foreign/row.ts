/** One kind of text that no core imports: how it is known, and what the operator is told. */

import { defineFlaw, type Flaw } from "../flaw.js";

/** How a text of one kind is recognized. */
interface Shape {
  /** What such a text may start with. Without a pattern, one of these is enough. */
  readonly opens: readonly string[];
  /** The whole of it, where the opening isn't enough. It is linear: no repetition inside a repetition. */
  readonly pattern: RegExp | null;
  /** The lengths that such a text may have, or null for any. */
  readonly lengths: readonly number[] | null;
}

export interface ForeignRow extends Shape {
  readonly flaw: Flaw;
}

export const HEX_DIGITS = [..."0123456789abcdefABCDEF"];

/**
 * A row; see {@link defineFlaw} for `code`, `what` and `remedy`.
 * @param shape a list of openings, or a pattern with the openings that it allows
 */
export function row(
  code: string,
  shape: readonly string[] | (Partial<Shape> & Pick<Shape, "opens">),
  what: string,
  remedy?: string,
): ForeignRow {
  const { opens, pattern = null, lengths = null } = "opens" in shape ? shape : { opens: shape };
  return { opens, pattern, lengths, flaw: defineFlaw(code, what, remedy) };
}

/** Whether a text is of that row's kind. */
export function fits({ opens, pattern, lengths }: ForeignRow, text: string): boolean {
  if (lengths !== null && !lengths.includes(text.length)) return false;
  return pattern === null ? opens.some((opening) => text.startsWith(opening)) : pattern.test(text);
}
