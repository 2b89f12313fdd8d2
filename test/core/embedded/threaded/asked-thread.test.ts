import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { CoreFailure } from "../../../../src/core/core-failure.js";
import { AskedThread } from "../../../../src/core/embedded/threaded/asked-thread.js";

const ENTRY = new URL("./told-thread.mjs", import.meta.url);
const PASSWORD = "correct horse";

interface Order {
  readonly order: "count" | "wait" | "exit" | "throw";
  readonly password?: string;
}

let threads: AskedThread<Order>[] = [];
afterEach(async () => {
  for (const thread of threads) await thread.end();
  threads = [];
});

/** A thread that does as it is told. */
function toldThread(): AskedThread<Order> {
  const thread = new AskedThread<Order>(ENTRY, {
    name: "told",
    workerData: {},
    gone: (why, reached) => new CoreFailure("broken", `gone (${why})`, { reached }),
  });
  threads.push(thread);
  return thread;
}

const count = { order: "count" } as const;
const wait = { order: "wait" } as const;

describe("a thread that is asked", () => {
  it("gets the calls of one turn in one message, also those behind some promises more", async () => {
    const thread = toldThread();
    const ready = thread.ask(count);
    const settled = Array.from({ length: 50 }, async (_, more) => {
      await ready;
      for (let left = more; left > 0; left -= 1) await null;
      return thread.ask(count);
    });
    expect(await Promise.all(settled)).toEqual(Array(50).fill(50));
  });

  it.each(["exit", "throw"] as const)(
    "leaves open what became of calls it died with: %s",
    async (order) => {
      const thread = toldThread();
      const settled = await Promise.allSettled([
        thread.ask(wait),
        thread.ask({ order, password: PASSWORD }),
        thread.ask(count),
      ]);
      const failure = { name: "CoreFailure", kind: "broken", reached: "unknown" };
      expect(settled).toMatchObject(Array(3).fill({ reason: failure }));
      expect(inspect(settled)).not.toContain(PASSWORD);
    },
  );

  it("says of calls after its death that they did nothing", async () => {
    const thread = toldThread();
    await thread.ask({ order: "exit" }).catch(() => {});
    expect(thread.ended).toBe(true);
    await expect(thread.ask(count)).rejects.toMatchObject({ kind: "broken", reached: "no" });
  });

  it("says of calls under way that they may have worked where it is ended", async () => {
    const thread = toldThread();
    await thread.ask(count);
    const asked = thread.ask(wait);
    const refused = expect(asked).rejects.toMatchObject({ kind: "broken", reached: "unknown" });
    await thread.end();
    await refused;
  });

  it("rejects what can't be handed over, and goes on", async () => {
    const thread = toldThread();
    const strange = { ...count, toString: () => "" };
    await expect(thread.ask(strange)).rejects.toMatchObject({ name: "DataCloneError" });
    expect(await thread.ask(count)).toBe(1);
  });
});
