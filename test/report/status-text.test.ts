import { describe, expect, it } from "vitest";
import type { CheckpointStatus } from "../../src/checkpoint/status.js";
import { statusText, unfinishedUsers } from "../../src/report/status-text.js";

const DONE: CheckpointStatus = {
  checkpoint: "auth-migrate.checkpoint",
  core: { kind: "remote", url: "https://core.example.com" },
  shard: null,
  running: false,
  begunAt: new Date("2026-11-21T05:02:11.412Z"),
  writtenAt: new Date("2026-11-21T07:00:00.000Z"),
  cutoverAt: null,
  users: 1_204_310,
  ...{ imported: 1_204_000, created: 200, existed: 0, skipped: 10, rejected: 100 },
  ...{ failed: 0, pending: 0, unknown: 0, unmapped: 0 },
  ...{ rejects: { no_contact: 40, bcrypt_length: 60 }, skips: { disabled: 10 }, failures: {} },
};

describe("a checkpoint's status as text", () => {
  it("has the counts, the codes by their number, and the important thing last", () => {
    expect(statusText(DONE)).toEqual([
      "auth-migrate.checkpoint: 1,204,310 users, core https://core.example.com",
      "  begun         2026-11-21T05:02:11.412Z",
      "  last written  2026-11-21T07:00:00.000Z",
      "",
      "  imported       1,204,000   at the core, with their password",
      "  created              200   at the core, without a password",
      "  skipped               10   left out on purpose",
      "  rejected             100   can't be migrated as they are",
      "",
      "Rejected",
      "  bcrypt_length   60",
      "  no_contact      40",
      "",
      "Skipped",
      "  disabled   10",
      "",
      "No run is going on, and every user is finished.",
    ]);
  });

  it("leaves out what isn't known, and shows the cut-over", () => {
    const cutoverAt = new Date("2026-12-24T06:00:00.000Z");
    const lines = statusText({ ...DONE, core: null, begunAt: null, cutoverAt });
    expect(lines[0]).toBe("auth-migrate.checkpoint: 1,204,310 users, no user sent yet");
    expect(lines[1]).toBe("  last written  2026-11-21T07:00:00.000Z");
    expect(lines[2]).toBe("  cut over      2026-12-24T06:00:00.000Z");
  });

  it.each([
    [{ failed: 1 }, "No run is going on, and 1 user is unfinished: the same import again goes on."],
    [
      { pending: 1, unknown: 2, unmapped: 4 },
      "No run is going on, and 7 users are unfinished: the same import again goes on.",
    ],
    [{ running: true, unknown: 64 }, "A run is going on."],
  ])("ends with what is to be done: %j", (change, last) => {
    expect(statusText({ ...DONE, ...change }).at(-1)).toBe(last);
  });

  it("counts everybody unfinished whom a further run would go on with", () => {
    expect(unfinishedUsers({ ...DONE, failed: 1, pending: 2, unknown: 4, unmapped: 8 })).toBe(15);
  });
});
