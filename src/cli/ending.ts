/** The end of a run: its summary on stdout and its exit code. */

import type { Finding, MigrationEvent, PredictionEvent } from "../events/events.js";
import { inOrder } from "../events/findings.js";
import { stopsOf } from "../report/prediction-text.js";
import { failedOf, isNoneMigrated } from "../run/run-end.js";
import { firstLines, readyHeadline } from "../report/headline.js";
import { importText, validateText } from "../report/summary-text.js";
import { type Issues, findingLines } from "../report/issues-text.js";
import { commandLines, fitted } from "../report/layout.js";
import { EXIT_CODES, type ExitCode, exitCodeOfEnding } from "./exit-codes.js";
import type { Interruption } from "./interruption.js";
import { eraseDrawing, type Terminal } from "./terminal.js";
import { printable } from "../report/text.js";
import type { Ended, Remark } from "./ended.js";
import { nextCommands, type TypedRun } from "./resume-command.js";
import { isUnproved, verdictOf } from "./verdict.js";
import { columnLines, fieldLine, mappingLines } from "../report/input-text.js";
import { RefusalGroups } from "../report/refusal-groups.js";
import { nameOf } from "../source/input-bytes.js";
import { createProgressDisplay } from "./progress-display.js";

/** What is printed and returned when a run has come to an end of any kind. */
interface Ending extends Omit<Ended, "exitCode" | "next">, Pick<TypedRun, "options" | "part"> {
  readonly values: Ended["values"] & { readonly rate: number | undefined };
  readonly interruption: Interruption;
}

/**
 * Prints the summary, the important thing last, and says the exit code. Where the summary's
 * reader has gone, stderr is told how the run ended.
 */
export async function endRun(terminal: Terminal, ending: Ending): Promise<ExitCode> {
  const { summary } = ending;
  const exitCode = exitCodeOf(ending);
  const isDry = summary.command === "validate";
  const next = nextCommands({ ...ending, isDry }, terminal.io.argv);
  const ended = { ...ending, next, exitCode };
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
  const { layout: screen, outputMode } = terminal;
  const lines = (remark: Remark): string[] => remarkLines(remark, terminal);
  const verdict = verdictOf(ended).flatMap(lines);
  const isDone = exitCode === 0 && !isUnproved(ended);
  if (outputMode.quiet) return [...headlineOf(summary), ...(isDone ? [] : verdict)];
  const layout =
    exitCode === 0 ? { ...screen, lines: Math.min(SHORT_LINES, screen.lines) } : screen;
  const more: Remark =
    summary.command === "validate"
      ? { text: "--json tells all of it, each with its way out." }
      : { text: "All of it, each with its way out:", command: next.report };
  const setting = { layout, below: verdict.length + 1, more: lines(more) };
  const text =
    summary.command === "import"
      ? importText(summary, issues, setting)
      : validateText(summary, issues, setting, values.rate);
  return [...text, "", ...verdict];
}

function headlineOf(summary: Ending["summary"]): string[] {
  if (summary.command === "validate") return [readyHeadline(summary)];
  return firstLines(summary.standing).slice(0, 1);
}

/** Prose is wrapped; a command stands alone, to be copied. */
function remarkLines({ text, command }: Remark, { layout, resultColumns }: Terminal): string[] {
  const lines = fitted(text, layout.columns);
  return command === undefined ? lines : [...lines, ...commandLines(command, resultColumns)];
}

export type Reporter = ReturnType<typeof createReporter>;

/**
 * @param choices `announce`: tell findings as they come, and only name them in the summary; `dry`: tell which columns are read as what, as a dry run does
 */
export function createReporter(
  terminal: Terminal,
  { announce = false, dry = false }: { readonly announce?: boolean; readonly dry?: boolean } = {},
) {
  const { json } = terminal.outputMode;
  const groups = new RefusalGroups();
  const findings: Finding[] = [];
  const display = createProgressDisplay(terminal);
  return {
    onEvent(event: MigrationEvent): void {
      if (json) {
        terminal.event(event);
        // What is next depends on them.
        if (event.type === "finding") findings.push(event);
        else if (event.type === "reject") groups.add(event);
      } else if (event.type === "progress") display.show(event);
      else if (event.type === "pause") display.pause(event);
      else if (event.type === "queue") display.queue(event);
      else if (event.type === "columns") {
        const lines = columnLines(event, nameOf(event.file));
        // A dry run has shown what is read.
        for (const line of dry ? lines : lines.slice(1)) terminal.note(line);
        for (const line of mappingLines(event, nameOf(event.file))) terminal.result(line);
      } else if (event.type === "field") terminal.result(fieldLine(event, nameOf(event.file)));
      else if (event.type === "finding") {
        const finding = printableFinding(event);
        findings.push(announce ? { ...finding, hint: "" } : finding);
        if (announce) for (const line of findingLines(finding)) terminal.note(line);
      } else groups.add({ ...event, hint: printable(event.hint) });
    },
    /** Rows that end as they should are told in the machine output alone. */
    onPrediction(event: PredictionEvent): void {
      if (json) terminal.event(event);
    },
    /** Clears the screen's last line for a question; the display goes on with the next event. */
    makeRoom: () => eraseDrawing(terminal.io.stderr),
    /** What the run told, for the summary. */
    issues: (): Issues => ({ groups: groups.list(), findings: inOrder(findings) }),
  };
}

/** Ids come from an export, and a hint may name its file. */
function printableFinding({ sourceIds, ...finding }: Finding): Finding {
  const hint = printable(finding.hint);
  return { ...finding, hint, ...(sourceIds && { sourceIds: sourceIds.map(printable) }) };
}
