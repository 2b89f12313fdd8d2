/** What the whole hash column of one input shows, and by it a verdict on hashes that look whole by themselves. Only counts are kept. */

import type { RowRef } from "../events/events.js";
import { countExample, type ExampleCounter, newExampleCounter } from "../events/findings.js";
import { isOneCase } from "../hash/base64.js";
import { trim } from "../hash/damage.js";
import type { HashVerdict, RawHash } from "../hash/hash.js";
import { bareText } from "../hash/open.js";
import { SALT_BYTES, saltOf } from "../hash/vendor-scrypt.js";
import {
  Argon2Outputs,
  type CutLength,
  CutLengths,
  isOfOutput,
  ODD_LENGTH,
  type OddOutput,
  outputDigits,
  type PartlyCut,
  type TextKind,
} from "./cut-lengths.js";

const BCRYPT_LENGTH = 60;

/**
 * What a cut leaves behind. argon2 stands apart: its text may end at several places and still be
 * in the grammar, whereas a bcrypt or vendor scrypt hash that was cut never is.
 */
const CUT_OFF: ReadonlyMap<string, TextKind> = new Map([
  ["argon2_format", "argon2"],
  ["argon2_base64", "argon2"],
  [ODD_LENGTH, "odd"],
  ["bcrypt_length", "others"],
  ["fscrypt_format", "others"],
  ["fscrypt_hash", "others"],
]);

const TRUNCATED: HashVerdict = {
  verdict: "refused",
  code: "column_truncated",
  hint: "Most argon2 hashes of this length in the file are cut off; this one looks whole by chance and would never verify. Export the hashes again from a field that is wide enough, or use --on-unusable-hash passwordless.",
};
const SALT_CUT_OFF: HashVerdict = {
  verdict: "refused",
  code: "scrypt_salt_cut",
  hint: "The vendor's salts have ten bytes, as others of this file do; this one is shorter, so it was cut off and its hash would never verify. Export the salts again from a field that is wide enough, or use --on-unusable-hash passwordless.",
};

/** The hash column of one input. There are no more lengths than normalization reads. */
export class HashColumn {
  readonly #lengths = new CutLengths();
  readonly #outputs = new Argon2Outputs();
  readonly #salts = new ScryptSalts();

  /**
   * Takes the next row's hash.
   *
   * @param verdict on the hash by itself
   * @returns whether the rows to come may turn the verdict: then it waits for {@link HashColumn.judge}
   */
  take(raw: RawHash, verdict: HashVerdict, row: RowRef): boolean {
    if (verdict.verdict === "accepted" && verdict.algorithm === "vendor_scrypt") {
      const bytes = saltBytes(verdict.hash);
      this.#salts.note(verdict.hash, bytes === SALT_BYTES, row);
      return bytes < SALT_BYTES;
    }
    const kind = kindOf(raw, verdict);
    if (kind === null) return false;
    let digits = 0;
    if (verdict.verdict === "refused" && isOfOutput(verdict.code)) {
      digits = outputDigits(bareText(raw));
      this.#outputs.note(verdict.code, digits);
    }
    const { length } = textOf(raw);
    // Parts that stand apart have no length of their own.
    if (length > 0) this.#lengths.take({ length, kind, digits }, row);
    return kind === "odd" || (kind === "whole" && length > 0 && !this.#lengths.areWholeAt(length));
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
    if (verdict.verdict === "accepted" && verdict.algorithm === "vendor_scrypt") {
      return this.#salts.areUsual() ? SALT_CUT_OFF : verdict;
    }
    const isOdd = verdict.verdict === "refused" && verdict.code === ODD_LENGTH;
    const isWhole = isOdd && this.#outputs.areWhole(outputDigits(bareText(raw)));
    const judged = isWhole ? ofAnyLength() : verdict;
    const kind = kindOf(raw, judged);
    const isCut = this.#lengths.areCutAt(textOf(raw).length);
    return isCut && (kind === "whole" || kind === "odd") ? TRUNCATED : judged;
  }

  /** The lengths at which the column is cut off, as far as is known. */
  cutLengths(): CutLength[] {
    return this.#lengths.cut();
  }

  /** Those at which some argon2 hashes are, and most aren't. */
  partlyCut(): PartlyCut[] {
    return this.#lengths.partlyCut();
  }

  /** argon2 outputs of lengths that nothing vouches for. */
  oddOutputs(): OddOutput[] {
    return this.#lengths.odd(this.#outputs);
  }

  /** Salts with letters of one case; null where there are no more than by chance. */
  foldedSalts(): ExampleCounter | null {
    return this.#salts.folded();
  }

  /** Whether it has refused hashes that look whole by themselves. */
  refusesWhole(): boolean {
    return this.#lengths.holdsWhole();
  }
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

/** Of an accepted vendor scrypt hash. */
function saltBytes(hash: string): number {
  return Buffer.byteLength(saltOf(hash), "base64");
}

/** From this many rows on, the column is at fault and not a row. */
const MIN_USUAL = 2;
const MIN_FOLDED = 3;

/** The share of salts with letters of one case that is suspicious. By chance it is one in seven hundred. */
const MIN_FOLDED_SHARE = 1 / 50;

/** The salts of vendor scrypt hashes: the vendor's are ten random bytes, so others show that their column was changed. */
class ScryptSalts {
  readonly #folded = newExampleCounter();
  #all = 0;
  #usual = 0;

  /**
   * Takes the salt of an accepted hash.
   *
   * @param isUsual it has ten bytes
   */
  note(hash: string, isUsual: boolean, row: RowRef): void {
    this.#all += 1;
    if (isUsual) this.#usual += 1;
    if (isOneCase(saltOf(hash))) countExample(this.#folded, row);
  }

  /** Whether the column's salts have ten bytes: then shorter ones among them were cut off. */
  areUsual(): boolean {
    return this.#usual >= MIN_USUAL;
  }

  /** Salts with letters of one case, where there are more than by chance; else null. */
  folded(): ExampleCounter | null {
    const { count } = this.#folded;
    return count >= MIN_FOLDED && count >= this.#all * MIN_FOLDED_SHARE ? this.#folded : null;
  }
}
