/** Undo: removes at the core the users whom this migration certainly made, as long as nobody has signed in there. Who was there before, or may be in use, stays. */

import { Caller } from "../calls/caller.js";
import { Pace } from "../calls/pace.js";
import { type Checkpoint, checkpointError, openCheckpoint } from "../checkpoint/checkpoint.js";
import { boundCore } from "../checkpoint/status.js";
import { closeAfterFailure, RunError } from "../errors/run-error.js";
import type { PauseEvent, ProgressEvent, QueueEvent, RowEvent, RowRef } from "../events/events.js";
import type { LineOf } from "../events/lines/lines.js";
import { createProgress } from "../events/progress.js";
import { emitRow, Tally } from "../events/tally.js";
import { SYSTEM_TIMING } from "../events/timing.js";
import type { Key } from "../plan/digests.js";
import type { PlanKind } from "../plan/entry.js";
import { MARK } from "../plan/states.js";
import { DEFAULT_POLICY } from "../plan/policy.js";
import { type AtCoreDefaults, completeAtCore, type Optional } from "../run/defaults.js";
import { openForErasure } from "../run/hash-keeper.js";
import type { AtCore, ImportOptions } from "../run/options.js";
import { checkCore, requireSameCore, requireSameUsers } from "../run/preflight.js";
import { retryingCore } from "../run/retrying-core.js";
import { createStop, type Stop } from "../run/stop.js";
import { clearQueue } from "./clear-queue.js";
import { LEFT, type LeftCode, whyLeft } from "./why-left.js";

const REPLACED = "existing_password_replaced" satisfies LeftCode;

/** What undo is given; what it shares with an import is as there. */
export interface UndoOptions extends AtCore, Pick<ImportOptions, "checkpoint" | "vault"> {
  /** Removes nothing, and says whom it would remove. */
  readonly dryRun: boolean;
  /** Vouches for users of whom the core doesn't say whether they have signed in. */
  readonly assumeNeverSignedIn: boolean;
  /** As in the import. */
  readonly onEvent?: (event: UndoEvent) => void;
}

/** By default: nothing vouched for, no dry run, eight users in flight, the binding of `bindingOf`. */
export type GivenUndo = Optional<UndoOptions, AtCoreDefaults | "dryRun" | "assumeNeverSignedIn">;

/** A user who was removed, or of a dry run would be. */
export type RemovalEvent = LineOf<"removal">;

/** What is told on the way. A user who stays is a `skip`, one who wasn't reached a `failure`. */
export type UndoEvent = RemovalEvent | RowEvent | ProgressEvent | PauseEvent | QueueEvent;

/** What it came to. */
export type Undone = Omit<LineOf<"undo-summary">, "type" | "exitCode">;

/** A user whom this migration made, as the checkpoint knows them. */
interface Made {
  readonly id: number;
  readonly row: RowRef;
  readonly sourceId: string | null;
  readonly coreId: string | null;
  readonly kind: PlanKind | null;
  readonly held: readonly Key[];
  /** Why they stay whatever the core shows; null where it decides. */
  readonly left: LeftCode | null;
}

/**
 * Removes users one by one: an intent, the call, the ending. Killed at any moment, the same call goes on.
 *
 * @throws RunError `usage` (people have signed in once, or no vault is named), `checkpoint_missing`,
 *   `checkpoint_invalid`, `checkpoint_other_core`, `in_use`, `core_without_lookups`, `disk`, and what of a
 *   core or a vault ends an import
 */
export async function undoUsers(given: GivenUndo): Promise<Undone> {
  const { dryRun = false, assumeNeverSignedIn = false } = given;
  const options = { ...completeAtCore(given), dryRun, assumeNeverSignedIn };
  const path = options.checkpoint;
  // Before a checkpoint is made where there is none.
  const known = boundCore(path);
  // Of nobody sent, or nobody left, there is nothing to remove at whatever core.
  if (known !== null) requireSameCore(path, known, options);
  const checkpoint = openCheckpoint(path);
  try {
    const undone = await new Undo(options, checkpoint).run();
    checkpoint.close();
    return undone;
  } catch (error) {
    closeAfterFailure(checkpoint);
    throw checkpointError(error, path);
  }
}

class Undo {
  readonly #options: UndoOptions;
  readonly #checkpoint: Checkpoint;
  readonly #stop: Stop;
  readonly #tally = new Tally();
  readonly #caller: Caller;
  readonly #emit: (event: UndoEvent) => void;
  #vault: ReturnType<typeof openForErasure>;
  readonly #areKept: (id: number) => boolean;
  readonly #counts = { removed: 0, gone: 0, left: 0, failed: 0 };
  readonly #lefts: Record<string, number> = {};
  #replaced = 0;

  constructor(options: UndoOptions, checkpoint: Checkpoint) {
    const { core, timing = SYSTEM_TIMING, onEvent = () => {} } = options;
    this.#options = options;
    this.#checkpoint = checkpoint;
    this.#areKept = checkpoint.bridged.areKept();
    this.#emit = onEvent;
    this.#stop = createStop(options.signal);
    this.#caller = new Caller(this.#tally, timing, this.#stop.signal, {
      most: options.concurrency,
      rate: options.rate,
      probe: () => core.probe(),
      onPause: onEvent,
    });
  }

  async run(): Promise<Undone> {
    const { core, timing = SYSTEM_TIMING, dryRun } = this.#options;
    const start = timing.now();
    const checkpoint = this.#checkpoint;
    if (checkpoint.removals.isTooLate()) {
      throw new RunError(
        "usage",
        "A cut-over was recorded, be it taken back since, so people may have signed in at the core: nothing is undone.",
        {
          hint: `What is to go is removed at the core, user by user. Whom this migration brought: auth-migrate report --id-map --checkpoint ${checkpoint.path}`,
        },
      );
    }
    const asked = retryingCore(core, timing, this.#stop.signal);
    await checkCore(asked, DEFAULT_POLICY);
    const { binding } = this.#options;
    if (binding.kind === "remote") await requireSameUsers(checkpoint, asked, binding.url);
    const counts = this.#count();
    this.#vault = openForErasure(this.#options, checkpoint);
    try {
      await this.#removeAll(counts, start);
    } finally {
      this.#vault?.close();
    }
    this.#stop.throwIfFailed();
    return {
      command: "undo",
      core: core.target,
      checkpoint: checkpoint.path,
      dryRun,
      ...counts,
      // Whose password was replaced is told by row.
      existed: counts.existed - this.#replaced,
      ...this.#counts,
      skips: this.#lefts,
      calls: this.#tally.calls,
      interrupted: this.#options.signal?.aborted === true,
      elapsedMs: Math.round(timing.now() - start),
    };
  }

  /** How many there are, before anything is removed. */
  #count(): Pick<Undone, "users" | "queued" | "existed"> {
    const { queued, finished } = this.#checkpoint;
    const counts = { users: 0, existed: 0 };
    for (const { isNew } of finished.all()) counts[isNew ? "users" : "existed"] += 1;
    return { ...counts, queued: queued.count() };
  }

  async #removeAll(
    { users, queued }: Pick<Undone, "users" | "queued">,
    start: number,
  ): Promise<void> {
    const { concurrency, room = async () => {}, dryRun, timing = SYSTEM_TIMING } = this.#options;
    const { signal } = this.#stop;
    const context = { core: this.#options.core, caller: this.#caller };
    const reader = { checkpoint: this.#checkpoint, context, signal, timing };
    const told = (queued: number, written: number): void =>
      this.#emit({ type: "queue", queued, written, failed: 0, leftMs: null });
    const pace = new Pace(concurrency);
    const counted = { phase: "run", tally: this.#tally, timing, start } as const;
    const { traffic } = this.#caller;
    const total = users + queued;
    const progress = createProgress(this.#emit, { ...counted, pace, total, traffic });
    const all = async (): Promise<void> => {
      if (!dryRun) await clearQueue(reader, told);
      for (const user of this.#subjects()) {
        await pace.room();
        await room();
        if (signal.aborted) return;
        const work = pace.run(() => this.#take(user)).then(() => progress.tick());
        pace.track(1, work.catch(this.#stop.fail));
      }
    };
    await all().catch(this.#stop.fail);
    await pace.idle();
    if (signal.aborted) return;
    for (const user of this.#checkpoint.removals.open()) this.#stays(user, "outcome_unknown");
    for (const user of this.#checkpoint.removals.elsewhere()) {
      this.#stays(user, "earlier_contact_open");
    }
  }

  /** Users in the queue first: that of whom none is at the core yet takes least. */
  *#subjects(): Generator<Made> {
    const { queued, finished, ledger } = this.#checkpoint;
    for (const { id, row, sourceId, coreId, kind, contacts, isAgain } of queued.all()) {
      const left = isAgain ? "outcome_unknown" : null;
      yield { id, row, sourceId, coreId, kind, held: contacts, left };
    }
    for (const user of finished.all()) {
      const { id, row, sourceId, coreId, kind, outcome, isNew, isTaken, isChanging } = user;
      if (!isNew && outcome !== "imported") continue;
      const held = ledger
        .contactsOf(id)
        // One that is coming is at the core where a run was stopped before it knew.
        .flatMap(({ key, mark }) => (mark === MARK.tried ? [] : key));
      const unsure = isTaken || coreId === null ? "not_certainly_ours" : null;
      const left = isChanging ? "outcome_unknown" : unsure;
      yield { id, row, sourceId, coreId, kind, held, left: isNew ? left : REPLACED };
    }
  }

  async #take(user: Made): Promise<void> {
    const { core, dryRun } = this.#options;
    const { removals, digester } = this.#checkpoint;
    const { id, coreId, left } = user;
    if (this.#stop.signal.aborted) return;
    this.#tally.read();
    const isReplaced = left === REPLACED;
    if (isReplaced) this.#replaced += 1;
    if (coreId === null || (left !== null && !isReplaced)) {
      return this.#leave(user, left ?? "not_certainly_ours");
    }
    const there = await this.#caller.call("lookup", () => core.getUser(coreId));
    if (!there.ok) return this.#fail(user, there.failure);
    const found = there.value;
    // Also who was there before: the undo of another checkpoint may have removed them.
    if (found === null) return this.#end(user, "gone");
    if (isReplaced) return this.#leave(user, REPLACED);
    const why = whyLeft(found, user, digester, this.#options.assumeNeverSignedIn);
    if (why !== null) return this.#leave(user, why);
    const { email } = found;
    const kept = email === undefined ? undefined : this.#vault?.nameOf(email);
    // The bridge has erased what it had of them, which it does once they have signed in.
    const isOver = kept === null && !removals.isBegun(id) && this.#areKept(id);
    if (isOver) return this.#leave(user, "signed_in_since");
    if (dryRun) return this.#end(user, "removed");
    await removals.begin(id, kept ?? null);
    const removed = await this.#caller.call("update", () => core.removeUser(coreId));
    return removed.ok ? this.#end(user, "removed") : this.#fail(user, removed.failure);
  }

  /** The user isn't at the core any more, where it is no dry run. */
  async #end(user: Made, outcome: RemovalEvent["outcome"]): Promise<void> {
    const { id, row, sourceId, coreId } = user;
    if (!this.#options.dryRun) {
      const { removals } = this.#checkpoint;
      // Not before: as long as the user is at the core, they sign in by what the vault has.
      const kept = removals.keptOf(id);
      if (kept !== null) await this.#vault?.eraseNamed(kept);
      await removals.end(id);
    }
    this.#counts[outcome] += 1;
    this.#tally.ended("unchanged");
    this.#emit({ type: "removal", row, sourceId, coreId: coreId ?? "", outcome });
  }

  /** What an earlier undo began is over, so that the checkpoint may be used again. */
  async #leave(user: Made, code: LeftCode): Promise<void> {
    const { removals } = this.#checkpoint;
    if (!this.#options.dryRun && removals.isBegun(user.id)) await removals.leave(user.id);
    this.#stays(user, code);
  }

  #stays({ row, sourceId }: Pick<Made, "row" | "sourceId">, code: LeftCode): void {
    this.#counts.left += 1;
    this.#lefts[code] = (this.#lefts[code] ?? 0) + 1;
    emitRow({ type: "skip", row, sourceId, code, hint: LEFT[code] }, this.#tally, this.#emit);
  }

  #fail({ row, sourceId }: Made, { kind, message }: { kind: string; message: string }): void {
    this.#counts.failed += 1;
    const code = `core_${kind}`;
    const hint = `${message}; run the same command again to go on with this user.`;
    emitRow({ type: "failure", row, sourceId, code, hint }, this.#tally, this.#emit);
  }
}
