/** Tells what happens while a command works: as machine output, or on the screen and in its result. */

import type { Finding, MigrationEvent, PredictionEvent } from "../events/events.js";
import { inOrder } from "../events/findings.js";
import type { ReconcileEvent } from "../reconcile/compare-all.js";
import { columnLines, fieldLine, mappingLines } from "../report/input-text.js";
import { findingLines } from "../report/issues-text.js";
import { RefusalGroups } from "../report/refusal-groups.js";
import { printable } from "../report/text.js";
import { nameOf } from "../source/input-bytes.js";
import type { UndoEvent } from "../undo/undo-users.js";
import { ProgressBar, ProgressLog } from "./progress-display.js";
import type { ToldIssues } from "./ended.js";
import { eraseDrawing, type Terminal } from "./terminal.js";

/** What a command may be told. */
type Told = MigrationEvent | PredictionEvent | ReconcileEvent | UndoEvent;

export type Reporter = ReturnType<typeof createReporter>;

/**
 * @param choices `announce`: tell findings as they come, and only name them in the summary; `dry`: tell which columns are read as what, as a dry run does; `tellsIds`: say that an import wouldn't keep the users' ids
 */
export function createReporter(
  terminal: Terminal,
  {
    announce = false,
    dry = false,
    tellsIds = false,
  }: { readonly announce?: boolean; readonly dry?: boolean; readonly tellsIds?: boolean } = {},
) {
  const groups = new RefusalGroups();
  const findings: Finding[] = [];
  const foreseen = new Set<string>();
  let forBridge = 0;
  // What is drawn is erased by whatever is written next.
  const display = terminal.interactive
    ? new ProgressBar(terminal.io, terminal.layout.unicode)
    : new ProgressLog(terminal);
  function toProgram(event: Told): void {
    terminal.event(event);
    // What is next depends on them.
    if (event.type === "finding" && event.foreseen !== true) findings.push(event);
    else if (event.type === "reject") groups.add(event);
  }
  function toPerson(event: Told): void {
    if (event.type === "progress") display.show(event);
    else if (event.type === "pause") display.pause(event);
    else if (event.type === "queue") display.queue(event);
    else if (event.type === "columns") {
      const lines = columnLines(event, nameOf(event.file), { tellsIds });
      // A dry run has shown what is read, and an import's end has to fit a screen.
      for (const line of dry ? lines : lines.slice(1)) terminal.note(line);
      for (const line of mappingLines(event, nameOf(event.file))) terminal.result(line);
    } else if (event.type === "field") terminal.result(fieldLine(event, nameOf(event.file)));
    else if (event.type === "finding") {
      // Ids come from an export, and a hint may name its file.
      const ids = event.sourceIds && { sourceIds: event.sourceIds.map(printable) };
      const finding = { ...event, hint: printable(event.hint), ...ids };
      if (event.foreseen === true) foreseen.add(event.code);
      else findings.push(announce ? { ...finding, hint: "" } : finding);
      if (!announce || (foreseen.has(event.code) && event.foreseen !== true)) return;
      for (const line of findingLines(finding)) terminal.note(line);
    } else if (event.type !== "prediction" && event.type !== "removal") {
      // Rows that end as they should are told in the machine output alone.
      groups.add({ ...event, hint: printable(event.hint) });
    }
  }
  return {
    onEvent(event: Told): void {
      if (event.type === "reject" && event.bridge) forBridge += 1;
      (terminal.outputMode.json ? toProgram : toPerson)(event);
    },
    /** Clears the screen's last line for a question; the display goes on with the next event. */
    makeRoom: () => eraseDrawing(terminal.io.stderr),
    /** What was told, for the summary. */
    issues: (): ToldIssues => ({ groups: groups.list(), findings: inOrder(findings), forBridge }),
  };
}
