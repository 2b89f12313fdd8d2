import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { CoreThread } from "../../../../src/core/embedded/threaded/core-thread.js";

const ENTRY = new URL("./told-thread.mjs", import.meta.url);
const PASSWORD = "correct horse";

let threads: CoreThread[] = [];
afterEach(async () => {
  for (const thread of threads) await thread.end();
  threads = [];
});

/** A thread that does as it is told. */
function toldThread(options: { readonly order?: string } = {}): CoreThread {
  const thread = new CoreThread(ENTRY, options);
  threads.push(thread);
  return thread;
}

const DEATHS = ["exit", "throw"] as const;

describe("the thread of a threaded core", () => {
  it("gets the calls of one turn in one message, also those behind some promises more", async () => {
    const thread = toldThread();
    const ready = thread.opened;
    const settled = Array.from({ length: 50 }, async (_, more) => {
      await ready;
      for (let left = more; left > 0; left -= 1) await null;
      return thread.ask("countUsers", undefined);
    });
    expect(await Promise.all(settled)).toEqual(Array(50).fill(50));
  });

  it.each(DEATHS)("fails the opening where it dies of it: %s", async (order) => {
    await expect(toldThread({ order }).opened).rejects.toMatchObject({
      name: "CoreFailure",
      kind: "broken",
      reached: "unknown",
    });
  });

  it.each(DEATHS)("leaves open what became of calls it died with: %s", async (email) => {
    const thread = toldThread();
    await thread.opened;
    const settled = await Promise.allSettled([
      thread.ask("probe", undefined),
      thread.ask("signIn", { email, password: PASSWORD }),
      thread.ask("countUsers", undefined),
    ]);
    const failure = { name: "CoreFailure", kind: "broken", reached: "unknown" };
    expect(settled).toMatchObject(Array(3).fill({ reason: failure }));
    expect(inspect(settled)).not.toContain(PASSWORD);
  });

  it("says of calls after its death that they did nothing", async () => {
    const thread = toldThread();
    await thread.opened;
    await thread.ask("signIn", { email: "exit", password: PASSWORD }).catch(() => {});
    await expect(thread.ask("probe", undefined)).rejects.toMatchObject({
      name: "CoreFailure",
      kind: "broken",
      reached: "no",
    });
  });

  it("says of calls under way that they may have worked where it is ended", async () => {
    const thread = toldThread();
    await thread.opened;
    const asked = thread.ask("probe", undefined);
    const refused = expect(asked).rejects.toMatchObject({ kind: "broken", reached: "unknown" });
    await thread.end();
    await refused;
  });

  it("rejects what can't be handed over, and goes on", async () => {
    const thread = toldThread();
    await thread.opened;
    const strange = { email: "ana@example.com", password: PASSWORD, toString: () => "" };
    await expect(thread.ask("signIn", strange)).rejects.toMatchObject({ name: "DataCloneError" });
    expect(await thread.ask("countUsers", undefined)).toBe(1);
  });
});
