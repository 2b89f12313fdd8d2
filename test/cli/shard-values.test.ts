import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  exitCodeOfShards,
  givenCheckpoints,
  ofShard,
  paceOfShard,
  shardOf,
} from "../../src/cli/shard-values.js";
import { TargetValues } from "../../src/cli/values.js";
import type { ShardFlaw } from "../../src/checkpoint/prove-shards.js";
import { manifestText } from "../../src/events/shard.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const THIRD = { index: 3, count: 8 };
const NAME = "auth-migrate.shard-3-of-8.checkpoint";

describe("the options of shards", () => {
  it("divide --rate-total, and leave --rate to the shard", () => {
    expect(paceOfShard({}, { rateTotal: 400 }, THIRD)).toEqual({ rate: 50 });
    expect(paceOfShard({ rate: 30 }, {}, THIRD)).toEqual({ rate: 30 });
    expect(paceOfShard({ outageBudget: 5 }, { rateTotal: 1 }, THIRD)).toEqual({
      outageBudget: 5,
      rate: 0.125,
    });
    expect(() => paceOfShard({ rate: 30 }, { rateTotal: 1 }, THIRD)).toThrow(/both limit/);
  });

  it("name a part by --manifest and --shard together, and a whole export by neither", () => {
    const named = { shard: 3, manifest: "parts/manifest.json" };
    expect(shardOf({ ...named, rateTotal: 400 })).toEqual(named);
    expect(shardOf({})).toBeNull();
    const alone = [{ shard: 3 }, { manifest: "parts/manifest.json" }, { rateTotal: 400 }];
    for (const values of alone) expect(() => shardOf(values)).toThrow(/is for a part/);
  });

  it("name the checkpoints of all parts as each import names its own", () => {
    const path = newPath("manifest.json");
    const parts = Array.from({ length: 8 }, (_, at) => ({ shard: at + 1, rows: 5, files: [] }));
    writeFileSync(path, manifestText({ version: 1, shards: 8, rows: 40, from: null, parts }));
    const { checkpoints } = givenCheckpoints({ checkpoint: [], manifest: path });
    expect(checkpoints).toHaveLength(8);
    expect(checkpoints[2]).toBe(NAME);
    const target = TargetValues.parse({
      checkpoint: "auth-migrate.checkpoint",
      onExisting: "skip",
    });
    expect(ofShard(target, THIRD).checkpoint).toBe(NAME);
    expect(ofShard({ ...target, checkpoint: "own" }, THIRD).checkpoint).toBe("own");
    const named = givenCheckpoints({ checkpoint: ["b", "a"], manifest: path });
    expect(named.checkpoints).toEqual(["b", "a"]);
  });

  it("leave a whole export its one checkpoint", () => {
    const byDefault = { checkpoints: ["auth-migrate.checkpoint"], manifest: null };
    expect(givenCheckpoints({ checkpoint: [] })).toEqual(byDefault);
    expect(() => givenCheckpoints({ checkpoint: ["b", "a"] })).toThrow(/Several checkpoints/);
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
