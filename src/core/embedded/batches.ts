/** Calls that go to a store together: while one batch of calls is on its way, the next one gathers. A call is answered when its own batch is done. */

export interface BatchOptions<Item, Result> {
  /** Results in the order of the items. */
  readonly perform: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Batches on their way at once. */
  readonly lanes: number;
  /** Items in one batch. */
  readonly most: number;
  /** Whether one item may have spoiled its batch; then each is tried alone. */
  readonly isOnesFault: (error: unknown) => boolean;
}

interface Asked<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class Batches<Item, Result> {
  readonly #options: BatchOptions<Item, Result>;
  #waiting: Asked<Item, Result>[] = [];
  #busy = 0;
  #isDue = false;
  #idle: (() => void)[] = [];

  constructor(options: BatchOptions<Item, Result>) {
    this.#options = options;
  }

  /** Joins the next batch. Rejects with what became of that, or of this item alone where it was the culprit. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isDue) this.#schedule();
    });
  }

  /** Resolves once everything that was asked for before is settled. */
  async settled(): Promise<void> {
    if (this.#busy === 0 && this.#waiting.length === 0) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  get #isHeld(): boolean {
    return this.#busy >= this.#options.lanes || this.#waiting.length === 0;
  }

  #schedule(): void {
    if (this.#isDue || this.#isHeld) return;
    this.#isDue = true;
    // What is asked for in one turn of the event loop goes together.
    setImmediate(() => {
      this.#isDue = false;
      if (this.#isHeld) return;
      const { most } = this.#options;
      const batch = this.#waiting.slice(0, most);
      this.#waiting = this.#waiting.slice(most);
      this.#busy += 1;
      void this.#run(batch).finally(() => this.#ended());
      this.#schedule();
    });
  }

  #ended(): void {
    this.#busy -= 1;
    this.#schedule();
    if (this.#busy > 0 || this.#waiting.length > 0) return;
    for (const tell of this.#idle) tell();
    this.#idle = [];
  }

  /** Never rejects. */
  async #run(batch: readonly Asked<Item, Result>[]): Promise<void> {
    const { perform, isOnesFault } = this.#options;
    try {
      const items: Item[] = [];
      for (const { item } of batch) items.push(item);
      const results = await perform(items);
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      if (batch.length === 1 || !isOnesFault(error)) for (const { reject } of batch) reject(error);
      else for (const alone of batch) await this.#run([alone]);
    }
  }
}
