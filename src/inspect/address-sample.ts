/** Remembers addresses in constant memory: all up to half a million, then a fair sample that holds both or neither of two equal ones. It stores numbers, no addresses. */

/** The most addresses that are kept. */
const MOST = 1 << 19;
const FIRST_MOST = 1 << 9;
/** Each table has room for so many times as many as the one before. */
const GROWTH = 8;
/** How many of its places are taken at most, twelve bytes each. */
const SHARE = 3 / 4;

/** A key's low bits choose the sample, the high ones the place. */
const KEYS = 2 ** 53;

export interface AddressSample {
  /**
   * Whether a key belongs to the sample; while there is room, every key does.
   *
   * @param key 53 evenly spread bits
   */
  includes(key: number): boolean;
  /**
   * Takes in a key of the sample.
   *
   * @param note 32 bits, kept with a key that is new
   * @returns the note of the key's first time; null for a new one
   */
  add(key: number, note: number): number | null;
  has(key: number): boolean;
  /** One address in how many is in the sample; 1 while all are. */
  oneIn(): number;
}

/** @param most how many addresses are kept; fewer in tests */
export function createAddressSample(most: number = MOST): AddressSample {
  let room = Math.min(FIRST_MOST, most);
  let table = emptyTable(room);
  let taken = 0;
  let oneIn = 1;

  const includes = (key: number): boolean => (key & (oneIn - 1)) === 0;
  const put = (key: number, note: number): void => {
    const place = placeOf(table, key);
    table.keys[place] = key;
    table.notes[place] = note;
    taken += 1;
  };
  const putAll = ({ keys, notes }: Table): void => {
    taken = 0;
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] ?? 0;
      if (key !== 0) put(key, notes[index] ?? 0);
    }
  };
  /** Leaves out half of the addresses. The table stays, since a second one would be memory for a moment. */
  const thinOut = (): void => {
    const { keys, notes } = table;
    oneIn *= 2;
    let left = 0;
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] ?? 0;
      if (key === 0 || !includes(key)) continue;
      keys[left] = key;
      notes[left] = notes[index] ?? 0;
      left += 1;
    }
    const kept = { keys: keys.slice(0, left), notes: notes.slice(0, left) };
    keys.fill(0);
    putAll(kept);
  };
  const makeRoom = (): void => {
    const before = table;
    room = Math.min(GROWTH * room, most);
    table = emptyTable(room);
    putAll(before);
  };
  return {
    includes,
    add(key, note) {
      const place = placeOf(table, key);
      if (table.keys[place] === key) return table.notes[place] ?? 0;
      if (taken >= room) {
        if (room < most) makeRoom();
        else thinOut();
      }
      if (includes(key)) put(key, note);
      return null;
    },
    has: (key) => table.keys[placeOf(table, key)] === key,
    oneIn: () => oneIn,
  };
}

/** An open hash table; 0 is an empty place. */
interface Table {
  readonly keys: Float64Array;
  readonly notes: Uint32Array;
}

function emptyTable(room: number): Table {
  const places = Math.ceil(room / SHARE);
  return { keys: new Float64Array(places), notes: new Uint32Array(places) };
}

/** The place of a key, or the empty one where it belongs. */
function placeOf({ keys }: Table, key: number): number {
  let place = Math.floor((key / KEYS) * keys.length);
  while (keys[place] !== 0 && keys[place] !== key)
    place = place + 1 === keys.length ? 0 : place + 1;
  return place;
}
