/** Breaks text into lines that fit a terminal. */

const MIN_WIDTH = 20;

/**
 * The lines of a text, none wider than `width`; what continues a line is indented as its start.
 * A word that doesn't fit is cut.
 *
 * @param width columns; as 20 where fewer
 */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(MIN_WIDTH, width)));
}

function wrapLine(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0].slice(0, width / 2) ?? "";
  const lines: string[] = [];
  let current = indent;
  for (const word of line.trim().split(/ +/)) {
    const gap = current === indent ? "" : " ";
    if (current.length + gap.length + word.length <= width) {
      current += gap + word;
      continue;
    }
    if (current !== indent) lines.push(current);
    current = indent + word;
    while (current.length > width) {
      lines.push(current.slice(0, width));
      current = indent + current.slice(width);
    }
  }
  return [...lines, current];
}
