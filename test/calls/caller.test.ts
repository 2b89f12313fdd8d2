import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import type { CoreFailure, CoreFailureKind } from "../../src/core/core-failure.js";
import { type CallerOptions, Caller } from "../../src/calls/caller.js";
import type { CallName, PauseEvent } from "../../src/events/events.js";
import { Tally } from "../../src/events/tally.js";
import { createStop } from "../../src/run/stop.js";
import { failure, lost, notReached } from "../run/support/scripted-core.js";
import { virtualTime } from "../run/support/virtual-time.js";
import { virtualTiming } from "../run/support/virtual-timing.js";

const CALLS: readonly CallName[] = ["code", "consume", "update", "import", "lookup"];
const REPEATABLE: readonly CallName[] = ["code", "update", "import", "lookup"];

interface Scene extends CallerOptions {
  readonly random?: number;
  readonly signal?: AbortSignal;
}

function scene({ random, signal = new AbortController().signal, ...options }: Scene = {}) {
  const tally = new Tally();
  const timing = virtualTiming(random);
  const pauses: PauseEvent[] = [];
  const onPause = (event: PauseEvent): void => void pauses.push(event);
  const caller = new Caller(tally, timing, signal, { onPause, ...options });
  return { tally, timing, pauses, caller };
}

const aloneAway = async (): Promise<void> => {};
const away = async (): Promise<void> => {
  throw notReached();
};

/** An attempt that fails with each failure in turn, then for good with the last or succeeds. */
function failing(failures: readonly CoreFailure[], then: "success" | "forever" = "success") {
  let attempts = 0;
  const attempt = async (): Promise<string> => {
    const next = failures[then === "forever" ? Math.min(attempts, failures.length - 1) : attempts];
    attempts += 1;
    if (next !== undefined) throw next;
    return "answer";
  };
  return { attempt, attempts: () => attempts };
}

describe("a call that fails in passing", () => {
  it.each(CALLS)("that never reached the core is repeated: %s", async (name) => {
    const { caller, tally } = scene();
    const { attempt } = failing([notReached(), notReached()]);
    const result = await caller.call(name, attempt);
    expect(result).toEqual({ ok: true, value: "answer", maybeApplied: false });
    expect([tally.calls[name], tally.retries]).toEqual([3, 2]);
  });

  it.each(REPEATABLE)("of unknown outcome is repeated: %s", async (name) => {
    const { caller } = scene();
    const result = await caller.call(name, failing([lost(), failure("busy")]).attempt);
    expect(result).toEqual({ ok: true, value: "answer", maybeApplied: true });
  });

  it("at a broken core is repeated twice, and may have taken effect", async () => {
    const { caller } = scene();
    const { attempt, attempts } = failing([failure("broken")], "forever");
    const result = await caller.call("import", attempt);
    expect(result).toMatchObject({ ok: false, maybeApplied: true, failure: { kind: "broken" } });
    expect(attempts()).toBe(3);
  });

  it("at a core that is busy for it alone is repeated nineteen times, and has not taken effect", async () => {
    const { caller } = scene();
    let attempts = 0;
    const result = await caller.call("import", async () => {
      attempts += 1;
      await caller.call("lookup", async () => []);
      throw failure("busy");
    });
    expect(result).toMatchObject({ ok: false, maybeApplied: false, failure: { kind: "busy" } });
    expect(attempts).toBe(20);
  });

  it("waits longer each time, by chance within that", async () => {
    const { caller, timing } = scene();
    await caller.call("import", failing([notReached()], "forever").attempt);
    expect(timing.waits.map(Math.round).slice(0, 5)).toEqual([400, 800, 1600, 3200, 6400]);
    const lucky = scene({ random: 0 });
    await lucky.caller.call("import", failing([notReached()]).attempt);
    expect(lucky.timing.waits).toEqual([]);
  });
});

describe("a wait that the core asks for", () => {
  it("is waited whole and costs no attempt", async () => {
    const { caller, timing, tally, pauses } = scene();
    const asked = Array.from({ length: 25 }, () => failure("busy", { retryAfterMs: 23_000 }));
    const result = await caller.call("import", failing(asked).attempt);
    expect(result.ok).toBe(true);
    expect(timing.waits).toEqual(asked.map(() => 23_000));
    expect(tally).toMatchObject({ pauses: 25, pausedMs: 25 * 23_000 });
    const told = { type: "pause", reason: "retry_after", waitMs: 23_000, message: "scripted busy" };
    expect(pauses).toEqual(asked.map(() => told));
  });

  it("isn't told of where it is shorter than a second", async () => {
    const { caller, pauses, tally } = scene();
    await caller.call("import", failing([failure("busy", { retryAfterMs: 999 })]).attempt);
    expect([pauses, tally.pausedMs]).toEqual([[], 999]);
  });

  it("ends the run at once where it is longer than a run waits", async () => {
    const { caller, timing } = scene();
    const { attempt } = failing([failure("busy", { retryAfterMs: 600_001 })]);
    await expect(caller.call("import", attempt)).rejects.toMatchObject({
      code: "outage",
      message: expect.stringContaining("10m1s"),
    });
    expect(timing.waits).toEqual([]);
  });

  it("ends the run where the core never answers anything else", async () => {
    const { caller, timing } = scene();
    const { attempt } = failing([failure("busy", { retryAfterMs: 1000 })], "forever");
    await expect(caller.call("import", attempt)).rejects.toMatchObject({ code: "outage" });
    expect(timing.now()).toBe(600_000);
  });

  it("fails one call that is always told to wait while others get through", async () => {
    const { caller, timing } = scene();
    const result = await caller.call("import", async () => {
      await caller.call("lookup", async () => []);
      throw failure("busy", { retryAfterMs: 30_000 });
    });
    expect(result).toMatchObject({ ok: false, failure: { kind: "busy" } });
    expect(timing.now()).toBe(630_000);
  });

  it.each([
    ["of a gateway", () => failure("unreachable", { reached: "unknown", retryAfterMs: 45_000 })],
    ["of a core that fails", () => failure("broken", { retryAfterMs: 45_000 })],
  ])("%s is waited whole by the call that got it", async (_whose, asking) => {
    const { caller, timing, pauses } = scene();
    const { attempt, attempts } = failing([asking()]);
    expect((await caller.call("import", attempt)).ok).toBe(true);
    expect([attempts(), timing.waits]).toEqual([2, [45_000]]);
    expect(pauses).toMatchObject([{ reason: "retry_after", waitMs: 45_000 }]);
  });

  it("holds no other call, and is told only where no other is under way", async () => {
    const time = virtualTime();
    const pauses: PauseEvent[] = [];
    const onPause = (event: PauseEvent): void => void pauses.push(event);
    const { signal } = createStop(undefined);
    const caller = new Caller(new Tally(), time, signal, { most: 4, onPause });
    const ends: [string, number][] = [];
    const refused = failing([failure("busy", { retryAfterMs: 30_000 })]);
    const one = async (name: string, attempt: () => Promise<unknown>): Promise<void> => {
      await caller.call("import", attempt);
      ends.push([name, time.now()]);
    };
    const slow = (): Promise<void> => time.sleep(100);
    await time.run(Promise.all([one("Ada", slow), one("Bo", refused.attempt), one("Cleo", slow)]));
    expect(ends).toEqual([
      ["Ada", 100],
      ["Cleo", 100],
      ["Bo", 30_000],
    ]);
    expect(pauses).toEqual([]);
  });

  it.each(["broken", "unreachable"] as const)(
    "ends the run where it is longer than a run waits (%s)",
    async (kind) => {
      const { caller } = scene();
      const { attempt } = failing([failure(kind, { retryAfterMs: 600_001 })]);
      await expect(caller.call("import", attempt)).rejects.toMatchObject({ code: "outage" });
    },
  );

  it("of no time at all is none: who is refused waits as if nothing had been said", async () => {
    const { caller, timing, pauses } = scene();
    const atOnce = Array.from({ length: 3 }, () => failure("busy", { retryAfterMs: 0 }));
    await caller.call("import", failing(atOnce).attempt);
    expect(timing.now()).toBeGreaterThan(1000);
    expect(pauses.every(({ reason }) => reason === "busy")).toBe(true);
  });

  it("doesn't make an answer worth repeating that would be the same again", async () => {
    const { caller, timing } = scene();
    const { attempt, attempts } = failing([failure("refused", { retryAfterMs: 1000 })], "forever");
    expect((await caller.call("import", attempt)).ok).toBe(false);
    expect([attempts(), timing.waits]).toEqual([1, []]);
  });
});

describe("a consume", () => {
  it.each([
    ["of unknown outcome", lost()],
    ["at a broken core", failure("broken")],
    ["at a busy core", failure("busy")],
    ["at a core that asks to wait", failure("busy", { retryAfterMs: 5000 })],
  ])("%s isn't repeated, but waits before a new code is asked for", async (_when, cause) => {
    const { caller, timing } = scene();
    const { attempt, attempts } = failing([cause], "forever");
    const result = await caller.call("consume", attempt);
    expect(result).toMatchObject({ ok: false, failure: cause });
    expect(attempts()).toBe(1);
    expect(timing.waits.map(Math.round)).toEqual([cause.retryAfterMs ?? 400]);
  });

  it("of unknown outcome may have taken effect; one that never arrived hasn't", async () => {
    const { caller } = scene();
    const unknown = await caller.call("consume", failing([lost()], "forever").attempt);
    expect(unknown).toMatchObject({ maybeApplied: true });
    const busy = await caller.call("consume", failing([failure("busy")], "forever").attempt);
    expect(busy).toMatchObject({ maybeApplied: false });
  });
});

describe("a refused call", () => {
  /** Refuses `count` imports, each with the message that `messageOf` gives. */
  async function refuse(
    caller: ReturnType<typeof scene>["caller"],
    count: number,
    messageOf: (index: number) => string = () => "no such tenant",
    between: () => Promise<unknown> = async () => {},
  ): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      const refused = failure("refused", { message: messageOf(index) });
      await caller.call("import", failing([refused], "forever").attempt);
      await between();
    }
  }
  const stops = {
    code: "core_refuses_everything",
    message: expect.stringMatching(/a hundred users in a row .*: no such tenant$/),
  };

  it("stops the run when a hundred in a row are refused for the same reason", async () => {
    const { caller } = scene();
    await refuse(caller, 99);
    await expect(refuse(caller, 1)).rejects.toMatchObject(stops);
  });

  it("stops the run although the lookups in between go well", async () => {
    const { caller } = scene();
    const lookup = () => caller.call("lookup", failing([]).attempt);
    await expect(refuse(caller, 100, undefined, lookup)).rejects.toMatchObject(stops);
  });

  it("goes on where reasons differ, or one of them goes through", async () => {
    const { caller } = scene();
    await refuse(caller, 150, (index) => `reason ${index % 2}`);
    await refuse(caller, 99);
    await caller.call("import", failing([]).attempt);
    await refuse(caller, 99);
  });
});

describe("a failure that is the run's fault", () => {
  const fatal: readonly (readonly [CoreFailureKind, CallName, string])[] = [
    ["key_refused", "import", "key_refused"],
    ["signer_key_missing", "import", "signer_key_missing"],
    ["not_offered", "import", "core_incompatible"],
    ["not_offered", "lookup", "core_without_lookups"],
    ["not_offered", "map", "core_feature_missing"],
    ["disabled", "code", "core_feature_missing"],
    ["incompatible", "code", "core_incompatible"],
    ["disk", "import", "disk"],
    ["damaged", "import", "data_unusable"],
  ];

  it.each(fatal)("stops the run at once: %s at %s", async (kind, name, code) => {
    const { caller } = scene();
    const { attempt, attempts } = failing([failure(kind)], "forever");
    await expect(caller.call(name, attempt)).rejects.toMatchObject({ name: "RunError", code });
    expect(attempts()).toBe(1);
  });

  it("is not made of what isn't a core's failure: a bug stays a bug", async () => {
    const { caller } = scene();
    const bug = new TypeError("undefined is not a function");
    await expect(caller.call("import", () => Promise.reject(bug))).rejects.toBe(bug);
  });
});

describe("a core that fails at everything", () => {
  it("ends the run after a hundred calls in a row, whatever it says", async () => {
    const { caller } = scene({ random: 0 });
    const fails = (index: number) =>
      caller.call(
        "import",
        failing([failure("broken", { message: `${index}` })], "forever").attempt,
      );
    for (let index = 0; index < 99; index += 1) expect((await fails(index)).ok).toBe(false);
    await expect(fails(99)).rejects.toMatchObject({ code: "outage" });
  });

  it("ends the run although only its consumes fail", async () => {
    const { caller } = scene({ random: 0 });
    const fails = async (): Promise<void> => {
      await caller.call("code", failing([]).attempt);
      await caller.call("consume", failing([failure("broken")], "forever").attempt);
    };
    for (let count = 0; count < 99; count += 1) await fails();
    await expect(fails()).rejects.toMatchObject({ code: "outage" });
  });
});

describe("an outage", () => {
  it("ends the run when the core doesn't come back in the time that a run waits", async () => {
    const { caller, timing, pauses } = scene({ probe: away });
    const { attempt } = failing([notReached()], "forever");
    await expect(caller.call("import", attempt)).rejects.toMatchObject({
      code: "outage",
      message: expect.stringContaining("for 10m:"),
    });
    expect(timing.now()).toBe(600_000);
    // The rest of the ten minutes is what's left for the last question.
    const waits = pauses.map(({ waitMs }) => waitMs);
    expect(waits.slice(0, 5)).toEqual([1600, 3200, 6400, 10_000, 10_000]);
    expect(pauses.every(({ reason }) => reason === "outage")).toBe(true);
  });

  it("costs the calls that it broke no attempt", async () => {
    let probes = 0;
    const comesBack = async (): Promise<void> => {
      probes += 1;
      if (probes % 3 !== 0) throw lost();
    };
    const { caller } = scene({ probe: comesBack });
    const many = Array.from({ length: 35 }, () => lost());
    expect(await caller.call("import", failing(many).attempt)).toMatchObject({ ok: true });
    expect(probes).toBeGreaterThan(6);
  });

  it("fails a call that may be what brings the core down, so that the run comes to its end", async () => {
    let isUp = true;
    let crashes = 0;
    const { caller } = scene({
      probe: async () => {
        isUp = !isUp;
        if (!isUp) throw notReached();
      },
    });
    const result = await caller.call("import", async () => {
      crashes += 1;
      isUp = true;
      throw lost();
    });
    expect(result).toMatchObject({ ok: false, failure: { kind: "unreachable" } });
    // Five outages cost nothing, six attempts each.
    expect(crashes).toBe(36);
  });

  it("asks a core only when the wait is over that it asked for", async () => {
    const asked: number[] = [];
    const { caller, timing } = scene({
      probe: async () => {
        asked.push(timing.now());
        if (asked.length === 1) throw failure("unreachable", { retryAfterMs: 90_000 });
      },
    });
    const gone = () => failure("unreachable", { reached: "no", retryAfterMs: 20_000 });
    const many = [...Array.from({ length: 5 }, notReached), gone()];
    let attempts = 0;
    await caller.call("import", async () => {
      const next = many[attempts++];
      if (next === undefined) return;
      throw next;
    });
    const [first = 0, second = 0] = asked;
    expect(second - first).toBeGreaterThanOrEqual(90_000);
    expect(first).toBeGreaterThanOrEqual(20_000);
  });

  it("lasts while the core is there and busy, and is asked about no sooner than this one asks for", async () => {
    let asked = 0;
    const { caller, timing, pauses } = scene({
      probe: async () => {
        asked += 1;
        if (asked === 1) throw failure("busy", { retryAfterMs: 77_000 });
      },
    });
    let attempts = 0;
    const began: number[] = [];
    await caller.call("import", async () => {
      began.push(timing.now());
      if (attempts++ < 6) throw lost();
    });
    const [before = 0, after = 0] = began.slice(-2);
    expect(after - before).toBeGreaterThanOrEqual(77_000);
    expect(pauses).toContainEqual(expect.objectContaining({ reason: "retry_after" }));
    expect(asked).toBe(2);
  });

  it("ends the run where the core is back and asks for more time than the run has", async () => {
    const { caller } = scene({
      probe: async () => {
        throw failure("busy", { retryAfterMs: 777_000 });
      },
    });
    const { attempt } = failing([lost()], "forever");
    await expect(caller.call("import", attempt)).rejects.toMatchObject({ code: "outage" });
  });

  it("is none where the core answers when it is asked: the call alone has failed", async () => {
    const { caller } = scene({ probe: aloneAway });
    const { attempt, attempts } = failing([lost()], "forever");
    const result = await caller.call("import", attempt);
    expect(result).toMatchObject({
      ok: false,
      maybeApplied: true,
      failure: { kind: "unreachable" },
    });
    expect(attempts()).toBe(6);
  });

  it("is none while other calls get through: the user has failed for now", async () => {
    const { caller, pauses } = scene({ probe: away });
    let attempts = 0;
    const result = await caller.call("import", async () => {
      attempts += 1;
      await caller.call("lookup", async () => []);
      throw lost();
    });
    expect(result).toMatchObject({ ok: false, maybeApplied: true });
    expect([attempts, pauses]).toEqual([6, []]);
  });

  it("begins with ten lost calls in a row, whose ever they are", async () => {
    let probes = 0;
    const { caller } = scene({
      probe: async () => {
        probes += 1;
      },
    });
    const once = () => caller.call("import", failing([lost()]).attempt);
    for (let count = 0; count < 9; count += 1) {
      await caller.call("consume", failing([lost()], "forever").attempt);
    }
    expect(probes).toBe(0);
    await once();
    expect(probes).toBe(1);
  });

  it("is asked about by one for all", async () => {
    let probes = 0;
    const { caller } = scene({
      probe: async () => {
        probes += 1;
      },
    });
    const calls = Array.from({ length: 30 }, () =>
      caller.call("import", failing([lost()]).attempt),
    );
    for (const result of await Promise.all(calls)) expect(result.ok).toBe(true);
    expect(probes).toBe(1);
  });

  it("ends the run at once where the core is back and refuses the key", async () => {
    const { caller } = scene({
      probe: async () => {
        throw failure("key_refused");
      },
    });
    const { attempt } = failing([lost()], "forever");
    await expect(caller.call("import", attempt)).rejects.toMatchObject({ code: "key_refused" });
  });

  it.each(["incompatible", "not_offered", "broken", "busy"] as const)(
    "lasts while something else answers in the core's place (%s)",
    async (kind) => {
      let probes = 0;
      const { caller } = scene({
        probe: async () => {
          probes += 1;
          if (probes < 4) throw failure(kind);
        },
      });
      const many = Array.from({ length: 8 }, () => lost());
      expect((await caller.call("import", failing(many).attempt)).ok).toBe(true);
      expect(probes).toBe(4);
    },
  );
});

describe("a core that refuses every call", () => {
  /** Calls one after the other, each refused once at so much a time; says after how many the core was asked. */
  async function refusals(count: number, retryAfterMs?: number) {
    let probes = 0;
    const time = virtualTime();
    const pauses: PauseEvent[] = [];
    const { signal } = createStop(undefined);
    const caller = new Caller(new Tally(), time, signal, {
      probe: async () => {
        probes += 1;
      },
      onPause: (event) => void pauses.push(event),
    });
    const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
    const one = async (): Promise<void> => {
      await caller.call("consume", async () => {
        await time.sleep(10);
        throw failure("busy", wait);
      });
    };
    const refuse = async (times: number): Promise<void> => {
      for (let index = 0; index < times; index += 1) await one();
    };
    const answer = () => caller.call("import", () => time.sleep(10));
    await time.run(refuse(count));
    return { time, caller, pauses, refuse, answer, probes: () => probes };
  }

  it("is asked when twenty in a row were refused, and not for one less", async () => {
    // The first only begins the row.
    const { probes, refuse, time } = await refusals(20);
    expect(probes()).toBe(0);
    await time.run(refuse(1));
    expect(probes()).toBe(1);
  });

  it("is asked no sooner than it wants", async () => {
    const { pauses, refuse, time } = await refusals(20, 25_000);
    const before = time.now();
    await time.run(refuse(1));
    expect(time.now() - before).toBe(25_010);
    expect(pauses.at(-1)).toMatchObject({ reason: "retry_after", waitMs: 25_000 });
  });

  it("is counted anew when one call gets through", async () => {
    const { probes, refuse, answer, time } = await refusals(20);
    await time.run(answer());
    await time.run(refuse(20));
    expect(probes()).toBe(0);
  });

  it("isn't asked for calls that began together, whose refusals come back before answers", async () => {
    const { probes, caller, time } = await refusals(0);
    const together = Array.from({ length: 32 }, () =>
      caller.call("consume", async () => {
        await time.sleep(10);
        throw failure("busy", { retryAfterMs: 1000 });
      }),
    );
    await time.run(Promise.all(together));
    expect(probes()).toBe(0);
  });
});

describe("a call that an attempt makes beside", () => {
  it("is counted, and by the rate, too", async () => {
    const { caller, tally, timing } = scene({ rate: 10 });
    await caller.call("import", async () => caller.count("lookup"));
    await caller.call("import", failing([]).attempt);
    expect(tally.calls).toMatchObject({ import: 2, lookup: 1 });
    expect(timing.now()).toBe(200);
  });
});

describe("a core that fails for its load", () => {
  it("is called with a few others alone before a call has failed for good", async () => {
    const time = virtualTime();
    const { signal } = createStop(undefined);
    const caller = new Caller(new Tally(), time, signal, { most: 64 });
    let inFlight = 0;
    const crowds: number[] = [];
    const call = async (): Promise<void> => {
      inFlight += 1;
      await time.sleep(100);
      inFlight -= 1;
    };
    const failing = async (): Promise<void> => {
      crowds.push(inFlight + 1);
      await call();
      if (crowds.length < 3) throw failure("broken");
    };
    const send = (count: number) =>
      Array.from({ length: count }, () => caller.call("import", call));
    const before = send(500);
    const result = caller.call("import", failing);
    await time.run(Promise.all([...before, result, ...send(1500)]));
    expect(await result).toMatchObject({ ok: true });
    expect(Math.min(...crowds.slice(0, 2))).toBeGreaterThan(32);
    expect(crowds[2]).toBeLessThanOrEqual(4);
    // The gate's own: no call has left one.
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
  });
});

describe("stopping the run", () => {
  it("lets the attempt under way end and makes no other", async () => {
    const stop = new AbortController();
    const { caller, timing } = scene({ signal: stop.signal });
    const result = caller.call("import", async () => {
      stop.abort();
      throw notReached();
    });
    const error = await result.catch((reason: unknown) => reason);
    expect(error).toBe(stop.signal.reason);
    expect(timing.waits).toHaveLength(1);
  });

  it("lets what was begun be ended where nothing has to be waited for", async () => {
    const { caller } = scene({ signal: AbortSignal.abort() });
    expect(await caller.call("consume", failing([]).attempt)).toMatchObject({ ok: true });
  });

  it("ends a wait that the core asked for", async () => {
    const stop = new AbortController();
    const { tally } = scene();
    const { SYSTEM_TIMING } = await import("../../src/events/timing.js");
    const caller = new Caller(tally, SYSTEM_TIMING, stop.signal);
    const { attempt, attempts } = failing([failure("busy", { retryAfterMs: 360_000 })]);
    const result = caller.call("import", attempt);
    setImmediate(() => stop.abort());
    const error = await result.catch((reason: unknown) => reason);
    expect([error, attempts()]).toEqual([stop.signal.reason, 1]);
  });

  it("ends the waiting for a core that is away", async () => {
    const stop = new AbortController();
    const { tally } = scene();
    const { SYSTEM_TIMING } = await import("../../src/events/timing.js");
    const timing = { ...SYSTEM_TIMING, random: () => 0 };
    const caller = new Caller(tally, timing, stop.signal, {
      probe: away,
      onPause: () => setImmediate(() => stop.abort()),
    });
    const calls = Array.from({ length: 10 }, () =>
      caller.call("consume", failing([lost()], "forever").attempt),
    );
    const ends = await Promise.allSettled(calls);
    expect(ends.at(-1)).toMatchObject({ status: "rejected", reason: stop.signal.reason });
  });
});
