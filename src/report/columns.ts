/** Measures, cuts and fills text by the columns that it takes on a terminal. */

import measure from "fast-string-truncated-width";

const ASCII = /^[\x20-\x7e]*$/;

/** The columns of a printable text. */
export function columnsOf(text: string): number {
  return ASCII.test(text) ? text.length : measure(text).width;
}

/** The longest beginning of a text that fits. */
export function beginningOf(text: string, columns: number): string {
  return text.slice(0, measure(text, { limit: columns }).index);
}

/** A text that fits, with an ellipsis in place of what doesn't. */
export function cutTo(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `${beginningOf(text, columns - 1).trimEnd()}…`;
}
