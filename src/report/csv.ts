/** Cells and lines of CSV (RFC 4180). Pure. */

import { printable } from "./text.js";

/** A line with its end; values stand in it to the byte. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

/**
 * A cell that a spreadsheet shows and doesn't run, with control characters made visible: for
 * people, since the value may be another one then.
 */
export function safeCell(text: string): string {
  const shown = printable(text);
  return /^[\s]*[=+\-@\uff0b\uff0d\uff1d\uff20]/.test(shown) ? `'${shown}` : shown;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
