/** Where the users of the whole migration stand at a run's end, also where the run has left rows unread. */

import { type Cut, provedBy } from "../events/standing.js";
import type { ImportEnd } from "../events/summary.js";
import { cutBy, unreadBy } from "../checkpoint/run-progress.js";
import type { Run } from "./import-run.js";

/** What it needs to know of the run. */
interface RunEnd extends Pick<ImportEnd, "truncated" | "interrupted" | "provedUsers"> {
  /** The inputs' paths. */
  readonly files: readonly string[];
}

/** Beside it, whom the run itself has proved. */
export async function standingAfter(
  run: Run,
  end: RunEnd,
): Promise<Pick<ImportEnd, "standing" | "proved" | "provedUsers">> {
  const cut = cutOf(run, end);
  const counts = await run.checkpoint.counts();
  const { bridged, social, unmapped, rejects, skips, failures, notices, ...states } = counts;
  const ever = provedBy([...run.checkpoint.runs(), end], counts);
  const unread = unreadAfter(run, end, cut);
  return { standing: { ...states, unread, cut, ...ever }, ...provedBy([end], counts) };
}

function cutOf(run: Run, { interrupted, truncated }: RunEnd): Cut | null {
  if (interrupted) return stoppedCut(run);
  if (run.limit.hasCut) return "limited";
  return truncated.length > 0 ? "truncated" : null;
}

/** One that was stopped before it took a row leaves what was so before it. */
function stoppedCut({ checkpoint, tally, rows }: Run): Cut | null {
  const { calls } = tally;
  const now = { ending: "stopped", total: rows, read: tally.readSoFar(), calls } as const;
  return cutBy(checkpoint.runs().map((run, at, all) => ({ ...run, ...(all[at + 1] ? {} : now) })));
}

/**
 * Rows that nobody has read and that are of users whom the checkpoint doesn't know, as far as that
 * can be told; null where nobody knows how many rows there are.
 */
function unreadAfter(run: Run, { files, truncated }: RunEnd, cut: Cut | null): number | null {
  const { checkpoint, tally, rows } = run;
  const isSame = checkpoint.ledger.earlier.areIn(files);
  const read = tally.readSoFar();
  const isUnknown = cut !== null && rows === null;
  // A run that has read nothing says nothing of what was left unread.
  if (isUnknown) return read === 0 && checkpoint.runs().length > 1 ? leftBefore(checkpoint) : null;
  const left = leftUnread(run, files).count;
  // The row at which an input is cut off is known to be there.
  const unread = cut === null ? 0 : Math.max(0, (rows ?? 0) - read) + truncated.length;
  const known = isSame && unread > 0 ? checkpoint.ledger.earlier.unmet() : 0;
  return Math.max(0, unread - known) + left;
}

/** Rows that earlier runs have left unread in exports of which this one says nothing, and the last row that was read. */
export function leftUnread(
  { checkpoint, missingUsers }: Pick<Run, "checkpoint" | "missingUsers">,
  files: readonly string[],
) {
  const { earlier } = checkpoint.ledger;
  const covers = earlier.areIn(files) && !missingUsers.isPartial;
  return { count: covers ? 0 : (leftBefore(checkpoint) ?? 0), after: earlier.rowOf(earlier.last) };
}

function leftBefore(checkpoint: Run["checkpoint"]): number | null {
  const { earlier } = checkpoint.ledger;
  return unreadBy(checkpoint.runs().slice(0, -1), earlier.count(), earlier.beside);
}
