/** Counts accepted hashes by how they were made, in constant memory: after fifty kinds, the rest is counted together. */

import { costOf, isCostly } from "../hash/cost.js";
import type { HashAlgorithm } from "../hash/hash.js";
import type { HashCount } from "../events/events.js";

/** Lines of a histogram that a person can still read; real exports have a handful. */
const MAX_KINDS = 50;

interface Histogram {
  /** @returns whether checking passwords against such a hash would hurt the core */
  add(algorithm: HashAlgorithm, hash: string): boolean;
  /** Counts hashes of one kind. */
  addAll(kind: KindCount): void;
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
export interface KindCount extends HashKind {
  count: number;
}

/** The kind of these, where it was met. */
export function kindAmong(
  kinds: readonly KindCount[],
  algorithm: HashAlgorithm,
  cost: string,
  length: number,
): KindCount | undefined {
  return kinds.find(
    (kind) => kind.length === length && kind.cost === cost && kind.algorithm === algorithm,
  );
}

export function kindOf(algorithm: HashAlgorithm, hash: string): HashKind {
  const cost = costOf(algorithm, hash) ?? "";
  return { algorithm, cost, length: hash.length, costly: isCostly(hash) };
}

export function createHistogram(): Histogram {
  const kinds: KindCount[] = [];
  const others = new Map<HashAlgorithm, number>();
  const addNew = (kind: HashKind, count: number): void => {
    const { algorithm } = kind;
    if (kinds.length < MAX_KINDS) kinds.push({ ...kind, count });
    else others.set(algorithm, (others.get(algorithm) ?? 0) + count);
  };
  return {
    add(algorithm, hash) {
      const known = kindAmong(kinds, algorithm, costOf(algorithm, hash) ?? "", hash.length);
      if (known === undefined) {
        const kind = kindOf(algorithm, hash);
        addNew(kind, 1);
        return kind.costly;
      }
      known.count += 1;
      return known.costly;
    },
    addAll({ count, ...kind }) {
      const known = kindAmong(kinds, kind.algorithm, kind.cost, kind.length);
      if (known === undefined) addNew(kind, count);
      else known.count += count;
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
