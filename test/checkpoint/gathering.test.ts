import { expect, it } from "vitest";
import { Gathering, type Writes } from "../../src/checkpoint/gathering.js";
import { intent, NEW, outcome } from "../run/support/user-keys.js";

/** With a commit that does at once what it is asked for. */
function gathering() {
  const written: Writes[] = [];
  const commit = {
    run: async <T>(work: () => T): Promise<T> => work(),
    close() {},
  };
  return {
    written,
    gathered: new Gathering(commit, (writes) => void written.push(writes)),
  };
}

const ADA = intent({ id: "1", emails: ["ada@example.com"] }, NEW);

it("intents and outcomes of the same moment are written together", async () => {
  const { written, gathered } = gathering();
  const two = [gathered.add({ intents: [ADA] }), gathered.add({ outcomes: [outcome(NEW)] })];
  expect(written).toEqual([]);
  await Promise.all(two);
  expect(written).toEqual([{ intents: [ADA], touched: [], outcomes: [outcome(NEW)] }]);
});

it("a batch is written at once, and with it what waits", async () => {
  const { written, gathered } = gathering();
  const settled = gathered.add({ outcomes: [outcome(NEW)] });
  const batch = gathered.addBatch({ intents: [ADA, ADA] });
  expect(written.map(({ intents }) => intents.length)).toEqual([2]);
  await Promise.resolve();
  expect(written.map(({ outcomes }) => outcomes.length)).toEqual([0, 1]);
  await Promise.all([settled, batch]);
});

it("what an embedded core answers at once waits for the batch that is planned meanwhile", async () => {
  const { written, gathered } = gathering();
  const settled = Array.from({ length: 512 }, () => gathered.add({ outcomes: [outcome(NEW)] }));
  await Promise.resolve();
  expect(written).toEqual([]);
  await Promise.all([gathered.addBatch({ intents: [ADA] }), ...settled]);
  expect(written.map(({ outcomes }) => outcomes.length)).toEqual([0, 512]);
});

it("outcomes of a batch are written at once, and with them what waits", async () => {
  const { written, gathered } = gathering();
  const alone = gathered.add({ outcomes: [outcome(NEW)] });
  const batch = gathered.addBatch({ outcomes: [outcome(NEW), outcome(NEW)] });
  expect(written.map(({ outcomes }) => outcomes.length)).toEqual([2]);
  await Promise.all([alone, batch]);
  expect(written.map(({ outcomes }) => outcomes.length)).toEqual([2, 1]);
});

it("what comes after a write was begun goes with the next one, also after one that waited for no more", async () => {
  const { written, gathered } = gathering();
  for (const users of [1100, 1, 1100]) {
    const intents = Array.from({ length: users }, () => ADA);
    await gathered.add({ intents });
  }
  expect(written.map(({ intents }) => intents.length)).toEqual([1100, 1, 1100]);
});

it("enough users don't wait for the rest of the time", async () => {
  const { written, gathered } = gathering();
  const early = gathered.add({ intents: [ADA] });
  await gathered.add({ intents: Array.from({ length: 1023 }, () => ADA) });
  await early;
  expect(written.map(({ intents }) => intents.length)).toEqual([1024]);
});
