import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  checkpointOf,
  givenCheckpoints,
  requireOneExport,
} from "../../../src/cli/options/general.js";
import { partNamed } from "../../../src/cli/shard-files.js";
import { manifestText } from "../../../src/events/shard.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const newPath = temporaryPaths();
const THIRD = { index: 3, count: 8 };
const NAME = "auth-migrate.shard-3-of-8.checkpoint";

describe("a part of a split export", () => {
  it.each([
    [["parts/part-3"], 3],
    [["part-3", "./part-3-2"], 3],
    [["/scratch/parts/part-500"], 500],
  ])("is named by its files: %j", (files, shard) => {
    expect(partNamed(files)).toMatchObject({ shard });
  });

  it.each([["part-3.csv"], ["part-00003"], ["part-0"], ["spare-part-3"], ["part-3/users.csv"]])(
    "is no file of another name: %s",
    (file) => {
      expect(partNamed([file])).toBeNull();
      expect(partNamed(["users.csv", file])).toBeNull();
    },
  );

  it.each([
    [["parts/part-1", "parts/part-2"]],
    [["parts/part-1", "more/part-1"]],
    [["users.csv", "parts/part-1"]],
  ])("is imported alone: %j", (files) => {
    expect(() => partNamed(files)).toThrow(expect.objectContaining({ code: "usage" }));
  });
});

describe("the checkpoints of parts", () => {
  it("are named as each import names its own", () => {
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

  it("are one for a whole export", () => {
    const byDefault = { checkpoints: ["auth-migrate.checkpoint"], manifest: null };
    const none = { checkpoint: [], manifest: undefined };
    expect(givenCheckpoints(none)).toEqual(byDefault);
    const two = { checkpoint: ["b", "a"], manifest: undefined };
    expect(() => requireOneExport(two)).toThrow(/Several checkpoints/);
    expect(() => requireOneExport({ ...two, manifest: "manifest.json" })).not.toThrow();
  });
});
