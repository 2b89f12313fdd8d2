/** The end of a run: its summary on stdout and its exit code. */

import type { ImportSummary, ValidateSummary } from "../migration/events.js";
import { coverageText } from "../report/password-coverage.js";
import { count } from "../report/count.js";
import { importText, type Told, validateText } from "../report/summary-text.js";
import { type ExitCode, exitCodeOfEnding } from "./exit-codes.js";
import type { Interruption } from "./interruption.js";
import { COVERAGE_HINT, isCovered } from "./password-export.js";
import { importCommand } from "./resume-command.js";
import type { Terminal } from "./terminal.js";
import type { ReadingOptionValues } from "./values.js";

/** What is printed and returned when a run has come to an end of any kind. */
export interface Ending {
  readonly summary: ImportSummary | ValidateSummary;
  readonly told: Told;
  readonly interruption: Interruption;
  readonly values: ReadingOptionValues;
  /** The command that goes on with this run. */
  readonly again: string;
}

/** Prints the summary, the important thing last, and says the exit code. */
export function endRun(terminal: Terminal, ending: Ending): ExitCode {
  const { summary, told, values, interruption } = ending;
  const failed = summary.command === "import" ? summary.failed : 0;
  const expectUsers = values.expectUsers ?? null;
  const exitCode =
    (summary.interrupted ? interruption.exitCode() : null) ??
    exitCodeOfEnding(
      { ...summary, failed, isCovered: isCovered(summary.passwordExport, values) },
      { acceptRejects: values.acceptRejects, expectUsers },
    );
  if (terminal.voice.json) {
    terminal.event({ type: "summary", ...summary, exitCode });
    return exitCode;
  }
  const lines =
    summary.command === "import" ? importText(summary, told) : validateText(summary, told);
  for (const line of lines) terminal.result(line);
  terminal.result("");
  for (const line of verdict(ending, exitCode)) terminal.result(line);
  return exitCode;
}

function verdict({ summary, values, again }: Ending, exitCode: ExitCode): string[] {
  const lines: string[] = [];
  const { expectUsers } = values;
  if (summary.interrupted) {
    return summary.command === "import"
      ? [`Stopped; progress is saved. To go on: ${again}`]
      : ["Stopped before the end; these numbers are of the rows read so far."];
  }
  for (const file of summary.truncated) {
    lines.push(
      `${file} was cut off before its end: export it again; what was whole in it is done.`,
    );
  }
  if (expectUsers !== undefined && expectUsers !== summary.read) {
    const expected = count(expectUsers, "row");
    lines.push(
      `${expected} were expected, but the files hold ${count(summary.read, "row")}: export them again whole, or correct --expect-users.`,
    );
  }
  if (summary.passwordExport !== null && !isCovered(summary.passwordExport, values)) {
    const wanted = `--min-password-coverage is ${values.minPasswordCoverage}%`;
    lines.push(`${coverageText(summary.passwordExport)}, and ${wanted}. ${COVERAGE_HINT}`);
  }
  if (exitCode === 75) lines.push(`Some users weren't reached. To try them again: ${again}`);
  if (exitCode === 65 && summary.rejected > 0) {
    lines.push(
      `${count(summary.rejected, "row")} rejected: mend them as said above. Then: ${again}`,
    );
  }
  if (exitCode !== 0) return lines;
  lines.push(
    summary.command === "import"
      ? "Done: every row has an outcome."
      : `Nothing stands in the way. To begin: ${importCommand()}`,
  );
  return lines;
}
