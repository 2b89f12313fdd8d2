/** One run: reads the inputs into the stage, has the proof made, and takes the rows down one road. A dry run is the same run with a road that sends nothing, so that their numbers can't differ. */

import { setImmediate as turn } from "node:timers/promises";
import type { Pace } from "../calls/pace.js";
import { createProgress, type Progress } from "../events/progress.js";
import type { Timing } from "../events/timing.js";
import type { Entries } from "../checkpoint/entries.js";
import type { Core } from "../core/core.js";
import type { Finding, MigrationEvent, RowEvent, RowRef } from "../events/events.js";
import type { ImportEnd, ValidateEnd } from "../events/summary.js";
import { emitRow, Tally } from "../events/tally.js";
import type { Rules } from "../plan/action.js";
import type { Digester } from "../plan/digests.js";
import type { Input } from "../source/inputs.js";
import type { Kept } from "../stage/page-writer.js";
import type { EarlierRuns } from "../stage/settle.js";
import type { RowChoice } from "../stage/row-choice.js";
import { Stage } from "../stage/stage.js";
import type { BulkSetting } from "./bulk/mode.js";
import { emitFindings, type Preparation, prepareBulk } from "./before-bulk.js";
import { createLimit, type Limit } from "./limit.js";
import type { ReadingOptions } from "./options.js";
import { decideBatch, type PlannedBatch } from "./plan-batch.js";
import type { TakeReject } from "./rejects-out.js";
import { type MissingUsers, newMissingUsers, noneMigratedFindings } from "./run-end.js";
import type { ProofKeeper } from "./kept-proofs.js";
import type { Stop } from "./stop.js";

/** Rules by which rows are planned as well. */
export interface RunRules extends Rules {
  readonly digester: Digester;
}

interface Beginning {
  readonly stop: Stop;
  readonly emit: (event: MigrationEvent) => void;
  readonly timing: Timing;
  readonly rejects: TakeReject;
  readonly pace: Pace;
  readonly rules: RunRules;
  /** To which users are sent; null in a dry run. */
  readonly core: Core | null;
  /** Whether the core's roles are known. */
  readonly knowsRoles: boolean;
  /** Where the stage's file is made, and what is kept there of each row. */
  readonly directory: string;
  readonly kept: Kept;
  readonly earlier: EarlierRuns | null;
  /** Has what earlier runs have proved; null without a checkpoint. */
  readonly proofs: ProofKeeper | null;
  /** How an import uses the core's queue. */
  readonly bulkSetting?: BulkSetting | null;
}

/** What was read. */
export interface Reading
  extends Pick<Beginning, "stop" | "emit" | "timing" | "rejects" | "pace" | "rules"> {
  readonly signal: AbortSignal;
  /** When the run began, by `timing`. */
  readonly start: number;
  readonly tally: Tally;
  readonly limit: Limit;
  readonly preparation: Preparation;
  /** Rows of all inputs; null where a stop came before they were read. */
  readonly rows: number | null;
  /** All rows, as they were read. */
  readonly stage: Stage;
  readonly missingUsers: MissingUsers;
  /** Resolves when more refusals can be told. */
  readonly room: () => Promise<void>;
}

/** What is done about rows. */
export interface Road {
  readonly rules: RunRules;
  readonly ledger: Entries;
  readonly tally: Tally;
  readonly progress: Progress;
  /** Resolves when the rows of a batch are told, or on their way. */
  take(batch: PlannedBatch): Promise<void>;
  /** An input's rows were all taken. */
  readonly readToEnd?: (path: string) => Promise<void>;
}

/** How the taking of the rows has ended. */
export interface RoadEnd {
  /** No stop came before the last row. */
  readonly readToTheEnd: boolean;
  /** The same, and no input was cut off, and no limit reached. */
  readonly isWhole: boolean;
  /** The paths of files that were cut off. */
  readonly truncated: readonly string[];
}

/** A road for all rows of a run. */
interface WholeRoad<S extends ImportEnd | ValidateEnd> extends Road {
  /** Rows that were taken before. */
  readonly taken?: readonly RowRef[];
  /** Resolves when all rows are told. */
  finish(): Promise<void>;
  findings(end: RoadEnd): readonly Finding[];
  summary(end: RoadEnd): S | Promise<S>;
}

/**
 * @param roadOf what was read: its road
 * @throws RunError what reading throws, and whatever ends the run
 */
export async function oneRun<S extends ImportEnd | ValidateEnd>(
  options: ReadingOptions,
  beginning: Beginning,
  roadOf: (reading: Reading) => WholeRoad<S> | Promise<WholeRoad<S>>,
): Promise<S> {
  const { stop, emit, timing, rules, knowsRoles } = beginning;
  const { signal } = stop;
  const start = timing.now();
  const stage = new Stage(beginning.directory, beginning.kept, beginning.earlier);
  try {
    const roles = knowsRoles ? rules.carried.roles : null;
    const surroundings = { ...beginning, ...rules, signal, start, stage, roles };
    const preparation = await prepareBulk(options, surroundings);
    const reading: Reading = {
      ...beginning,
      rules: { ...rules, unshown: preparation.inspection.unshown },
      signal,
      start,
      tally: new Tally(),
      limit: createLimit(options.limit),
      preparation,
      // A reading that was stopped has counted some.
      rows: signal.aborted ? null : preparation.inspection.rows,
      stage,
      missingUsers: newMissingUsers(),
      room: options.room ?? (async () => {}),
    };
    const road = await roadOf(reading);
    const choice = { allBut: road.taken ?? [] };
    const truncated = (await takeRows(options, reading, road, choice).catch(stop.fail)) ?? [];
    const readToTheEnd = !signal.aborted;
    await road.finish();
    stop.throwIfFailed();
    const isWhole = readToTheEnd && truncated.length === 0 && !reading.limit.hasCut;
    const end = { readToTheEnd, isWhole, truncated };
    emitFindings(road.findings(end), emit);
    const summary = await road.summary(end);
    emitFindings(noneMigratedFindings(summary), emit);
    return summary;
  } finally {
    stage.close();
  }
}

/** Rows that are taken, and no others; or all but those. */
type Choice = { readonly only: readonly RowRef[] } | { readonly allBut: readonly RowRef[] };

/**
 * Takes rows from the stage, decides about each batch and starts on its users, never far ahead of
 * those before.
 *
 * @returns the paths of the files that were cut off
 */
export async function takeRows(
  options: ReadingOptions,
  reading: Pick<
    Reading,
    "signal" | "stop" | "limit" | "pace" | "stage" | "preparation" | "missingUsers"
  >,
  road: Road,
  choice: Choice,
): Promise<string[]> {
  const { signal, stop, limit, pace, stage, preparation, missingUsers } = reading;
  const { ledger, tally, progress, rules } = road;
  const { namespace, room } = options;
  const shared = { ...rules, ledger, tally, missingUsers, namespace };
  const truncated: string[] = [];
  for (const input of options.inputs) {
    if (signal.aborted) break;
    const context = { ...shared, source: input.source.name };
    for (const rows of limit.cut(stage.read(input, chosenOf(input, choice)))) {
      await pace.room();
      // Planning takes longer than sending: an embedded core would wait for it idle, a third of the time.
      await turn();
      if (signal.aborted) break;
      const batch = decideBatch(preparation.asProved(rows, input.path), input.path, context);
      if (batch.truncated) truncated.push(input.path);
      limit.take(batch.users);
      // Refusals hold the reading back only where the caller takes them one by one.
      const untold = room === undefined ? 0 : batch.refusals.length;
      pace.track(Math.max(1, batch.users + untold), road.take(batch).catch(stop.fail));
      progress.tick();
    }
    const isWhole = !signal.aborted && !limit.hasCut && !truncated.includes(input.path);
    if (isWhole) road.readToEnd?.(input.path).catch(stop.fail);
  }
  return truncated;
}

function chosenOf({ path }: Input, choice: Choice): RowChoice {
  const numbers = (rows: readonly RowRef[]): ReadonlySet<number> =>
    new Set(rows.filter(({ file }) => file === path).map(({ number }) => number));
  return "only" in choice ? { only: numbers(choice.only) } : { allBut: numbers(choice.allBut) };
}

/** Counts a reject, skip or failure, tells it and writes its row out. */
export function tellRow(
  event: RowEvent,
  { rejects, stage, tally, emit }: Pick<Reading, "rejects" | "stage" | "tally" | "emit">,
): void {
  rejects(event, stage);
  emitRow(event, tally, emit);
}

/** The progress of a road, beside the calls that it makes. */
export function progressOf(
  { limit }: ReadingOptions,
  { emit, preparation, ...counters }: Omit<Reading, "limit">,
  calls: Pick<Parameters<typeof createProgress>[1], "traffic" | "queue">,
): Progress {
  return createProgress(emit, {
    ...counters,
    ...calls,
    phase: "run",
    // A pilot's last row isn't known in advance.
    total: limit === undefined ? preparation.inspection.rows : null,
  });
}
