/** Sends users again whom the core's queue has let go without bringing them. Their rows are taken from the stage: no account waits in memory. */

import type { QueuedUser } from "../../checkpoint/queued-users.js";
import { RunError } from "../../errors/run-error.js";
import { rowKey } from "../../errors/place.js";
import { MOST_QUEUED } from "../../core/account-queue.js";
import type { RowRef } from "../../events/events.js";
import type { ImportOptions } from "../options.js";
import { rowsApart, type Run, takeApart } from "../import-run.js";
import { Bulk } from "./bulk.js";

/**
 * Sends users who are open again, as far as rows of this run name them as they were queued. The
 * others stay open for the next run.
 *
 * @param way by the queue, or by calls of their own
 */
export async function sendAgain(
  options: ImportOptions,
  run: Run,
  users: readonly QueuedUser[],
  way: "queue" | "alone",
): Promise<void> {
  const { awaited, checkpoint, context } = run;
  const named = users.filter(({ id }) => awaited.of(id)?.isChanged === false);
  const rows = new Map(named.map(({ id, row }) => [rowKey(row), { id, row }]));
  if (rows.size === 0) return;
  const leg: Run = {
    ...rowsApart(run),
    // Whoever has signed up meanwhile is looked for.
    context: { ...context, wasEmpty: false, looksUp: true },
    bulk: null,
  };
  const most = options.bulkBatch ?? MOST_QUEUED;
  const bulk = way === "queue" ? new Bulk(leg, { least: 1, isEmpty: false, most }) : null;
  leg.bulk = bulk;
  const userOf = (row: RowRef): number | undefined => {
    const id = rows.get(rowKey(row))?.id;
    if (id !== undefined) awaited.take(id);
    return id;
  };
  const entries = checkpoint.ledger.entriesAgain(userOf, changed);
  const only = [...rows.values()].map(({ row }) => row);
  await takeApart(options, leg, only, entries);
  await run.pace.idle();
  await bulk?.finish();
  await run.pace.idle();
  run.pending += leg.pending;
}

function changed({ file }: RowRef): never {
  throw new RunError("input_changed", `${file} has changed since its users were sent.`, {
    hint: "Run the same command again when the export isn't written any more: it looks at the users first who are open.",
  });
}
