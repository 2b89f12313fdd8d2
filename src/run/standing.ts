/** Where the users of the whole migration stand at a run's end, also where the run has left rows unread. */

import type { Cut, Standings } from "../events/standing.js";
import { unreadBy } from "../checkpoint/run-progress.js";
import type { Run } from "./import-run.js";

/** What it needs to know of the run. */
export interface RunEnd {
  /** The inputs' paths, and those of the ones that were cut off. */
  readonly files: readonly string[];
  readonly truncated: readonly string[];
  readonly interrupted: boolean;
}

export async function standingAfter(run: Run, end: RunEnd): Promise<Standings> {
  const cut = cutBy(run, end);
  const { users, imported, created, existed, skipped, rejected, failed, ...counts } =
    await run.checkpoint.counts();
  const { queued, pending, unknown, otherRows, stillThere } = counts;
  return {
    users,
    imported,
    created,
    existed,
    skipped,
    rejected,
    failed,
    queued,
    pending,
    unknown,
    otherRows,
    stillThere,
    unread: unreadAfter(run, end, cut),
    cut,
  };
}

function cutBy({ limit }: Run, { interrupted, truncated }: RunEnd): Cut | null {
  if (interrupted) return "stopped";
  if (limit.hasCut) return "limited";
  return truncated.length > 0 ? "truncated" : null;
}

/**
 * Rows that nobody has read and that are of users whom the checkpoint doesn't know, as far as that
 * can be told; null where nobody knows how many rows there are.
 */
function unreadAfter(
  { checkpoint, tally, rows, missingUsers }: Run,
  { files, truncated }: RunEnd,
  cut: Cut | null,
): number | null {
  const isSame = checkpoint.ledger.earlier.areIn(files);
  const covers = isSame && !missingUsers.isPartial;
  const read = tally.readSoFar();
  const isUnknown = cut !== null && rows === null;
  // What other exports have left unread, this one says nothing of; nor does a run that has read nothing.
  const left = covers && !(isUnknown && read === 0) ? 0 : leftBefore(checkpoint);
  if (isUnknown) return read === 0 && left > 0 ? left : null;
  // The row at which an input is cut off is known to be there.
  const unread = cut === null ? 0 : Math.max(0, (rows ?? 0) - read) + truncated.length;
  const known = isSame && unread > 0 ? checkpoint.ledger.earlier.unmet() : 0;
  return Math.max(0, unread - known) + left;
}

function leftBefore(checkpoint: Run["checkpoint"]): number {
  const earlier = checkpoint.runs().slice(0, -1);
  return unreadBy(earlier, checkpoint.ledger.earlier.count()) ?? 0;
}
