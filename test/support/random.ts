/** Random choices that a seed makes again (mulberry32): for tests that make far more cases than a property library does in the time. */

export interface Random {
  /** From 0 to below `limit`. */
  below(limit: number): number;
  /** True `times` in `outOf`. */
  chance(times: number, outOf: number): boolean;
  /** Of a list that isn't empty. */
  pick<T>(from: readonly T[]): T;
  bytes(count: number): Buffer;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  function below(limit: number): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }
  return {
    below,
    chance: (times, outOf) => below(outOf) < times,
    pick(from) {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error("there is nothing to pick from");
      return picked;
    },
    bytes: (count) => Buffer.from(Array.from({ length: count }, () => below(256))),
  };
}
