import { describe, expect, it } from "vitest";
import { awayBetween, LIMITERS, simulatedCore } from "../run/support/simulated-core.js";
import type { Admission, Latency } from "../run/support/simulated-core.js";
import { failure, lost, notReached } from "../run/support/scripted-core.js";
import { send } from "../run/support/traffic.js";
import { type VirtualTime, virtualTime } from "../run/support/virtual-time.js";

const SEEDS = Array.from(
  { length: Number(process.env.AUTH_MIGRATE_PACE_SEEDS ?? 1) },
  (_, index) => index + 1,
);
const USERS = 9_000;

/** Between 20 and 30 ms, whatever the load. */
const steady = (time: VirtualTime) => (): number => 20 + 10 * time.random();

describe.each(SEEDS)("a core limited to 200 calls a second (seed %i)", (seed) => {
  const limiters: [string, () => Admission][] = [undefined, 1000].flatMap((wait) => {
    const how = wait === undefined ? "without Retry-After" : "with Retry-After";
    const made: [string, () => Admission][] = [
      [`in each second of the clock, ${how}`, () => LIMITERS.fixedWindow(200, wait)],
      [`in any second, ${how}`, () => LIMITERS.slidingWindow(200, wait)],
      [`by a small token bucket, ${how}`, () => LIMITERS.bucket(200, 20, wait)],
      [`by a large token bucket, ${how}`, () => LIMITERS.bucket(200, 200, wait)],
    ];
    return made;
  });

  it.each(limiters)(
    "%s: is used well after ten seconds and hardly refuses",
    async (_how, limiter) => {
      const time = virtualTime(seed);
      const traffic = await send(USERS, time, simulatedCore(time, steady(time), limiter()));
      expect(traffic.rate(10_000)).toBeGreaterThan(0.9 * 200);
      expect(traffic.failures).toBeLessThan(0.02);
      expect(traffic.failed).toBe(0);
    },
  );

  it.each([2, 200])("that answers in %i ms is used as well", async (latency) => {
    for (const wait of [undefined, 1000]) {
      const time = virtualTime(seed);
      const limiter = LIMITERS.slidingWindow(200, wait);
      const traffic = await send(
        USERS,
        time,
        simulatedCore(time, () => latency, limiter),
      );
      expect(traffic.rate(10_000)).toBeGreaterThan(0.9 * 200);
      expect(traffic.failures).toBeLessThan(0.02);
    }
  });

  it("one call after the other, is found out from below", async () => {
    const time = virtualTime(seed);
    const core = simulatedCore(time, steady(time), LIMITERS.bucket(200, 1));
    const traffic = await send(USERS, time, core);
    expect(traffic.rate(20_000)).toBeGreaterThan(0.9 * 200);
    expect(traffic.failures).toBeLessThan(0.02);
  });

  it("is used again once it allows more", async () => {
    const time = virtualTime(seed);
    const [slow, fast] = [LIMITERS.slidingWindow(200), LIMITERS.slidingWindow(1000)];
    const core = simulatedCore(time, steady(time), (now) => (now < 30_000 ? slow(now) : fast(now)));
    const traffic = await send(40_000, time, core);
    expect(traffic.rate(10_000, 30_000)).toBeLessThan(201);
    expect(traffic.rate(60_000)).toBeGreaterThan(500);
  });

  it("is spared once it allows less", async () => {
    const time = virtualTime(seed);
    const [fast, slow] = [LIMITERS.slidingWindow(1000), LIMITERS.slidingWindow(100)];
    const core = simulatedCore(time, steady(time), (now) => (now < 20_000 ? fast(now) : slow(now)));
    const traffic = await send(26_000, time, core);
    expect(traffic.rate(60_000)).toBeGreaterThan(85);
    const late = core.log.filter(({ at }) => at > 60_000);
    expect(late.filter((call) => call.failed).length / late.length).toBeLessThan(0.03);
  });
});

describe("a core that refuses now and then, whatever the rate", () => {
  const everyTenth = (wait?: number): Admission => {
    let calls = 0;
    return () => {
      calls += 1;
      if (calls % 10 !== 0) return null;
      return failure("busy", wait === undefined ? {} : { retryAfterMs: wait });
    };
  };

  it("isn't taken for one that limits it", async () => {
    const time = virtualTime();
    const traffic = await send(10_000, time, simulatedCore(time, steady(time), everyTenth()));
    expect(traffic.failed).toBe(0);
    expect(traffic.end).toBeLessThan(60_000);
  });

  it("and asks for a second each time, is given that and gets its calls in good time", async () => {
    const time = virtualTime();
    const traffic = await send(10_000, time, simulatedCore(time, steady(time), everyTenth(1000)));
    expect(traffic.failed).toBe(0);
    // 64 calls a second is what waiting leaves at the very best.
    expect(traffic.end).toBeLessThan(2 * (10_000 / 64) * 1000);
  });
});

describe("a core whose latency grows with its load", () => {
  /** Serves `workers` calls at once in `ms` each; beyond that they get in each other's way. */
  const crowded =
    (ms: number, workers: number, power: number) =>
    (time: VirtualTime): Latency =>
    (inFlight) =>
      ms * Math.max(1, inFlight / workers) ** power * (0.8 + 0.4 * time.random());

  it.each([
    ["that only queues", crowded(20, 8, 1), 400, 0.95],
    ["that suffers", crowded(20, 8, 1.5), 400, 0.6],
    ["that breaks down", crowded(20, 8, 2), 400, 0.45],
    ["that is quick and suffers", crowded(5, 4, 1.5), 800, 0.5],
    ["that is slow and suffers", crowded(100, 16, 1.5), 160, 0.6],
  ])("%s isn't driven into collapse", async (_what, latency, capacity, share) => {
    const time = virtualTime();
    const core = simulatedCore(time, latency(time));
    const traffic = await send(8000, time, core);
    expect(traffic.rate(5000)).toBeGreaterThan(share * capacity);
    // All 64 at once would bring it down to this.
    const collapsed = 64 / (latency(time)(64) / 1000);
    expect(traffic.rate(5000)).toBeGreaterThan(0.95 * collapsed);
  });

  it("gets all that it can take where it can take all", async () => {
    const time = virtualTime();
    const core = simulatedCore(time, () => 20);
    const traffic = await send(20_000, time, core);
    expect(core.mostInFlight).toBe(64);
    expect(traffic.rate(1000)).toBeGreaterThan(0.99 * (64 / 0.02));
  });

  it("gets more again when its way has become longer for good", async () => {
    const time = virtualTime();
    const core = simulatedCore(time, () => (time.now() < 5000 ? 20 : 300));
    const traffic = await send(22_000, time, core);
    expect(traffic.rate(15_000)).toBeGreaterThan(0.8 * (64 / 0.3));
  });
});

describe("a storm of 503", () => {
  const storm: Admission = (now) => (now >= 5000 && now < 65_000 ? failure("busy") : null);

  it("fails nobody, is met with few calls, and is over soon after it is over", async () => {
    const time = virtualTime();
    const core = simulatedCore(time, () => 200, storm);
    const traffic = await send(10_000, time, core);
    expect(traffic.failed).toBe(0);
    const inStorm = core.log.filter(({ at }) => at >= 6000 && at < 65_000);
    expect(inStorm.length).toBeLessThan(60);
    expect(traffic.rate(80_000, 90_000)).toBeGreaterThan(0.9 * traffic.rate(1000, 5000));
    expect(traffic.pauses.some(({ reason }) => reason === "busy")).toBe(true);
  });

  it("that outlasts the outage budget ends the run", async () => {
    const time = virtualTime();
    const core = simulatedCore(time, steady(time), storm);
    const sent = send(40_000, time, core, { outageBudgetMs: 30_000 });
    await expect(sent).rejects.toMatchObject({ code: "outage" });
    expect(time.now()).toBeGreaterThanOrEqual(34_000);
    expect(time.now()).toBeLessThan(50_000);
  });
});

describe("an outage in the middle", () => {
  const FROM = 3000;
  const UNTIL = FROM + 240_000;

  it.each([
    ["refuses connections", notReached],
    ["breaks them", lost],
  ])("of four minutes, in which the core %s, is waited out", async (_how, how) => {
    const time = virtualTime();
    const admission = awayBetween(FROM, UNTIL, how);
    const core = simulatedCore(time, steady(time), admission);
    const traffic = await send(20_000, time, core, {
      probe: async () => {
        const away = admission(time.now());
        if (away !== null) throw away;
      },
    });
    expect(traffic.failed).toBe(0);
    // Only what was under way, and not what waits.
    const inOutage = core.log.filter(({ at }) => at >= FROM && at < UNTIL);
    expect(inOutage.length).toBeLessThan(2 * 64);
    expect(traffic.end - UNTIL).toBeLessThan(60_000);
    expect(traffic.pauses.every(({ reason }) => reason === "outage")).toBe(true);
    const waited = traffic.pauses.reduce((sum, { waitMs }) => sum + waitMs, 0);
    expect(waited).toBeGreaterThan(230_000);
    expect(traffic.tally.pausedMs).toBeGreaterThanOrEqual(waited);
  });

  it("longer than the operator waits ends the run in time", async () => {
    const time = virtualTime();
    const core = simulatedCore(time, steady(time), awayBetween(FROM, Number.POSITIVE_INFINITY));
    const probe = async (): Promise<void> => {
      throw notReached();
    };
    const sent = send(20_000, time, core, { probe, outageBudgetMs: 120_000 });
    await expect(sent).rejects.toMatchObject({ code: "outage" });
    expect(time.now()).toBeCloseTo(FROM + 120_000, -3);
  });
});

describe("a Retry-After", () => {
  it("is kept by all, to the millisecond, and by whoever comes later", async () => {
    const time = virtualTime();
    let asked = Number.POSITIVE_INFINITY;
    const core = simulatedCore(time, steady(time), (now) => {
      if (now < 2000 || asked < now) return null;
      asked = now;
      return failure("busy", { retryAfterMs: 45_000 });
    });
    const traffic = await send(20_000, time, core);
    const told = Math.min(...traffic.pauses.map(({ at }) => at));
    const during = core.log.filter(({ at }) => at > told && at < told + 45_000);
    expect(during).toEqual([]);
    expect(core.log.some(({ at }) => at >= told + 45_000)).toBe(true);
    expect(traffic.failed).toBe(0);
  });
});

describe("a rate that the operator gives", () => {
  it.each([
    [500, 5000],
    [50, 500],
    [0.5, 20],
  ])("of %d a second is kept, smoothly", async (rate, users) => {
    const time = virtualTime();
    const core = simulatedCore(time, steady(time));
    const traffic = await send(users, time, core, { rate });
    expect(traffic.end / 1000).toBeGreaterThan((users - 3) / rate);
    expect(traffic.end / 1000).toBeLessThan((users / rate) * 1.05 + 0.1);
    const times = core.log.map(({ at }) => at);
    // Never more than a small burst above what the rate allows for any stretch of time.
    for (const calls of [2, 10, users / 4]) {
      const count = Math.floor(calls);
      const shortest = Math.min(...times.slice(count).map((at, index) => at - (times[index] ?? 0)));
      expect(shortest).toBeGreaterThanOrEqual(((count - 1 - rate * 0.004) / rate) * 1000 - 1);
    }
  });

  it("is kept with a core in this process, too", async () => {
    const time = virtualTime();
    const core = simulatedCore(time, () => 1);
    const traffic = await send(1000, time, core, { rate: 100, most: null });
    expect(traffic.end).toBeGreaterThan(9900);
  });
});
