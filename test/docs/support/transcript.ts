/** Console blocks: the commands in them, and whether what they show is what is told. */

/** A command behind its `$ `, and the lines that are shown under it. */
export interface Shown {
  readonly command: string;
  readonly lines: readonly string[];
}

/** What differs from run to run, and how the docs write it. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\b\d+\.\d s\b|(?<=, )(?:\d+ (?:h|min) )?\d+ (?:min|s)$/gm, "0.1 s"],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "2026-11-21 05:02 UTC"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "2026-11-21T05:02:11.412Z"],
];

/** Where output is left out, or a line's end is. */
const LEFT_OUT = "…";

/** @throws Error where the block doesn't begin with a command */
export function commandsOf(text: string): Shown[] {
  const shown: { command: string; lines: string[] }[] = [];
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const last = shown.at(-1);
    if (line.startsWith("$ ")) shown.push({ command: line.slice(2), lines: [] });
    else if (last === undefined) throw new Error(`No command stands before: ${line}`);
    else if (last.lines.length === 0 && last.command.endsWith("\\")) {
      last.command += `\n${line}`;
    } else last.lines.push(line);
  }
  return shown;
}

/** Writes what differs from run to run in one way. */
export function steady(text: string): string {
  return VOLATILE.reduce((all, [pattern, instead]) => all.replace(pattern, instead), text);
}

/**
 * Whether the lines are the output, where a line of `…` stands for any lines and one that ends
 * with ` …` for any end. Empty lines at the ends don't count.
 *
 * @returns null, or the shown line that isn't there
 */
export function firstDifference(shown: readonly string[], output: string): string | null {
  const expected = trimLines(shown.map(steady));
  const actual = trimLines(steady(output).split("\n"));
  let at = 0;
  let anyBefore = false;
  for (const line of expected) {
    if (line === LEFT_OUT) {
      anyBefore = true;
      continue;
    }
    const found = anyBefore
      ? actual.findIndex((each, index) => index >= at && fits(line, each))
      : at;
    if (found < 0 || !fits(line, actual[found])) return line;
    at = found + 1;
    anyBefore = false;
  }
  return anyBefore || at === actual.length ? null : `(shown too little: ${actual[at]})`;
}

function fits(shown: string, actual: string | undefined): boolean {
  if (actual === undefined) return false;
  return shown.endsWith(` ${LEFT_OUT}`) && shown.trim() !== LEFT_OUT
    ? actual.startsWith(shown.slice(0, -LEFT_OUT.length))
    : shown === actual;
}

function trimLines(lines: readonly string[]): string[] {
  return lines
    .join("\n")
    .replace(/^\n+|\n+$/g, "")
    .split("\n");
}
