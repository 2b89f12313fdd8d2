/** What the text of a JSON value shows before it is parsed. Pure. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Whether more levels are open at once in a text than these. What walks a parsed value level by level needs the bound. */
export function isNestedDeeper(text: string, levels: number): boolean {
  if (text.length <= levels) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at + 1);
      if (at === -1) return false;
    } else if (OPENING.has(code)) {
      depth++;
      if (depth > levels) return true;
    } else if (CLOSING.has(code)) depth--;
  }
  return false;
}

/** The offset of the next quotation mark that isn't escaped, or -1. */
export function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at;
}

/** True for a character after an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charCodeAt(start - 1) === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}
