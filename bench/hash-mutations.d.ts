/** For the fuzz test; see hash-mutations.js. */

export function hashSeeds(): string[];
export function mutatedLines(
  seeds: readonly string[],
  seed: number,
  count: number,
): Generator<Buffer, void, undefined>;
