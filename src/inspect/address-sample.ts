/** Remembers addresses in constant memory: all up to half a million, then a fair sample that holds both or neither of two equal ones. It stores numbers, no addresses. */

/** Places; twelve bytes each. No more than half of them are taken. */
const PLACES = 1 << 20;
const FIRST_PLACES = 1 << 10;

/** A key's low 21 bits choose the sample, the 32 above them the place. */
const ABOVE_SAMPLE = 1 << 21;

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

/** @param places the most, a power of two; fewer in tests */
export function createAddressSample(places: number = PLACES): AddressSample {
  let table = emptyTable(Math.min(FIRST_PLACES, places));
  let taken = 0;
  let oneIn = 1;

  const includes = (key: number): boolean => (key & (oneIn - 1)) === 0;
  const put = (key: number, note: number): void => {
    const place = placeOf(table, key);
    table.keys[place] = key;
    table.notes[place] = note;
    taken += 1;
  };
  const makeRoom = (): void => {
    const { keys, notes } = table;
    if (keys.length < places) table = emptyTable(keys.length * 2);
    else {
      oneIn *= 2;
      table = emptyTable(places);
    }
    taken = 0;
    for (let index = 0; index < keys.length; index += 1) {
      const key = keys[index] ?? 0;
      if (key !== 0 && includes(key)) put(key, notes[index] ?? 0);
    }
  };
  return {
    includes,
    add(key, note) {
      const place = placeOf(table, key);
      if (table.keys[place] === key) return table.notes[place] ?? 0;
      if (taken * 2 >= table.keys.length) makeRoom();
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

function emptyTable(places: number): Table {
  return { keys: new Float64Array(places), notes: new Uint32Array(places) };
}

/** The place of a key, or the empty one where it belongs. */
function placeOf({ keys }: Table, key: number): number {
  const last = keys.length - 1;
  let place = Math.floor(key / ABOVE_SAMPLE) & last;
  while (keys[place] !== 0 && keys[place] !== key) place = (place + 1) & last;
  return place;
}
