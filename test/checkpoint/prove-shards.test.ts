import { describe, expect, it } from "vitest";
import { proveShards, type ShardFacts } from "../../src/checkpoint/prove-shards.js";
import { type Manifest, splitDigest } from "../../src/events/shard.js";

const ROWS = [2, 3, 1];
const MANIFEST: Manifest = {
  ...{ version: 1, shards: 3, rows: 6, from: "csv" },
  parts: ROWS.map((rows, at) => ({
    ...{ shard: at + 1, rows },
    files: [{ name: `part-${at + 1}`, bytes: 100, sha256: `${at}`.repeat(64) }],
  })),
};
const SPLIT = splitDigest(MANIFEST);

/** A shard whose part was imported to its end. */
function shard(index: number, changes: Partial<ShardFacts> = {}): ShardFacts {
  const end = { read: ROWS[index - 1] ?? 0, failed: 0 };
  return {
    checkpoint: `shard-${index}.checkpoint`,
    part: { index, count: 3, split: SPLIT, end },
    core: { kind: "embedded", coreId: "core-1" },
    running: false,
    ...changes,
  };
}

const [FIRST, SECOND, THIRD] = [shard(1), shard(2), shard(3)];

/** The third shard, whose part came to another end, or to none. */
function thirdWith(end: NonNullable<ShardFacts["part"]>["end"]): ShardFacts {
  return shard(3, { part: { index: 3, count: 3, split: SPLIT, end } });
}

function flawsOf(facts: readonly ShardFacts[]) {
  const { proved, flaws } = proveShards(MANIFEST, facts);
  expect(proved).toBe(flaws.length === 0);
  return flaws.map(({ code, shard: index, runAgain }) => [code, index, runAgain]);
}

describe("the proof over all shards", () => {
  it("holds where each part was imported to its end, in whatever order the checkpoints are named", () => {
    expect(proveShards(MANIFEST, [SECOND, THIRD, FIRST])).toEqual({
      ...{ proved: true, shards: 3, rows: 6, ownRows: 6, flaws: [] },
    });
  });

  it("holds for a shard that had no user to send, and so belongs to no core", () => {
    expect(flawsOf([FIRST, SECOND, shard(3, { core: null })])).toEqual([]);
  });

  it("names a part that wasn't imported, and says that importing it helps", () => {
    expect(flawsOf([FIRST, THIRD])).toEqual([["shard_missing", 2, true]]);
    expect(proveShards(MANIFEST, [FIRST, THIRD])).toMatchObject({ rows: 6, ownRows: 3 });
  });

  it("names a shard that runs, was stopped or killed, or has users who weren't reached", () => {
    const cases: [ShardFacts, string][] = [
      [shard(3, { running: true }), "shard_running"],
      [thirdWith(null), "shard_unfinished"],
      [thirdWith({ read: 1, failed: 1 }), "shard_failures"],
    ];
    for (const [third, code] of cases) {
      expect(flawsOf([FIRST, SECOND, third])).toEqual([[code, 3, true]]);
    }
  });

  it("finds a part of which more or fewer rows were read than were split off", () => {
    for (const read of [0, 2]) {
      const third = thirdWith({ read, failed: 0 });
      expect(flawsOf([FIRST, SECOND, third])).toEqual([["rows_differ", 3, false]]);
    }
  });

  it("refuses the part of another split, and the checkpoint of a whole export", () => {
    const other = { index: 3, count: 3, split: "f".repeat(64), end: { read: 1, failed: 0 } };
    expect(flawsOf([FIRST, SECOND, shard(3, { part: other })])).toEqual([
      ["other_export", 3, false],
      ["shard_missing", 3, true],
    ]);
    expect(flawsOf([FIRST, SECOND, THIRD, shard(3, { part: null })])).toEqual([
      ["other_export", null, false],
    ]);
  });

  it("refuses parts that were imported into two cores, and one that was imported twice", () => {
    const elsewhere = { kind: "remote", url: "https://core.example.com" } as const;
    for (const core of [elsewhere, { kind: "embedded", coreId: "core-2" } as const]) {
      expect(flawsOf([FIRST, SECOND, shard(3, { core })])).toEqual([["other_core", 3, false]]);
    }
    expect(flawsOf([FIRST, SECOND, THIRD, shard(3, { checkpoint: "copy" })])).toEqual([
      ["shard_twice", 3, false],
    ]);
  });
});

describe("a split", () => {
  it("is told from another by the rows of its parts and by what is in them", () => {
    const [first, ...others] = MANIFEST.parts;
    if (first === undefined) throw new Error("no part");
    const changed = { ...first, files: [{ ...first.files[0], name: "", bytes: 1, sha256: "" }] };
    for (const part of [{ ...first, rows: 3 }, changed]) {
      expect(splitDigest({ ...MANIFEST, parts: [part, ...others] })).not.toBe(SPLIT);
    }
    expect(splitDigest({ ...MANIFEST, from: null })).toBe(SPLIT);
  });
});
