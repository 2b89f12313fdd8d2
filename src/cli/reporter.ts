/** What the operator sees of a run's events: JSON lines as they come, or groups and a progress display. */

import type { Finding, MigrationEvent } from "../events/events.js";
import { findingLine, type Told } from "../report/issues-text.js";
import { columnLines } from "../report/input-text.js";
import { createRefusalGroups } from "../report/refusal-groups.js";
import { nameOf } from "../source/input-bytes.js";
import { createProgressDisplay } from "./progress-display.js";
import { printable, type Terminal } from "./terminal.js";

export interface Reporter {
  onEvent(event: MigrationEvent): void;
  /** Clears the screen's last line for a question; the display goes on with the next event. */
  makeRoom(): void;
  /** Ends the display and hands over what was told. */
  end(): Told;
}

/** @param announce tells findings as they come, not only in the summary */
export function createReporter(terminal: Terminal, announce = false): Reporter {
  const groups = createRefusalGroups();
  const findings: Finding[] = [];
  const display = createProgressDisplay(terminal);
  return {
    onEvent(event) {
      if (terminal.outputMode.json) terminal.event(event);
      else if (event.type === "progress") display.show(event);
      else if (event.type === "pause") display.pause(event);
      else if (event.type === "columns") {
        display.end();
        for (const line of columnLines(event, nameOf(event.file))) terminal.note(line);
      } else if (event.type === "finding") {
        const finding = printableFinding(event);
        findings.push(finding);
        if (announce) terminal.note(`Found ${findingLine(finding)}`);
      } else groups.add({ ...event, hint: printable(event.hint) });
    },
    makeRoom: () => display.end(),
    end() {
      display.end();
      return { groups: groups.list(), findings };
    },
  };
}

/** Ids come from an export. */
function printableFinding(finding: Finding): Finding {
  const { sourceIds } = finding;
  return sourceIds === undefined ? finding : { ...finding, sourceIds: sourceIds.map(printable) };
}
