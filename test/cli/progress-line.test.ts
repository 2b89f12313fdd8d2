import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detailText, followRun, pauseText, plainLine } from "../../src/cli/progress-line.js";
import type { ProgressEvent } from "../../src/events/events.js";
import { columnsOf } from "../../src/report/layout.js";

const EVENT: ProgressEvent = {
  type: "progress",
  phase: "run",
  read: 12_500,
  done: 12_000,
  queued: 0,
  queuedBefore: 0,
  written: 0,
  rejected: 0,
  failed: 0,
  retries: 0,
  pauses: 0,
  pausedMs: 0,
  mapped: 0,
  inFlight: 64,
  callsInFlight: 12,
  callLimit: 16,
  total: 48_000,
  bytes: 1_200_000,
  totalBytes: 4_800_000,
  elapsedMs: 20_000,
};

/** As a phase begins that goes on with nothing. */
const BEGUN = { read: 0, done: 0, queued: 0, bytes: 0, elapsedMs: 0 };

function standing(event: Partial<ProgressEvent> = {}) {
  const follow = followRun();
  follow({ ...EVENT, ...event, ...BEGUN });
  return follow({ ...EVENT, ...event });
}

describe("a line of progress", () => {
  it("has everything where there is room", () => {
    const trouble = { rejected: 1200, failed: 3, retries: 41, mapped: 7 };
    expect(detailText(standing(trouble), 160)).toBe(
      "12,000 of 48,000 users  600/s  ETA 1m  12 of 16 calls in flight  1,200 rejected  3 failed  41 retries  7 ids mapped",
    );
  });

  it.each([
    [64, "12,000 of 48,000 users  600/s  ETA 1m  12 of 16 calls in flight"],
    [40, "12,000 of 48,000 users  600/s  ETA 1m"],
    [34, "12,000 of 48,000 users  ETA 1m"],
    [23, "12,000 of 48,000 users"],
    [20, "12,000 of 48,000 us…"],
  ])("of %i columns keeps what matters most", (columns, line) => {
    expect(detailText(standing(), columns)).toBe(line);
  });

  it("keeps failures and rejects longer than the pace", () => {
    expect(detailText(standing({ rejected: 9, failed: 2 }), 55)).toBe(
      "12,000 of 48,000 users  ETA 1m  9 rejected  2 failed",
    );
  });

  it("never is wider than the screen, whatever has happened", () => {
    const amount = fc.nat(2 ** 31);
    const event = fc.record({
      ...{ phase: fc.constantFrom("census", "run") },
      ...{
        read: amount,
        done: amount,
        queued: amount,
        written: amount,
        rejected: amount,
        failed: amount,
        retries: amount,
      },
      ...{ callsInFlight: amount, callLimit: fc.option(amount), total: fc.option(amount) },
      ...{ bytes: amount, totalBytes: fc.option(amount), elapsedMs: amount, mapped: amount },
    });
    fc.assert(
      fc.property(event, fc.integer({ min: 13, max: 300 }), (given, columns) => {
        expect(columnsOf(detailText(standing(given), columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it("measures a dry run by the bytes that were read, and leaves out what nobody knows", () => {
    expect(plainLine(standing({ total: null, callLimit: null }), null)).toBe(
      "25%  12,000 users  600/s  ETA 1m",
    );
    expect(plainLine(standing({ total: null, totalBytes: null, callLimit: null }), null)).toBe(
      "12,000 users  600/s",
    );
  });

  it.each([
    [48_000, "12,000 of 48,000 users sent  600/s  10,000 in the core's queue"],
    [null, "12,000 users sent  600/s  10,000 in the core's queue"],
  ])(
    "says of %s rows who was sent while the core's queue is given users, and no part of a whole that is then still to be written",
    (total, line) => {
      const event = { done: 2000, queued: 10_000, total, totalBytes: null, callLimit: null };
      expect(plainLine(standing(event), null)).toBe(line);
    },
  );

  it("says of users whom an earlier run has sent where they are, and not that they are sent", () => {
    const event = { done: 2000, queued: 10_000, queuedBefore: 10_000, callLimit: null };
    const line = (more: Partial<ProgressEvent> = {}) =>
      plainLine(standing({ ...event, ...more }), null);
    expect([line(), line({ queuedBefore: 4000 })]).toEqual([
      "12,000 of 48,000 users  600/s  10,000 in the core's queue since an earlier run",
      "12,000 of 48,000 users  600/s  6,000 in the core's queue  4,000 in the core's queue since an earlier run",
    ]);
  });

  it("says apart of them whom the queue has written, as far as it was asked", () => {
    const event = { done: 2000, queued: 10_000, written: 4000, callLimit: null };
    expect(plainLine(standing(event), null)).toBe(
      "12,000 of 48,000 users sent  600/s  6,000 in the core's queue  4,000 written",
    );
    const readBack = { ...event, done: 38_000, written: 10_000 };
    expect(plainLine(standing(readBack), null)).toMatch(/ 10,000 to read back$/);
  });

  it("is whole only where all users are read back, and has the pace and the end of that alone", () => {
    const follow = followRun();
    const lineAt = (second: number, done: number, queued = 48_000 - done): string => {
      const event = { ...EVENT, done, queued, callLimit: null, elapsedMs: second * 1000 };
      return plainLine(follow(event), null);
    };
    follow({ ...EVENT, ...BEGUN });
    expect([
      lineAt(10, 5, 20_000),
      lineAt(20, 5, 40_000),
      lineAt(25, 5),
      lineAt(90, 12_000),
      lineAt(91, 13_000),
      lineAt(92, 48_000),
    ]).toEqual([
      "20,005 of 48,000 users sent  2,001/s  20,000 in the core's queue",
      "40,005 of 48,000 users sent  2,000/s  40,000 in the core's queue",
      " 0%  5 of 48,000 users  47,995 to read back",
      "25%  12,000 of 48,000 users  185/s  ETA 3m16s  36,000 to read back",
      "27%  13,000 of 48,000 users  197/s  ETA 2m58s  35,000 to read back",
      "100%  48,000 of 48,000 users  716/s",
    ]);
  });

  it("says what is read before the first user is sent", () => {
    expect(plainLine(standing({ phase: "census", callLimit: null }), null)).toMatch(
      /^25% {2}12,500 rows looked at /,
    );
  });
});

describe("the pace of a run", () => {
  it("is that of its phase, and of the last half minute", () => {
    const follow = followRun();
    follow({ ...EVENT, phase: "census", read: 48_000, elapsedMs: 10_000 });
    expect(follow({ ...EVENT, done: 1000, elapsedMs: 11_000 }).perSecond).toBeNull();
    expect(follow({ ...EVENT, done: 2000, elapsedMs: 12_000 }).perSecond).toBe(1000);
    for (let second = 13; second <= 100; second += 1) {
      follow({ ...EVENT, done: 2000 + (second - 12) * 100, elapsedMs: second * 1000 });
    }
    expect(follow({ ...EVENT, done: 10_900, elapsedMs: 101_000 }).perSecond).toBe(100);
  });

  it("is its own where it goes on with an earlier one, and the part is that of both", () => {
    const follow = followRun();
    const before = { ...EVENT, callLimit: null, done: 24_000 };
    const lineAt = (second: number, done: number): string =>
      plainLine(follow({ ...before, done, elapsedMs: second * 1000 }), null);
    expect(lineAt(20, 24_000)).toBe("50%  24,000 of 48,000 users");
    expect(lineAt(24, 24_400)).toBe("50%  24,400 of 48,000 users  100/s");
    expect(lineAt(30, 25_000)).toBe("52%  25,000 of 48,000 users  100/s  ETA 3m50s");
    const slow = followRun();
    slow({ ...before, elapsedMs: 1000 });
    expect(slow({ ...before, done: 24_200, elapsedMs: 7000 }).leftMs).toBeNull();
  });

  it("estimates no end from its first seconds", () => {
    const follow = followRun();
    follow({ ...EVENT, ...BEGUN });
    expect(follow({ ...EVENT, done: 1, elapsedMs: 1000 }).leftMs).toBeNull();
    expect(follow({ ...EVENT, done: 800, elapsedMs: 4900 }).leftMs).toBeNull();
    expect(follow({ ...EVENT, done: 93, elapsedMs: 5000 }).leftMs).toBeNull();
    expect(standing({ done: 1000, elapsedMs: 5000 }).leftMs).toBeCloseTo(235_000);
  });

  it("estimates an end by the later half of its time, since a core is cold at first", () => {
    const follow = followRun();
    follow({ ...EVENT, ...BEGUN });
    for (let second = 1; second <= 5; second += 1) {
      follow({ ...EVENT, done: second * 10, elapsedMs: second * 1000 });
    }
    for (let second = 6; second < 10; second += 1) {
      follow({ ...EVENT, done: 50 + (second - 5) * 1000, elapsedMs: second * 1000 });
    }
    expect(follow({ ...EVENT, done: 5050, elapsedMs: 10_000 }).leftMs).toBeCloseTo(42_950);
  });

  it("leaves the end open while nothing moves", () => {
    const follow = followRun();
    for (let second = 1; second <= 40; second += 1) follow({ ...EVENT, elapsedMs: second * 1000 });
    expect(follow({ ...EVENT, elapsedMs: 41_000 }).leftMs).toBeNull();
  });
});

it("says of a pause how long it is and why, and prints nothing raw", () => {
  const event = { type: "pause", waitMs: 30_000, message: "HTTP 429 \u001b[2J" } as const;
  expect(pauseText({ ...event, reason: "retry_after" })).toBe(
    "Pausing 30s, as the core asks: HTTP 429 \\u{1b}[2J",
  );
});
