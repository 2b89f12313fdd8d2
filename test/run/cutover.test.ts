import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { recordCutover } from "../../src/run/cutover.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const MAY = Date.UTC(2026, 4, 1, 9);
const at = (time: number) => ({ now: () => time });

function newCheckpoint(): string {
  const path = newPath("checkpoint");
  openCheckpoint(path).close();
  return path;
}

function cutOverOf(path: string): number | null {
  const checkpoint = openCheckpoint(path);
  try {
    return checkpoint.cutOver();
  } finally {
    checkpoint.close();
  }
}

describe("the cut-over", () => {
  it("is recorded once, with the moment", () => {
    const path = newCheckpoint();
    expect(cutOverOf(path)).toBeNull();
    expect(recordCutover(path, at(MAY))).toMatchObject({
      changed: true,
      status: { cutoverAt: new Date(MAY), users: 0 },
    });
    expect(recordCutover(path, at(MAY + 1000))).toMatchObject({
      changed: false,
      status: { cutoverAt: new Date(MAY) },
    });
    expect(cutOverOf(path)).toBe(MAY);
  });

  it("can be taken back, and recorded anew", () => {
    const path = newCheckpoint();
    expect(recordCutover(path, { revoke: true })).toMatchObject({ changed: false });
    recordCutover(path, at(MAY));
    expect(recordCutover(path, { revoke: true })).toMatchObject({
      changed: true,
      status: { cutoverAt: null },
    });
    expect(cutOverOf(path)).toBeNull();
    recordCutover(path, at(MAY + 1000));
    expect(cutOverOf(path)).toBe(MAY + 1000);
  });

  it("needs a checkpoint, and makes none", () => {
    const path = newPath("none");
    expect(() => recordCutover(path)).toThrow(
      expect.objectContaining({ code: "checkpoint_missing" }),
    );
    expect([path, `${path}.lock`].map((file) => existsSync(file))).toEqual([false, false]);
  });

  it("waits for no run that holds the checkpoint, and changes nothing under it", () => {
    const path = newCheckpoint();
    const run = openCheckpoint(path);
    expect(() => recordCutover(path)).toThrow(expect.objectContaining({ code: "in_use" }));
    expect(run.cutOver()).toBeNull();
    run.close();
  });
});
