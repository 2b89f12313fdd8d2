/** What the whole hash column of one input shows: hashes that are cut off at one length, argon2 outputs and salts of an unusual one. By it a verdict on those that look whole by themselves. Only counts are kept. */

import { optionName } from "../errors/option-name.js";
import type { RowRef } from "../events/events.js";
import {
  countExample,
  type ExampleCounter,
  joined,
  newExampleCounter,
} from "../events/findings.js";
import { isOneCase } from "../hash/base64.js";
import { trim } from "../hash/damage.js";
import type { AcceptedHash, HashVerdict, RawHash } from "../hash/hash.js";
import { bareText } from "../hash/open.js";
import { SALT_BYTES, saltOf } from "../hash/vendor-scrypt.js";

const BCRYPT_LENGTH = 60;

/** The refusal of an output whose length alone is unusual, and that of one that isn't canonical. */
export const ODD_LENGTH = "argon2_hash_length";
const NOT_CANONICAL = "argon2_base64";

/** The kinds of texts: cut argon2, argon2 with an output of unusual length, whole-looking argon2, and a cut hash of another algorithm. */
type TextKind = "argon2" | "odd" | "whole" | "others";

/**
 * What a cut leaves behind. argon2 stands apart: its text may end at several places and still be
 * in the grammar, whereas a bcrypt or vendor scrypt hash that was cut never is.
 */
const CUT_OFF: ReadonlyMap<string, TextKind> = new Map([
  ["argon2_format", "argon2"],
  [NOT_CANONICAL, "argon2"],
  [ODD_LENGTH, "odd"],
  ["bcrypt_length", "others"],
  ["fscrypt_format", "others"],
  ["fscrypt_hash", "others"],
]);

/** From this many rows on, the column is at fault and not a row. */
const MIN_COLUMN = 2;
const MIN_FOLDED = 3;
/** The share of salts with letters of one case that is suspicious. By chance it is one in seven hundred. */
const MIN_FOLDED_SHARE = 1 / 50;
/** So many canonical ones, and chance is out of the question: one in four to the tenth. */
const MIN_WHOLE = 10;
/** Nearly all: where more than one in twenty isn't canonical, something cuts the column. */
const MAX_DAMAGED = 1 / 20;

const TRUNCATED: HashVerdict = {
  verdict: "refused",
  code: "column_truncated",
  hint: `Most argon2 hashes of this length in the file are cut off; this one looks whole by chance and would never verify. Export the hashes again from a field that is wide enough, or use ${optionName("--on-unusable-hash")} passwordless.`,
};
const SALT_CUT_OFF: HashVerdict = {
  verdict: "refused",
  code: "scrypt_salt_cut",
  hint: `The vendor's salts have ten bytes, as others of this file do; this one is shorter, so it was cut off and its hash would never verify. Export the salts again from a field that is wide enough, or use ${optionName("--on-unusable-hash")} passwordless.`,
};

/** All texts of one length, in characters. */
interface LengthCount extends Readonly<Record<TextKind, ExampleCounter>> {
  readonly length: number;
  /** Characters of the output of one that is refused. */
  digits: number;
}

/** What a column shows at one length, in characters. */
interface AtLength {
  readonly length: number;
  readonly counter: ExampleCounter;
}

/** The hash column of one input. There are no more lengths than normalization reads. */
export class HashColumn {
  readonly #lengths = new Map<number, LengthCount>();
  /** argon2 outputs that are refused, by their characters of base64. */
  readonly #outputs = new Map<number, { whole: number; damaged: number }>();
  /** Salts of vendor scrypt hashes: the vendor's are ten random bytes, so others show that their column was changed. */
  readonly #salts = { all: 0, usual: 0, folded: newExampleCounter() };

  /**
   * Takes the next row's hash.
   *
   * @param verdict on the hash by itself
   * @returns whether the rows to come may turn the verdict: then it waits for {@link HashColumn.judge}
   */
  take(raw: RawHash, verdict: HashVerdict, row: RowRef): boolean {
    if (isScrypt(verdict)) return this.#takeSalt(saltOf(verdict.hash), row);
    const kind = kindOf(raw, verdict);
    if (kind === null) return false;
    let digits = 0;
    if (verdict.verdict === "refused" && OF_OUTPUT.has(verdict.code)) {
      digits = outputDigits(bareText(raw));
      const count = this.#outputs.get(digits) ?? { whole: 0, damaged: 0 };
      this.#outputs.set(digits, count);
      count[verdict.code === ODD_LENGTH ? "whole" : "damaged"] += 1;
    }
    const { length } = textOf(raw);
    // Parts that stand apart have no length of their own.
    if (length === 0) return kind === "odd";
    const counts = this.#at(length);
    if (digits > 0) counts.digits = digits;
    countExample(counts[kind], row);
    const { whole, argon2 } = counts;
    return kind === "odd" || (kind === "whole" && !areNearlyAll(whole.count, argon2.count));
  }

  /**
   * Judges a hash that waited, once all were taken.
   *
   * @param verdict on the hash by itself
   * @param ofAnyLength the verdict where argon2 outputs may have any length
   * @returns the verdict as the column shows it: `verdict`, or that of `ofAnyLength`, or the
   *   refusal `column_truncated` or `scrypt_salt_cut`
   */
  judge(raw: RawHash, verdict: HashVerdict, ofAnyLength: () => HashVerdict): HashVerdict {
    // Shorter salts among usual ones were cut off.
    if (isScrypt(verdict)) return this.#salts.usual >= MIN_COLUMN ? SALT_CUT_OFF : verdict;
    const isOdd = verdict.verdict === "refused" && verdict.code === ODD_LENGTH;
    const isWhole = isOdd && this.#areWhole(outputDigits(bareText(raw)));
    const judged = isWhole ? ofAnyLength() : verdict;
    const kind = kindOf(raw, judged);
    const counts = this.#lengths.get(textOf(raw).length);
    const isInCut = counts !== undefined && isCut(counts);
    return isInCut && (kind === "whole" || kind === "odd") ? TRUNCATED : judged;
  }

  /** The lengths at which the column is cut off. */
  cutLengths(): AtLength[] {
    return [...this.#lengths.values()].flatMap((counts) => {
      const { length, argon2, odd, others, whole } = counts;
      const parts = [
        ...(isCut(counts) ? [argon2, whole] : []),
        ...(this.#isOddCut(counts) ? [odd] : []),
        ...(others.count >= MIN_COLUMN ? [others] : []),
      ];
      return parts.length === 0 ? [] : [{ length, counter: joined(parts) }];
    });
  }

  /** Those at which some argon2 hashes are, and most aren't; and how many whole-looking ones are probably cut off, too. */
  partlyCut(): (AtLength & { readonly alike: number })[] {
    return [...this.#lengths.values()].flatMap((counts) => {
      const { length, argon2, digits } = counts;
      if (argon2.count < MIN_COLUMN || isCut(counts)) return [];
      const chance = chanceOfCanonical(digits);
      const alike = chance === 1 ? 0 : Math.round((argon2.count * chance) / (1 - chance));
      return alike === 0 ? [] : [{ length, counter: argon2, alike }];
    });
  }

  /** argon2 outputs of lengths that nothing vouches for. */
  oddOutputs(): (AtLength & { readonly bytes: number })[] {
    return [...this.#lengths.values()].flatMap((counts) => {
      const { length, odd, digits } = counts;
      const isTold = this.#isOddCut(counts) || this.#areWhole(digits);
      if (odd.count < MIN_COLUMN || isTold) return [];
      return [{ length, counter: odd, bytes: Math.floor((digits * 3) / 4) }];
    });
  }

  /** Salts with letters of one case, where there are more than by chance; else null. */
  foldedSalts(): ExampleCounter | null {
    const { all, folded } = this.#salts;
    const { count } = folded;
    return count >= MIN_FOLDED && count >= all * MIN_FOLDED_SHARE ? folded : null;
  }

  /** Whether it has refused hashes that look whole by themselves. */
  refusesWhole(): boolean {
    return [...this.#lengths.values()].some((one) => isCut(one) && one.whole.count > 0);
  }

  #takeSalt(salt: string, row: RowRef): boolean {
    const bytes = Buffer.byteLength(salt, "base64");
    this.#salts.all += 1;
    if (bytes === SALT_BYTES) this.#salts.usual += 1;
    if (isOneCase(salt)) countExample(this.#salts.folded, row);
    return bytes < SALT_BYTES;
  }

  #at(length: number): LengthCount {
    const known = this.#lengths.get(length);
    if (known !== undefined) return known;
    const [argon2, odd] = [newExampleCounter(), newExampleCounter()];
    const [whole, others] = [newExampleCounter(), newExampleCounter()];
    const made = { length, argon2, odd, whole, others, digits: 0 };
    this.#lengths.set(length, made);
    return made;
  }

  /** Whether the column shows that outputs of so many characters are whole. */
  #areWhole(digits: number): boolean {
    const { whole, damaged } = this.#outputs.get(digits) ?? { whole: 0, damaged: 0 };
    return chanceOfCanonical(digits) < 1 && areNearlyAll(whole, damaged);
  }

  /** Outputs of an unusual length at whose end nothing can show are cut off where longer texts are whole, or where others of their length are. */
  #isOddCut(counts: LengthCount): boolean {
    if (isCut(counts)) return true;
    const { length, odd, digits } = counts;
    if (odd.count < MIN_COLUMN || chanceOfCanonical(digits) < 1) return false;
    const others = [...this.#lengths.values()];
    return others.some((other) => other.length > length && other.whole.count >= MIN_COLUMN);
  }
}

/** By chance a cut leaves one argon2 hash in sixteen that looks whole, at most one in four. */
function isCut({ argon2, odd, whole }: LengthCount): boolean {
  return argon2.count >= MIN_COLUMN && argon2.count >= whole.count + odd.count;
}

function areNearlyAll(whole: number, damaged: number): boolean {
  return whole >= MIN_WHOLE && damaged <= whole * MAX_DAMAGED;
}

function isScrypt(verdict: HashVerdict): verdict is AcceptedHash {
  return verdict.verdict === "accepted" && verdict.algorithm === "vendor_scrypt";
}

/** What a row says about its length; null where it says nothing. */
function kindOf(raw: RawHash, verdict: HashVerdict): TextKind | null {
  if (verdict.verdict === "accepted") return verdict.algorithm === "argon2" ? "whole" : null;
  if (verdict.verdict === "none") return null;
  // Something was added to a longer one.
  if (verdict.code === "bcrypt_length") {
    const text = textOf(raw);
    if (text.startsWith("$2") && text.length > BCRYPT_LENGTH) return null;
  }
  return CUT_OFF.get(verdict.code) ?? null;
}

/** What was cut off, if anything was: the field's text, its padding left aside. */
function textOf(raw: RawHash): string {
  return trim(raw.kind === "text" ? raw.text : bareText(raw));
}

/** Refusals of an argon2 hash's output: then its length says something. */
const OF_OUTPUT: ReadonlySet<string> = new Set([ODD_LENGTH, NOT_CANONICAL]);
const OUTPUT = /\$([A-Za-z0-9+/_-]+)={0,2}\s*$/;

/** How many characters of base64 a text has behind its last `$`; 0 for none. */
function outputDigits(text: string): number {
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
