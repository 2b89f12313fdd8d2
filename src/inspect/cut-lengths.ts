/** The lengths at which one input's hashes are cut off, or seem to be. It keeps counts by length, never a text. */

import type { RowRef } from "../events/events.js";
import { type Argon2Outputs, chanceOfCanonical } from "./argon2-outputs.js";
import {
  joined,
  newExampleCounter,
  type ExampleCounter,
  countExample,
} from "../events/findings.js";

/** Rows that are cut off at one length before the column is at fault, and not the rows. */
const MIN_CUT = 2;

/** What a column shows at one length, in characters. */
export interface CutLength {
  readonly length: number;
  readonly counter: ExampleCounter;
}

/** argon2 hashes that are cut off at a length at which most are whole. */
export interface PartlyCut extends CutLength {
  /** How many whole-looking hashes are probably cut off, too. */
  readonly alike: number;
}

/** argon2 hashes whose output has an unusual length, and nothing shows that they are whole. */
export interface OddOutput extends CutLength {
  readonly bytes: number;
}

/** The kinds of texts: cut argon2, argon2 with an output of unusual length, whole-looking argon2, and a cut hash of another algorithm. */
export type TextKind = "argon2" | "odd" | "whole" | "others";

/** All texts of one length. */
interface LengthCount extends Readonly<Record<TextKind, ExampleCounter>> {
  /** Characters of the output of one that is refused. */
  digits: number;
}

export interface CutLengths {
  /**
   * Takes a text.
   *
   * @param digits characters of its output; 0 where they don't matter
   * @param row null for a row that was counted before
   * @returns whether argon2 hashes of this length are cut off, as far as is known
   */
  take(
    text: { readonly length: number; readonly kind: TextKind; readonly digits: number },
    row: RowRef | null,
  ): boolean;
  cut(): CutLength[];
  partlyCut(): PartlyCut[];
  odd(outputs: Argon2Outputs): OddOutput[];
  /** Whether hashes that look whole by themselves are among the cut ones. */
  holdsWhole(): boolean;
  /** The same counts, to go on from. */
  copy(): CutLengths;
}

export function createCutLengths(lengths: Map<number, LengthCount> = new Map()): CutLengths {
  const isCutAt = (length: number, counts: LengthCount): boolean =>
    isCut(counts) || isShorter(lengths, length, counts);
  return {
    take({ length, kind, digits }, row) {
      const counts = countsAt(lengths, length);
      if (digits > 0) counts.digits = digits;
      if (row !== null) countExample(counts[kind], row);
      return isCut(counts);
    },
    cut: () =>
      [...lengths].flatMap(([length, counts]) => {
        const { argon2, odd, others, whole } = counts;
        const parts = [
          ...(isCut(counts) ? [argon2, whole] : []),
          ...(isCutAt(length, counts) ? [odd] : []),
          ...(others.count >= MIN_CUT ? [others] : []),
        ];
        return parts.length === 0 ? [] : [{ length, counter: joined(parts) }];
      }),
    partlyCut: () =>
      [...lengths].flatMap(([length, counts]) => {
        const { argon2, digits } = counts;
        if (argon2.count < MIN_CUT || isCut(counts)) return [];
        const chance = chanceOfCanonical(digits);
        const alike = chance === 1 ? 0 : Math.round((argon2.count * chance) / (1 - chance));
        return alike === 0 ? [] : [{ length, counter: argon2, alike }];
      }),
    odd: (outputs) =>
      [...lengths].flatMap(([length, counts]) => {
        const { odd, digits } = counts;
        const isTold = isCutAt(length, counts) || outputs.areWhole(digits);
        if (odd.count < MIN_CUT || isTold) return [];
        return [{ length, counter: odd, bytes: Math.floor((digits * 3) / 4) }];
      }),
    holdsWhole: () => [...lengths.values()].some((one) => isCut(one) && one.whole.count > 0),
    copy: () => createCutLengths(structuredClone(lengths)),
  };
}

/** By chance a cut leaves one argon2 hash in sixteen that looks whole, at most one in four. */
function isCut({ argon2, odd, whole }: LengthCount): boolean {
  return argon2.count >= MIN_CUT && argon2.count >= whole.count + odd.count;
}

/** Outputs at whose end nothing can show are cut off where longer texts are whole. */
function isShorter(
  lengths: ReadonlyMap<number, LengthCount>,
  length: number,
  { odd, digits }: LengthCount,
): boolean {
  if (odd.count < MIN_CUT || chanceOfCanonical(digits) < 1) return false;
  return [...lengths].some(([longer, { whole }]) => longer > length && whole.count >= MIN_CUT);
}

function countsAt(lengths: Map<number, LengthCount>, length: number): LengthCount {
  const known = lengths.get(length);
  if (known !== undefined) return known;
  const [argon2, odd, whole, others] = [
    newExampleCounter(),
    newExampleCounter(),
    newExampleCounter(),
    newExampleCounter(),
  ];
  const made = { argon2, odd, whole, others, digits: 0 };
  lengths.set(length, made);
  return made;
}
