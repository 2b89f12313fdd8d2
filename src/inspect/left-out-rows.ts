/** Counts the rows that a reading leaves out, in their turn: what an earlier run made of them is what this one would. */

import type { RowRef } from "../events/events.js";
import type { Input } from "../source/inputs.js";
import type { LeftOut, ReadOptions, SourceItem } from "../source/source.js";
import type { InputInspector } from "./inspection.js";
import type { KnownSums } from "./row-sums.js";

/** Rows that follow each other and aren't read. */
export interface KnownRows extends LeftOut {
  /**
   * They are passed over, in their turn.
   *
   * @param first where the first of them stands
   * @returns what an inspection makes of them
   */
  pass(first: RowRef): KnownSums;
}

/** Those of an input, in their order. */
export interface KnownOfInput {
  readonly rows: readonly KnownRows[];
  /** How many of them fill each column. */
  readonly filled: readonly number[];
}

/** Knows rows that needn't be read. */
export interface KnowsRows {
  /** Looks through an input before it is read. */
  begin(input: Input, signal: AbortSignal): Promise<KnownOfInput>;
  /** What is known of rows isn't enough to leave them out: all have to be read. */
  doubt(): void;
}

export class LeftOutRows {
  readonly #input: Input;
  readonly #known: readonly KnownRows[];
  readonly #filled: readonly number[];
  readonly #inspector: InputInspector;
  readonly #memory: KnowsRows;
  #place = 0;
  /** Of the row behind the one read last. */
  #number = 1;

  constructor(
    input: Input,
    { rows, filled }: KnownOfInput,
    inspector: InputInspector,
    memory: KnowsRows,
  ) {
    this.#input = input;
    this.#known = rows;
    this.#filled = filled;
    this.#inspector = inspector;
    this.#memory = memory;
  }

  /** How the other rows are read. Values of `--map` may be those of rows that aren't. */
  reading({
    onColumns,
  }: Pick<ReadOptions, "onColumns">): Pick<ReadOptions, "leftOut" | "filledThere" | "onColumns"> {
    return {
      leftOut: this.#known,
      filledThere: this.#filled,
      onColumns: (columns) => {
        if (columns.unmatched.length > 0) this.#memory.doubt();
        onColumns?.(columns);
      },
    };
  }

  /** Counts what stands between the row before and this one. @returns how many rows */
  before({ offset = Number.POSITIVE_INFINITY, line = 0, number }: SourceItem): number {
    const first = this.#place;
    while ((this.#known[this.#place]?.from ?? offset) < offset) this.#place += 1;
    const passed = this.#known.slice(first, this.#place);
    if (passed.length > 0 && isGapless(passed, offset)) this.#pass(passed, line);
    else if (passed.length > 0) this.#memory.doubt();
    const rows = number - this.#number;
    this.#number = number + 1;
    return rows;
  }

  /** All rows were read, so that one stood behind all that were left out. */
  end(): void {
    if (this.#place < this.#known.length) this.#memory.doubt();
  }

  /** @param line of the row behind them */
  #pass(passed: readonly KnownRows[], line: number): void {
    let ahead = passed.reduce((sum, { lines }) => sum + lines, 0);
    for (const rows of passed) {
      const first = { file: this.#input.path, number: this.#number, line: line - ahead };
      this.#inspector.addRows(rows.pass(first), first);
      this.#number += rows.rows;
      ahead -= rows.lines;
    }
  }
}

/** What a reading of an input leaves out; null for nothing. */
export async function leftOutRows(
  input: Input,
  { inspector, memory, signal }: OfReading,
): Promise<LeftOutRows | null> {
  const known = await memory.begin(input, signal);
  return known.rows.length === 0 ? null : new LeftOutRows(input, known, inspector, memory);
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
