/** Who is next: what finishes a user goes before what begins a new one, each in the order in which it came. Pure. */

export class Turns<T> {
  readonly #finishing: T[] = [];
  readonly #beginning: T[] = [];

  get isEmpty(): boolean {
    return this.#finishing.length + this.#beginning.length === 0;
  }

  /** Whether one that comes now would have to wait for others. */
  hasBefore(finishes: boolean): boolean {
    return finishes ? this.#finishing.length > 0 : !this.isEmpty;
  }

  add(turn: T, finishes: boolean): void {
    (finishes ? this.#finishing : this.#beginning).push(turn);
  }

  /** Before all others. */
  addNext(turn: T): void {
    this.#finishing.unshift(turn);
  }

  /** Takes the next one out. */
  take(): T | undefined {
    return this.#finishing.shift() ?? this.#beginning.shift();
  }
}
