/** A set of small positive integers, such as the numbers of users: one bit each, so that ten millions cost little more than a megabyte. */

/** Eight numbers share a byte, the least of them its lowest bit. */
const BYTE = 8;
const ALL = 0xff;
const FIRST_BYTES = 4096;

export class Bitset {
  #bytes = new Uint8Array(FIRST_BYTES);

  has(id: number): boolean {
    return ((this.#bytes[id >>> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }

  /** Whether all of so many from `first` on are in it. */
  hasAll(first: number, count: number): boolean {
    return everyByte(first, count, (at, bits) => ((this.#bytes[at] ?? 0) & bits) === bits);
  }

  add(id: number): void {
    const at = id >>> 3;
    if (at >= this.#bytes.length) this.#makeRoom(at);
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (1 << (id & 7));
  }

  #makeRoom(last: number): void {
    if (last < this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, last + 1));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Goes through the bytes of so many numbers from `first` on while `go` says so, which is told what bits of a byte are theirs. */
function everyByte(
  first: number,
  count: number,
  go: (at: number, bits: number) => boolean,
): boolean {
  const end = first + count;
  for (let id = first; id < end; ) {
    const next = Math.min(end, (id | 7) + 1);
    const bits = (ALL >>> (BYTE - (next - id))) << (id & 7);
    if (!go(id >>> 3, bits)) return false;
    id = next;
  }
  return true;
}
