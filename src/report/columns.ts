/** How many columns of a terminal a text takes. Pure; it knows no terminal. */

/** Scripts and signs that terminals draw two columns wide: CJK, Hangul, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Drawn onto the sign before them. */
const COMBINING = /\p{Mn}|\p{Me}|[\u200b-\u200d]|\ufe0f/u;

const ASCII = /^[\x20-\x7e]*$/;

/** The columns of a printable text. */
export function columnsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let columns = 0;
  for (const sign of text) columns += columnsOfSign(sign);
  return columns;
}

/** The longest beginning of a text that fits. */
export function beginningOf(text: string, columns: number): string {
  if (ASCII.test(text)) return text.slice(0, Math.max(0, columns));
  let taken = 0;
  let length = 0;
  for (const sign of text) {
    taken += columnsOfSign(sign);
    if (taken > columns) break;
    length += sign.length;
  }
  return text.slice(0, length);
}

/** A text that fits, with an ellipsis in place of what doesn't. */
export function cutTo(text: string, columns: number): string {
  return columnsOf(text) <= columns ? text : `${beginningOf(text, columns - 1).trimEnd()}…`;
}

/** A text filled up with spaces. */
export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

function columnsOfSign(sign: string): number {
  if (COMBINING.test(sign)) return 0;
  return WIDE.test(sign) ? 2 : 1;
}
