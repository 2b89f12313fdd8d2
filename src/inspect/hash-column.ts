/** The hash column of one input: judges hashes that look whole by what the whole column shows. Only counts are kept. */

import type { RowRef } from "../events/events.js";
import { countExample, type ExampleCounter, newExampleCounter } from "../events/findings.js";
import type { HashVerdict, RawHash } from "../hash/hash.js";
import { SALT_BYTES, saltOf } from "../hash/vendor-scrypt.js";
import {
  type Argon2Outputs,
  createArgon2Outputs,
  createCutLengths,
  type CutLength,
  type CutLengths,
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

/** One pass over the hash column of one input. There are no more lengths than normalization reads. */
export interface HashColumn {
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
  ): HashVerdict;
  /** The lengths at which the column is cut off, as far as is known. */
  cutLengths(): CutLength[];
  /** Those at which some argon2 hashes are, and most aren't. */
  partlyCut(): PartlyCut[];
  /** argon2 outputs of lengths that nothing vouches for. */
  oddOutputs(): OddOutput[];
  /** Salts with letters of one case; null where there are no more than by chance. */
  foldedSalts(): ExampleCounter | null;
  /** Whether it has refused hashes that look whole by themselves. */
  refusesWhole(): boolean;
  /** A new pass from the first row, which knows what this one has found out. */
  again(): HashColumn;
}

type Accepted = Extract<HashVerdict, { verdict: "accepted" }>;

/** The hash column of an input of which nothing is known yet. */
export function createHashColumn(): HashColumn {
  const [lengths, outputs, salts] = [
    createCutLengths(),
    createArgon2Outputs(),
    createScryptSalts(),
  ];
  return passOver({ lengths, outputs, salts }, 0);
}

/** What the rows so far have shown. */
interface Facts {
  readonly lengths: CutLengths;
  readonly outputs: Argon2Outputs;
  readonly salts: ScryptSalts;
}

function copyOf({ lengths, outputs, salts }: Facts): Facts {
  return { lengths: lengths.copy(), outputs: outputs.copy(), salts: salts.copy() };
}

/** @param known how many rows `facts` has counted already */
function passOver(facts: Facts, known: number): HashColumn {
  const { lengths, outputs, salts } = facts;
  // The look at the start decides what passes, so that the result doesn't depend on the position in this pass.
  const [wholeBefore, saltsAreUsual] = [outputs.copy(), salts.areUsual()];
  let rows = 0;

  const judgeSalt = (verdict: Accepted, row: RowRef): HashVerdict => {
    const bytes = saltBytes(verdict.hash);
    if (rows > known) salts.note(verdict.hash, bytes === SALT_BYTES, row);
    return saltsAreUsual && bytes < SALT_BYTES ? SALT_CUT_OFF : verdict;
  };
  return {
    judge(raw, verdict, row, ofAnyLength) {
      rows += 1;
      if (verdict.verdict === "none") return verdict;
      const isNew = rows > known;
      if (verdict.verdict === "accepted" && verdict.algorithm === "vendor_scrypt") {
        return judgeSalt(verdict, row);
      }
      const text = textOf(raw);
      let judged: HashVerdict = verdict;
      let digits = 0;
      if (verdict.verdict === "refused" && isOfOutput(verdict.code)) {
        digits = outputDigits(text);
        if (isNew) outputs.note(verdict.code, digits);
        if (verdict.code === ODD_LENGTH && wholeBefore.areWhole(digits)) judged = ofAnyLength();
      }
      const kind = kindOf(text, judged);
      if (kind === null) return judged;
      const isCut = lengths.take({ length: text.length, kind, digits }, isNew ? row : null);
      return isCut && (kind === "whole" || kind === "odd") ? TRUNCATED : judged;
    },
    cutLengths: lengths.cut,
    partlyCut: lengths.partlyCut,
    oddOutputs: () => lengths.odd(outputs),
    foldedSalts: salts.folded,
    refusesWhole: lengths.holdsWhole,
    again: () => passOver(copyOf(facts), Math.max(rows, known)),
  };
}

/** What a row says of its length; null where it says nothing. */
function kindOf(text: string, verdict: HashVerdict): TextKind | null {
  if (verdict.verdict === "accepted") return verdict.algorithm === "argon2" ? "whole" : null;
  if (verdict.verdict === "none") return null;
  // Something was added to a longer one.
  if (verdict.code === "bcrypt_length" && text.startsWith("$2") && text.length > BCRYPT_LENGTH) {
    return null;
  }
  return CUT_OFF.get(verdict.code) ?? null;
}

function textOf(raw: RawHash): string {
  if (raw.kind === "credential") return "";
  return raw.kind === "text" ? raw.text : raw.hash;
}

/** Of an accepted vendor scrypt hash. */
function saltBytes(hash: string): number {
  return Buffer.byteLength(saltOf(hash), "base64");
}

interface ScryptSalts {
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

function createScryptSalts(
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
