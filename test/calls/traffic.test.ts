import { describe, expect, it } from "vitest";
import { awayBetween, LIMITERS, simulatedCore } from "../run/support/simulated-core.js";
import type { Admission, Latency } from "../run/support/simulated-core.js";
import { failure, lost, notReached } from "../run/support/scripted-core.js";
import { send, sendPlainly } from "../run/support/traffic.js";
import { type VirtualTime, virtualTime } from "../run/support/virtual-time.js";

const SEEDS = Array.from(
  { length: Number(process.env.AUTH_MIGRATE_PACE_SEEDS ?? 1) },
  (_, index) => index + 1,
);
const USERS = 9_000;

/** Between 20 and 30 ms, whatever the load. */
const steady = (time: VirtualTime) => (): number => 20 + 10 * time.random();

/** The same after three seconds in which both sides warm up. */
const coldStart = (time: VirtualTime) => (): number =>
  20 + 10 * time.random() + Math.max(0, 500 * (1 - time.now() / 3000));

const LIMITS = SEEDS.flatMap((seed) => [50, 100, 500].map((limit) => ({ limit, seed })));

describe.each(LIMITS)("a core limited to $limit calls a second (seed $seed)", ({ limit, seed }) => {
  it.each<[string, () => Admission]>([
    ["in each second of the clock", () => LIMITERS.fixedWindow(limit, 1000)],
    ["by a small token bucket", () => LIMITERS.bucket(limit, limit / 10, 1000)],
    ["by a large token bucket", () => LIMITERS.bucket(limit, limit, 1000)],
  ])(
    "%s, is used well after ten seconds, hardly refuses, and costs little time",
    async (_how, limiter) => {
      const time = virtualTime(seed);
      const traffic = await send(40 * limit, time, simulatedCore(time, steady(time), limiter()));
      expect(traffic.rate(10_000)).toBeGreaterThan(0.92 * limit);
      expect(traffic.failures(10_000)).toBeLessThan(0.03);
      expect(traffic.end).toBeLessThan(1.15 * 40_000);
      expect(traffic.failed).toBe(0);
    },
  );
});

describe.each(SEEDS)("a core limited to 200 calls a second (seed %i)", (seed) => {
  it.each<[string, () => Admission]>([
    ["in each second of the clock", () => LIMITERS.fixedWindow(200)],
    ["in any second", () => LIMITERS.slidingWindow(200)],
    ["by a small token bucket", () => LIMITERS.bucket(200, 20)],
    ["by a large token bucket", () => LIMITERS.bucket(200, 200)],
  ])("%s, that doesn't say how long to wait, is used as well", async (_how, limiter) => {
    const time = virtualTime(seed);
    const traffic = await send(USERS, time, simulatedCore(time, steady(time), limiter()));
    expect(traffic.rate(10_000)).toBeGreaterThan(0.92 * 200);
    expect(traffic.failures(10_000)).toBeLessThan(0.03);
    expect(traffic.failed).toBe(0);
  });

  it.each([2, 200])("that answers in %i ms is used as well", async (latency) => {
    for (const wait of [undefined, 1000]) {
      const time = virtualTime(seed);
      const core = simulatedCore(time, () => latency, LIMITERS.slidingWindow(200, wait));
      const traffic = await send(USERS, time, core);
      expect(traffic.rate(10_000)).toBeGreaterThan(0.9 * 200);
      expect(traffic.failures(10_000)).toBeLessThan(0.03);
    }
  });

  it("one call after the other, is found out from below", async () => {
    const time = virtualTime(seed);
    const core = simulatedCore(time, steady(time), LIMITERS.bucket(200, 1));
    const traffic = await send(USERS, time, core);
    expect(traffic.rate(20_000)).toBeGreaterThan(0.85 * 200);
    expect(traffic.failures(20_000)).toBeLessThan(0.03);
  });

  it("is used again once it allows more", async () => {
    const time = virtualTime(seed);
    const [slow, fast] = [LIMITERS.slidingWindow(200), LIMITERS.slidingWindow(1000)];
    const core = simulatedCore(time, steady(time), (now, there) =>
      (now < 30_000 ? slow : fast)(now, there),
    );
    const traffic = await send(40_000, time, core);
    expect(traffic.rate(10_000, 30_000)).toBeLessThan(201);
    expect(traffic.rate(60_000)).toBeGreaterThan(500);
  });

  it("is spared once it allows less", async () => {
    const time = virtualTime(seed);
    const [fast, slow] = [LIMITERS.slidingWindow(1000), LIMITERS.slidingWindow(100)];
    const core = simulatedCore(time, steady(time), (now, there) =>
      (now < 20_000 ? fast : slow)(now, there),
    );
    const traffic = await send(26_000, time, core);
    expect(traffic.rate(60_000)).toBeGreaterThan(85);
    expect(traffic.failures(60_000)).toBeLessThan(0.03);
  });
});

describe("a core that refuses a share of the calls, whatever the rate", () => {
  const everyNth = (nth: number, wait?: number): Admission => {
    let calls = 0;
    return () => {
      calls += 1;
      if (calls % nth !== 0) return null;
      return failure("busy", wait === undefined ? {} : { retryAfterMs: wait });
    };
  };

  it.each([
    [10, 0.5, steady],
    [3, 0.4, steady],
    [10, 0.8, coldStart],
  ])(
    "and asks for a second, one call in %i, takes at most %f times a plain client's time",
    async (nth, most, latency) => {
      const plain = virtualTime();
      const core = simulatedCore(plain, latency(plain), everyNth(nth, 1000));
      const best = await sendPlainly(10_000, plain, core);
      const time = virtualTime();
      const ours = simulatedCore(time, latency(time), everyNth(nth, 1000));
      const traffic = await send(10_000, time, ours);
      expect(traffic.end).toBeLessThan(most * best);
      expect(traffic.failed).toBe(0);
      expect(ours.mostInFlight).toBeLessThanOrEqual(64);
      // As often as it is asked, and no more often.
      const refused = traffic.failures(0);
      expect(refused).toBeLessThan(1.01 / nth);
    },
  );

  it("and doesn't say how long to wait isn't taken for one that limits it", async () => {
    const time = virtualTime();
    const traffic = await send(10_000, time, simulatedCore(time, steady(time), everyNth(10)));
    expect(traffic.failed).toBe(0);
    expect(traffic.end).toBeLessThan(30_000);
  });
});

describe("a core that fails (500) at every seventh call above eight at once", () => {
  const crowded = (): Admission => {
    let calls = 0;
    return (_now, inFlight) => {
      if (inFlight <= 8) return null;
      calls += 1;
      return calls % 7 === 0 ? failure("broken") : null;
    };
  };

  it("fails nobody, and takes at most one and a half times what eight at once would", async () => {
    const best = virtualTime();
    const ideal = await sendPlainly(20_000, best, simulatedCore(best, steady(best), crowded()), 8);
    const time = virtualTime();
    const traffic = await send(20_000, time, simulatedCore(time, steady(time), crowded()));
    expect(traffic.failed).toBe(0);
    expect(traffic.end).toBeLessThan(1.5 * ideal);
    expect(traffic.failures(10_000)).toBeLessThan(0.03);
  });
});

describe("a core that takes half a minute for one call in four hundred", () => {
  it("takes a plain client's time for twenty thousand calls, and at most 1.5 times the ideal", async () => {
    const slow = (): Latency => {
      let calls = 0;
      return () => {
        calls += 1;
        return calls % 400 === 0 ? 29_000 : 20;
      };
    };
    const plain = virtualTime();
    const best = await sendPlainly(20_000, plain, simulatedCore(plain, slow()));
    const time = virtualTime();
    const traffic = await send(20_000, time, simulatedCore(time, slow()));
    expect(traffic.failed).toBe(0);
    expect(traffic.end).toBeLessThan(1.1 * best);
    // All 64 always busy, which no order of the calls brings about.
    const ideal = (50 * 29_000 + 19_950 * 20) / 64;
    expect(traffic.end).toBeLessThan(1.5 * ideal);
  });
});

describe("a core that loses one call in fifty, at any load", () => {
  it("takes at most one and a half times the ideal", async () => {
    const time = virtualTime();
    const losing: Admission = () => (time.random() < 0.02 ? lost() : null);
    const traffic = await send(10_000, time, simulatedCore(time, steady(time), losing));
    expect(traffic.failed).toBe(0);
    expect(traffic.end).toBeLessThan((1.5 * 10_000 * 25) / 64);
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

/** Asks the core itself, which turns that away as it does any call. */
const asking = (time: VirtualTime, admission: Admission) => async (): Promise<void> => {
  const refusal = admission(time.now(), 0);
  if (refusal !== null) throw refusal;
};

describe("a storm of 503", () => {
  const storm: Admission = (now) => (now >= 5000 && now < 65_000 ? failure("busy") : null);

  it("fails nobody, is met with few calls, and is over soon after it is over", async () => {
    const time = virtualTime();
    const core = simulatedCore(time, () => 200, storm);
    const traffic = await send(10_000, time, core, { probe: asking(time, storm) });
    expect(traffic.failed).toBe(0);
    const inStorm = core.log.filter(({ at }) => at >= 6000 && at < 65_000);
    expect(inStorm.length).toBeLessThan(60);
    expect(traffic.rate(80_000, 90_000)).toBeGreaterThan(0.9 * traffic.rate(1000, 5000));
    expect(traffic.pauses.some(({ reason }) => reason === "busy")).toBe(true);
  });

  it("that outlasts what a run waits ends it", async () => {
    const time = virtualTime();
    const forever: Admission = (now) => (now >= 5000 ? failure("busy") : null);
    const core = simulatedCore(time, steady(time), forever);
    const sent = send(40_000, time, core, { probe: asking(time, forever) });
    await expect(sent).rejects.toMatchObject({ code: "outage" });
    expect(time.now()).toBeGreaterThanOrEqual(604_000);
    expect(time.now()).toBeLessThan(620_000);
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
    const traffic = await send(20_000, time, core, { probe: asking(time, admission) });
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

  it("longer than a run waits ends it in time", async () => {
    const time = virtualTime();
    const core = simulatedCore(time, steady(time), awayBetween(FROM, Number.POSITIVE_INFINITY));
    const probe = async (): Promise<void> => {
      throw notReached();
    };
    const sent = send(20_000, time, core, { probe });
    await expect(sent).rejects.toMatchObject({ code: "outage" });
    expect(time.now()).toBeCloseTo(FROM + 600_000, -3);
  });
});

describe("a Retry-After", () => {
  it("is kept by the call that got it, to the millisecond, and holds no other", async () => {
    const time = virtualTime();
    let asked = Number.POSITIVE_INFINITY;
    const core = simulatedCore(time, steady(time), (now) => {
      if (now < 2000 || asked < now) return null;
      asked = now;
      return failure("busy", { retryAfterMs: 45_000 });
    });
    const traffic = await send(20_000, time, core);
    expect(core.log.at(-1)?.at).toBeGreaterThanOrEqual(asked + 45_000);
    expect(traffic.rate(2000, 8000)).toBeGreaterThan(0.95 * (64 / 0.025));
    expect(traffic.failed).toBe(0);
  });
});

describe("a rate that the operator gives", () => {
  it.each([
    [500, 5000],
    [40, 400],
    [20, 200],
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
      expect(shortest).toBeGreaterThanOrEqual(((count - 1 - rate * 0.02) / rate) * 1000 - 1);
    }
  });

  it("is kept with a core in this process, too", async () => {
    const time = virtualTime();
    const core = simulatedCore(time, () => 1);
    const traffic = await send(1000, time, core, { rate: 100, most: null });
    expect(traffic.end).toBeGreaterThan(9900);
  });
});
