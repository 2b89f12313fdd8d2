/** The keys that rows of this run have taken, and which row came first: exact, and in constant memory for any number of users. It knows nothing of earlier runs and decides nothing. */

import type { Key } from "../plan/digests.js";
import type { RowRef } from "../events/events.js";
import type { Rank } from "../plan/rank.js";
import { createScratchFile } from "../sqlite/scratch-file.js";
import { createKeyFilter, type KeyFilterOptions } from "./key-filter.js";
import { createKeyLog } from "./key-log.js";

/** As what a user has a key. Of a user without an id the first contact is both. */
export const ROLE = { identity: 1, contact: 2, coreId: 4, reserved: 8 } as const;

/** A user whom a row of this run was the first to name. */
export interface FirstRow {
  readonly id: number;
  /** Known by the vendor's id. */
  readonly keyed: boolean;
  /** The right by which the user has a contact; verified where the key is no contact. */
  readonly rank: Rank;
  readonly row: RowRef;
}

export interface RunKeys {
  /** Who has a key in one of these roles. @throws RunError `disk` */
  find(key: Key, roles: number): FirstRow | undefined;
  /** Gives a key that nobody has in these roles to a user. @throws RunError `disk` */
  add(key: Key, roles: number, first: FirstRow): void;
  close(): void;
}

export interface RunKeysOptions extends KeyFilterOptions {
  /** Parts of the log, a power of two. */
  readonly parts?: number;
}

/** The lowest bits of a note's last number are the roles. */
const KEYED = 16;
const RANKS = 32;
const FILE = 128;

/**
 * @param directory for the scratch file, which takes about 25 bytes a key
 * @param options smaller ones in tests
 */
export function createRunKeys(directory: string, options: RunKeysOptions = {}): RunKeys {
  const file = createScratchFile(directory);
  const filter = createKeyFilter(options);
  const log = createKeyLog(file, options.parts);
  const paths: string[] = [];
  const numbers = new Map<string, number>();
  const words = new Uint32Array(3);

  const numberOf = (path: string): number => {
    const known = numbers.get(path);
    if (known !== undefined) return known;
    numbers.set(path, paths.length);
    return paths.push(path) - 1;
  };
  return {
    find(key, roles) {
      split(key, words);
      if (!filter.mayHave(words)) return undefined;
      const note = log.find(words, roles);
      if (note === undefined) return undefined;
      const [id, number, rest] = note;
      const row = { file: paths[Math.floor(rest / FILE)] ?? "", number };
      const rank = Math.floor((rest % FILE) / RANKS) as Rank;
      return { id, keyed: (rest & KEYED) !== 0, rank, row };
    },
    add(key, roles, { id, keyed, rank, row }) {
      split(key, words);
      filter.add(words);
      const rest = roles + (keyed ? KEYED : 0) + RANKS * rank + FILE * numberOf(row.file);
      log.add(words, [id, row.number, rest]);
    },
    close: () => file.close(),
  };
}

/** Twelve characters of Latin-1, four a word. */
function split(key: Key, words: Uint32Array): void {
  for (let word = 0; word < words.length; word += 1) {
    const at = 4 * word;
    words[word] =
      key.charCodeAt(at) |
      (key.charCodeAt(at + 1) << 8) |
      (key.charCodeAt(at + 2) << 16) |
      (key.charCodeAt(at + 3) << 24);
  }
}
