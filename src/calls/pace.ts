/** Pace: how many users may be on their way. Reading waits here, so that memory stays flat whatever the input's size. */

import pLimit from "p-limit";

/** Users beside a full load who may be ready to be called for. */
const READY = 512;

/**
 * Users beside these whose calls may be over while their outcomes wait to be written: the next batch
 * is planned meanwhile, and its intents share their commit.
 */
const GATHERED = 512;

/** Places are shared where there would be more. */
const MOST_PLACES = 64;

/**
 * How many users share a place at a core that answers hundreds at once; their number divides
 * `concurrency`. With a place for each of 512, a fifteenth of an import's garbage was promises that
 * hand one on.
 */
export function sharing(concurrency: number): number {
  let share = Math.max(1, Math.floor(concurrency / MOST_PLACES));
  while (concurrency % share !== 0) share -= 1;
  return share;
}

/** How many users are on their way, and how many calls. */
export class Pace {
  /** Most users in flight, beside those whose place is lent. */
  readonly places: number;
  /** Most users who take one place together. */
  readonly share: number;
  readonly #limit: ReturnType<typeof pLimit>;
  #onTheWay = 0;
  #settling = 0;
  #lent = 0;
  /** Users in flight beside one for each place that is taken. */
  #others = 0;
  #waiting: { readonly isOver: () => boolean; readonly resolve: () => void }[] = [];

  /**
   * @param concurrency most users in flight at once
   * @param share users who take one place together, and leave it together, as {@link sharing} has it; 1 by default
   */
  constructor(concurrency: number, share = 1) {
    this.places = concurrency;
    this.share = share;
    this.#limit = pLimit(concurrency / share);
  }

  /** Runs `task`, all calls of one user or of some who share a place, as soon as there is a place. */
  run<T>(task: () => Promise<T>, users = 1): Promise<T> {
    if (users === 1) return this.#limit(task);
    return this.#limit(() => {
      this.#others += users - 1;
      return task().finally(() => {
        this.#others -= users - 1;
      });
    });
  }

  /** Counts `users` as on their way until `work` ends, whatever they wait for. */
  track(users: number, work: Promise<unknown>): void {
    this.#onTheWay += users;
    const done = (): void => this.leave(users);
    work.then(done, done);
  }

  /** Counts users as on their way until `leave` is called for each, or what was given to `settle` is over. */
  enter(users: number): void {
    this.#onTheWay += users;
  }

  leave(users = 1): void {
    this.#onTheWay -= users;
    this.#look();
  }

  /** Users' calls are over. They leave once the outcomes are `written`, which never rejects. */
  settle(written: Promise<void>, users: number): void {
    this.#settling += users;
    void written.then(() => {
      this.#settling -= users;
      this.leave(users);
    });
    this.#look();
  }

  /** Resolves when not more than a full load waits for its calls, or is called for, beside a load that is ready. */
  room(): Promise<void> {
    const most = this.places + READY;
    return this.#until(
      () => this.#onTheWay - this.#settling < most && this.#onTheWay < most + GATHERED,
    );
  }

  /** Resolves when no user is on their way. */
  idle(): Promise<void> {
    return this.#until(() => this.#onTheWay === 0);
  }

  /** While a user waits for what is no call, their place is another one's. */
  async lend(wait: Promise<void>): Promise<void> {
    this.#lend(1);
    await wait.finally(() => this.#lend(-1));
  }

  /** Calls, or chains of calls for one user, in flight now. */
  get inFlight(): number {
    return Math.min(this.places, this.#limit.activeCount + this.#others);
  }

  #lend(users: number): void {
    this.#lent += users;
    this.#limit.concurrency = Math.floor((this.places + this.#lent) / this.share);
  }

  async #until(isOver: () => boolean): Promise<void> {
    if (isOver()) return;
    await new Promise<void>((resolve) => this.#waiting.push({ isOver, resolve }));
  }

  #look(): void {
    if (!this.#waiting.some(({ isOver }) => isOver())) return;
    const ready = this.#waiting.filter(({ isOver }) => isOver());
    this.#waiting = this.#waiting.filter((one) => !ready.includes(one));
    for (const { resolve } of ready) resolve();
  }
}
