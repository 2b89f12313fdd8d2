/** The end of a run: its summary on stdout and its exit code. */

import type { ImportSummary, StopReason, ValidateSummary } from "../migration/events.js";
import { coverageText } from "../report/password-coverage.js";
import { count } from "../report/count.js";
import { importText, type Told, validateText } from "../report/summary-text.js";
import { EXIT_CODES, type ExitCode, exitCodeOfEnding, exitCodeOfStop } from "./exit-codes.js";
import type { Interruption } from "./interruption.js";
import { COVERAGE_HINT, isCovered } from "./password-export.js";
import { importCommand, unlimitedCommand } from "./resume-command.js";
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

/**
 * Prints the summary, the important thing last, and says the exit code. Where nobody reads the
 * summary any more, stderr is told how the run ended.
 */
export async function endRun(terminal: Terminal, ending: Ending): Promise<ExitCode> {
  const exitCode = printSummary(terminal, ending);
  if (!(await terminal.delivered())) {
    terminal.problem(
      `Nobody reads standard output any more, and so not the summary. The run ended with ${exitCode}: ${EXIT_CODES[exitCode]}.`,
    );
  }
  return exitCode;
}

function printSummary(terminal: Terminal, ending: Ending): ExitCode {
  const { summary, told, values, interruption } = ending;
  const failed = summary.command === "import" ? summary.failed : 0;
  // Of a pilot nobody knows how many rows the files hold.
  const expectUsers = summary.limited ? null : (values.expectUsers ?? null);
  const stoppedBy = summary.command === "import" ? summary.stoppedBy : null;
  const exitCode =
    exitCodeOfStop(stoppedBy) ??
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

/** What stopped an import, before the command that goes on. */
const STOPPED: Readonly<Record<StopReason, string>> = {
  signal: "Stopped; progress is saved.",
  max_duration: "Stopped where --max-duration says; progress is saved.",
  max_rejects:
    "Stopped: there are more rejects than --max-rejects allows. Mend them as said above, or allow more; progress is saved.",
};

function verdict({ summary, values, again }: Ending, exitCode: ExitCode): string[] {
  const lines: string[] = [];
  const { expectUsers } = values;
  if (summary.interrupted) {
    return summary.command === "import"
      ? [`${STOPPED[summary.stoppedBy ?? "signal"]} To go on: ${again}`]
      : ["Stopped before the end; these numbers are of the rows read so far."];
  }
  for (const file of summary.truncated) {
    lines.push(
      `${file} was cut off before its end: export it again; what was whole in it is done.`,
    );
  }
  if (!summary.limited && expectUsers !== undefined && expectUsers !== summary.read) {
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
  if (summary.limited) return [...lines, pilotText(summary)];
  if (exitCode !== 0) return lines;
  lines.push(
    summary.command === "import"
      ? "Done: every row has an outcome."
      : `Nothing stands in the way. To begin: ${importCommand()}`,
  );
  return lines;
}

/** @param summary of a run that `--limit` ended */
function pilotText({ command }: Ending["summary"]): string {
  return command === "import"
    ? `Ended where --limit says; the rest isn't read yet. To go on without it: ${unlimitedCommand()}`
    : `Read as far as --limit says. To begin: ${importCommand()}`;
}
