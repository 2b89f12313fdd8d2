import { describe, expect, it } from "vitest";
import { Pace, sharing } from "../../src/calls/pace.js";

/** Work that a test ends by hand. */
function work(): { readonly done: Promise<void>; end(): void; fail(): void } {
  let end = (): void => {};
  let fail = (): void => {};
  const done = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = () => reject(new Error("scripted"));
  });
  return { done, end, fail };
}

async function isReady(promise: Promise<void>): Promise<boolean> {
  const turn = new Promise<"waits">((resolve) => setImmediate(() => resolve("waits")));
  return (await Promise.race([promise.then(() => "ready" as const), turn])) === "ready";
}

describe("pace", () => {
  it("never runs more tasks at once than allowed, and runs all of them", async () => {
    const pace = new Pace(3);
    let running = 0;
    let most = 0;
    let ended = 0;
    const task = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      ended += 1;
    };
    await Promise.all(Array.from({ length: 50 }, () => pace.run(task)));
    expect([most, ended]).toEqual([3, 50]);
  });

  it("has as many users in flight as allowed where some share a place, and counts each", async () => {
    const concurrency = 200;
    const pace = new Pace(concurrency, sharing(concurrency));
    const end = work();
    expect(pace.share).toBe(2);
    const all = Array.from({ length: 150 }, () => pace.run(() => end.done, pace.share));
    const ended = Promise.all(all).then(() => {});
    expect(await isReady(ended)).toBe(false);
    expect(pace.inFlight).toBe(200);
    end.end();
    expect(await isReady(ended)).toBe(true);
    expect(pace.inFlight).toBe(0);
  });

  it("has as many places as the operator allows, whatever their number", () => {
    const allowed = [1, 63, 64, 131, 200, 512, 1000, 1024];
    const shares = allowed.map((concurrency) => sharing(concurrency));
    expect(shares).toEqual([1, 1, 1, 1, 2, 8, 10, 16]);
  });

  it("has a place for another user while one waits as the core asks, and no longer", async () => {
    const pace = new Pace(1);
    const [wait, end, other] = [work(), work(), work()];
    const first = pace.run(() => pace.lend(wait.done).then(() => end.done));
    const second = pace.run(() => other.done);
    const third = pace.run(async () => {});
    expect(await isReady(third)).toBe(false);
    wait.end();
    await isReady(third);
    other.end();
    await second;
    expect([await isReady(third), pace.inFlight]).toEqual([false, 1]);
    end.end();
    await Promise.all([first, third]);
    expect(pace.inFlight).toBe(0);
  });

  it("goes on after a task that failed", async () => {
    const pace = new Pace(1);
    const failing = pace.run(() => Promise.reject(new Error("scripted")));
    const after = pace.run(async () => "ran");
    await expect(failing).rejects.toThrow("scripted");
    expect([await after, pace.inFlight]).toEqual(["ran", 0]);
  });

  it("holds reading back while a full load is called for and another one is ready", async () => {
    const pace = new Pace(2);
    const works = Array.from({ length: 2 + 512 }, work);
    for (const { done } of works) pace.track(1, done);
    const room = pace.room();
    expect(await isReady(room)).toBe(false);
    works[0]?.end();
    expect(await isReady(room)).toBe(true);
  });

  it("lets reading go on once calls are over, before their outcomes are written", async () => {
    const pace = new Pace(2);
    const commit = work();
    for (let user = 0; user < 2 + 512; user += 1) pace.enter(1);
    const room = pace.room();
    expect(await isReady(room)).toBe(false);
    pace.settle(commit.done, 1);
    expect(await isReady(room)).toBe(true);
    expect(await isReady(pace.idle())).toBe(false);
  });

  it("holds reading back while the outcomes of a load wait to be written", async () => {
    const pace = new Pace(2);
    const [first, second] = [work(), work()];
    for (let user = 0; user < 2 + 512 + 512; user += 1) {
      pace.enter(1);
      pace.settle(user < 5 ? first.done : second.done, 1);
    }
    const room = pace.room();
    expect(await isReady(room)).toBe(false);
    first.end();
    expect(await isReady(room)).toBe(true);
    second.end();
    await pace.idle();
  });

  it("lets reading go on after a batch larger than the whole window", async () => {
    const pace = new Pace(1);
    const batch = work();
    pace.track(5000, batch.done);
    const room = pace.room();
    expect(await isReady(room)).toBe(false);
    batch.end();
    expect(await isReady(room)).toBe(true);
  });

  it("is idle only when nobody is on their way, failed or not", async () => {
    const pace = new Pace(4);
    await pace.idle();
    const [one, other] = [work(), work()];
    pace.track(1, one.done);
    pace.track(3, other.done);
    const idle = pace.idle();
    one.end();
    expect(await isReady(idle)).toBe(false);
    other.fail();
    expect(await isReady(idle)).toBe(true);
  });
});
