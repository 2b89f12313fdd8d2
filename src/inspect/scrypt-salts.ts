/** The salts of one input's vendor scrypt hashes: the vendor's are ten random bytes, so others show that their column was changed. Only counts are kept. */

import { saltOf } from "../hash/vendor-scrypt.js";
import type { RowRef } from "../events/events.js";
import { newExampleCounter, type ExampleCounter, countExample } from "../events/findings.js";

export interface ScryptSalts {
  /**
   * Takes the salt of an accepted hash.
   *
   * @param isUsual it has ten bytes
   */
  note(hash: string, isUsual: boolean, row: RowRef): void;
  /** Whether the column's salts have ten bytes: then shorter ones among them were cut off. */
  areUsual(): boolean;
  /** Salts with letters of one case, where there are more than by chance; else null. */
  folded(): ExampleCounter | null;
  /** The same counts, to go on from. */
  copy(): ScryptSalts;
}

/** From this many rows on, the column is at fault and not a row. */
const MIN_USUAL = 2;
const MIN_FOLDED = 3;

/** By chance it is one salt in seven hundred. */
const MIN_FOLDED_SHARE = 1 / 50;
const ONE_CASE = /^(?:[^A-Z]*|[^a-z]*)$/;

interface Counts {
  all: number;
  usual: number;
  readonly folded: ExampleCounter;
}

export function createScryptSalts(
  counts: Counts = { all: 0, usual: 0, folded: newExampleCounter() },
): ScryptSalts {
  return {
    note(hash, isUsual, row) {
      counts.all += 1;
      if (isUsual) counts.usual += 1;
      if (ONE_CASE.test(saltOf(hash))) countExample(counts.folded, row);
    },
    areUsual: () => counts.usual >= MIN_USUAL,
    folded: () => {
      const { all, folded } = counts;
      return folded.count >= MIN_FOLDED && folded.count >= all * MIN_FOLDED_SHARE ? folded : null;
    },
    copy: () => createScryptSalts(structuredClone(counts)),
  };
}
