/** Plans the rows of a dry run while the inputs are read for their inspection, so that it needs no second reading of them. What is told of the rows waits for the inspection's end. */

import { tmpdir } from "node:os";
import type { HeardRows, RowWatch } from "../inspect/row-watch.js";
import { inMemoryMatcher } from "../checkpoint/ledger.js";
import type { RowEvent } from "../events/events.js";
import { createSeenKeys, type SeenKeys } from "../keys/seen-keys.js";
import { NO_CONTESTS } from "../plan/contests.js";
import { haveFewUsers, type Input } from "../source/inputs.js";
import { type Beginning, countUnasked, type DryRun, dryRunOf, tellRefusals } from "./dry-run.js";
import type { ReadingOptions } from "./options.js";
import { type DecidingContext, decideBatch } from "./plan-batch.js";

/** Rows whose refusals wait, some 5 MB; where there are more, the inputs are read twice. */
const MOST_WAITING = 10_000;

/** The dry run as it would be if no contact were contested and the inputs read to their end. */
export class PlanAhead implements RowWatch {
  readonly #namespace: string;
  #refusals: (readonly RowEvent[])[] = [];
  #waiting = 0;
  /** Null once it is given up, so that its memory is free for a second reading. */
  #planned: { readonly dry: DryRun; readonly seenKeys: SeenKeys } | null;

  /** Of the input that is read now. */
  #context: { readonly input: Input; readonly deciding: DecidingContext } | null = null;

  constructor(options: ReadingOptions, beginning: Beginning) {
    this.#namespace = options.namespace;
    const known = { columns: new Map(), inspection: null, contests: NO_CONTESTS };
    const seenKeys = createSeenKeys(tmpdir(), { few: haveFewUsers(options.inputs) });
    const dry = dryRunOf(options, known, beginning, inMemoryMatcher(seenKeys));
    this.#planned = { dry, seenKeys };
  }

  /** What was planned of all rows; null where a second reading has to say it. */
  get dry(): DryRun | null {
    return this.#planned?.dry ?? null;
  }

  take(input: Input, rows: HeardRows, hasContests: boolean): void {
    const { dry } = this;
    if (dry === null) return;
    try {
      this.#plan(dry, input, rows);
    } catch {
      // A second reading comes to it once the rows before are told.
      this.close();
    }
    if (hasContests || this.#waiting > MOST_WAITING) this.close();
  }

  /** Tells the refusals, in the order of their rows. */
  async tell({ room = async () => {} }: Pick<ReadingOptions, "room">): Promise<void> {
    const { dry } = this;
    if (dry === null) return;
    for (const refusals of this.#refusals) {
      await room();
      tellRefusals(refusals, dry);
    }
  }

  /** Gives up what was planned, unless it is told. */
  close(): void {
    this.#planned?.seenKeys.close();
    this.#planned = null;
    this.#refusals = [];
  }

  #plan(dry: DryRun, input: Input, { items, users }: HeardRows): void {
    const batch = decideBatch(items, users, input.path, this.#contextOf(dry, input));
    if (batch.truncated) dry.truncated.push(input.path);
    countUnasked(batch, dry);
    const { refusals } = batch;
    if (refusals.length > 0) this.#refusals.push(refusals);
    this.#waiting += refusals.length;
  }

  /** One for all batches of an input: V8 takes each copy for an object of a new kind. */
  #contextOf({ shared }: DryRun, input: Input): DecidingContext {
    if (this.#context?.input !== input) {
      const deciding = { ...shared, source: input.source.name, namespace: this.#namespace };
      this.#context = { input, deciding };
    }
    return this.#context.deciding;
  }
}
