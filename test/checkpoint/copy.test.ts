import { mkdirSync, readdirSync } from "node:fs";
import { afterEach, expect, it, vi } from "vitest";
import { copyCheckpoint, openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();

afterEach(() => vi.unstubAllEnvs());

it("a copy is made beside a run, is written to alone, and leaves nothing behind", () => {
  const scratch = newPath("scratch");
  mkdirSync(scratch);
  vi.stubEnv("TMPDIR", scratch);
  const checkpoint = openCheckpoint(newPath("checkpoint"));
  checkpoint.recordCutOver(1_700_000_000_000);
  const copy = copyCheckpoint(checkpoint.path);
  expect(copy.cutOver()).toBe(1_700_000_000_000);
  expect(copy.digester.contact("email", "ada@example.com")).toBe(
    checkpoint.digester.contact("email", "ada@example.com"),
  );
  copy.recordCutOver(null);
  expect(copy.cutOver()).toBeNull();
  copy.close();
  expect(checkpoint.cutOver()).toBe(1_700_000_000_000);
  checkpoint.close();
  expect(readdirSync(scratch)).toEqual([]);
});

it("of a checkpoint that isn't there no copy can be made", () => {
  expect(() => copyCheckpoint(newPath("nowhere"))).toThrow(
    expect.objectContaining({ code: "checkpoint_missing" }),
  );
});
