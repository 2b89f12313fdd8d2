/** A set of small positive integers, such as the numbers of users: one bit each, so that ten millions cost little more than a megabyte. */

const FIRST_BYTES = 4096;

export class Bitset {
  #bytes = new Uint8Array(FIRST_BYTES);

  has(id: number): boolean {
    return ((this.#bytes[id >>> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }

  /** Whether all of so many from `first` on are in it. */
  hasAll(first: number, count: number): boolean {
    for (let id = first; id < first + count; id += 1) if (!this.has(id)) return false;
    return true;
  }

  add(id: number): void {
    const at = id >>> 3;
    if (at >= this.#bytes.length) this.#makeRoom(at);
    this.#bytes[at] = (this.#bytes[at] ?? 0) | (1 << (id & 7));
  }

  /** @returns whether it was in it */
  remove(id: number): boolean {
    const isIn = this.has(id);
    if (isIn) this.#bytes[id >>> 3] = (this.#bytes[id >>> 3] ?? 0) ^ (1 << (id & 7));
    return isIn;
  }

  #makeRoom(last: number): void {
    if (last < this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, last + 1));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}
