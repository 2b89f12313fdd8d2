/** Calls that go to a store together: while one batch of calls is on its way, the next one gathers. A call is answered when its own batch is done. */

interface Batches<Item, Result> {
  /** Joins the next batch. Rejects with what became of that, or of this item alone where it was the culprit. */
  add(item: Item): Promise<Result>;
  /** Resolves once everything that was asked for before is settled. */
  settled(): Promise<void>;
}

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

export function createBatches<Item, Result>(
  options: BatchOptions<Item, Result>,
): Batches<Item, Result> {
  const { perform, lanes, most, isOnesFault } = options;
  let waiting: Asked<Item, Result>[] = [];
  let busy = 0;
  let isDue = false;
  let idle: (() => void)[] = [];

  function schedule(): void {
    if (isDue || busy >= lanes || waiting.length === 0) return;
    isDue = true;
    // What is asked for in one turn of the event loop goes together.
    setImmediate(() => {
      isDue = false;
      if (busy >= lanes || waiting.length === 0) return;
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      busy += 1;
      void run(batch).finally(() => {
        busy -= 1;
        schedule();
        if (busy > 0 || waiting.length > 0) return;
        for (const tell of idle) tell();
        idle = [];
      });
      schedule();
    });
  }

  /** Never rejects. */
  async function run(batch: readonly Asked<Item, Result>[]): Promise<void> {
    try {
      const results = await perform(batch.map(({ item }) => item));
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      if (batch.length === 1 || !isOnesFault(error)) for (const { reject } of batch) reject(error);
      else for (const alone of batch) await run([alone]);
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
      }),
    settled: () =>
      busy === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            idle.push(resolve);
          }),
  };
}
