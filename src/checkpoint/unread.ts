/** How many rows the runs of a checkpoint have left unread, by what it keeps of them. Each counts as a user who is still open. Pure. */

import type { RunRecord } from "../events/run-record.js";
import type { Cut } from "../events/standing.js";

type Run = Pick<RunRecord, "ending" | "reason" | "known" | "total" | "read">;

/**
 * @param runs in their order
 * @param users whom the checkpoint knows
 * @returns null where there are more, and nobody knows how many
 */
export function unreadBy(runs: readonly Run[], users: number): number | null {
  const run = runs.at(-1);
  if (run === undefined) return 0;
  const { ending, reason, known, total, read } = run;
  if (known !== null) return Math.max(0, known - users);
  if (ending === "finished" && reason === null) return 0;
  if (ending === "finished" || ending === "stopped") return null;
  // It goes on, or has broken off: the users whom it has begun say how far it has come.
  if (total !== null) return Math.max(0, total - Math.max(read, users));
  return read === 0 ? unreadBy(runs.slice(0, -1), users) : null;
}

/** @param runs in their order; the latest one has ended, or was killed */
export function cutBy(runs: readonly Run[]): Cut | null {
  const run = runs.at(-1);
  if (run === undefined) return null;
  const { ending, reason, read } = run;
  if (ending === "finished") return reason === "limited" || reason === "truncated" ? reason : null;
  return ending === "stopped" || read > 0 ? "stopped" : cutBy(runs.slice(0, -1));
}
