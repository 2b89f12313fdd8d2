/** What an undo came to, as text for people: the table, who stays and why, and the verdict last. Pure. */

import type { Undone } from "../undo/undo-users.js";
import { groupLines } from "./issues-text.js";
import { type Layout, tableLines } from "./layout.js";
import type { RefusalGroup } from "./refusal-groups.js";
import { coreText } from "./summary-text.js";
import { count, durationOf, grouped } from "./text.js";

/** @param groups who stays, and who wasn't reached */
export function undoText(
  undone: Undone,
  groups: readonly RefusalGroup[],
  layout: Layout,
): string[] {
  const { users, queued, existed, removed, gone, left, failed, dryRun, interrupted } = undone;
  const rest = interrupted ? users + queued - removed - gone - left - failed : 0;
  const table: [string, number, string][] = [
    ["removed", removed, dryRun ? "would be removed" : "aren't at the core any more"],
    ["gone", gone, "weren't at the core any more, or not yet"],
    ["left", left, "stay as they are, see below"],
    ["failed", failed, "not reached; running again tries them again"],
    ["not asked", Math.max(0, rest), "not reached before the stop"],
    ["existed", existed, "were at the core before, and stay as they were"],
  ];
  return [
    `${undone.checkpoint} and ${coreText(undone.core)}, ${durationOf(undone.elapsedMs)}`,
    "",
    ...tableLines(table, layout),
    ...groupLines(groups, layout),
    "",
    ...verdict(undone),
  ];
}

function verdict(undone: Undone): string[] {
  const { dryRun, queued, removed, left, failed, interrupted } = undone;
  const stay = left === 0 ? "" : ` ${count(left, "user")} ${left === 1 ? "stays" : "stay"}.`;
  if (dryRun) {
    const off = queued === 0 ? "" : `, and take ${count(queued, "account")} off the core's queue`;
    return [`Nothing was removed. An undo would remove ${count(removed, "user")}${off}.${stay}`];
  }
  const done = `Removed ${count(removed, "user")}.${stay}`;
  if (interrupted) return [`${done} Stopped before the end.`];
  if (failed > 0) return [`${done} ${grouped(failed)} failed.`];
  return [queued === 0 ? done : `${done} The core's queue has none of them any more.`];
}
