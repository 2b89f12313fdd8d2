/** Pace: how many users may be on their way. Reading waits here, so that memory stays flat whatever the input's size. */

import pLimit from "p-limit";

/** How many users are on their way, and how many calls. */
export interface Pace {
  /** Runs `task`, all calls of one user, as soon as there is room among the tasks in flight. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Counts `users` as on their way until `work` ends, whatever they wait for. */
  track(users: number, work: Promise<unknown>): void;
  /** Counts one user as on their way until `leave` is called for them. */
  enter(): void;
  leave(): void;
  /** Resolves when not more than a full load is on its way, beside the users whose outcomes are gathered. */
  room(): Promise<void>;
  /** Resolves when no user is on their way. */
  idle(): Promise<void>;
  /** While a user waits for what is no call, their place is another one's. */
  lend(wait: Promise<void>): Promise<void>;
  /** Most users in flight, beside those whose place is lent. */
  readonly places: number;
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
  let onTheWay = 0;
  let lent = 0;
  let waiters: { readonly below: number; readonly resolve: () => void }[] = [];

  const leave = (users: number): void => {
    onTheWay -= users;
    if (waiters.length === 0) return;
    const ready = waiters.filter(({ below }) => onTheWay < below);
    waiters = waiters.filter(({ below }) => onTheWay >= below);
    for (const { resolve } of ready) resolve();
  };
  const lend = (places: number): void => {
    lent += places;
    limit.concurrency = concurrency + lent;
  };
  const until = async (below: number): Promise<void> => {
    if (onTheWay >= below) await new Promise<void>((resolve) => waiters.push({ below, resolve }));
  };
  return {
    places: concurrency,
    run: (task) => limit(task),
    track(users, work) {
      onTheWay += users;
      const done = (): void => leave(users);
      work.then(done, done);
    },
    enter() {
      onTheWay += 1;
    },
    leave: () => leave(1),
    room: () => until(concurrency + GATHERED),
    idle: () => until(1),
    async lend(wait) {
      lend(1);
      await wait.finally(() => lend(-1));
    },
    get inFlight() {
      return Math.min(concurrency, limit.activeCount);
    },
  };
}
