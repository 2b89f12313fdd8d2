import { describe, expect, it } from "vitest";
import type { Reconciliation } from "../../src/reconcile/reconcile-users.js";
import { PLAIN_LAYOUT } from "../../src/report/layout.js";
import { reconcileText } from "../../src/report/reconcile-text.js";
import { STATUS } from "./support/reports.js";

const AGREED: Reconciliation = {
  command: "reconcile",
  core: { kind: "remote", url: "https://core.example.com" },
  checkpoint: "auth-migrate.checkpoint",
  running: false,
  shards: null,
  ...{ finished: 1240, unfinished: 0, wanted: 200, asked: 200, agreed: 200, differing: 0 },
  ...{ unanswered: 0, unasked: 0, differences: {}, rows: null, pages: 3 },
  counts: {
    emailpassword: { brought: 1180, core: 1200 },
    passwordless: { brought: 60, core: 60 },
    thirdparty: { brought: 0, core: null },
  },
  calls: { code: 0, consume: 0, update: 0, import: 0, lookup: 202, map: 0, part: 0 },
  ...{ agrees: true, interrupted: false, elapsedMs: 512 },
};

function last(change: Partial<Reconciliation>): string[] {
  return reconcileText({ ...AGREED, ...change }, []).slice(-2);
}

describe("what reconciling came to, as text", () => {
  it("has whom was asked for, the counts, and the verdict last", () => {
    expect(reconcileText(AGREED, [])).toEqual([
      "auth-migrate.checkpoint and the core at https://core.example.com: a sample of 200 of 1,240 finished users; --sample all asks for all of them",
      "",
      "  agree                200   are at the core as the checkpoint says",
      "",
      "Users in all",
      "  with a password          1,180 brought       1,200 at the core",
      "  without a password          60 brought          60 at the core",
      "",
      "Checkpoint and core agree in everything that was asked for.",
    ]);
  });

  it.each([
    [
      "files that lack some of them",
      { rows: { read: 1300, notBrought: 61 } },
      "; the others came from other rows or files: reconcile --sample all without files asks for all",
    ],
    ["a stop", { interrupted: true }, ""],
  ])("calls no sample what is left of all by %s", (_by, change, others) => {
    const all = { ...AGREED, wanted: 1240, asked: 1239, ...change };
    expect(reconcileText(all, [])[0]).toMatch(
      new RegExp(`: 1,239 of 1,240 finished users asked for${others}$`),
    );
  });

  it("names the differences by code and row", () => {
    const hint = "The core doesn't know this user.";
    const examples = [{ file: "users.csv", number: 7 }];
    const group = { type: "difference", code: "user_missing", hint, count: 1, examples } as const;
    const lines = reconcileText({ ...AGREED, differing: 1, agrees: false }, [group]);
    expect(lines.slice(-5)).toEqual([
      "Different (row 1 is the first user's)",
      "  user_missing   1   users.csv, row 7",
      `      ${hint}`,
      "",
      "Checkpoint and core DIFFER.",
    ]);
  });

  it.each([
    [{ asked: 1240 }, ["", "Checkpoint and core agree."]],
    [{ unanswered: 3 }, ["", "3 users got no answer: run the same command again."]],
    [{ unanswered: 3, agrees: false }, ["", "Checkpoint and core DIFFER."]],
    [{ finished: 0, asked: 0 }, ["", "By this checkpoint, no user is finished yet."]],
    [{ asked: 0 }, ["", "No user could be looked up, so only the counts agree."]],
    [{ interrupted: true }, ["", "Stopped before the end."]],
    [
      { unfinished: 5, running: true },
      [
        "A run is going on; these numbers are of the moment they were read.",
        "Checkpoint and core agree in everything that was asked for.",
      ],
    ],
  ])("ends with the verdict: %j", (change, lines) => {
    expect(last(change)).toEqual(lines);
  });

  it("ends with who is left, as status counts them, and how the import of them goes on", () => {
    const command = "auth-migrate import users.csv --core https://core.example.com";
    const left = { queued: 20, written: 4, unknown: 1, unread: 2, unmapped: 1 };
    const status = { ...STATUS, command, ...left };
    const lines = reconcileText({ ...AGREED, unfinished: 25 }, [], PLAIN_LAYOUT, status);
    expect(lines.slice(-5)).toEqual([
      "Checkpoint and core agree in everything that was asked for.",
      "Of 1,212 users 1 has failed, 4 are written by the queue and not read back yet,",
      "16 are queued, 3 are open, 1 is incomplete: the same import again goes on, reads",
      "back whom the core's queue was given, and brings no user twice:",
      `  ${command}`,
    ]);
  });

  it("marks a core that has fewer users than were brought, and says nothing without counts", () => {
    const counts = {
      emailpassword: { brought: 1180, core: 1100 },
      passwordless: { brought: 60, core: null },
      thirdparty: { brought: 30, core: 30 },
    };
    const lines = reconcileText({ ...AGREED, counts, agrees: false }, []);
    expect(lines.filter((line) => line.includes("brought"))).toEqual([
      "  with a password          1,180 brought       1,100 at the core  FEWER",
      "  by social accounts          30 brought          30 at the core",
    ]);
  });
});
