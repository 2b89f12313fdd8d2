import { describe, expect, it } from "vitest";
import { Batches } from "../../../src/core/embedded/batches.js";

/** Batches as they were sent; each is answered when the test says so. */
function watched(
  options: { lanes?: number; most?: number; spoils?: (item: number) => boolean } = {},
) {
  const { lanes = 1, most = 1000, spoils = () => false } = options;
  const sent: { readonly items: readonly number[]; answer(): void }[] = [];
  const batches = new Batches<number, string>({
    ...{ lanes, most },
    isOnesFault: (error) => error instanceof RangeError,
    perform: (items) =>
      new Promise((resolve, reject) => {
        sent.push({
          items,
          answer: () =>
            items.some(spoils)
              ? reject(new RangeError(`${items.length} items`))
              : resolve(items.map((item) => `done ${item}`)),
        });
      }),
  });
  return { batches, sent };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("calls at a time", () => {
  it("go in one batch, and each gets its own answer", async () => {
    const { batches, sent } = watched();
    const all = Promise.all([1, 2, 3].map((item) => batches.add(item)));
    await turn();
    expect(sent.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    sent[0]?.answer();
    expect(await all).toEqual(["done 1", "done 2", "done 3"]);
  });

  it("gather while a batch is on its way, in as many lanes as there are", async () => {
    const { batches, sent } = watched({ lanes: 2 });
    const all: Promise<string>[] = [];
    for (const item of [1, 2, 3, 4]) {
      all.push(batches.add(item));
      await turn();
    }
    expect(sent.map(({ items }) => items)).toEqual([[1], [2]]);
    sent[1]?.answer();
    await all[1];
    await turn();
    await turn();
    expect(sent.map(({ items }) => items)).toEqual([[1], [2], [3, 4]]);
    for (const { answer } of sent) answer();
    expect(await Promise.all(all)).toEqual(["done 1", "done 2", "done 3", "done 4"]);
  });

  it("go in several batches where one would be too large", async () => {
    const { batches, sent } = watched({ lanes: 3, most: 2 });
    const all = Promise.all([1, 2, 3, 4, 5].map((item) => batches.add(item)));
    for (let turns = 0; turns < 4; turns += 1) await turn();
    expect(sent.map(({ items }) => items)).toEqual([[1, 2], [3, 4], [5]]);
    for (const { answer } of sent) answer();
    await all;
  });
});

describe("a batch that fails", () => {
  it("for one item's sake fails that one alone", async () => {
    const { batches, sent } = watched({ spoils: (item) => item === 2 });
    const all = Promise.allSettled([1, 2, 3].map((item) => batches.add(item)));
    for (let at = 0; at < 4; at += 1) {
      while (sent[at] === undefined) await turn();
      sent[at]?.answer();
    }
    const outcomes = await all;
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(sent.map(({ items }) => items)).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it("for another reason fails as a whole, and the next one is tried", async () => {
    let isAway = true;
    const batches = new Batches<number, number>({
      ...{ lanes: 1, most: 10, isOnesFault: () => false },
      perform: async (items) => {
        if (isAway) throw new Error("away");
        return items;
      },
    });
    const lost = await Promise.allSettled([1, 2].map((item) => batches.add(item)));
    expect(lost.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isAway = false;
    expect(await batches.add(3)).toBe(3);
  });
});

it("everything that was asked for is settled before the end", async () => {
  const { batches, sent } = watched();
  let isSettled = false;
  const one = batches.add(1);
  const settled = batches.settled().then(() => {
    isSettled = true;
  });
  await turn();
  expect(isSettled).toBe(false);
  sent[0]?.answer();
  await one;
  await settled;
  expect(isSettled).toBe(true);
  await batches.settled();
});
