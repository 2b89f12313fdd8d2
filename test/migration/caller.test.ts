import { describe, expect, it } from "vitest";
import type { CoreFailure, CoreFailureKind } from "../../src/core/core-failure.js";
import { createCaller } from "../../src/migration/caller.js";
import type { CallName } from "../../src/migration/events.js";
import { createTally } from "../../src/migration/tally.js";
import { failure, lost, notReached } from "./support/scripted-core.js";
import { virtualTiming } from "./support/virtual-timing.js";

const CALLS: readonly CallName[] = ["code", "consume", "update", "import", "lookup"];
const REPEATABLE: readonly CallName[] = ["code", "update", "import", "lookup"];

interface Scene {
  readonly random?: number;
  readonly signal?: AbortSignal;
}

function scene({ random, signal = new AbortController().signal }: Scene = {}) {
  const tally = createTally();
  const timing = virtualTiming(random);
  return { tally, timing, caller: createCaller(tally, timing, signal) };
}

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
    expect(result).toEqual({ ok: true, value: "answer", maybeAppliedBefore: false });
    expect([tally.calls[name], tally.retries]).toEqual([3, 2]);
  });

  it.each(REPEATABLE)(
    "of unknown outcome is repeated, and what came before stays known: %s",
    async (name) => {
      const { caller } = scene();
      const result = await caller.call(name, failing([lost(), failure("busy")]).attempt);
      expect(result).toEqual({ ok: true, value: "answer", maybeAppliedBefore: true });
    },
  );

  it("at a broken core is repeated twice, and may have taken effect", async () => {
    const { caller } = scene();
    const { attempt, attempts } = failing([failure("broken")], "forever");
    const result = await caller.call("import", attempt);
    expect(result).toMatchObject({ ok: false, maybeApplied: true, failure: { kind: "broken" } });
    expect(attempts()).toBe(3);
  });

  it("at a busy core is repeated nine times, and has not taken effect", async () => {
    const { caller } = scene();
    const { attempt, attempts } = failing([failure("busy")], "forever");
    const result = await caller.call("import", attempt);
    expect(result).toMatchObject({ ok: false, maybeApplied: false, failure: { kind: "busy" } });
    expect(attempts()).toBe(10);
  });

  it("waits longer each time, up to ten seconds, by chance within that", async () => {
    const { caller, timing } = scene();
    await caller.call("import", failing([failure("busy")], "forever").attempt);
    expect(timing.waits.map(Math.round)).toEqual([
      400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000, 10_000,
    ]);
    const lucky = scene({ random: 0 });
    await lucky.caller.call("import", failing([failure("busy")]).attempt);
    expect(lucky.timing.waits).toEqual([0]);
  });
});

describe("a wait that the core asks for", () => {
  it("is waited whole and costs no attempt", async () => {
    const { caller, timing } = scene();
    const asked = Array.from({ length: 25 }, () => failure("busy", { retryAfterMs: 31_000 }));
    const result = await caller.call("import", failing(asked).attempt);
    expect(result.ok).toBe(true);
    expect(timing.waits).toEqual(asked.map(() => 31_000));
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
  it("isn't repeated", async () => {
    const { caller, timing } = scene();
    const { attempt, attempts } = failing([failure("refused")], "forever");
    const result = await caller.call("import", attempt);
    expect(result).toMatchObject({ ok: false, maybeApplied: false });
    expect([attempts(), timing.waits]).toEqual([1, []]);
  });

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
  const stops = { code: "core_refuses_everything" };

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
    ["not_offered", "map", "core_without_id_mapping"],
    ["disabled", "code", "core_feature_disabled"],
    ["incompatible", "code", "core_incompatible"],
    ["disk", "import", "disk"],
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

describe("an outage", () => {
  it("ends the run when a call got through neither itself nor anybody else's", async () => {
    const { caller } = scene();
    const { attempt, attempts } = failing([notReached()], "forever");
    await expect(caller.call("import", attempt)).rejects.toMatchObject({ code: "outage" });
    expect(attempts()).toBe(6);
  });

  it("is none while other calls get through: the user has failed for now", async () => {
    const { caller } = scene();
    let attempts = 0;
    const result = await caller.call("import", async () => {
      attempts += 1;
      if (attempts === 3) await caller.call("lookup", async () => []);
      throw lost();
    });
    expect(result).toMatchObject({ ok: false, maybeApplied: true });
  });
});

describe("stopping the run", () => {
  it("lets the attempt under way end and makes no other", async () => {
    const stop = new AbortController();
    const { caller, timing } = scene({ signal: stop.signal });
    expect(caller.stopping).toBe(false);
    const result = await caller.call("import", async () => {
      stop.abort();
      throw notReached();
    });
    expect(result).toMatchObject({ ok: false, maybeApplied: false });
    expect([timing.waits, caller.stopping]).toEqual([[], true]);
  });

  it("ends a wait that the core asked for", async () => {
    const stop = new AbortController();
    const { tally } = scene();
    const { SYSTEM_TIMING } = await import("../../src/migration/timing.js");
    const caller = createCaller(tally, SYSTEM_TIMING, stop.signal);
    const { attempt, attempts } = failing(
      [failure("busy", { retryAfterMs: 3_600_000 })],
      "forever",
    );
    const result = caller.call("import", attempt);
    setImmediate(() => stop.abort());
    expect(await result).toMatchObject({ ok: false, failure: { kind: "busy" } });
    expect(attempts()).toBe(2);
  });
});
