import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Gate, type GateOptions } from "../../src/calls/gate.js";
import { type VirtualTime, virtualTime } from "../run/support/virtual-time.js";
import { repeated } from "../support/repeated.js";

const RUNS = repeated({ variable: "AUTH_MIGRATE_PACE_RUNS", few: 100, full: 300 });

type End = "answered" | "lost" | "busy";

/** A call of a user: when it is there, how long it takes, how it ends. */
interface Planned {
  readonly at: number;
  readonly takes: number;
  readonly end: End;
}

interface Traffic extends Pick<GateOptions, "most" | "rate"> {
  readonly calls: readonly Planned[];
  /** Outages, from and for how long. */
  readonly holds: readonly { readonly at: number; readonly takes: number }[];
  readonly abortAt: number | null;
}

/** What was let in when, and what may not have been. */
interface Seen {
  readonly began: number[];
  /** Spans in which nobody may begin. */
  readonly shut: { readonly from: number; until: number }[];
  mostInFlight: number;
  refused: number;
  refusedAt: number[];
}

async function play(
  { most, rate, calls, holds, abortAt }: Traffic,
  time: VirtualTime,
): Promise<{ gate: Gate; seen: Seen }> {
  const stop = new AbortController();
  const gate = new Gate({ timing: time, signal: stop.signal, most, rate });
  const seen: Seen = { began: [], shut: [], mostInFlight: 0, refused: 0, refusedAt: [] };
  let inFlight = 0;

  const call = async ({ at, takes, end }: Planned): Promise<void> => {
    await time.sleep(at);
    let began: number;
    try {
      began = await gate.enter("import");
    } catch (error) {
      expect(error).toBe(stop.signal.reason);
      seen.refused += 1;
      seen.refusedAt.push(time.now());
      return;
    }
    expect(began).toBeLessThanOrEqual(time.now());
    seen.began.push(began);
    inFlight += 1;
    seen.mostInFlight = Math.max(seen.mostInFlight, inFlight);
    await time.sleep(takes);
    inFlight -= 1;
    if (end === "answered") gate.answered("import", began);
    else if (end === "lost") gate.lost(began);
    else gate.turnedAway(began);
  };
  const hold = async ({ at, takes }: { at: number; takes: number }): Promise<void> => {
    await time.sleep(at);
    const span = { from: time.now(), until: Number.POSITIVE_INFINITY };
    seen.shut.push(span);
    await gate.holdFor(time.sleep(takes));
    span.until = time.now();
  };
  const abort = async (at: number): Promise<void> => {
    await time.sleep(at);
    stop.abort();
  };
  await time.run(
    Promise.all([
      ...calls.map(call),
      ...holds.map(hold),
      ...(abortAt === null ? [] : [abort(abortAt)]),
    ]),
  );
  return { gate, seen };
}

const end: fc.Arbitrary<End> = fc.oneof(
  { weight: 6, arbitrary: fc.constant("answered" as const) },
  { weight: 2, arbitrary: fc.constant("lost" as const) },
  { weight: 2, arbitrary: fc.constant("busy" as const) },
);
const traffic: fc.Arbitrary<Traffic> = fc.record({
  most: fc.option(fc.integer({ min: 1, max: 20 })),
  rate: fc.option(fc.double({ min: 0.5, max: 400, noNaN: true })),
  calls: fc.array(fc.record({ at: fc.nat(3000), takes: fc.nat(1500), end }), {
    minLength: 1,
    maxLength: 80,
  }),
  holds: fc.array(fc.record({ at: fc.nat(5000), takes: fc.nat(4000) }), { maxLength: 3 }),
  abortAt: fc.option(fc.nat(6000)),
});

describe("the gate, whatever comes in whatever order", () => {
  it("lets every call in or, once the run is stopped, refuses it: nobody waits for ever", async () => {
    await fc.assert(
      fc.asyncProperty(traffic, fc.nat(), async (plan, seed) => {
        const { seen } = await play(plan, virtualTime(seed));
        expect(seen.began.length + seen.refused).toBe(plan.calls.length);
        if (plan.abortAt === null) expect(seen.refused).toBe(0);
        for (const at of seen.refusedAt) expect(at).toBeGreaterThanOrEqual(plan.abortAt ?? 0);
      }),
      { numRuns: RUNS },
    );
  });

  it("has never more in flight than the operator allows", async () => {
    await fc.assert(
      fc.asyncProperty(traffic, fc.nat(), async (plan, seed) => {
        const { seen } = await play(plan, virtualTime(seed));
        if (plan.most !== null) expect(seen.mostInFlight).toBeLessThanOrEqual(plan.most);
      }),
      { numRuns: RUNS },
    );
  });

  it("lets nobody in while the core is away", async () => {
    await fc.assert(
      fc.asyncProperty(traffic, fc.nat(), async (plan, seed) => {
        const { seen } = await play(plan, virtualTime(seed));
        for (const { from, until } of seen.shut) {
          const inside = seen.began.filter((at) => at > from && at < until);
          expect(inside).toEqual([]);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("keeps to the operator's rate in every stretch of time", async () => {
    await fc.assert(
      fc.asyncProperty(traffic, fc.nat(), async (plan, seed) => {
        if (plan.rate === null) return;
        const { seen } = await play(plan, virtualTime(seed));
        const { began } = seen;
        const perMs = plan.rate / 1000;
        for (let first = 0; first < began.length; first += 1) {
          for (let last = first; last < began.length; last += 1) {
            const span = (began[last] ?? 0) - (began[first] ?? 0);
            expect(last - first + 1).toBeLessThanOrEqual(1 + perMs * (span + 20) + 1e-6);
          }
        }
      }),
      { numRuns: RUNS },
    );
  });

  it("still knows afterwards how many are in flight: at a limit of one it lets in one by one", async () => {
    const limited = traffic.map((plan) => ({ ...plan, most: plan.most ?? 5, abortAt: null }));
    await fc.assert(
      fc.asyncProperty(limited, fc.nat(), async (plan, seed) => {
        const time = virtualTime(seed);
        const { gate } = await play(plan, time);
        const lose = async (): Promise<void> => {
          for (let times = 0; times < 30; times += 1) {
            const began = await gate.enter("import");
            await time.sleep(2000);
            gate.lost(began);
          }
        };
        await time.run(lose());
        let inFlight = 0;
        const one = async (): Promise<void> => {
          const began = await gate.enter("import");
          inFlight += 1;
          expect(inFlight).toBe(1);
          await time.sleep(10);
          inFlight -= 1;
          gate.lost(began);
        };
        await time.run(Promise.all([one(), one(), one()]));
      }),
      { numRuns: RUNS },
    );
  });
});

describe("the gate", () => {
  it("lets a call in at once that nothing stands in the way of, also in a stopped run", () => {
    const gate = new Gate({
      ...{ timing: virtualTime(), signal: AbortSignal.abort(), most: 1, rate: null },
    });
    expect(gate.enter("import")).toBe(0);
    expect(() => gate.enter("import")).toThrow();
  });

  /** A gate with a clock that a test sets. */
  function clocked(options: Pick<GateOptions, "most" | "rate">) {
    const clock = { now: 0 };
    const { signal } = new AbortController();
    const timing = { ...virtualTime(), now: () => clock.now };
    const gate = new Gate({ timing, signal, ...options });
    /** Lets as many in as there is room for, 10 ms later than whatever was before; answers when they began. */
    const fill = (most: number): number[] => {
      clock.now += 10;
      const began: number[] = [];
      for (let at = gate.enter("import"); typeof at === "number"; at = gate.enter("import")) {
        began.push(at);
        if (began.length === most) break;
      }
      return began;
    };
    return { clock, gate, fill };
  }

  it("lowers the limit once for calls that were lost together, and again for those sent after them", () => {
    const { clock, gate, fill } = clocked({ most: 64, rate: null });
    for (let rounds = 0; rounds < 12; rounds += 1) {
      const calls = fill(4 * 2 ** Math.min(rounds, 3));
      clock.now += 10;
      for (const began of calls) gate.answered("import", began);
    }
    const together = fill(32);
    expect(together).toHaveLength(32);
    clock.now += 10;
    for (const began of together) gate.lost(began);
    const after = fill(32);
    expect(after).toHaveLength(32);
    clock.now += 10;
    for (const began of after) gate.lost(began);
    const left = fill(64).length;
    expect(left).toBeGreaterThan(25);
    expect(left).toBeLessThan(45);
  });

  it("doesn't lower it again for those that were sent with them and are lost long after", () => {
    const { clock, gate, fill } = clocked({ most: 64, rate: null });
    for (let rounds = 0; rounds < 8; rounds += 1) {
      const calls = fill(4 * 2 ** Math.min(rounds, 3));
      clock.now += 10;
      for (const began of calls) gate.answered("import", began);
    }
    const [first = 0, ...others] = fill(32);
    clock.now += 10;
    gate.lost(first);
    for (const began of others) {
      clock.now += 5000;
      gate.lost(began);
    }
    expect(fill(32)).toHaveLength(32);
  });

  it("saves up no calls while it is held", async () => {
    const { clock, gate } = clocked({ most: null, rate: 10 });
    const held = gate.holdFor(Promise.resolve());
    clock.now = 60_000;
    await held;
    gate.enter("import");
    expect(typeof gate.enter("import")).toBe("object");
  });

  it("makes those behind wait for a call that came in beside", () => {
    const { clock, gate } = clocked({ most: null, rate: 10 });
    expect(gate.enter("import")).toBe(0);
    gate.charge();
    clock.now = 150;
    expect(typeof gate.enter("import")).toBe("object");
    const other = clocked({ most: null, rate: 10 });
    other.gate.enter("import");
    other.clock.now = 150;
    expect(other.gate.enter("import")).toBe(150);
  });

  it("lets calls that finish a user in before lookups that came earlier", async () => {
    const { clock, gate } = clocked({ most: 1, rate: null });
    const order: string[] = [];
    const waiting = (["import", "lookup", "lookup", "code", "import"] as const).map(
      async (name, index) => {
        const began = await gate.enter(name);
        order.push(`${name} ${index}`);
        clock.now += 10;
        gate.answered(name, began);
      },
    );
    await Promise.all(waiting);
    expect(order).toEqual(["import 0", "code 3", "import 4", "lookup 1", "lookup 2"]);
  });

  describe("for several calls at once", () => {
    const SHUT: readonly [string, Pick<GateOptions, "most" | "rate">, (gate: Gate) => void][] = [
      ["calls have a rate", { most: null, rate: 100 }, () => {}],
      ["only so many may be in", { most: 64, rate: null }, () => {}],
      [
        "the core is gone",
        { most: null, rate: null },
        (gate) => void gate.holdFor(new Promise(() => {})),
      ],
      ["the core fails for the load", { most: null, rate: null }, (gate) => void gate.slow()],
    ];

    it("is open where no pace is kept: each is in until it is answered", () => {
      const { clock, gate } = clocked({ most: null, rate: null });
      clock.now = 7;
      expect(gate.enterTogether(8)).toBe(7);
      expect(gate.inFlight).toBe(8);
      gate.answered("import", 7);
      expect(gate.inFlight).toBe(7);
    });

    it.each(SHUT)("lets none in where %s", (_what, limits, happens) => {
      const { gate } = clocked(limits);
      happens(gate);
      const before = gate.inFlight;
      expect(gate.enterTogether(8)).toBeNull();
      expect(gate.inFlight).toBe(before);
    });
  });
});
