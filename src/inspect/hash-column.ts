/** The hash column of one input: judges hashes that look whole by what the whole column shows. Only counts are kept. */

import type { RowRef } from "../events/events.js";
import { countExample, type ExampleCounter, newExampleCounter } from "../events/findings.js";
import { isOneCase } from "../hash/base64.js";
import { trim } from "../hash/damage.js";
import type { AcceptedHash, HashVerdict, RawHash } from "../hash/hash.js";
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

/** What the rows so far have shown. */
interface Facts {
  readonly lengths: CutLengths;
  readonly outputs: Argon2Outputs;
  readonly salts: ScryptSalts;
}

/** One pass over the hash column of one input. There are no more lengths than normalization reads. */
export class HashColumn {
  readonly #facts: Facts;
  readonly #known: number;
  // The look at the start decides what passes, so that the result doesn't depend on the position in this pass.
  readonly #wholeBefore: Argon2Outputs;
  readonly #saltsAreUsual: boolean;
  #rows = 0;

  /**
   * The column of an input of which nothing is known yet, or of one that was looked at.
   *
   * @param known how many rows `facts` has counted already
   */
  constructor(facts: Facts = nothingKnown(), known = 0) {
    this.#facts = facts;
    this.#known = known;
    this.#wholeBefore = facts.outputs.copy();
    this.#saltsAreUsual = facts.salts.areUsual();
  }

  /**
   * Takes the next row's hash, in the file's order.
   *
   * @param ofAnyLength the verdict where argon2 outputs may have any length
   * @returns the verdict as the column shows it: `verdict`, or that of `ofAnyLength`, or the
   *   refusal `column_truncated` or `scrypt_salt_cut`
   */
  judge(
    raw: RawHash,
    verdict: HashVerdict,
    row: RowRef,
    ofAnyLength: () => HashVerdict,
  ): HashVerdict {
    this.#rows += 1;
    if (verdict.verdict === "none") return verdict;
    const isNew = this.#rows > this.#known;
    if (verdict.verdict === "accepted" && verdict.algorithm === "vendor_scrypt") {
      return this.#judgeSalt(verdict, row);
    }
    const { lengths, outputs } = this.#facts;
    let judged: HashVerdict = verdict;
    let digits = 0;
    if (verdict.verdict === "refused" && isOfOutput(verdict.code)) {
      digits = outputDigits(bareText(raw));
      if (isNew) outputs.note(verdict.code, digits);
      const isWhole = verdict.code === ODD_LENGTH && this.#wholeBefore.areWhole(digits);
      if (isWhole) judged = ofAnyLength();
    }
    const kind = kindOf(raw, judged);
    if (kind === null) return judged;
    const { length } = textOf(raw);
    // Parts that stand apart have no length of their own.
    if (length === 0) return judged;
    const isCut = lengths.take({ length, kind, digits }, isNew ? row : null);
    return isCut && (kind === "whole" || kind === "odd") ? TRUNCATED : judged;
  }

  /** The lengths at which the column is cut off, as far as is known. */
  cutLengths(): CutLength[] {
    return this.#facts.lengths.cut();
  }

  /** Those at which some argon2 hashes are, and most aren't. */
  partlyCut(): PartlyCut[] {
    return this.#facts.lengths.partlyCut();
  }

  /** argon2 outputs of lengths that nothing vouches for. */
  oddOutputs(): OddOutput[] {
    return this.#facts.lengths.odd(this.#facts.outputs);
  }

  /** Salts with letters of one case; null where there are no more than by chance. */
  foldedSalts(): ExampleCounter | null {
    return this.#facts.salts.folded();
  }

  /** Whether it has refused hashes that look whole by themselves. */
  refusesWhole(): boolean {
    return this.#facts.lengths.holdsWhole();
  }

  /** A new pass from the first row, which knows what this one has found out. */
  again(): HashColumn {
    const { lengths, outputs, salts } = this.#facts;
    return new HashColumn(
      { lengths: lengths.copy(), outputs: outputs.copy(), salts: salts.copy() },
      Math.max(this.#rows, this.#known),
    );
  }

  #judgeSalt(verdict: AcceptedHash, row: RowRef): HashVerdict {
    const bytes = saltBytes(verdict.hash);
    const isNew = this.#rows > this.#known;
    if (isNew) this.#facts.salts.note(verdict.hash, bytes === SALT_BYTES, row);
    return this.#saltsAreUsual && bytes < SALT_BYTES ? SALT_CUT_OFF : verdict;
  }
}

function nothingKnown(): Facts {
  return { lengths: new CutLengths(), outputs: new Argon2Outputs(), salts: new ScryptSalts() };
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

interface Counts {
  all: number;
  usual: number;
  readonly folded: ExampleCounter;
}

/** The salts of vendor scrypt hashes: the vendor's are ten random bytes, so others show that their column was changed. */
class ScryptSalts {
  readonly #counts: Counts;

  constructor(counts: Counts = { all: 0, usual: 0, folded: newExampleCounter() }) {
    this.#counts = counts;
  }

  /**
   * Takes the salt of an accepted hash.
   *
   * @param isUsual it has ten bytes
   */
  note(hash: string, isUsual: boolean, row: RowRef): void {
    this.#counts.all += 1;
    if (isUsual) this.#counts.usual += 1;
    if (isOneCase(saltOf(hash))) countExample(this.#counts.folded, row);
  }

  /** Whether the column's salts have ten bytes: then shorter ones among them were cut off. */
  areUsual(): boolean {
    return this.#counts.usual >= MIN_USUAL;
  }

  /** Salts with letters of one case, where there are more than by chance; else null. */
  folded(): ExampleCounter | null {
    const { all, folded } = this.#counts;
    return folded.count >= MIN_FOLDED && folded.count >= all * MIN_FOLDED_SHARE ? folded : null;
  }

  /** The same counts, to go on from. */
  copy(): ScryptSalts {
    return new ScryptSalts(structuredClone(this.#counts));
  }
}
