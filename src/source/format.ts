/** Tells the container of a file by its first characters, before a vendor's source looks for its own fields. */

import { JsonElementCutter } from "./json/json-elements.js";
import { areOurLines, areOurRows } from "./raw/json-form.js";
import type { FileHead } from "./source.js";

/** Whether a file's start can't be a table's: a document, or lines of JSON that are no rows. */
export function isJson({ text, of }: Pick<FileHead, "text" | "of">): boolean {
  return of === undefined && /^\s*[[{]/.test(text) && !areOurRows(text);
}

/** A bracket alone on its line: a document of several lines, however early it was cut off. */
const OVER_LINES = /^\s*[[{][ \t]*\r?\n/;

/**
 * Whether a file that is no table has an object a line.
 *
 * @param property of the array of users in a document that is an object; a document that is an
 *   array has none
 */
export function isLines({ text }: FileHead, property: string): boolean {
  if (areOurLines(text)) return true;
  if (OVER_LINES.test(text)) return false;
  const cutter = new JsonElementCutter(property);
  const bytes = Buffer.from(text);
  // Most lists begin near the start.
  for (let at = 0; at < bytes.length && !cutter.found; at += 1024)
    cutter.take(bytes.subarray(at, at + 1024));
  return !cutter.found;
}
