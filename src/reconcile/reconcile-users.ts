/** Reconciling: asks the core whether what the checkpoint says about it is true. It sends no user, changes nothing, and takes no lock. */

import type { ShardsProof } from "../checkpoint/prove-shards.js";
import { Caller } from "../calls/caller.js";
import { retryingCore } from "../run/retrying-core.js";
import { SYSTEM_TIMING } from "../events/timing.js";
import { checkpointError } from "../checkpoint/checkpoint.js";
import { isLocked } from "../checkpoint/lock.js";
import type { CheckpointReader } from "../checkpoint/reader.js";
import { boundReaders, namesOf, openReaders, type Readers } from "../checkpoint/several.js";
import { readStatuses } from "../checkpoint/status.js";
import type { StateCounts } from "../checkpoint/state-counts.js";
import { unfinishedUsers } from "../errors/unfinished.js";
import type { Core } from "../core/core.js";
import type { ListedRecipe } from "../core/user.js";
import { RunError } from "../errors/run-error.js";
import type { LineOf } from "../events/lines/lines.js";
import type { Manifest } from "../events/shard.js";
import { Tally } from "../events/tally.js";
import { NOTHING_CARRIED } from "../plan/carried.js";
import { type CarryPolicy, DEFAULT_POLICY } from "../plan/policy.js";
import { type AtCoreDefaults, completeAtCore, type Optional } from "../run/defaults.js";
import { eventStream, type Iterated, type Outlet, type SummaryEvent } from "../run/event-stream.js";
import type { AtCore, ImportOptions } from "../run/options.js";
import { checkCore, requireSameCore } from "../run/preflight.js";
import { carriedAt } from "../run/require-carried.js";
import { createStop, type Stop } from "../run/stop.js";
import { type Comparison, compareAll, type ReconcileEvent } from "./compare-all.js";
import type { Asking } from "./compare-user.js";
import { isWithoutLookups, readPages } from "./read-pages.js";
import {
  type Counted,
  type RereadOptions,
  type RowCounts,
  type SampleSize,
  type Subject,
  sampleOf,
  subjectsInFiles,
  subjectsOf,
} from "./subjects.js";

/** What reconciling is given; what it shares with the import is as there. */
export interface ReconcileOptions
  extends AtCore,
    Pick<ImportOptions, "namespace">,
    Partial<Pick<ImportOptions, "inputs">> {
  /**
   * Compares what was carried of the accounts of users in `inputs`, too, as far as the policy of the
   * import carries it; undefined to compare users alone.
   */
  readonly fields?: CarryPolicy | undefined;
  /** The checkpoint's path, or those of all shards; they are only read, and may be in use. */
  readonly checkpoint: string | readonly string[];
  /** Of the export that was split, to prove the shards by. */
  readonly manifest?: Manifest | undefined;
  /** How many finished users to ask for, chosen at random. */
  readonly sample: SampleSize;
  /** As in the import. */
  readonly onEvent?: (event: ReconcileEvent) => void;
}

/** By default: the binding of `bindingOf`, {@link DEFAULT_SAMPLE}, {@link GENTLE_CONCURRENCY}, the namespace `""`. */
export type GivenReconcile = Optional<ReconcileOptions, AtCoreDefaults | "sample" | "namespace">;

/** Enough to see a core that lost one user in a hundred, in a second. */
export const DEFAULT_SAMPLE = 200;

/** Users of one way to sign in: whom this migration brought, and all that the core has. */
export type RecipeCount = Reconciliation["counts"][ListedRecipe];

/** What reconciling came to. */
export interface Reconciliation
  extends Omit<
      LineOf<"reconcile-summary">,
      "type" | "vault" | "exitCode" | "shards" | keyof Comparison
    >,
    Comparison {
  readonly shards: ShardsProof | null;
}

/**
 * Asks the core for the users whom the checkpoint takes for finished, and counts its users.
 *
 * @throws RunError `checkpoint_missing`, `checkpoint_invalid`,
 *   `checkpoint_other_core`, `disk`, `usage` (no files for fields, no rate above 0), `core_without_lookups`
 *   (neither lookups nor counts), what {@link carriedAt} throws and what of a core ends an import
 */
export async function reconcileUsers(given: GivenReconcile): Promise<Reconciliation> {
  const { namespace = "", sample = DEFAULT_SAMPLE } = given;
  const options = { ...completeAtCore(given), namespace, sample };
  const { checkpoint, fields, inputs = [] } = options;
  requireFilesFor(fields !== undefined, inputs);
  const paths = typeof checkpoint === "string" ? [checkpoint] : checkpoint;
  const opened = openReaders(paths, options.manifest ?? null);
  try {
    return await reconcile(options, opened);
  } catch (error) {
    throw checkpointError(error, namesOf(paths));
  } finally {
    opened.close();
  }
}

/** @throws RunError `usage` where fields are to be compared, and no files have them */
export function requireFilesFor(fields: boolean, files: readonly unknown[]): void {
  if (!fields || files.length > 0) return;
  throw new RunError("usage", "The checkpoint has no values that fields could be compared with.", {
    hint: "Name the export's files, as in auth-migrate reconcile users.json --fields.",
  });
}

async function reconcile(options: ReconcileOptions, opened: Readers): Promise<Reconciliation> {
  const { core, timing = SYSTEM_TIMING, inputs = [], fields } = options;
  const { readers } = opened;
  const paths = readers.map(({ path }) => path);
  const start = timing.now();
  for (const { path, core: bound } of boundReaders(readers)) requireSameCore(path, bound, options);
  // Before the core is counted: a run that goes on only adds to what is there.
  const { sum: status, each } = readStatuses(paths, options.manifest?.rows);
  const counted = readers.map((reader, at) => countedBy(reader, each[at]?.status ?? status));
  const shards = opened.proof();
  const stop = createStop(options.signal);
  const tally = new Tally();
  const caller = new Caller(tally, timing, stop.signal, {
    most: options.concurrency,
    rate: options.rate,
    probe: () => core.probe(),
    onPause: options.onEvent ?? (() => {}),
  });
  const asking = { core, caller };
  let carried = NOTHING_CARRIED;
  try {
    await requireLookups(retryingCore(core, timing, stop.signal));
    if (fields !== undefined) carried = await carriedAt(core, fields);
  } catch (error) {
    if (!stop.isCauseOf(error)) throw error;
  }
  const counts = await countUsers(asking, status, stop);
  const rows: RowCounts = { read: 0, notBrought: 0 };
  const whole = { ...options, inputs, timing, start, stop };
  const rereading = { ...whole, signal: stop.signal, carried, rows };
  const subjects = chosen(counted, rereading, () => timing.random());
  const finished = finishedIn(status);
  const wanted = options.sample === "all" ? finished : Math.min(options.sample, finished);
  const listing = { ...whole, checkpoints: counted, counts, wanted };
  const { seen, pages } = await readPages(asking, listing);
  const total = inputs.length === 0 ? wanted : null;
  const comparing = { ...whole, asking, seen, tally, total };
  const compared = await compareAll(subjects, comparing).finally(() => seen?.close());
  const isShort = Object.values(counts).some((one) => one.core !== null && one.core < one.brought);
  return {
    command: "reconcile",
    core: core.target,
    checkpoint: namesOf(paths),
    shards,
    running: readers.some(({ path }) => isLocked(path)),
    finished,
    // Of a run that goes on, what it hasn't read isn't left.
    unfinished: unfinishedUsers(status.running ? { ...status, unread: 0 } : status),
    counts,
    wanted,
    ...compared,
    pages,
    rows: inputs.length === 0 ? null : rows,
    calls: tally.calls,
    agrees: !isShort && compared.differing === 0,
    interrupted: options.signal?.aborted === true,
    elapsedMs: Math.round(timing.now() - start),
  };
}

function countedBy(reader: CheckpointReader, states: StateCounts): Counted {
  return { reader, finished: finishedIn(states), existed: states.existed };
}

function finishedIn({ imported, created, existed }: StateCounts): number {
  return imported + created + existed;
}

/** Checks the core as an import does that looks users up. Without lookups nothing could be reconciled. */
async function requireLookups(core: Core): Promise<void> {
  try {
    await checkCore(core, DEFAULT_POLICY, false);
  } catch (error) {
    if (!isWithoutLookups(error)) throw error;
    throw new RunError(
      "core_without_lookups",
      "This core offers no look-ups, so nothing at it can be compared with the checkpoint.",
      { hint: "auth-migrate status says what the checkpoint itself knows.", cause: error },
    );
  }
}

async function countUsers(
  { core, caller }: Asking,
  { imported, created, social }: StateCounts,
  stop: Stop,
): Promise<Reconciliation["counts"]> {
  const countOf = async (recipe: ListedRecipe): Promise<number | null> => {
    try {
      const answer = await caller.call("lookup", () => core.countUsers({ recipes: [recipe] }));
      return answer.ok ? answer.value : null;
    } catch (error) {
      // Counts are no part of the look-ups: a core may do without them, and so does a run that was stopped.
      if (isWithoutLookups(error) || stop.isCauseOf(error)) return null;
      throw error;
    }
  };
  return {
    emailpassword: { brought: imported, core: await countOf("emailpassword") },
    passwordless: { brought: created - social, core: await countOf("passwordless") },
    // A core may count no such users.
    thirdparty: { brought: social, core: social === 0 ? null : await countOf("thirdparty") },
  };
}

async function* chosen(
  counted: readonly Counted[],
  options: RereadOptions & Pick<ReconcileOptions, "sample">,
  random: () => number,
): AsyncGenerator<Subject> {
  const { inputs, sample } = options;
  const readers = counted.map(({ reader }) => reader);
  if (inputs.length === 0) yield* subjectsOf(counted, sample, random);
  else if (sample === "all") yield* subjectsInFiles(readers, options);
  else yield* await sampleOf(subjectsInFiles(readers, options), sample, random);
}

/**
 * {@link reconcileUsers} as an async iterable; as `importEvents`.
 *
 * @throws what `reconcileUsers` throws
 */
export async function* reconcileEvents(
  options: Iterated<GivenReconcile>,
): AsyncGenerator<ReconcileEvent | SummaryEvent<Reconciliation>, void, undefined> {
  const start = (outlet: Outlet<ReconcileEvent>) => reconcileUsers({ ...options, ...outlet });
  yield { type: "summary", ...(yield* eventStream(start, options.signal)) };
}
