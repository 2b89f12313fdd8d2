/** Writes a list as one PostgreSQL parameter. The driver can do this, too, but takes 0.8 instead of 0.3 microseconds a user. */

/** What stands in a text between quotation marks only behind a backslash. */
const EACH_SPECIAL = /["\\]/g;

/** A `text[]`, or of whatever a text can be cast to. */
export function textArray(values: readonly (string | null)[]): string {
  let text = "{";
  for (const value of values) {
    if (text.length > 1) text += ",";
    text += value === null ? "NULL" : `"${escaped(value)}"`;
  }
  return `${text}}`;
}

/** An array of what needs no quotation marks: numbers, UUIDs. */
export function bareArray(values: readonly (string | number)[]): string {
  return `{${values.join(",")}}`;
}

function escaped(value: string): string {
  const isPlain = !value.includes('"') && !value.includes("\\");
  return isPlain ? value : value.replace(EACH_SPECIAL, "\\$&");
}
