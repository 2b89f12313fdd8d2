import { describe, expect, it } from "vitest";
import { LearnedRate } from "../../src/calls/learned-rate.js";

const ENDLESS = Number.POSITIVE_INFINITY;

/** Calls are answered at an even pace; answers the end. */
function answer(rate: LearnedRate, from: number, milliseconds: number, perSecond: number): number {
  const count = Math.round((milliseconds / 1000) * perSecond);
  for (let calls = 0; calls < count; calls += 1) rate.answered(from + (calls / perSecond) * 1000);
  return from + milliseconds;
}

describe("the rate that a core allows", () => {
  it("is endless until one is refused", () => {
    const rate = new LearnedRate();
    const now = answer(rate, 0, 5000, 1000);
    expect(rate.at(now)).toBe(ENDLESS);
  });

  it("is well below what the core took in the second before, when there is nothing else to go by", () => {
    const rate = new LearnedRate();
    const now = answer(rate, 0, 5000, 200);
    rate.refused(now, true, 0);
    expect(rate.at(now)).toBeGreaterThan(100);
    expect(rate.at(now)).toBeLessThan(140);
  });

  it("is a small step below that later", () => {
    const rate = new LearnedRate();
    let now = answer(rate, 0, 5000, 200);
    rate.refused(now, true, 0);
    now = answer(rate, now, 5000, 200);
    rate.refused(now, true, 0);
    expect(rate.at(now)).toBeGreaterThan(180);
    expect(rate.at(now)).toBeLessThan(190);
  });

  it("comes back to that, stays around it, and leaves it behind when nothing is refused", () => {
    const rate = new LearnedRate();
    const now = answer(rate, 0, 5000, 200);
    rate.refused(now, true, 0);
    const after = [500, 1500, 3000, 6000].map((ms) => rate.at(now + ms));
    expect(after[0]).toBeLessThan(201);
    expect(after[1]).toBeGreaterThan(195);
    expect(after[1]).toBeLessThan(210);
    expect(after[2]).toBeGreaterThan(250);
    expect(after[3]).toBeGreaterThan(1000);
  });

  it("is tried more slowly once it has proved right", () => {
    const rate = new LearnedRate();
    let now = answer(rate, 0, 5000, 200);
    for (let times = 0; times < 4; times += 1) {
      rate.refused(now, true, 0);
      now = answer(rate, now, 22_000, 200);
    }
    rate.refused(now, true, 0);
    expect(rate.at(now + 20_000)).toBeLessThan(205);
  });

  it("waits for the end of a pause, and is tried the more slowly the longer that is", () => {
    const rate = new LearnedRate();
    const now = answer(rate, 0, 5000, 200);
    rate.refused(now, true, 30_000);
    expect(rate.at(now + 30_000)).toBe(rate.at(now));
    expect(rate.at(now + 60_000)).toBeLessThan(200);
  });

  it("isn't lowered by those that were in flight together", () => {
    const rate = new LearnedRate();
    const now = answer(rate, 0, 5000, 200);
    rate.refused(now, true, 0);
    const once = rate.at(now);
    for (let calls = 0; calls < 63; calls += 1) rate.refused(now + 5, false, 0);
    expect(rate.at(now)).toBe(once);
  });

  it("isn't learned from a core that takes nothing at all", () => {
    const rate = new LearnedRate();
    rate.refused(0, true, 0);
    rate.refused(5000, true, 0);
    expect(rate.at(5000)).toBe(ENDLESS);
  });

  it("is given up for a while where refusals are as frequent at any rate", () => {
    const rate = new LearnedRate();
    let now = 0;
    for (let times = 0; times < 20; times += 1) {
      now = answer(rate, now, 9000 / Math.min(rate.at(now), 500), Math.min(rate.at(now), 500));
      rate.refused(now, true, 1000);
      now += 1000;
    }
    expect(rate.at(now)).toBe(ENDLESS);
  });

  it("is learned again as soon as that turns out wrong", () => {
    const rate = new LearnedRate();
    let now = 0;
    while (times(rate, now) < ENDLESS || now < 10_000) {
      now = answer(rate, now, 1000, 20);
      rate.refused(now, true, 1000);
      now += 1000;
    }
    now = answer(rate, now, 1000, 20);
    for (let calls = 0; calls < 25; calls += 1) rate.refused(now, calls === 0, 0);
    rate.refused(now + 100, true, 0);
    expect(rate.at(now + 100)).toBeLessThan(50);
  });

  function times(rate: LearnedRate, now: number): number {
    return rate.at(now);
  }
});
