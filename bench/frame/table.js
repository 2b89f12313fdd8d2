/** Prints rows of a result as a table of text. */

const isNumeric = (text) => /^[\d.,]/.test(text);

/** Numbers with their thousands apart; nothing for what isn't there. */
function cell(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "number" ? value.toLocaleString("en-US") : String(value);
}

/** @param rows objects with the same keys, which are the columns' names */
export function table(rows) {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const isRight = names.map((_, column) =>
    lines.slice(1).every((line) => line[column] === "" || isNumeric(line[column])),
  );
  const pad = (text, column) =>
    isRight[column] ? text.padStart(widths[column]) : text.padEnd(widths[column]);
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

const range = ({ min, max }) => (min === max ? "" : `${cell(min)} to ${cell(max)}`);

const sideRow = (figures) => ({
  side: figures.side,
  users: figures.users,
  rounds: figures.rounds,
  "users/s": figures.usersPerSecond.median,
  "min to max": range(figures.usersPerSecond),
  "cpu µs/user": figures.cpuMicrosecondsAUser.median,
  "peak MB": figures.peakMegabytes,
});

const checkRow = ({ what, target, isMet, ...figure }) => ({
  figure: what,
  median: figure.median,
  "min to max": range(figure),
  target,
  "": isMet === undefined ? "" : isMet ? "met" : "missed",
});

/** A result as it is printed: its sides, or whatever rows it has, and its checks. */
export function resultText({ title, sides = [], rows = sides.map(sideRow), checks = [] }) {
  const tables = [rows, checks.map(checkRow)].filter(({ length }) => length > 0);
  return [title, ...tables.map(table)].join("\n\n");
}
