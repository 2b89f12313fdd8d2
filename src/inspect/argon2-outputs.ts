/** Tells from the whole column whether argon2 outputs of an unusual length are complete. Only counts are kept. */

export interface Argon2Outputs {
  /**
   * Takes a text that is refused for its output.
   *
   * @param digits characters of its output
   */
  note(code: string, digits: number): void;
  /** Whether the column shows that outputs of so many characters are whole. */
  areWhole(digits: number): boolean;
  /** The same counts, to go on from. */
  copy(): Argon2Outputs;
}

/** The refusal of an output whose length alone is unusual, and that of one that isn't canonical. */
export const ODD_LENGTH = "argon2_hash_length";
const NOT_CANONICAL = "argon2_base64";

/** So many canonical ones, and chance is out of the question: one in four to the tenth. */
const MIN_WHOLE = 10;

/** Nearly all: where more than one in twenty isn't canonical, something cuts the column. */
const MAX_DAMAGED = 1 / 20;

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
export function chanceOfCanonical(digits: number): number {
  return [1, 0, 1 / 16, 1 / 4][digits % 4] ?? 1;
}

/** Whether a column could show that an argon2 text's output is whole. */
export function columnCanVouch(text: string): boolean {
  return chanceOfCanonical(outputDigits(text)) < 1;
}

/** By characters of base64. There are no more lengths than normalization reads. */
type Counts = Map<number, { whole: number; damaged: number }>;

export function createArgon2Outputs(counts: Counts = new Map()): Argon2Outputs {
  return {
    note(code, digits) {
      const count = counts.get(digits) ?? { whole: 0, damaged: 0 };
      counts.set(digits, count);
      count[code === ODD_LENGTH ? "whole" : "damaged"] += 1;
    },
    areWhole(digits) {
      const { whole, damaged } = counts.get(digits) ?? { whole: 0, damaged: 0 };
      const isTold = chanceOfCanonical(digits) < 1 && whole >= MIN_WHOLE;
      return isTold && damaged <= whole * MAX_DAMAGED;
    },
    copy: () => createArgon2Outputs(structuredClone(counts)),
  };
}
