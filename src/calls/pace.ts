/** Pace: how many users may be on their way. Reading waits here, so that memory stays flat whatever the input's size. */

import pLimit from "p-limit";

/** How many users are on their way, and how many calls. */
export interface Pace {
  /** Runs `task`, all calls of one user, as soon as there is room among the tasks in flight. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Counts `users` as on their way until `work` ends, whatever they wait for. */
  track(users: number, work: Promise<unknown>): void;
  /** Counts one user as on their way until `leave` is called for them, or what was given to `settle` is over. */
  enter(): void;
  leave(): void;
  /** The calls of one user who has entered are over; the user leaves once the outcome is `written`, which never rejects. */
  settle(written: Promise<void>): void;
  /** Resolves when not more than a full load waits for its calls, or is called for, beside a load that is ready. */
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

/** Users beside a full load who may be ready to be called for. */
const READY = 512;

/**
 * Users beside these whose calls may be over while their outcomes wait to be written: the next batch
 * is planned meanwhile, and its intents share their commit.
 */
const GATHERED = 512;

/** @param concurrency most tasks in flight at once */
export function createPace(concurrency: number): Pace {
  const limit = pLimit(concurrency);
  const most = concurrency + READY;
  let onTheWay = 0;
  let settling = 0;
  /** Those whose outcomes one commit writes. */
  let together: { readonly written: Promise<void>; users: number } | null = null;
  let lent = 0;
  const { until, look } = createWaiting();
  const leave = (users: number): void => {
    onTheWay -= users;
    look();
  };
  const lend = (places: number): void => {
    lent += places;
    limit.concurrency = concurrency + lent;
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
    settle(written) {
      settling += 1;
      if (together?.written === written) together.users += 1;
      else {
        const group = { written, users: 1 };
        together = group;
        void written.then(() => {
          if (together === group) together = null;
          settling -= group.users;
          leave(group.users);
        });
      }
      look();
    },
    room: () => until(() => onTheWay - settling < most && onTheWay < most + GATHERED),
    idle: () => until(() => onTheWay === 0),
    async lend(wait) {
      lend(1);
      await wait.finally(() => lend(-1));
    },
    get inFlight() {
      return Math.min(concurrency, limit.activeCount);
    },
  };
}

/** `until` waits for what `look` looks at. */
function createWaiting() {
  let waiting: { readonly isOver: () => boolean; readonly resolve: () => void }[] = [];
  return {
    until: async (isOver: () => boolean): Promise<void> => {
      if (!isOver()) await new Promise<void>((resolve) => waiting.push({ isOver, resolve }));
    },
    look: (): void => {
      if (!waiting.some(({ isOver }) => isOver())) return;
      const ready = waiting.filter(({ isOver }) => isOver());
      waiting = waiting.filter((one) => !ready.includes(one));
      for (const { resolve } of ready) resolve();
    },
  };
}
