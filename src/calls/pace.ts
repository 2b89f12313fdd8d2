/** Pace: how many calls may be in flight. The one place that knows p-limit; reading waits here, so that memory stays flat whatever the input's size. */

import pLimit from "p-limit";

export interface Pace {
  /** Runs `task` as soon as there is room among the calls in flight. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Does the same with nobody waiting for it, which spares a promise or two a task.
   *
   * @param task must not reject
   */
  start(task: () => Promise<void>): void;
  /** Counts `users` as on their way until `work` ends, whatever they wait for. */
  track(users: number, work: Promise<unknown>): void;
  /** Counts one user as on their way until `leave` is called for them. */
  enter(): void;
  leave(): void;
  /** Resolves when not more than a full load is on its way, beside those whose outcomes are gathered. */
  room(): Promise<void>;
  /** Resolves when nobody is on their way. */
  idle(): Promise<void>;
  /** Calls, or chains of calls for one user, in flight now. */
  readonly inFlight: number;
}

/**
 * Users beside a full load who may be on their way: their calls are over, and their outcomes wait to
 * be written with others. With fewer, small loads would wait for a commit a handful of users.
 */
const GATHERED = 512;

/** @param concurrency most tasks in flight at once */
export function createPace(concurrency: number): Pace {
  const limit = pLimit(concurrency);
  // Whoever is on their way takes the next task along: five promises fewer for each.
  const queue = createQueue<() => Promise<void>>();
  let workers = 0;
  let onTheirWay = 0;
  let waiters: { readonly below: number; readonly resolve: () => void }[] = [];

  const release = (users: number): void => {
    onTheirWay -= users;
    if (waiters.length === 0) return;
    const ready = waiters.filter(({ below }) => onTheirWay < below);
    waiters = waiters.filter(({ below }) => onTheirWay >= below);
    for (const { resolve } of ready) resolve();
  };
  const until = (below: number): Promise<void> =>
    onTheirWay < below
      ? Promise.resolve()
      : new Promise((resolve) => {
          waiters.push({ below, resolve });
        });

  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next();
    workers -= 1;
  };

  const start = (task: () => Promise<void>): void => {
    queue.push(task);
    if (workers === concurrency) return;
    workers += 1;
    limit(work);
  };

  return {
    run: <T>(task: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => start(() => task().then(resolve, reject))),
    start,
    track(users, work) {
      onTheirWay += users;
      const done = (): void => release(users);
      work.then(done, done);
    },
    enter() {
      onTheirWay += 1;
    },
    leave: () => release(1),
    room: () => until(concurrency + GATHERED),
    idle: () => until(1),
    get inFlight() {
      return limit.activeCount;
    },
  };
}

/** First in, first out; an array alone would be moved with every task that leaves it. */
function createQueue<T>(): { push(item: T): void; shift(): T | undefined } {
  let coming: T[] = [];
  let leaving: T[] = [];
  return {
    push: (item) => void coming.push(item),
    shift() {
      if (leaving.length === 0) {
        leaving = coming.reverse();
        coming = [];
      }
      return leaving.pop();
    },
  };
}
