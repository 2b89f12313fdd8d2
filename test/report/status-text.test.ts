import { describe, expect, it } from "vitest";
import type { CheckpointStatus } from "../../src/checkpoint/status.js";
import { unfinishedUsers } from "../../src/errors/unfinished.js";
import { standingLine } from "../../src/report/headline.js";
import { statusesText, statusText } from "../../src/report/status-text.js";
import { PLAIN_LAYOUT } from "../../src/report/layout.js";
import { STATUS } from "./support/reports.js";

const DONE: CheckpointStatus = {
  ...STATUS,
  begunAt: new Date("2026-11-21 05:02 UTC"),
  ...{ users: 1_204_310, imported: 1_204_000, skipped: 10, rejected: 100, failed: 0 },
  ...{ rejects: { no_contact: 40, bcrypt_length: 60 }, skips: { disabled: 10 }, failures: {} },
  notices: {},
};

describe("a checkpoint's status as text", () => {
  it("has the counts, the codes by their number, and the important thing first", () => {
    expect(statusText(DONE)).toEqual([
      "1,204,200 of 1,204,310 users are at the core (99.9 %), 100 rejected, 10 skipped.",
      "No run is going on, and no user is open or failed. 100 rows are rejected: mend",
      "them as the code says and import them, or go on without them. To compare them",
      "with the core, now or later, run reconcile.",
      "",
      "auth-migrate.checkpoint: 1,204,310 users, core https://core.example.com",
      "  begun         2026-11-21 05:02 UTC",
      "  last written  2026-11-21 07:00 UTC",
      "",
      "  imported       1,204,000   with their password",
      "  created              200   without a password",
      "  skipped               10   left out on purpose (disabled 10)",
      "  rejected             100   can't be migrated as they are (bcrypt_length 60,",
      "                             no_contact 40)",
    ]);
  });

  it("leaves out what isn't known, and shows the cut-over", () => {
    const cutoverAt = new Date("2026-12-24T06:00:00.000Z");
    const lines = statusText({ ...DONE, core: null, begunAt: null, cutoverAt });
    expect(lines[4]).toBe("auth-migrate.checkpoint: 1,204,310 users, no user at a core");
    expect(lines[5]).toBe("  last written  2026-11-21 07:00 UTC");
    expect(lines[6]).toBe("  cut over      2026-12-24 06:00 UTC");
  });

  it.each([
    [
      "a run that goes on",
      { done: 7492, total: 50_000, perSecond: 214, leftMs: 199_000 },
      "A run is going on, 214 rows a second, 3 min 19 s left.",
    ],
    [
      "a slow run whose rows weren't counted",
      { done: 12, total: null, perSecond: 0.4, leftMs: null },
      "A run is going on, 0.4 rows a second.",
    ],
    [
      "a run that still reads its files",
      { done: 0, total: null, perSecond: null, leftMs: null },
      "A run is going on.",
    ],
  ])("says how fast %s is", (_what, progress, line) => {
    expect(statusText({ ...DONE, running: true, progress })).toContain(line);
  });

  it("counts all who are open as one, and says how many calls may have arrived", () => {
    const lines = statusText({ ...DONE, pending: 3, unknown: 2, unread: 1000 });
    expect(lines[0]).toBe(
      "1,204,200 of 1,205,310 users are at the core (99.9 %), 100 rejected, 10 skipped,",
    );
    expect(lines.join("\n")).toMatch(
      /\n {2}open +1,005 +without an outcome yet \(2 noted for a call: the\n +next run looks them up first\)/,
    );
  });

  it("says of users in the core's queue that they were there when it was last asked, and where to look", () => {
    const lines = statusText(
      { ...DONE, users: 1_214_310, queued: 10_000, written: 4000, cut: "stopped" },
      { ...PLAIN_LAYOUT, columns: 200 },
    );
    expect(lines[0]).toContain(
      "4,000 written by the queue and not read back yet, 6,000 queued when last asked.",
    );
    expect(lines[1]).toBe(
      "No run is going on. Of 1,214,310 users 4,000 are written by the queue and not read back yet, 6,000 are queued: the same import again goes on, reads back whom the core's queue was given, and brings no",
    );
    expect(lines).toContain(
      "  queued             6,000   in the core's queue when last asked; reconcile counts who is there, importing again reads them back",
    );
  });

  it("has below the users without a password whose password the vendor still has, as an import does", () => {
    const lines = statusText({ ...DONE, notices: { password_not_exported: 43 } });
    const at = lines.indexOf("  created              200   without a password");
    expect(lines[at + 1]).toMatch(
      /^ +no hash +43 +of those brought leave a password at the vendor/,
    );
    expect(statusText(DONE).join("\n")).not.toContain("no hash");
  });

  it("is a line for each of several checkpoints, and their sums below", () => {
    const progress = { done: 100, total: 400, perSecond: 10, leftMs: 30_000 };
    const going = { ...DONE, running: true, progress };
    const each = [
      { checkpoint: "one.checkpoint", status: DONE },
      { checkpoint: "second.checkpoint", status: going },
      { checkpoint: "third.checkpoint", status: { ...DONE, failed: 2 } },
      { checkpoint: "fourth.checkpoint", status: null },
    ];
    const lines = statusesText({ sum: going, each }, { ...PLAIN_LAYOUT, columns: 200 });
    const users = "1,204,200 of 1,204,310 users are at the core (99.9 %), 100 rejected, 10 skipped";
    expect(lines.slice(0, 5)).toEqual([
      `one.checkpoint: ${users}.`,
      `second.checkpoint: ${users}. A run is going on, 10 rows a second, 30 s left.`,
      `third.checkpoint: ${users}, 2 failed.`,
      "fourth.checkpoint: not begun",
      "",
    ]);
    expect(lines.slice(5)).toEqual(statusText(going, { ...PLAIN_LAYOUT, columns: 200 }));
  });

  it("is one line in a log, with what went wrong", () => {
    const progress = { done: 100, total: 400, perSecond: 10, leftMs: 30_000 };
    expect(standingLine({ ...DONE, running: true, progress, failed: 3 })).toBe(
      "1,204,200 of 1,204,310 users are at the core (99.9 %), 100 rejected, 10 skipped, 3 failed. A run is going on, 10 rows a second, 30 s left.",
    );
  });

  it.each([
    [
      { failed: 1 },
      "No run is going on. Of 1,204,310 users 1 has failed: the same import again goes on.",
    ],
    [
      { pending: 1, unknown: 2, unmapped: 4 },
      "No run is going on. Of 1,204,310 users 3 are open, 4 are incomplete: the same import again goes on.",
    ],
    [
      { progress: { done: 29, total: 245, perSecond: null, leftMs: null } },
      "No run is going on, and the latest one ended early, and 100 rows are rejected: the same import again goes on.",
    ],
    [
      { rejected: 0, rejects: {}, cut: "stopped" as const, unread: null },
      "No run is going on, and the latest one ended early: the same import again goes on.",
    ],
    [
      { rejected: 1, rejects: { no_contact: 1 }, cut: "stopped" as const },
      "No run is going on, and the latest one ended early, and 1 row is rejected: the same import again goes on.",
    ],
    [
      { rejected: 0, rejects: {}, cut: "stopped" as const, endedBy: "disk" },
      "No run is going on. The latest run was ended by disk: do what it said, then the same import goes on.",
    ],
    [
      { failed: 1, endedBy: "key_refused" },
      "No run is going on. Of 1,204,310 users 1 has failed. The latest run was ended by key_refused: do what it said, then the same import goes on.",
    ],
    [
      { failed: 1, endedBy: "proof_missing", command: "auth-migrate import a.csv" },
      "No run is going on. Of 1,204,310 users 1 has failed. The latest run was ended by proof_missing: do what it said, then this import goes on: auth-migrate import a.csv",
    ],
    [
      { rejected: 0, rejects: {}, endedBy: "proof_missing", check: ["auth-migrate reconcile"] },
      "No run is going on, and no user is open or failed. The latest run was ended by proof_missing: do what it said before you run it again. To compare them with the core, now or later: auth-migrate reconcile",
    ],
    [
      {
        progress: { done: 0, total: null, perSecond: null, leftMs: null },
        endedBy: "column_unclear",
      },
      "No run is going on, and 100 rows are rejected. The latest run was ended by column_unclear: do what it said, then the same import goes on.",
    ],
    [
      {
        pending: 1,
        command: "auth-migrate import a.csv --rate 9",
        cut: "limited" as const,
      },
      "No run is going on. Of 1,204,310 users 1 is open: the same import again goes on: auth-migrate import a.csv --rate 9",
    ],
    [
      { cutoverAt: new Date(0) },
      "No run is going on, and no user is open or failed. 100 rows are rejected: mend them as the code says and import them, or leave them behind.",
    ],
    [{ running: true, unknown: 64 }, "A run is going on."],
    [
      { rejected: 0, rejects: {} },
      "No run is going on, and no user is open or failed. To compare them with the core, now or later, run reconcile.",
    ],
    [
      {
        cutoverAt: null,
        check: ["npx auth-migrate reconcile", "--data 'my core.db'", "--checkpoint a.checkpoint"],
      },
      "No run is going on, and no user is open or failed. 100 rows are rejected: mend them as the code says and import them, or go on without them. To compare them with the core, now or later: npx auth-migrate reconcile --data 'my core.db' --checkpoint a.checkpoint",
    ],
  ])("says behind it what is to be done: %j", (change, next) => {
    const text = statusText({ ...DONE, ...change }).join(" ");
    expect(text.replace(/ +/g, " ")).toContain(`. ${next}`);
  });

  it("doesn't take users of whom there is none for finished", () => {
    const none = { users: 0, imported: 0, created: 0, existed: 0, skipped: 0, rejected: 0 };
    const lines = statusText({ ...DONE, ...none, rejects: {}, skips: {} });
    expect(lines.join(" ")).toContain("No run is going on, and no user has been read.");
  });

  it("adds rows and users up: those of no further user are told beside", () => {
    const otherRows = { rejects: { duplicate: 2 }, skips: { older_export: 1 }, failures: {} };
    expect(statusText({ ...DONE, otherRows }).join("\n")).toMatch(
      /^Rows that can't be read, or whose user or contact is counted already: 2\nrejected, 1 skipped \(duplicate 2, older_export 1\)\.$/m,
    );
  });

  it("never calls all but one of many users all of them", () => {
    const most = { users: 1000, imported: 999, created: 0, skipped: 1, rejected: 0 };
    expect(statusText({ ...DONE, ...most })[0]).toBe(
      "999 of 1,000 users are at the core (99.9 %), 1 skipped.",
    );
  });

  it("counts everybody unfinished whom a further run would go on with", () => {
    expect(unfinishedUsers({ ...DONE, failed: 1, pending: 2, unknown: 4, unmapped: 8 })).toBe(15);
  });
});
