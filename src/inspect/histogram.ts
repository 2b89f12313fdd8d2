/** Counts accepted hashes by how they were made, in constant memory: after fifty kinds, the rest is counted together. */

import { costOf, isCostly } from "../hash/cost.js";
import type { HashAlgorithm } from "../hash/hash.js";
import type { HashCount } from "../events/events.js";

/** Lines of a histogram that a person can still read; real exports have a handful. */
const MAX_KINDS = 50;

interface Histogram {
  /** @returns whether checking passwords against such a hash would hurt the core */
  add(algorithm: HashAlgorithm, hash: string): boolean;
  /** The most frequent kind first, the rest last. */
  list(): HashCount[];
}

/** How hashes were made. */
interface HashKind {
  readonly algorithm: HashAlgorithm;
  readonly cost: string;
  readonly length: number;
  /** Checking passwords against them would hurt the core. */
  readonly costly: boolean;
}

/** Hashes that were made so. */
interface KindCount extends HashKind {
  count: number;
}

/** The kind of these, where it was met. */
function kindAmong(
  kinds: readonly KindCount[],
  algorithm: HashAlgorithm,
  cost: string,
  length: number,
): KindCount | undefined {
  return kinds.find(
    (kind) => kind.length === length && kind.cost === cost && kind.algorithm === algorithm,
  );
}

function kindOf(algorithm: HashAlgorithm, hash: string): HashKind {
  const cost = costOf(algorithm, hash) ?? "";
  return { algorithm, cost, length: hash.length, costly: isCostly(hash) };
}

export function createHistogram(): Histogram {
  const kinds: KindCount[] = [];
  const others = new Map<HashAlgorithm, number>();
  return {
    add(algorithm, hash) {
      const known = kindAmong(kinds, algorithm, costOf(algorithm, hash) ?? "", hash.length);
      if (known === undefined) {
        const kind = kindOf(algorithm, hash);
        if (kinds.length < MAX_KINDS) kinds.push({ ...kind, count: 1 });
        else others.set(algorithm, (others.get(algorithm) ?? 0) + 1);
        return kind.costly;
      }
      known.count += 1;
      return known.costly;
    },
    list: () => [
      ...[...kinds]
        .sort((a, b) => b.count - a.count)
        .map(({ algorithm, cost, length, count }) => ({ algorithm, cost, length, count })),
      ...[...others].map(([algorithm, count]) => ({
        algorithm,
        cost: "other",
        length: null,
        count,
      })),
    ],
  };
}

/** A histogram's counts by algorithm alone. */
export function byAlgorithm(hashes: readonly HashCount[]): Partial<Record<HashAlgorithm, number>> {
  const sums: Partial<Record<HashAlgorithm, number>> = {};
  for (const { algorithm, count } of hashes) sums[algorithm] = (sums[algorithm] ?? 0) + count;
  return sums;
}
