/** What the operator sees of a run's events: JSON lines as they come, or groups and a progress display. */

import type { MigrationEvent } from "../migration/events.js";
import { createRefusalGroups, type RefusalGroup } from "../report/refusal-groups.js";
import { createProgressDisplay } from "./progress-display.js";
import { printable, type Terminal } from "./terminal.js";

export interface Reporter {
  onEvent(event: MigrationEvent): void;
  /** Ends the display and hands over the groups of what was refused. */
  end(): RefusalGroup[];
}

export function createReporter(terminal: Terminal): Reporter {
  const groups = createRefusalGroups();
  const display = createProgressDisplay(terminal);
  return {
    onEvent(event) {
      if (terminal.voice.json) terminal.event(event);
      else if (event.type === "progress") display.show(event);
      else groups.add({ ...event, hint: printable(event.hint) });
    },
    end() {
      display.end();
      return groups.list();
    },
  };
}
