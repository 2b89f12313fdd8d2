import { describe, expect, it } from "vitest";
import { noOutcomes } from "../../src/events/counts.js";
import { proveShards, type ShardFacts } from "../../src/checkpoint/prove-shards.js";
import { addSums, createRowSum, rowDigest } from "../../src/events/row-sum.js";

const ROWS = ["ada", "ben", "cem", "dora", "emil", "fay"];

function totalOf(rows: readonly string[]) {
  const sum = createRowSum();
  for (const row of rows) sum.add(rowDigest(row));
  return sum.total();
}

/** A shard that took some rows of an export to the end. */
function shard(index: number, own: readonly string[], changes: Partial<ShardFacts> = {}) {
  return {
    checkpoint: `shard-${index}.checkpoint`,
    shard: { index, count: 3 },
    core: { kind: "embedded", coreId: "core-1" },
    running: false,
    reading: { whole: totalOf(ROWS), own: totalOf(own) },
    lastRun: {
      ending: "finished",
      read: own.length,
      outcomes: { ...noOutcomes(), imported: own.length },
    },
    ...changes,
  } satisfies ShardFacts;
}

const FIRST = shard(1, ["ada", "dora"]);
const SECOND = shard(2, ["ben", "cem", "fay"]);
const THIRD = shard(3, ["emil"]);

function flawsOf(facts: readonly ShardFacts[], missing: readonly string[] = []) {
  const { proved, flaws } = proveShards(facts, missing);
  expect(proved).toBe(flaws.length === 0);
  return flaws.map(({ code, shard: index, runAgain }) => [code, index, runAgain]);
}

describe("the proof over all shards", () => {
  it("holds where every row is in one shard, in whatever order the checkpoints are named", () => {
    expect(proveShards([SECOND, THIRD, FIRST])).toEqual({
      ...{ proved: true, shards: 3, rows: 6, ownRows: 6, flaws: [] },
    });
  });

  it("holds for a shard that had nobody to send, and so belongs to no core", () => {
    const third = shard(3, [], { core: null });
    const second = shard(2, ["ben", "cem", "fay", "emil"]);
    expect(flawsOf([FIRST, second, third])).toEqual([]);
  });

  it("names a shard that hasn't run, and says that running it helps", () => {
    expect(flawsOf([FIRST, THIRD], ["shard-2.checkpoint"])).toEqual([["shard_missing", 2, true]]);
  });

  it("names one that runs, was stopped or killed, or has users who weren't reached", () => {
    const ended = {
      read: 1,
      ending: "finished",
      outcomes: { ...noOutcomes(), imported: 1 },
    } as const;
    const cases: [Partial<ShardFacts>, string][] = [
      [{ running: true }, "shard_running"],
      [{ reading: null }, "shard_unfinished"],
      [{ lastRun: { ...ended, ending: null } }, "shard_unfinished"],
      [{ lastRun: { ...ended, ending: "stopped" } }, "shard_unfinished"],
      [{ lastRun: { ...ended, read: 2 } }, "shard_unfinished"],
      [{ lastRun: { ...ended, outcomes: { ...noOutcomes(), failed: 1 } } }, "shard_failures"],
    ];
    for (const [changes, code] of cases) {
      expect(flawsOf([FIRST, SECOND, { ...THIRD, ...changes }])).toEqual([[code, 3, true]]);
    }
  });

  it("refuses a shard of another export, another core or another number of shards", () => {
    const whole = totalOf([...ROWS, "gus"]);
    const cases: [Partial<ShardFacts>, unknown][] = [
      [{ reading: { whole, own: totalOf(["emil"]) } }, [["other_export", 3, false]]],
      [{ core: { kind: "embedded", coreId: "core-2" } }, [["other_core", 3, false]]],
      [{ core: { kind: "remote", url: "https://core.example.com" } }, [["other_core", 3, false]]],
      [{ shard: { index: 3, count: 4 } }, [["other_count", 3, false]]],
    ];
    for (const [changes, flaws] of cases) {
      expect(flawsOf([FIRST, SECOND, { ...THIRD, ...changes }])).toEqual(flaws);
    }
  });

  it("refuses the checkpoint of an import that isn't divided, and one shard named twice", () => {
    expect(flawsOf([FIRST, SECOND, { ...THIRD, shard: null }])).toEqual([
      ["not_a_shard", null, false],
      ["shard_missing", 3, true],
    ]);
    expect(flawsOf([FIRST, SECOND, THIRD, { ...THIRD, checkpoint: "copy" }])).toEqual([
      ["shard_twice", 3, false],
    ]);
  });

  it("finds a row that is in two shards or in none, even where the numbers add up", () => {
    expect(flawsOf([FIRST, SECOND, shard(3, [])])).toEqual([["rows_differ", null, false]]);
    expect(flawsOf([FIRST, SECOND, shard(3, ["ada"])])).toEqual([["rows_differ", null, false]]);
  });
});

describe("a sum over rows", () => {
  it("doesn't depend on their order, and is the sum of its parts", () => {
    expect(totalOf(ROWS.toReversed())).toEqual(totalOf(ROWS));
    const parts = [ROWS.slice(0, 2), ROWS.slice(2), []].map((part) => totalOf(part).sum);
    expect(addSums(parts)).toBe(totalOf(ROWS).sum);
  });

  it("tells a row that is there twice from one that is there once", () => {
    expect(totalOf(["ada", "ada"]).sum).not.toBe(totalOf(["ada"]).sum);
    expect(totalOf(["ada", "ada", "ben"]).sum).not.toBe(totalOf(["ada", "ben", "ben"]).sum);
  });
});
