/** A sum over rows that doesn't depend on their order: shards that took each row of an export once add up to the export. */

import { hash } from "node:crypto";
import type { RowTotal } from "./reading.js";

/** Added up lane by lane; by chance two sums of different rows are equal once in 2^128. */
const LANES = 4;

/** Adds up rows. */
export interface RowSum {
  /** Adds a row by its {@link rowDigest}. */
  add(digest: Buffer): void;
  /** How many were added, and their sum, which says nothing of any row. */
  total(): RowTotal;
}

/** The digest by which a row is added, of a text that says what is in it; made once for all sums. */
export function rowDigest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

/** A sum of no rows. */
export function createRowSum(): RowSum {
  const lanes = new Uint32Array(LANES);
  let rows = 0;
  return {
    add(digest) {
      rows += 1;
      for (let lane = 0; lane < LANES; lane += 1) {
        lanes[lane] = (lanes[lane] ?? 0) + digest.readUInt32LE(4 * lane);
      }
    },
    total: () => ({ rows, sum: lanesHex(lanes) }),
  };
}

/**
 * The sum of sums.
 *
 * @param sums as {@link RowSum.total} has them
 */
export function addSums(sums: readonly string[]): string {
  const lanes = new Uint32Array(LANES);
  for (const sum of sums) {
    for (let lane = 0; lane < LANES; lane += 1) {
      lanes[lane] = (lanes[lane] ?? 0) + Number.parseInt(sum.slice(8 * lane, 8 * lane + 8), 16);
    }
  }
  return lanesHex(lanes);
}

function lanesHex(lanes: Uint32Array): string {
  return [...lanes].map((lane) => lane.toString(16).padStart(8, "0")).join("");
}
