/** Tells people which columns were read and as what: all that were read, and the first that weren't. */

import type { ColumnsEvent } from "../events/events.js";

/** Columns that aren't read, before the others are counted. */
const MOST_UNREAD = 12;

/**
 * Two lines: `users.csv: read: email as email (245), …` and `users.csv: not read: nickname (12), …`.
 *
 * @param name of the file, for people
 */
export function columnLines(
  { read, unread }: Pick<ColumnsEvent, "read" | "unread">,
  name: string,
): string[] {
  const used = read.map(
    (column) => `${column.name} as ${column.as} (${column.filled.toLocaleString("en-US")})`,
  );
  const left = [...unread]
    .sort((a, b) => b.filled - a.filled)
    .map((column) => `${column.name} (${column.filled.toLocaleString("en-US")})`);
  // One more costs no more than to say that there is one more.
  const shown = left.length <= MOST_UNREAD + 1 ? left : left.slice(0, MOST_UNREAD);
  const rest = left.length - shown.length;
  return [
    `${name}: read: ${used.join(", ")}`,
    ...(left.length === 0
      ? []
      : [`${name}: not read: ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`]),
  ];
}
