/** The first leg of an import that proves its core: the test users alone are imported, and signed in as. Only then the others go. */

import { rowKey } from "../errors/place.js";
import { RunError } from "../errors/run-error.js";
import { emitFindings } from "./before-bulk.js";
import { awaitQueue, sendApart } from "./bulk/await-queue.js";
import { usesQueue } from "./bulk/setting.js";
import type { RowRef } from "../events/events.js";
import type { Ending, SignIns } from "./options.js";
import { rowsApart, type Run, type RunOptions } from "./import-run.js";

/** What the first leg came to. */
export interface FirstLeg {
  /** Whether the core is proved. */
  readonly proved: boolean;
  /** The rows that it has taken, and the rest of the run leaves out. */
  readonly taken: readonly RowRef[];
  /** How many test users there were and could sign in; null where the core wasn't asked. */
  readonly signIns: { readonly users: number; readonly signedIn: number } | null;
}

/** A run without test users of its own. */
export const NO_FIRST_LEG: FirstLeg = { proved: false, taken: [], signIns: null };

/**
 * Imports the test users as the rest of the run does, and asks the core for each of them.
 *
 * @throws RunError what `conclude` throws, and whatever ends the run
 */
export async function proveFirst(
  options: RunOptions,
  run: Run,
  signIns: SignIns,
): Promise<FirstLeg> {
  const { rows } = signIns;
  const context = { ...run.context, signal: run.signal };
  const ask = async (): Promise<readonly Ending[] | null> => {
    if (!(await signIns.isOffered(context))) return null;
    const endings = await importFirst(options, run, rows);
    run.signal.throwIfAborted();
    return rows.map((row) => {
      const ending = endings.get(rowKey(row));
      if (ending !== undefined) return ending;
      throw new RunError(
        "input_changed",
        `${row.file} has changed since its test users were found`,
        { hint: "Run the same command again when the export isn't written any more." },
      );
    });
  };
  try {
    const endings = await ask();
    const { proved, findings, signedIn } = await signIns.conclude(endings, context);
    emitFindings(findings, run.emit);
    if (endings === null) return { ...NO_FIRST_LEG, proved };
    return { proved, taken: rows, signIns: { users: rows.length, signedIn } };
  } catch (error) {
    // A run that was stopped says in its summary what is left to do.
    if (run.stop.isCauseOf(error)) return { ...NO_FIRST_LEG, taken: rows };
    throw error;
  }
}

type Endings = Map<string, Ending>;

/** @returns what became of each row */
async function importFirst(
  options: RunOptions,
  run: Run,
  taken: readonly RowRef[],
): Promise<Endings> {
  const endings: Endings = new Map();
  const leg: Run = {
    ...rowsApart(run),
    // The pace is that of the others alone: signing in as these takes its time.
    progress: { tick() {}, readBytes() {} },
    ended: (row, ending) => void endings.set(rowKey(row), ending),
    emitRow(event) {
      endings.set(rowKey(event.row), event);
      run.emitRow(event);
    },
  };
  const { bulkSetting } = options;
  const isEnough = usesQueue(bulkSetting, taken.length);
  await sendApart(options, leg, isEnough ? bulkSetting : null, taken);
  // An earlier run may have left them in the core's queue.
  if (run.awaited.count > 0) await awaitQueue(options, leg);
  run.pending += leg.pending;
  run.stop.throwIfFailed();
  if (run.awaited.count > 0 && !run.signal.aborted) {
    throw new RunError("outage", "The core's queue has test users still, so it can't be proved.", {
      hint: "See the finding queue_stuck. Once the queue goes on, run the same command again. No other user was sent.",
    });
  }
  return endings;
}
