import { describe, expect, it } from "vitest";
import {
  exitCodeOfShards,
  givenCheckpoints,
  paceOfShard,
  shardCheckpoint,
  shardOf,
} from "../../src/cli/shard-values.js";
import type { ShardFlaw } from "../../src/checkpoint/prove-shards.js";

const THIRD = { index: 3, count: 8 };

describe("the options of shards", () => {
  it("divide --rate-total, and leave --rate to the shard", () => {
    expect(paceOfShard({}, { rateTotal: 400 }, THIRD)).toEqual({ rate: 50 });
    expect(paceOfShard({ rate: 30 }, {}, THIRD)).toEqual({ rate: 30 });
    expect(paceOfShard({ outageBudget: 5 }, { rateTotal: 1 }, THIRD)).toEqual({
      outageBudget: 5,
      rate: 0.125,
    });
  });

  it("name a shard themselves before an engine does", () => {
    const engine = { JOB_COMPLETION_INDEX: "5" };
    expect(shardOf({ shard: THIRD }, engine)).toEqual(THIRD);
    expect(shardOf({ shard: "auto", shards: 8 }, engine)).toEqual({ index: 6, count: 8 });
    expect(shardOf({ shards: 8 }, engine)).toEqual({ index: 6, count: 8 });
  });

  it("take nobody's part of an export for all who were not asked for one", () => {
    expect(shardOf({}, { JOB_COMPLETION_INDEX: "5", SLURM_ARRAY_TASK_ID: "5" })).toBeUndefined();
  });

  it("name the checkpoints of all shards as each shard names its own", () => {
    const names = givenCheckpoints({ checkpoint: [], shards: 8 });
    expect(names).toHaveLength(8);
    expect(names[2]).toBe(shardCheckpoint(THIRD));
    expect(names[2]).toBe("auth-migrate.shard-3-of-8.checkpoint");
    expect(givenCheckpoints({ checkpoint: [] })).toEqual(["auth-migrate.checkpoint"]);
    expect(givenCheckpoints({ checkpoint: ["b", "a"] })).toEqual(["b", "a"]);
    expect(() => givenCheckpoints({ checkpoint: ["a"], shards: 8 })).toThrow(/both say/);
  });
});

describe("the exit code of all shards", () => {
  const proof = (flaws: readonly Pick<ShardFlaw, "code" | "runAgain">[]) => ({
    ...{ proved: flaws.length === 0, shards: 8, rows: 40_000, ownRows: 40_000 },
    flaws: flaws.map((flaw) => ({ ...flaw, shard: null, checkpoint: null, message: "" })),
  });

  it("is 75 only where running some of them again is the whole way out", () => {
    const missing = { code: "shard_missing", runAgain: true } as const;
    const other = { code: "other_export", runAgain: false } as const;
    expect(exitCodeOfShards(null)).toBe(0);
    expect(exitCodeOfShards(proof([]))).toBe(0);
    expect(exitCodeOfShards(proof([missing]))).toBe(75);
    expect(exitCodeOfShards(proof([missing, other]))).toBe(65);
  });
});
