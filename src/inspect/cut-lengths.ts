/** The lengths at which one input's hashes are cut off, or seem to be, and whether argon2 outputs of an unusual length are whole. It keeps counts by length, never a text. */

import type { RowRef } from "../events/events.js";
import {
  countExample,
  type ExampleCounter,
  joined,
  newExampleCounter,
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

export class CutLengths {
  readonly #lengths = new Map<number, LengthCount>();

  /**
   * Takes a text.
   *
   * @param digits characters of its output; 0 where they don't matter
   */
  take(
    {
      length,
      kind,
      digits,
    }: { readonly length: number; readonly kind: TextKind; readonly digits: number },
    row: RowRef,
  ): void {
    const counts = countsAt(this.#lengths, length);
    if (digits > 0) counts.digits = digits;
    countExample(counts[kind], row);
  }

  /** Whether argon2 hashes of a length are cut off, as far as is known. */
  areCutAt(length: number): boolean {
    const counts = this.#lengths.get(length);
    return counts !== undefined && isCut(counts);
  }

  /** Whether argon2 hashes of a length are whole, whatever is still to come. */
  areWholeAt(length: number): boolean {
    const { whole, argon2 } = countsAt(this.#lengths, length);
    return areNearlyAll(whole.count, argon2.count);
  }

  cut(): CutLength[] {
    return [...this.#lengths].flatMap(([length, counts]) => {
      const { argon2, odd, others, whole } = counts;
      const parts = [
        ...(isCut(counts) ? [argon2, whole] : []),
        ...(this.#isCutAt(length, counts) ? [odd] : []),
        ...(others.count >= MIN_CUT ? [others] : []),
      ];
      return parts.length === 0 ? [] : [{ length, counter: joined(parts) }];
    });
  }

  partlyCut(): PartlyCut[] {
    return [...this.#lengths].flatMap(([length, counts]) => {
      const { argon2, digits } = counts;
      if (argon2.count < MIN_CUT || isCut(counts)) return [];
      const chance = chanceOfCanonical(digits);
      const alike = chance === 1 ? 0 : Math.round((argon2.count * chance) / (1 - chance));
      return alike === 0 ? [] : [{ length, counter: argon2, alike }];
    });
  }

  odd(outputs: Argon2Outputs): OddOutput[] {
    return [...this.#lengths].flatMap(([length, counts]) => {
      const { odd, digits } = counts;
      const isTold = this.#isCutAt(length, counts) || outputs.areWhole(digits);
      if (odd.count < MIN_CUT || isTold) return [];
      return [{ length, counter: odd, bytes: Math.floor((digits * 3) / 4) }];
    });
  }

  /** Whether hashes that look whole by themselves are among the cut ones. */
  holdsWhole(): boolean {
    return [...this.#lengths.values()].some((one) => isCut(one) && one.whole.count > 0);
  }

  #isCutAt(length: number, counts: LengthCount): boolean {
    return isCut(counts) || isShorter(this.#lengths, length, counts);
  }
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
  const made: LengthCount = {
    argon2: newExampleCounter(),
    odd: newExampleCounter(),
    whole: newExampleCounter(),
    others: newExampleCounter(),
    digits: 0,
  };
  lengths.set(length, made);
  return made;
}

/** The refusal of an output whose length alone is unusual, and that of one that isn't canonical. */
export const ODD_LENGTH = "argon2_hash_length";
const NOT_CANONICAL = "argon2_base64";

/** So many canonical ones, and chance is out of the question: one in four to the tenth. */
const MIN_WHOLE = 10;

/** Nearly all: where more than one in twenty isn't canonical, something cuts the column. */
const MAX_DAMAGED = 1 / 20;

function areNearlyAll(whole: number, damaged: number): boolean {
  return whole >= MIN_WHOLE && damaged <= whole * MAX_DAMAGED;
}

const OUTPUT = /\$([A-Za-z0-9+/_-]+)={0,2}\s*$/;

/** Whether a refusal is of an argon2 hash's output: then its length says something. */
export function isOfOutput(code: string): boolean {
  return code === ODD_LENGTH || code === NOT_CANONICAL;
}

/** How many characters of base64 a text has behind its last `$`; 0 for none. */
export function outputDigits(text: string): number {
  return OUTPUT.exec(text)?.[1]?.length ?? 0;
}

/**
 * How probable it is that a text that was cut off there ends in canonical base64 all the same: its
 * last character has four spare bits, two, or none, and then nothing shows.
 */
function chanceOfCanonical(digits: number): number {
  return [1, 0, 1 / 16, 1 / 4][digits % 4] ?? 1;
}

/** Whether a column could show that an argon2 text's output is whole. */
export function columnCanVouch(text: string): boolean {
  return chanceOfCanonical(outputDigits(text)) < 1;
}

/** By characters of base64. There are no more lengths than normalization reads. */
export class Argon2Outputs {
  readonly #counts = new Map<number, { whole: number; damaged: number }>();

  /**
   * Takes a text that is refused for its output.
   *
   * @param digits characters of its output
   */
  note(code: string, digits: number): void {
    const count = this.#counts.get(digits) ?? { whole: 0, damaged: 0 };
    this.#counts.set(digits, count);
    count[code === ODD_LENGTH ? "whole" : "damaged"] += 1;
  }

  /** Whether the column shows that outputs of so many characters are whole. */
  areWhole(digits: number): boolean {
    const { whole, damaged } = this.#counts.get(digits) ?? { whole: 0, damaged: 0 };
    return chanceOfCanonical(digits) < 1 && areNearlyAll(whole, damaged);
  }
}
