/** The start of each input, by which its hash column is judged. */

import type { Progress } from "../calls/progress.js";
import { rowOf } from "../errors/place.js";
import { type Input, readInput } from "../source/inputs.js";
import type { SourceItem } from "../source/source.js";
import { HashColumn } from "./hash-column.js";
import { type JudgingContext, judgeRow } from "./judge-row.js";

/** By how much of an input its hash column is judged: that is held in memory. */
const LOOK_ROWS = 10_000;
const LOOK_BYTES = 16 * 1024 * 1024;

/** The run's options by which hashes are judged. */
type JudgingOptions = Omit<JudgingContext, "vendor" | "onWord" | "column">;

/** Judges the start of an input's hash column, while its rows wait in memory. */
export class ColumnStart {
  /** As the rows of the start show it. */
  readonly column = new HashColumn();
  readonly #options: JudgingOptions;
  readonly #input: Input;
  readonly #progress: Progress | undefined;
  readonly #change: Change | undefined;
  #rows = 0;
  #bytes = 0;

  /** @param change of rows that were read, before they are looked at */
  constructor(options: JudgingOptions, input: Input, progress?: Progress, change?: Change) {
    this.#options = options;
    this.#input = input;
    this.#progress = progress;
    this.#change = change;
  }

  /**
   * Reads the input, and hands on its rows once the column is known.
   *
   * @throws RunError when it can't be read, or `hash_config_missing`
   */
  async *lookedAt(reading: Reading): AsyncGenerator<readonly SourceItem[]> {
    let held: (readonly SourceItem[])[] | null = [];
    for await (const items of this.#read(reading)) {
      if (held === null) {
        yield items;
        continue;
      }
      held.push(items);
      this.#progress?.tick();
      if (!this.#isEnough(items)) continue;
      yield* held;
      held = null;
    }
    if (held !== null) yield* held;
  }

  async *#read(reading: Reading): AsyncGenerator<readonly SourceItem[]> {
    const readBytes = (bytes: number): void => {
      this.#bytes += bytes;
      this.#progress?.readBytes(bytes);
    };
    for await (const items of readInput(this.#input, { ...reading, progress: { readBytes } })) {
      yield this.#change === undefined ? items : items.map(this.#change);
    }
  }

  #isEnough(items: readonly SourceItem[]): boolean {
    const context = judgingContext(this.#options, this.#input, this.column);
    for (const item of items) {
      if (item.kind !== "record") continue;
      judgeRow(item.record, rowOf(this.#input.path, item), context);
    }
    this.#rows += items.length;
    return this.#rows >= LOOK_ROWS || this.#bytes >= LOOK_BYTES;
  }
}

type Reading = Omit<Parameters<typeof readInput>[1], "progress">;

type Change = (item: SourceItem) => SourceItem;

/** What judging the hashes of an input needs. */
export function judgingContext(
  { policy, hashConfig, signerKeys }: JudgingOptions,
  { vendor, onWord }: Input,
  column: HashColumn,
): JudgingContext {
  return { policy, hashConfig, signerKeys, vendor, onWord, column };
}
