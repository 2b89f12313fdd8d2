/** Which entries this run has met: one bit an entry, so that ten million users cost little more than a megabyte. */

export interface Bitset {
  has(id: number): boolean;
  add(id: number): void;
}

/** An empty set of small positive integers. */
export function createBitset(): Bitset {
  let bits = new Uint8Array(4096);
  return {
    has: (id) => ((bits[id >>> 3] ?? 0) & (1 << (id & 7))) !== 0,
    add(id) {
      const index = id >>> 3;
      if (index >= bits.length) {
        const grown = new Uint8Array(Math.max(bits.length * 2, index + 1));
        grown.set(bits);
        bits = grown;
      }
      bits[index] = (bits[index] ?? 0) | (1 << (id & 7));
    },
  };
}
