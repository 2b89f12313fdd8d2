import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStream, MOST_WAITING, type Outlet } from "../../src/run/event-stream.js";

const RUNS = Number(process.env.AUTH_MIGRATE_STREAM_RUNS ?? 200);

/** Lets everything go on that waits for nothing but its turn. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** Resolves when a signal is aborted: the end of a run that would go on for good. */
function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
}

async function collect<T, R>(stream: AsyncGenerator<T, R>): Promise<{ events: T[]; result: R }> {
  const events: T[] = [];
  let next = await stream.next();
  while (!next.done) {
    events.push(next.value);
    next = await stream.next();
  }
  return { events, result: next.value };
}

describe("a stream of events", () => {
  it("begins with the first event that is asked for", async () => {
    let begun = false;
    const stream = eventStream(async ({ onEvent }: Outlet<string>) => {
      begun = true;
      onEvent("here");
    });
    await settle();
    expect(begun).toBe(false);
    expect(await stream.next()).toEqual({ done: false, value: "here" });
  });

  it("gives every event once and in order, then the result, however both sides take turns", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ events: fc.nat(5), turns: fc.nat(4) }), { maxLength: 20 }),
        fc.array(fc.nat(4), { maxLength: 20 }),
        async (steps, pauses) => {
          let told = 0;
          const stream = eventStream(async ({ onEvent, room }: Outlet<number>) => {
            for (const { events, turns } of steps) {
              await room();
              for (let event = 0; event < events; event += 1) onEvent(told++);
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            }
            return "the end";
          });
          const taken: number[] = [];
          let next = await stream.next();
          while (!next.done) {
            taken.push(next.value);
            for (let turn = pauses[taken.length] ?? 0; turn > 0; turn -= 1) await Promise.resolve();
            next = await stream.next();
          }
          expect(next.value).toBe("the end");
          expect(taken).toEqual([...taken.keys()]);
          expect(taken).toHaveLength(told);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it("holds the run back while too many events wait, and lets it go on as they are taken", async () => {
    let told = 0;
    const stream = eventStream(async ({ onEvent, room }: Outlet<number>) => {
      for (; told < 10 * MOST_WAITING; told += 1) {
        await room();
        onEvent(told);
      }
    });
    await stream.next();
    for (let turn = 0; turn < 5 * MOST_WAITING; turn += 1) await Promise.resolve();
    // Those that were handed over as one, and those that wait behind them.
    expect(told).toBeGreaterThanOrEqual(MOST_WAITING);
    expect(told).toBeLessThanOrEqual(2 * MOST_WAITING + 1);
    const { events } = await collect(stream);
    expect(events).toHaveLength(10 * MOST_WAITING - 1);
  });

  it("aborts the run where the loop is left, and waits for its end", async () => {
    let ended = false;
    const stream = eventStream(async ({ onEvent, signal }: Outlet<string>) => {
      onEvent("first");
      await stopped(signal);
      onEvent("nobody takes this one");
      await settle();
      ended = true;
    });
    for await (const event of stream) {
      expect(event).toBe("first");
      break;
    }
    expect(ended).toBe(true);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("lets a run go that was held back when the loop is left", async () => {
    let told = 0;
    const stream = eventStream(async ({ onEvent, room, signal }: Outlet<number>) => {
      while (!signal.aborted) {
        await room();
        onEvent(told++);
      }
    });
    await stream.next();
    while (told < MOST_WAITING) await settle();
    await settle();
    await stream.return(undefined);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("tells what a run still says that the caller's signal stopped, and its result", async () => {
    const caller = new AbortController();
    const stream = eventStream(async ({ onEvent, room, signal }: Outlet<string>) => {
      onEvent("first");
      await stopped(signal);
      for (let event = 0; event < 2 * MOST_WAITING; event += 1) {
        await room();
        onEvent("last");
      }
      return "stopped";
    }, caller.signal);
    await stream.next();
    caller.abort();
    const { events, result } = await collect(stream);
    expect(events).toHaveLength(2 * MOST_WAITING);
    expect(result).toBe("stopped");
  });

  it("throws what the run throws, behind the events before it", async () => {
    const stream = eventStream(async ({ onEvent }: Outlet<string>) => {
      onEvent("first");
      throw new TypeError("it broke");
    });
    expect(await stream.next()).toEqual({ done: false, value: "first" });
    await expect(stream.next()).rejects.toThrow("it broke");
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("throws on leaving what kept the run from ending well, but not the abort itself", async () => {
    const leaving = (error: (signal: AbortSignal) => unknown) =>
      eventStream<string, void>(async ({ onEvent, signal }) => {
        onEvent("first");
        await stopped(signal);
        throw error(signal);
      });
    const full = leaving(() => new Error("the disk is full"));
    await full.next();
    await expect(full.return(undefined)).rejects.toThrow("the disk is full");
    const aborted = leaving((signal) => signal.reason);
    await aborted.next();
    expect(await aborted.return(undefined)).toEqual({ done: true, value: undefined });
  });

  it("throws on what the caller's own loop throws, once the run has ended", async () => {
    let ended = false;
    const stream = eventStream(async ({ onEvent, signal }: Outlet<string>) => {
      onEvent("first");
      await stopped(signal);
      ended = true;
    });
    const loop = async (): Promise<void> => {
      for await (const event of stream) throw new RangeError(`can't use ${event}`);
    };
    await expect(loop()).rejects.toThrow("can't use first");
    expect(ended).toBe(true);
  });

  it("leaves no rejection that nobody handles, whoever fails when", async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", onUnhandled);
    try {
      const failing = (): AsyncGenerator<string, void> =>
        eventStream<string, void>(async ({ onEvent }) => {
          onEvent("first");
          throw new Error("it broke");
        });
      // Never begun, begun and dropped while it fails, and left while it fails.
      failing();
      const dropped = failing();
      await dropped.next();
      const left = failing();
      await left.next();
      await left.return(undefined).catch(() => {});
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", onUnhandled);
    }
  });
});
