/** A filter over keys in constant memory: it knows for certain that a key is new, and never that it isn't (Bloom 1970, in blocks of one cache line as Putze, Sanders and Singler 2007). */

/** A key in three words of 32 bits, as {@link KeyFilter} and the log beside it take it apart. */
export type KeyWords = Readonly<Uint32Array>;

interface KeyFilter {
  /** False where the key was never added; rarely true all the same. */
  mayHave(key: KeyWords): boolean;
  add(key: KeyWords): void;
}

export interface KeyFilterOptions {
  /** Of one part, a power of two of at least 64; 16 MiB by default. */
  readonly bytes?: number;
  /** Keys after which a further part begins; by default as many as leave one in a hundred to be looked for in vain. */
  readonly keysOfAPart?: number;
}

const BYTES = 16 * 1024 * 1024;
/** Bits that a key has for itself, where a part is full. */
const BITS_A_KEY = 11;
const WORDS_OF_BLOCK = 16;
const BYTES_OF_BLOCK = 4 * WORDS_OF_BLOCK;
const BIT_OF_BLOCK = 8 * BYTES_OF_BLOCK - 1;
/** How far a further bit's number lies behind the one before within a word. */
const NEXT = 9;

/** An empty filter. Keys must be digests, whose bits are as good as random. */
export function createKeyFilter(options: KeyFilterOptions = {}): KeyFilter {
  const { bytes = BYTES, keysOfAPart = Math.floor((8 * bytes) / BITS_A_KEY) } = options;
  const lastBlock = bytes / BYTES_OF_BLOCK - 1;
  let part = new Uint32Array(bytes / 4);
  const parts = [part];
  let keys = 0;

  const has = (words: Uint32Array, block: number, bit: number): boolean =>
    ((words[block + (bit >>> 5)] ?? 0) & (1 << (bit & 31))) !== 0;
  const set = (block: number, bit: number): void => {
    const index = block + (bit >>> 5);
    part[index] = (part[index] ?? 0) | (1 << (bit & 31));
  };

  return {
    mayHave(key) {
      // By index: the words of a typed array would be taken one by one from an iterator.
      const [a, b, c] = [key[0] ?? 0, key[1] ?? 0, key[2] ?? 0];
      const block = (a & lastBlock) * WORDS_OF_BLOCK;
      for (const words of parts) {
        const isThere =
          has(words, block, b & BIT_OF_BLOCK) &&
          has(words, block, (b >>> NEXT) & BIT_OF_BLOCK) &&
          has(words, block, (b >>> (2 * NEXT)) & BIT_OF_BLOCK) &&
          has(words, block, c & BIT_OF_BLOCK) &&
          has(words, block, (c >>> NEXT) & BIT_OF_BLOCK);
        if (isThere) return true;
      }
      return false;
    },
    add(key) {
      const [a, b, c] = [key[0] ?? 0, key[1] ?? 0, key[2] ?? 0];
      if (keys === keysOfAPart) {
        part = new Uint32Array(bytes / 4);
        parts.push(part);
        keys = 0;
      }
      keys += 1;
      const block = (a & lastBlock) * WORDS_OF_BLOCK;
      set(block, b & BIT_OF_BLOCK);
      set(block, (b >>> NEXT) & BIT_OF_BLOCK);
      set(block, (b >>> (2 * NEXT)) & BIT_OF_BLOCK);
      set(block, c & BIT_OF_BLOCK);
      set(block, (c >>> NEXT) & BIT_OF_BLOCK);
    },
  };
}
