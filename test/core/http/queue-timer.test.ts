import { describe, expect, it } from "vitest";
import { startQueueJob } from "../../../src/core/http/queue-timer.js";

/** A job whose rounds begin when the test lets the time between two of them pass. */
function watched(round: (number: number) => Promise<void>) {
  const waits: { readonly ms: number; pass(): void }[] = [];
  const failures: unknown[] = [];
  let rounds = 0;
  let told: (() => void)[] = [];
  const end = startQueueJob(
    {
      importQueued() {
        rounds += 1;
        return round(rounds);
      },
    },
    {
      intervalMs: 300_000,
      onFailure: (error) => failures.push(error),
      wait: (ms, signal) =>
        new Promise<void>((resolve) => {
          signal.addEventListener("abort", () => resolve());
          if (signal.aborted) resolve();
          waits.push({ ms, pass: resolve });
          for (const tell of told) tell();
          told = [];
        }),
    },
  );
  const nextWait = async () => {
    const known = waits.length;
    await new Promise<void>((resolve) => {
      told.push(resolve);
      waits[known - 1]?.pass();
    });
  };
  return { end, waits, failures, nextWait, rounds: () => rounds };
}

describe("the queue's job", () => {
  it("begins at once, and again when the interval after a round is over", async () => {
    const job = watched(async () => {});
    await job.nextWait();
    expect(job.rounds()).toBe(1);
    await job.nextWait();
    expect(job.rounds()).toBe(2);
    expect(job.waits.map(({ ms }) => ms)).toEqual([300_000, 300_000]);
    await job.end();
    expect(job.rounds()).toBe(2);
  });

  it("tells of the first failure of a row of them, and goes on", async () => {
    const job = watched(async (number) => {
      if (number !== 3) throw new Error(`round ${number}`);
    });
    for (let round = 1; round <= 4; round += 1) await job.nextWait();
    expect(job.failures).toEqual([new Error("round 1"), new Error("round 4")]);
    await job.end();
  });

  it("ends when its round under way has ended", async () => {
    let finish: () => void = () => {};
    const job = watched(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    let ended = false;
    const end = job.end().then(() => {
      ended = true;
    });
    await Promise.resolve();
    expect(ended).toBe(false);
    finish();
    await end;
    expect(job.rounds()).toBe(1);
  });
});
