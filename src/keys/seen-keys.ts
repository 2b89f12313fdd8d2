/** The keys that rows of this run have taken, and which row came first: exact, and in constant memory for any number of users. It knows nothing of earlier runs and decides nothing. */

import type { Key } from "../plan/digests.js";
import type { RowRef } from "../events/events.js";
import { RANK, type Rank } from "../plan/rank.js";
import { createScratchFile, type ScratchFile } from "../sqlite/scratch-file.js";
import {
  createKeyFilter,
  createKeySpill,
  type KeyFilterOptions,
  type KeyNote,
} from "./key-spill.js";

/** What a key is to its user. The first contact of a user without an id is both identity and contact. */
export const ROLE = { identity: 1, contact: 2, coreId: 4, reserved: 8 } as const;

/** A user whom a row of this run was the first to name. */
export interface FirstRow {
  readonly id: number;
  /** Known by the vendor's id. */
  readonly keyed: boolean;
  /** The right by which the user has a contact; verified where the key is no contact. */
  readonly rank: Rank;
  /** The user's row is refused or left out. */
  readonly isRefused?: boolean;
  readonly row: RowRef;
}

export interface SeenKeys {
  /** Who has a key in one of these roles. @throws RunError `disk` */
  find(key: Key, roles: number): FirstRow | undefined;
  /** Gives a user a key that no user has in these roles. @throws RunError `disk` */
  add(key: Key, roles: number, first: FirstRow): void;
  close(): void;
}

interface SeenKeysOptions extends KeyFilterOptions {
  /** Not many keys are expected; false by default. */
  readonly few?: boolean;
  /** How many keys are kept in a map, before filter and log are made. */
  readonly early?: number;
  /** Parts of the log, a power of two. */
  readonly parts?: number;
}

/** The lowest bits of a note's last number are the roles. */
const KEYED = 16;
const RANKS = 32;
/** In place of a rank, which is then the best one. */
const REFUSED = 3;
const FILE = 128;

/**
 * Filter and log take 10 MB from the start. For 8 000 keys a map took a third of that and a quarter
 * of the time. With many keys it is made in vain: what was compiled for the map is compiled anew,
 * and validate of 200,000 users took 1.05 of its processor time.
 */
const EARLY = 32_768;

/**
 * @param directory for the scratch file, which takes about 25 bytes a key
 * @param options smaller ones in tests
 */
export function createSeenKeys(
  directory: string,
  { few = false, early = few ? EARLY : 0, ...options }: SeenKeysOptions = {},
): SeenKeys {
  const file = createScratchFile(directory);
  const first = new Map<Key, KeyNote[]>();
  let spilled: NoteStore | null = null;
  const paths: string[] = [];
  const numbers = new Map<string, number>();

  const numberOf = (path: string): number => {
    const known = numbers.get(path);
    if (known !== undefined) return known;
    numbers.set(path, paths.length);
    return paths.push(path) - 1;
  };
  return {
    find(key, roles) {
      const note = spilled === null ? newestOf(first.get(key), roles) : spilled.find(key, roles);
      if (note === undefined) return undefined;
      const [id, number, rest] = note;
      const row = { file: paths[Math.floor(rest / FILE)] ?? "", number };
      const ranked = Math.floor((rest % FILE) / RANKS);
      const isRefused = ranked === REFUSED;
      const rank = isRefused ? RANK.verified : (ranked as Rank);
      return { id, keyed: (rest & KEYED) !== 0, rank, isRefused, row };
    },
    add(key, roles, { id, keyed, rank, isRefused, row }) {
      const ranked = isRefused === true ? REFUSED : rank;
      const rest = roles + (keyed ? KEYED : 0) + RANKS * ranked + FILE * numberOf(row.file);
      const note = [id, row.number, rest] as const;
      if (spilled === null && first.size < early) {
        const notes = first.get(key);
        if (notes === undefined) first.set(key, [note]);
        else notes.push(note);
        return;
      }
      spilled ??= spill(first, file, options);
      spilled.add(key, note);
    },
    close: () => file.close(),
  };
}

interface NoteStore {
  find(key: Key, roles: number): KeyNote | undefined;
  add(key: Key, note: KeyNote): void;
}

/** A store on disk that has all of `first`, which is emptied. */
function spill(
  first: Map<Key, readonly KeyNote[]>,
  file: ScratchFile,
  options: SeenKeysOptions,
): NoteStore {
  const filter = createKeyFilter(options);
  const log = createKeySpill(file, options.parts);
  const words = new Uint32Array(3);
  // A row's key is looked for in one role after the other, and then added.
  let last: Key | null = null;
  let mayHave = false;
  const store: NoteStore = {
    find(key, roles) {
      if (key !== last) {
        split(key, words);
        mayHave = filter.mayHave(words);
        last = key;
      }
      return mayHave ? log.find(words, roles) : undefined;
    },
    add(key, note) {
      if (key !== last) split(key, words);
      if (key !== last || !mayHave) filter.add(words);
      mayHave = true;
      last = key;
      log.add(words, note);
    },
  };
  for (const [key, notes] of first) for (const note of notes) store.add(key, note);
  first.clear();
  return store;
}

function newestOf(notes: readonly KeyNote[] | undefined, roles: number): KeyNote | undefined {
  return notes?.findLast(([, , rest]) => (rest & roles) !== 0);
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
