import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { givenCheckpoints, requireOneExport } from "../../../src/cli/options/general.js";
import { requireSomeProof } from "../../../src/cli/options/proving.js";
import { checkpointOf, partOf } from "../../../src/cli/options/running.js";
import { manifestText } from "../../../src/events/shard.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const newPath = temporaryPaths();
const THIRD = { index: 3, count: 8 };
const NAME = "auth-migrate.shard-3-of-8.checkpoint";

const WHOLE = { shard: undefined, manifest: undefined };

describe("the options of a part of a split export", () => {
  it("name a part by --manifest and --shard together, and a whole export by neither", () => {
    const named = { shard: 3, manifest: "parts/manifest.json" };
    expect(partOf([], named)).toEqual(named);
    expect(partOf(["users.csv"], WHOLE)).toBeNull();
    const alone = [{ shard: 3 }, { manifest: "parts/manifest.json" }];
    for (const values of alone) {
      expect(() => partOf(["users.csv"], { ...WHOLE, ...values })).toThrow(/is for a part/);
    }
  });

  it("say which files are read, so that none is named beside them, and one is without them", () => {
    const named = { ...WHOLE, shard: 3, manifest: "parts/manifest.json" };
    expect(() => partOf(["users.csv"], named)).toThrow(/others were named/);
    expect(() => partOf([], WHOLE)).toThrow(/No export was named/);
  });

  it("name the checkpoints of all parts as each import names its own", () => {
    const path = newPath("manifest.json");
    const parts = Array.from({ length: 8 }, (_, at) => ({ shard: at + 1, rows: 5, files: [] }));
    writeFileSync(path, manifestText({ version: 1, shards: 8, rows: 40, from: null, parts }));
    const { checkpoints } = givenCheckpoints({ checkpoint: [], manifest: path });
    expect(checkpoints).toHaveLength(8);
    expect(checkpoints[2]).toBe(NAME);
    expect(checkpointOf({ checkpoint: "auth-migrate.checkpoint" }, THIRD)).toBe(NAME);
    expect(checkpointOf({ checkpoint: "own" }, THIRD)).toBe("own");
    expect(checkpointOf({ checkpoint: "auth-migrate.checkpoint" }, undefined)).not.toBe(NAME);
    const named = givenCheckpoints({ checkpoint: ["b", "a"], manifest: path });
    expect(named.checkpoints).toEqual(["b", "a"]);
  });

  it("leave a whole export its one checkpoint", () => {
    const byDefault = { checkpoints: ["auth-migrate.checkpoint"], manifest: null };
    const none = { checkpoint: [], manifest: undefined };
    expect(givenCheckpoints(none)).toEqual(byDefault);
    const two = { checkpoint: ["b", "a"], manifest: undefined };
    expect(() => requireOneExport(two)).toThrow(/Several checkpoints/);
    expect(() => requireOneExport({ ...two, manifest: "manifest.json" })).not.toThrow();
  });
});

it("a proof that is required needs test users to prove with", () => {
  const required = { prove: undefined, requireProof: true, prehashSaltFile: undefined };
  expect(() => requireSomeProof(required)).toThrow(
    expect.objectContaining({ code: "proof_missing" }),
  );
  expect(() => requireSomeProof({ ...required, prove: "passwords.csv" })).not.toThrow();
});
