/** The end of a run: its summary on stdout and its exit code. */

import { stopsOf } from "../report/prediction-text.js";
import { failedOf, isNoneMigrated } from "../run/run-end.js";
import { firstLines, type Remark } from "../report/headline.js";
import { summaryText } from "../report/summary-text.js";
import { commandLines, fitted } from "../report/layout.js";
import { DEFAULT_CHECKPOINT } from "./options/general.js";
import { EXIT_CODES, type ExitCode, exitCodeOfEnding } from "./exit-codes.js";
import type { Interruption } from "./interruption.js";
import type { Terminal } from "./terminal.js";
import type { Ended } from "./ended.js";
import { nextCommands, type TypedRun } from "./resume-command.js";
import { realCommands } from "./rehearsed.js";
import { finishedBefore, knownValues } from "./seen-vault.js";
import { isUnproved, verdictOf } from "./verdict.js";

/** What is printed and returned when a run has come to an end of any kind. */
interface Ending
  extends Omit<Ended, "exitCode" | "next" | "real">,
    Pick<TypedRun, "options" | "part"> {
  readonly values: Ended["values"] & { readonly rate: number | undefined };
  /** The words that were typed, with what an import's bridge needs beside them, and whom it asks. */
  readonly argv?: readonly string[];
  readonly upstream?: Ended["values"]["upstream"];
  readonly interruption: Interruption;
}

/**
 * Prints the summary, the important thing last, and says the exit code. Where the summary's
 * reader has gone, stderr is told how the run ended.
 */
export async function endRun(terminal: Terminal, ending: Ending): Promise<ExitCode> {
  const { summary, values } = ending;
  const exitCode = exitCodeOf(ending);
  const isDry = summary.command === "validate";
  const more = isDry && (summary.prediction?.joinedByBulk ?? 0) > 0 ? ["--bulk", "always"] : [];
  const { checkpoint = DEFAULT_CHECKPOINT } = values;
  const earlier = isDry ? finishedBefore(checkpoint) : null;
  const known = earlier && knownValues(earlier, values);
  const { canPrompt } = terminal;
  const { argv = terminal.io.argv, upstream = values.upstream ?? known?.upstream } = ending;
  const asking = { ...values, upstream };
  const next = nextCommands({ ...ending, values: asking, isDry, known, canPrompt }, argv, more);
  const ended = { ...ending, next, real: realCommands(ending), exitCode };
  if (terminal.outputMode.json) {
    const commands = verdictOf(ended).flatMap(({ command }) => command ?? []);
    terminal.event({ type: "summary", ...summary, next: commands, exitCode });
  } else for (const line of textOf(terminal, ended)) terminal.verbatim(line);
  if (!(await terminal.delivered())) {
    terminal.problem(
      `The reader of standard output has gone, and didn't get the summary. The run ended with ${exitCode}: ${EXIT_CODES[exitCode]}.`,
    );
  }
  return exitCode;
}

function exitCodeOf({ summary, values, interruption }: Ending): ExitCode {
  const isNobody = isNoneMigrated(summary);
  // A pilot doesn't learn how many rows the files hold.
  const expectUsers = summary.limited ? null : (values.expectUsers ?? null);
  return (
    (summary.interrupted ? interruption.exitCode() : null) ??
    exitCodeOfEnding(
      {
        ...summary,
        users: summary.read - (summary.skips.other_model ?? 0),
        failed: failedOf(summary),
        wouldStop: summary.command === "validate" && stopsOf(summary) > 0,
        isNobody,
      },
      { acceptRejects: values.acceptRejects, expectUsers },
    )
  );
}

/** What went as it should is told in so many lines: with those before it, a screen of 24. */
const SHORT_LINES = 21;

function textOf(terminal: Terminal, ended: Ended & Ending): string[] {
  const { summary, issues, next, exitCode, values } = ended;
  const { layout: screen, outputMode, resultColumns } = terminal;
  // Prose is wrapped; a command stands alone, to be copied.
  const lines = ({ text, command }: Remark): string[] => {
    const told = fitted(text, screen.columns);
    return command === undefined ? told : [...told, ...commandLines(command, resultColumns)];
  };
  const verdict = verdictOf(ended).flatMap(lines);
  const isDone = exitCode === 0 && !isUnproved(ended);
  if (outputMode.quiet) {
    const first = firstLines(summary.command === "import" ? summary.standing : summary);
    return [...first.slice(0, 1), ...(isDone ? [] : verdict)];
  }
  const layout =
    exitCode === 0 ? { ...screen, lines: Math.min(SHORT_LINES, screen.lines) } : screen;
  const more: Remark =
    summary.command === "validate"
      ? { text: "--json tells all of it, each with its way out." }
      : { text: "All of it, each with its way out:", command: next.report };
  const { rate } = values;
  const setting = { layout, below: verdict.length + 1, more: lines(more), rate };
  return [...summaryText(summary, issues, setting), "", ...verdict];
}
