/** Text that is safe to show, and numbers of things. Pure. */

/**
 * Text from an export or a core, made safe to print: control and bidirectional characters would
 * let a file rewrite the operator's screen.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Bold, faint, and the end of both. */
const STYLE = new RegExp(`(${String.fromCharCode(27)}\\[(?:1|2|22)m)`);

/** The same of a line that a layout has styled: bold and faint stay, which no file can hide anything by. */
export function printableStyled(line: string): string {
  return line
    .split(STYLE)
    .map((part, at) => (at % 2 === 1 ? part : printable(part)))
    .join("");
}

/** "1,234". Intl writes the same, and loading it takes longer than many a command. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ",");
}

/** "1 row", "1,234 rows". */
export function count(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** All of what is counted by names. */
export function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, one) => total + one, 0);
}

/** "0.4 s", "41 s", "12 min 5 s", "3 h 20 min". */
export function durationOf(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
