import { setFlagsFromString } from "node:v8";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Random, randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { argon2Of, bcryptOf, bytesOf } from "./support/hashes.js";
import { Side, type Step } from "./support/history-side.js";
import { plainRow, READERS, tableOf } from "./support/reader-table.js";
import { edit, HEADER, type Line, newUser, rowOf, type Said } from "./support/random-exports.js";

/** How many histories are played, the same ones each time. A thousand take a quarter of an hour. */
const HISTORIES = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 4, full: 50 });
/** So many to a test, which has a time of its own. */
const IN_A_TEST = 25;
const TESTS = Array.from({ length: Math.ceil(HISTORIES / IN_A_TEST) }, (_, index) => index);
const newPath = temporaryPaths();

const START = Date.UTC(2026, 10, 2);
const DAY = 86_400_000;

/** What no source reads, so long that pieces hold a few rows. */
function about({ id, email }: Said, length: number): string {
  return [...bytesOf(id + email, length)].join(" ");
}

/** A day before or behind the first run; of most users none. */
function dayOf({ id }: Said, outOf: number, days: number): string {
  const [first = 0, second = 0] = bytesOf(`${id} ${outOf}`, 2);
  if (first % outOf !== 0) return "";
  return new Date(START + ((second % (2 * days)) - days) * DAY).toISOString();
}

/** The export with columns that say something by the time, and one that makes its rows long. */
function longTextOf(lines: readonly Line[], isTimed: boolean, length: number): string {
  const rows = lines.map((line) => {
    if (typeof line === "string") return line;
    const times = isTimed ? [dayOf(line, 9, 4), dayOf(line, 7, 4)] : [];
    return [rowOf(line), about(line, length), ...times].join(",");
  });
  const header = [HEADER, "about", ...(isTimed ? ["locked_until", "created_at"] : [])].join(",");
  return `${[header, ...rows].join("\n")}\n`;
}

function hashOf(random: Random, number: number, outOf: number): string {
  return random.chance(1, outOf) ? `"${argon2Of(number)}"` : bcryptOf(number);
}

function historyOf(seed: number): Step[] {
  const random = randomFrom(seed);
  // Of a calm one most rows needn't be compared either.
  const isCalm = seed % 2 === 1;
  const oddity = isCalm ? 1000 : random.pick([100_000, 1000, 200]);
  const isTimed = random.chance(1, 3);
  const argon2 = isCalm ? 100_000 : 5;
  // Of long rows blocks hold a few as well.
  const length = random.pick([80, 80, 600]);
  let number = 0;
  const fresh = (): Said => {
    number += 1;
    const user = newUser(random, number, oddity);
    return random.chance(1, 300) ? user : { ...user, hash: hashOf(random, number, argon2) };
  };
  const lines: Line[] = Array.from({ length: 90 + random.below(150) }, fresh);
  let policy: Step["policy"] = random.pick([
    {},
    { keepIds: true },
    { carry: [] },
    { onUnusableHash: "passwordless" },
    { includeUnverified: true },
  ]);
  const name = random.pick(["export", ""]);
  return Array.from({ length: 3 + random.below(4) }, (_, run): Step => {
    const edits = random.below(isCalm ? 2 : 4);
    for (let count = 0; run > 1 && count < edits; count += 1) edit(lines, random, fresh);
    if (random.chance(1, 20)) policy = { ...policy, includeDisabled: random.chance(1, 2) };
    if (random.chance(1, 20)) policy = { ...policy, carry: [] };
    const cut = random.chance(1, 4) ? random.below(lines.length) : lines.length;
    const parts = [lines.slice(0, cut), lines.slice(cut)].filter((part) => part.length > 0);
    const ordered = random.chance(1, 4) ? parts.toReversed() : parts;
    const files = ordered.map((part, index) => ({
      name: `${name || `export-${run}`}.${index}.csv`,
      text: longTextOf(part, isTimed, length),
    }));
    return { files, policy, cutsOver: random.chance(1, 30), now: START + run * DAY };
  });
}

/** Much is remembered, or so little that rows of a short file needn't be compared. */
const SIZES = [undefined, { hashes: 20, share: 1 / 2, addresses: 50 }];

/** Plays a history on both sides. @returns how many rows weren't read at all, and how many not compared */
async function play(seed: number): Promise<Pick<Side, "known" | "uncompared">> {
  const sizes = SIZES[seed % SIZES.length];
  const [quick, whole] = [new Side("changed", newPath), new Side("once", newPath)];
  for (const [index, step] of historyOf(seed).entries()) {
    const given = sizes === undefined ? step : { ...step, sizes };
    const told = await quick.run(given);
    expect(told, `history ${seed}, run ${index + 1}`).toEqual(await whole.run(given));
  }
  await Promise.all([quick.close(), whole.close()]);
  expect(whole.known).toBe(0);
  return quick;
}

describe("rows of pieces that the checkpoint knows aren't read, and a run", () => {
  it.each(TESTS)("counts, tells, sends and notes the same as if they were (%i)", async (test) => {
    let [known, uncompared] = [0, 0];
    const last = Math.min(HISTORIES, (test + 1) * IN_A_TEST);
    for (let seed = test * IN_A_TEST; seed < last; seed += 1) {
      const played = await play(seed);
      known += played.known;
      uncompared += played.uncompared;
    }
    expect(uncompared).toBeGreaterThan(0);
    expect(known).toBeGreaterThan(uncompared);
  });
});

const AS_BEFORE = { policy: {}, cutsOver: false };

it.each(["", "\ufeff", "\ufeffsep=,\n"])(
  "known rows of a file that begins with %j aren't read from the disk, and the others in their places",
  async (beginning) => {
    const many = Array.from({ length: 1500 }, (_, number) => plainRow(number));
    const newer = many.with(1000, plainRow(1000).replace(bcryptOf(1000), bcryptOf(2000))).slice(1);
    const [quick, whole] = [new Side("changed", newPath), new Side("twice", newPath)];
    for (const lines of [many, many, many, newer, [...newer, plainRow(3000)]]) {
      const text = beginning + tableOf(lines);
      const step = { files: [{ name: "readers.csv", text }], ...AS_BEFORE };
      expect(await quick.run(step)).toEqual(await whole.run(step));
    }
    expect(quick.known).toBeGreaterThan(3500);
  },
);

it("a piece that was read for a changed row isn't read once that row changes nothing", async () => {
  const changed = plainRow(100).replace(bcryptOf(100), bcryptOf(1000));
  const newer = READERS.with(100, changed);
  const [quick, whole] = [new Side("changed", newPath), new Side("once", newPath)];
  const known: number[] = [];
  for (const lines of [READERS, READERS, READERS, newer, newer, newer]) {
    const step = { files: [{ name: "readers.csv", text: tableOf(lines) }], ...AS_BEFORE };
    const before = quick.known;
    expect(await quick.run(step)).toEqual(await whole.run(step));
    known.push(quick.known - before);
  }
  const [, , unchanged = 0, atTheChange = 0, , after] = known;
  expect(atTheChange).toBeLessThan(unchanged);
  expect(after).toBe(unchanged);
});

it("rows are known to a run whose memory V8 has been told to bound otherwise", async () => {
  onTestFinished(() => setFlagsFromString("--semi-space-growth-factor=2"));
  const side = new Side("changed", newPath);
  for (const factor of [2, 2, 1]) {
    setFlagsFromString(`--semi-space-growth-factor=${factor}`);
    await side.run({ files: [{ name: "readers.csv", text: tableOf(READERS) }], ...AS_BEFORE });
  }
  expect(side.known).toBeGreaterThan(0);
});

it("the run that first leaves pieces leaves the indexes of keys as well, which a newer export needs", async () => {
  const side = new Side("changed", newPath);
  const step = { files: [{ name: "readers.csv", text: tableOf(READERS) }], ...AS_BEFORE };
  const indexed = async (): Promise<unknown> => {
    await side.run(step);
    return side.ask("SELECT count(*) FROM identities");
  };
  expect([await indexed(), await indexed()]).toEqual([0, READERS.length]);
});
