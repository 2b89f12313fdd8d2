/** Takes one CSV row apart (RFC 4180). The row's quotes are known to be sound; what isn't was cut out before. */

const QUOTE = '"';

/**
 * The fields of a row's text without its line end. A field that starts with a quote is quoted;
 * in any other a quote is text.
 */
export function fieldsOf(row: string, delimiter: string): string[] {
  if (!row.includes(QUOTE)) return row.split(delimiter);
  const fields: string[] = [];
  let at = 0;
  while (at <= row.length) {
    const quoted = row[at] === QUOTE;
    const end = quoted ? closingQuote(row, at + 1) : endOf(row, delimiter, at);
    fields.push(quoted ? row.slice(at + 1, end).replaceAll('""', QUOTE) : row.slice(at, end));
    // Behind the delimiter: a quoted field ends before its closing quote.
    at = end + (quoted ? 2 : 1);
  }
  return fields;
}

function closingQuote(row: string, from: number): number {
  let at = row.indexOf(QUOTE, from);
  while (row[at + 1] === QUOTE) at = row.indexOf(QUOTE, at + 2);
  return at;
}

function endOf(row: string, delimiter: string, from: number): number {
  const end = row.indexOf(delimiter, from);
  return end === -1 ? row.length : end;
}
