/** The hash column of one input: finds the lengths at which texts are cut off, and refuses the argon2 hashes that only look whole. It keeps counts by length, never a text. */

import type { HashVerdict, RawHash } from "../../hash/hash.js";
import type { RowRef } from "../events.js";
import { joined, newSighting, type Sighting, sight } from "./sighting.js";

/** Rows that are cut off at one length before the column is at fault, and not the rows. */
const MIN_CUT = 2;

const BCRYPT_LENGTH = 60;

/**
 * What a cut leaves behind. argon2 stands apart: its text may end at several places and still be
 * in the grammar, whereas a bcrypt or vendor scrypt hash that was cut never is.
 */
const CUT_OFF: ReadonlyMap<string, "argon2" | "others"> = new Map([
  ["argon2_format", "argon2"],
  ["argon2_base64", "argon2"],
  ["argon2_hash_length", "argon2"],
  ["bcrypt_length", "others"],
  ["fscrypt_format", "others"],
  ["fscrypt_hash", "others"],
]);

const TRUNCATED: HashVerdict = {
  verdict: "refused",
  code: "column_truncated",
  hint: "Most argon2 hashes of this length in the file are cut off; this one looks whole by chance and would never verify. Export the hashes again from a field that is wide enough, or use --on-unusable-hash passwordless.",
};

/** What is cut off at one length, in characters. */
export interface CutLength {
  readonly length: number;
  readonly sighting: Sighting;
}

/** One pass over the hash column of one input. There are no more lengths than normalization reads. */
export interface HashColumn {
  /**
   * Takes the next row's hash, in the file's order.
   *
   * @returns the verdict, or the refusal `column_truncated` in its place
   */
  judge(raw: RawHash, verdict: HashVerdict, row: RowRef): HashVerdict;
  /** The lengths at which the column is cut off, as far as is known. */
  cutLengths(): CutLength[];
  /** Whether it has refused hashes that look whole by themselves. */
  refusesWhole(): boolean;
  /** A new pass from the first row, which knows what this one has found out. */
  again(): HashColumn;
}

/** All texts of one length. */
interface LengthCount {
  readonly argon2: Sighting;
  readonly others: Sighting;
  /** argon2 hashes that look whole. */
  readonly whole: Sighting;
}

/** The hash column of an input of which nothing is known yet. */
export function createHashColumn(): HashColumn {
  return passOver(new Map(), 0);
}

/** @param known how many rows `lengths` has counted already */
function passOver(lengths: Map<number, LengthCount>, known: number): HashColumn {
  let rows = 0;
  return {
    judge(raw, verdict, row) {
      rows += 1;
      const text = textOf(raw);
      const kind = kindOf(text, verdict);
      if (kind === null) return verdict;
      const counts = countsAt(lengths, text.length);
      if (rows > known) sight(counts[kind], row);
      return kind === "whole" && isCut(counts) ? TRUNCATED : verdict;
    },
    cutLengths: () =>
      [...lengths].flatMap(([length, counts]) => {
        const { argon2, others, whole } = counts;
        const parts = [
          ...(isCut(counts) ? [argon2, whole] : []),
          ...(others.count >= MIN_CUT ? [others] : []),
        ];
        return parts.length === 0 ? [] : [{ length, sighting: joined(parts) }];
      }),
    refusesWhole: () => [...lengths.values()].some((one) => isCut(one) && one.whole.count > 0),
    again: () => passOver(structuredClone(lengths), Math.max(rows, known)),
  };
}

/** By chance a cut leaves one argon2 hash in sixteen that looks whole, at most one in four. */
function isCut({ argon2, whole }: LengthCount): boolean {
  return argon2.count >= MIN_CUT && argon2.count >= whole.count;
}

/** What a row says of its length; null where it says nothing. */
function kindOf(text: string, verdict: HashVerdict): keyof LengthCount | null {
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

function countsAt(lengths: Map<number, LengthCount>, length: number): LengthCount {
  const known = lengths.get(length);
  if (known !== undefined) return known;
  const made = { argon2: newSighting(), others: newSighting(), whole: newSighting() };
  lengths.set(length, made);
  return made;
}
