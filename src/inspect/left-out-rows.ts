/** Counts the rows that a reading leaves out, in their turn: what an earlier run made of them is what this one would. */

import { setImmediate as turn } from "node:timers/promises";
import type { RowRef } from "../events/events.js";
import type { Input } from "../source/inputs.js";
import type { LeftOut, ReadOptions, SourceItem } from "../source/source.js";
import type { InputInspector, Inspector } from "./inspection.js";
import type { ComparedRows } from "./compared-rows.js";
import { GrowingSums, type KnownSums } from "./known-sums.js";

/** Rows that follow each other and aren't read. */
export interface KnownRows extends LeftOut {
  /** What an inspection counts of them. */
  readonly sums: KnownSums;
  /**
   * They are passed over, in their turn.
   *
   * @param first where the first of them stands
   */
  pass(first: RowRef): void;
  /** What they are compared by, of some and then of those behind them; null where they needn't be. */
  readonly compared: Iterable<Compared> | null;
}

/** Rows that are compared. */
export interface Compared {
  readonly rows: ComparedRows;
  /** How many lines they take. */
  readonly lines: number;
}

/** Knows rows that needn't be read. */
export interface KnowsRows {
  /** Looks through an input before it is read. */
  begin(input: Input, signal: AbortSignal): Promise<readonly KnownRows[]>;
  /** What is known of rows isn't enough to leave them out: all have to be read. */
  doubt(): void;
  /** All inputs were read. */
  conclude(inspector: Pick<Inspector, "boundsWith">): void;
}

export class LeftOutRows {
  readonly #input: Input;
  readonly #known: readonly KnownRows[];
  readonly #inspector: InputInspector;
  readonly #memory: KnowsRows;
  readonly #signal: AbortSignal;
  #place = 0;
  /** Of the row behind the one read last. */
  #number = 1;

  constructor(input: Input, known: readonly KnownRows[], { inspector, memory, signal }: OfReading) {
    this.#input = input;
    this.#known = known;
    this.#inspector = inspector;
    this.#memory = memory;
    this.#signal = signal;
  }

  /** How the other rows are read. Values of `--map` may be those of rows that aren't. */
  reading({
    onColumns,
  }: Pick<ReadOptions, "onColumns">): Pick<ReadOptions, "leftOut" | "filledThere" | "onColumns"> {
    const all = new GrowingSums();
    for (const { sums } of this.#known) all.add(sums);
    return {
      leftOut: this.#known,
      filledThere: all.filled,
      onColumns: (columns) => {
        if (columns.unmatched.length > 0) this.#memory.doubt();
        onColumns?.(columns);
      },
    };
  }

  /** Counts what stands between the row before and this one. @returns how many rows */
  async before({
    offset = Number.POSITIVE_INFINITY,
    line = 0,
    number,
  }: SourceItem): Promise<number> {
    const rows = number - this.#number;
    const first = this.#place;
    while ((this.#known[this.#place]?.from ?? offset) < offset) this.#place += 1;
    const passed = this.#known.slice(first, this.#place);
    if (passed.length > 0 && isGapless(passed, offset)) await this.#pass(passed, line);
    else if (passed.length > 0) this.#memory.doubt();
    this.#number = number + 1;
    return rows;
  }

  /** All rows were read, so that one stood behind all that were left out. */
  end(): void {
    if (this.#place < this.#known.length) this.#memory.doubt();
  }

  /** @param line of the row behind them */
  async #pass(passed: readonly KnownRows[], line: number): Promise<void> {
    let ahead = passed.reduce((sum, { lines }) => sum + lines, 0);
    const place = () => ({
      file: this.#input.path,
      number: this.#number,
      line: line - ahead,
    });
    for (const known of passed) {
      // All rows of a file may be known: meanwhile a run can be stopped.
      await turn();
      if (this.#signal.aborted) return;
      known.pass(place());
      this.#inspector.addRows(known.sums, place());
      if (known.compared === null) this.#inspector.passRows(known.sums);
      const before = { number: this.#number, ahead };
      for (const { rows, lines } of known.compared ?? []) {
        this.#inspector.compareRows(rows, place());
        this.#number += rows.rows;
        ahead -= lines;
      }
      this.#number = before.number + known.rows;
      ahead = before.ahead - known.lines;
    }
  }
}

/** What a reading of an input leaves out; null for nothing. */
export async function leftOutRows(input: Input, reading: OfReading): Promise<LeftOutRows | null> {
  const known = await reading.memory.begin(input, reading.signal);
  return known.length === 0 ? null : new LeftOutRows(input, known, reading);
}

interface OfReading {
  readonly inspector: InputInspector;
  readonly memory: KnowsRows;
  readonly signal: AbortSignal;
}

/** Whether rows begin where those before end, and the row behind them as well. */
function isGapless(passed: readonly KnownRows[], end: number): boolean {
  return passed.every(({ to }, index) => to === (passed[index + 1]?.from ?? end));
}
