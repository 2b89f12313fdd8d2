/** Keys and the numbers noted with them, in a scratch file: many can be added fast, and one found in some reads. It holds as much in memory with a thousand keys as with a hundred million. */

import type { ScratchFile } from "../sqlite/scratch-file.js";

/** What is noted with a key: three numbers of 32 bits, of which `find` looks at the last. */
export type KeyNote = readonly [number, number, number];

interface KeySpill {
  /** @throws RunError `disk` */
  add(key: KeyWords, note: KeyNote): void;
  /**
   * The newest note of a key the last number of which has one of these bits.
   *
   * @throws RunError `disk`
   */
  find(key: KeyWords, bits: number): KeyNote | undefined;
}

/** Keys are parted by their last bits; each part has a block in memory, and its full ones in the file. */
const PARTS = 4096;
const BLOCK_WORDS = 512;
const KEY_WORDS = 3;
const NOTE_WORDS = 3;
const ENTRY_WORDS = KEY_WORDS + NOTE_WORDS;
const MOST_OF_BLOCK = Math.floor((BLOCK_WORDS - 1) / ENTRY_WORDS);
/** A block's last word is the number of the part's block before it, counted from one; 0 for none. */
const LINK = BLOCK_WORDS - 1;

/** @param parts a power of two; fewer in tests */
export function createKeySpill(file: ScratchFile, parts = PARTS): KeySpill {
  const open = new Uint32Array(parts * BLOCK_WORDS);
  const used = new Uint8Array(parts);
  const newest = new Uint32Array(parts);
  const read = new Uint32Array(BLOCK_WORDS);
  let written = 0;

  const flush = (part: number): void => {
    const block = open.subarray(part * BLOCK_WORDS, (part + 1) * BLOCK_WORDS);
    block[LINK] = newest[part] ?? 0;
    file.write(bytesOf(block), written * block.byteLength);
    written += 1;
    newest[part] = written;
    used[part] = 0;
  };

  return {
    add(key, note) {
      const part = partOf(key, parts);
      if (used[part] === MOST_OF_BLOCK) flush(part);
      const entries = used[part] ?? 0;
      const place = part * BLOCK_WORDS + entries * ENTRY_WORDS;
      // One by one: for so few, `set` takes longer to begin than to copy.
      for (let word = 0; word < KEY_WORDS; word += 1) open[place + word] = key[word] ?? 0;
      for (let word = 0; word < NOTE_WORDS; word += 1) {
        open[place + KEY_WORDS + word] = note[word] ?? 0;
      }
      used[part] = entries + 1;
    },
    find(key, bits) {
      const part = partOf(key, parts);
      const start = part * BLOCK_WORDS;
      const inMemory = findIn(open, { start, entries: used[part] ?? 0 }, key, bits);
      if (inMemory !== undefined) return inMemory;
      for (let block = newest[part] ?? 0; block !== 0; block = read[LINK] ?? 0) {
        file.read(bytesOf(read), (block - 1) * read.byteLength);
        const note = findIn(read, { start: 0, entries: MOST_OF_BLOCK }, key, bits);
        if (note !== undefined) return note;
      }
      return undefined;
    },
  };
}

function partOf(key: KeyWords, parts: number): number {
  return (key[2] ?? 0) & (parts - 1);
}

function findIn(
  words: Uint32Array,
  { start, entries }: { readonly start: number; readonly entries: number },
  key: KeyWords,
  bits: number,
): KeyNote | undefined {
  const a = key[0];
  const b = key[1];
  const c = key[2];
  for (let entry = entries - 1; entry >= 0; entry -= 1) {
    const place = start + entry * ENTRY_WORDS;
    const isIt =
      words[place] === a &&
      words[place + 1] === b &&
      words[place + 2] === c &&
      ((words[place + 5] ?? 0) & bits) !== 0;
    if (isIt) return [words[place + 3] ?? 0, words[place + 4] ?? 0, words[place + 5] ?? 0];
  }
  return undefined;
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/** A key in three words of 32 bits, as {@link KeyFilter} and the log beside it take it apart. */
type KeyWords = Readonly<Uint32Array>;

/**
 * A filter over keys in constant memory: it knows for certain that a key is new, and never that
 * it isn't (Bloom 1970, in blocks of one cache line as Putze, Sanders and Singler 2007).
 */
interface KeyFilter {
  /** False where the key was never added; rarely true all the same. */
  mayHave(key: KeyWords): boolean;
  add(key: KeyWords): void;
}

export interface KeyFilterOptions {
  /** Of the first part, a power of two of at least 64; 2 MiB by default. */
  readonly bytes?: number;
  /** Keys after which a second part begins; by default as many as leave one in a hundred to be looked for in vain. */
  readonly keysOfAPart?: number;
}

const BYTES = 2 * 1024 * 1024;
/** Each part is twice as large as the one before, up to this. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Bits that a key has for itself, where a part is full. */
const BITS_A_KEY = 11;
const WORDS_OF_BLOCK = 16;
const BYTES_OF_BLOCK = 4 * WORDS_OF_BLOCK;
const BIT_OF_BLOCK = 8 * BYTES_OF_BLOCK - 1;
/** How far a further bit's number lies behind the one before within a word. */
const NEXT = 9;

/** An empty filter. Keys must be digests, whose bits are as good as random. */
export function createKeyFilter(options: KeyFilterOptions = {}): KeyFilter {
  let { bytes = BYTES, keysOfAPart = Math.floor((8 * bytes) / BITS_A_KEY) } = options;
  let part = new Uint32Array(bytes / 4);
  const parts = [part];
  let keys = 0;

  return {
    mayHave(key) {
      // One by one: a list of them would be made for each key.
      const a = key[0] ?? 0;
      const b = key[1] ?? 0;
      const c = key[2] ?? 0;
      for (const words of parts) {
        const block = blockIn(words, a);
        // Each is half as likely as not, and all stand in one cache line: no branch is worth its guess.
        const isThere =
          bitIn(words, block, b) &
          bitIn(words, block, b >>> NEXT) &
          bitIn(words, block, b >>> (2 * NEXT)) &
          bitIn(words, block, c) &
          bitIn(words, block, c >>> NEXT);
        if (isThere === 1) return true;
      }
      return false;
    },
    add(key) {
      const a = key[0] ?? 0;
      const b = key[1] ?? 0;
      const c = key[2] ?? 0;
      if (keys === keysOfAPart) {
        if (bytes < MOST_BYTES) {
          bytes *= 2;
          keysOfAPart *= 2;
        }
        part = new Uint32Array(bytes / 4);
        parts.push(part);
        keys = 0;
      }
      keys += 1;
      const block = blockIn(part, a);
      setBit(part, block, b);
      setBit(part, block, b >>> NEXT);
      setBit(part, block, b >>> (2 * NEXT));
      setBit(part, block, c);
      setBit(part, block, c >>> NEXT);
    },
  };
}

function blockIn(words: Uint32Array, a: number): number {
  return (a & (words.length / WORDS_OF_BLOCK - 1)) * WORDS_OF_BLOCK;
}

/** @param bits of a key, of which the lowest ones number the block's bit */
function bitIn(words: Uint32Array, block: number, bits: number): number {
  const bit = bits & BIT_OF_BLOCK;
  return ((words[block + (bit >>> 5)] ?? 0) >>> (bit & 31)) & 1;
}

function setBit(words: Uint32Array, block: number, bits: number): void {
  const bit = bits & BIT_OF_BLOCK;
  const index = block + (bit >>> 5);
  words[index] = (words[index] ?? 0) | (1 << (bit & 31));
}
