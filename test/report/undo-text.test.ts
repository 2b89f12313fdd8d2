import { expect, it } from "vitest";
import { PLAIN_LAYOUT } from "../../src/report/layout.js";
import { undoText } from "../../src/report/undo-text.js";
import type { Undone } from "../../src/undo/undo-users.js";

const UNDONE: Undone = {
  command: "undo",
  core: { kind: "remote", url: "https://core.example.com" },
  checkpoint: "auth-migrate.checkpoint",
  dryRun: false,
  ...{ users: 0, queued: 30, existed: 0, removed: 0, gone: 30, left: 0, failed: 0 },
  skips: {},
  calls: { code: 0, consume: 0, update: 0, import: 0, lookup: 30, map: 0, part: 1 },
  interrupted: false,
  elapsedMs: 200,
};

function verdictOf(changes: Partial<Undone>): string | undefined {
  return undoText({ ...UNDONE, ...changes }, [], PLAIN_LAYOUT).at(-1);
}

it("an undo's verdict tells of the queue, from which accounts would come later", () => {
  expect(verdictOf({ dryRun: true })).toBe(
    "Nothing was removed. An undo would remove 0 users, and take 30 accounts off the core's queue.",
  );
  expect(verdictOf({})).toBe("Removed 0 users. The core's queue has none of them any more.");
  expect(verdictOf({ queued: 0, removed: 3, gone: 0 })).toBe("Removed 3 users.");
});
