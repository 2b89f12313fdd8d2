/** How databases write their NULL where they write a table as text. */

/** The text of a cell; empty where it is a NULL of MySQL (`\N`, `NULL`) or PostgreSQL (`\N`). */
export function withoutNull(text: string): string {
  return text === "NULL" || text === "\\N" ? "" : text;
}
