/** The end of a run that has users in the core's queue: it watches the queue until none of them is there, reads them back, and tells those who failed, are stuck or were lost. It may be stopped at any moment, and the next run goes on. */

import type { QueuedUser } from "../../checkpoint/queued-users.js";
import { MOST_QUEUED } from "../../core/account-queue.js";
import { rowKey } from "../../errors/place.js";
import { RunError } from "../../errors/run-error.js";
import type { RowRef } from "../../events/events.js";
import { countExample, finding, newExampleCounter } from "../../events/findings.js";
import { roadOf, rowsApart, type Run } from "../import-run.js";
import { takeRows } from "../one-run.js";
import type { ImportOptions } from "../options.js";
import type { RunContext } from "../run-batch.js";
import type { Entries } from "../../checkpoint/entries.js";
import { Bulk } from "./bulk.js";
import type { BulkSetting } from "./mode.js";
import { takeFailures } from "./failed-rows.js";
import { allOwn, countRows, FIRST_WAIT_MS, LONGEST_WAIT_MS, ownRows } from "./queue-rows.js";
import { readBack, settleLost } from "./read-back.js";
import { takeOff } from "./withdraw.js";

/** Three rounds of SuperTokens, whose job comes every five minutes. */
const STUCK_MS = 3 * 300_000 + 30_000;

/**
 * Waits for the users in the queue. Who is left there has no outcome yet.
 *
 * @throws RunError what ends the run, `disk`
 */
export async function awaitQueue(options: ImportOptions, run: Run): Promise<void> {
  if (run.signal.aborted || run.checkpoint.queued.count() === 0) return;
  try {
    await new Watch(options, run).untilEnd();
    // Whom it has written is read back: users who are queued from now on aren't among them.
    if (!run.signal.aborted) run.recorder.wrote(0);
  } catch (error) {
    run.stop.fail(error);
  }
}

class Watch {
  readonly #options: ImportOptions;
  readonly #run: Run;
  readonly #began: number;
  /** Users who were in the queue, as far as was known. */
  readonly #users: number;
  /** Those whose rows have failed and who have ended so. */
  #failed = 0;
  /** Rows that have failed and aren't ours. */
  #othersFailed = 0;
  #state = "";
  #changedAt: number;

  constructor(options: ImportOptions, run: Run) {
    this.#options = options;
    this.#run = run;
    this.#users = run.checkpoint.queued.count();
    this.#began = run.timing.now();
    this.#changedAt = this.#began;
    run.checkpoint.queued.note();
  }

  async untilEnd(): Promise<void> {
    const { signal, timing } = this.#run;
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
      if (!(await this.#look()) && (await this.#isOver())) return;
      const isStill = timing.now() - this.#changedAt >= STUCK_MS;
      if (isStill && !(await this.#moveOn())) return;
      if (signal.aborted) return;
      await timing.sleep(waitMs, signal);
      if (signal.aborted) return;
    }
  }

  /** @returns whether users of ours wait in the queue */
  async #look(): Promise<boolean> {
    const run = this.#run;
    const rows = await countRows(run);
    const failures = await countRows(run, "FAILED");
    const taken = failures === this.#othersFailed ? null : await takeFailures(run);
    if (taken !== null) {
      this.#failed += taken.ended;
      this.#othersFailed = failures - taken.rows;
      await this.#again(taken.again.queue, "queue");
      await this.#again(taken.again.alone, "alone");
    }
    // In the order in which a row goes through them.
    const waits = (await hasOwn(run, "NEW")) || (await hasOwn(run, "PROCESSING"));
    const again = taken?.again.queue.length ?? 0;
    this.#tell(waits ? rows - failures + again : 0, `${rows} ${failures}`);
    return waits;
  }

  /** @param waiting rows of the queue, also those of others */
  #tell(waiting: number, state: string): void {
    const { emit, timing, checkpoint, recorder } = this.#run;
    const now = timing.now();
    if (state !== this.#state) [this.#state, this.#changedAt] = [state, now];
    const open = checkpoint.queued.count();
    const queued = Math.min(waiting, open);
    const written = Math.max(0, this.#users - this.#failed - queued);
    // By what was written until the last change; nothing can be said once that time is over.
    const worked = this.#changedAt - this.#began;
    const expected = written === 0 ? 0 : Math.round((worked / written) * queued);
    const left = expected - (now - this.#changedAt);
    const leftMs = queued === 0 ? 0 : left > 0 ? left : null;
    recorder.wrote(open - queued);
    emit({ type: "queue", queued, written, failed: this.#failed, leftMs });
  }

  /** Reads back who has no row any more. */
  async #isOver(): Promise<boolean> {
    const run = this.#run;
    const missing = await readBack(run);
    if (missing.length === 0) return true;
    // A row that changed its state while the queue was listed may be there still.
    const there = new Set((await allOwn(run)).map(({ user }) => user.id));
    await settleLost(
      run,
      missing.filter(({ id }) => !there.has(id)),
    );
    return there.size === 0;
  }

  /**
   * Nothing has changed for long. Users whose rows the job has taken, and doesn't finish, go by calls of
   * their own.
   *
   * @returns false where the job takes no rows: then it doesn't run
   */
  async #moveOn(): Promise<boolean> {
    const run = this.#run;
    await readBack(run);
    const stuck = await allOwn(run);
    this.#tell(stuck.length, this.#state);
    if (stuck.length === 0) return true;
    const examples = newExampleCounter();
    for (const { user } of stuck) countExample(examples, user.row);
    run.emit({ type: "finding", ...finding("queue_stuck", examples) });
    const held = stuck.filter(({ queued }) => queued.status !== "NEW");
    await takeOff(run, held);
    await this.#again(
      held.map(({ user }) => user),
      "alone",
    );
    return held.length === stuck.length;
  }

  async #again(users: readonly QueuedUser[], way: "queue" | "alone"): Promise<void> {
    const { checkpoint, timing } = this.#run;
    if (users.length === 0) return;
    await sendAgain(this.#options, this.#run, users, way);
    checkpoint.queued.note();
    this.#changedAt = timing.now();
  }
}

async function hasOwn(run: RunContext, status: "NEW" | "PROCESSING"): Promise<boolean> {
  for await (const rows of ownRows(run, status)) if (rows.length > 0) return true;
  return false;
}

/**
 * Sends users who are open again, as far as rows of this run name them as they were queued. The
 * others stay open for the next run.
 *
 * @param way by the queue, or by calls of their own
 */
async function sendAgain(
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
  };
  const most = options.bulkBatch ?? MOST_QUEUED;
  const setting = way === "queue" ? { least: 1, isEmpty: false, most } : null;
  const userOf = (row: RowRef): number | undefined => {
    const id = rows.get(rowKey(row))?.id;
    if (id !== undefined) awaited.take(id);
    return id;
  };
  const entries = checkpoint.ledger.entriesAgain(userOf, changed);
  const only = [...rows.values()].map(({ row }) => row);
  await sendApart(options, leg, setting, only, entries);
  run.pending += leg.pending;
}

/**
 * Sends the users of some rows of the files by themselves.
 *
 * @param setting how the queue takes them; null where they go by calls of their own
 * @param again of rows that this run has counted before
 */
export async function sendApart(
  options: ImportOptions,
  leg: Run,
  setting: BulkSetting | null,
  only: readonly RowRef[],
  again?: Entries,
): Promise<void> {
  const bulk = setting && new Bulk(leg, setting);
  leg.bulk = bulk;
  // The files aren't taken to their end.
  const { readToEnd: _, ...road } = roadOf(leg, again);
  await takeRows(options, leg, road, { only }).catch(leg.stop.fail);
  await leg.pace.idle();
  await bulk?.finish();
  await leg.pace.idle();
}

function changed({ file }: RowRef): never {
  throw new RunError("input_changed", `${file} has changed since its users were sent.`, {
    hint: "Run the same command again when the export isn't written any more: it looks at the users first who are open.",
  });
}
