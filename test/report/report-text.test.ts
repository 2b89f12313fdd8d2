import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/events/run-record.js";
import { noCalls } from "../../src/events/tally.js";
import { makeReport } from "../../src/report/report.js";
import { reportHtml } from "../../src/report/report-html.js";
import { reportMarkdown } from "../../src/report/report-markdown.js";
import { reportText } from "../../src/report/report-text.js";
import { refusal, reportSource, runRecord, sampleAt } from "./support/reports.js";

const NOTHING_SENT = { read: 0, calls: noCalls() };
/** As a run is kept until its question is answered. */
const UNANSWERED = { ...NOTHING_SENT, total: null };
const BEFORE = "ended before anything was sent";

describe("a report as text", () => {
  const samples = [
    ...[0, 4000].map((at) => sampleAt(at)),
    ...[8000, 12_000].map((at) => sampleAt(at, at / 10, 2500)),
  ];
  const waits = { retry_after: { count: 1, ms: 2500 } };
  const lines = reportText(
    makeReport(
      reportSource({
        runs: [runRecord({ samples, waits, pauses: 2, pausedMs: 2600 })],
        refused: [
          ...[1, 2, 3, 4, 5, 6].map((number) => refusal(number)),
          refusal(7, { hint: "x ".repeat(200), code: "duplicate" }),
        ],
      }),
    ),
  );

  it("fits 80 columns", () => {
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it("says who stands where, why, how fast it went and what was waited for", () => {
    const text = lines.join("\n");
    expect(text).toContain("  imported           1,000   with their password");
    expect(text).toContain("  no_contact   6   users.csv, rows 1, 2, 3, …\n      Add an email");
    expect(text).toContain("    1  2026-11-20 05:02 UTC  12 s  1,213  finished");
    expect(text).toMatch(
      /Rows a second in run 1\n {2}From .*\n {2}0:00 +100\n {2}0:04 +paused +100\n/,
    );
    expect(text).toContain("  hash_shared   2   users.csv, rows 3, 9\n");
    expect(text).toContain("all calls waited 2 times, 2.6 s in all; of a second and more:");
    expect(text).toContain("the core asked for it (Retry-After): once, 2.5 s");
    expect(text).toMatch(/made again +4 +of all these calls/);
    expect(text).toMatch(/import +1,000 +a user .* or a queue's batch/);
  });

  it("names the list of rows behind those that are in it, and before what isn't", () => {
    const [listed = "", others = ""] = lines
      .join("\n")
      .split("--format csv lists each of these rows");
    for (const code of ["no_contact   6", "duplicate   1"]) expect(listed).toContain(code);
    for (const code of ["phone_not_migrated   25", "hash_shared   2"]) {
      expect(others).toContain(code);
    }
  });

  it("begins with who is at the core, and what is next", () => {
    expect(lines[0]).toMatch(/^1,200 of 1,210 users are at the core \(99\.1 %\), 6 rejected/);
    expect(lines.slice(1, 3).join(" ")).toContain(
      "Of 1,210 users 1 has failed: the same import again goes on.",
    );
  });

  it("counts the rows of the latest run one way wherever they stand", () => {
    const progress = { done: 1213, total: 5000, perSecond: null, leftMs: null };
    const runs = [runRecord({ read: 1300, ending: "stopped" })];
    const report = makeReport(reportSource({ status: { progress }, runs }));
    for (const text of [reportText(report), reportMarkdown(report), [reportHtml(report)]]) {
      expect(text.join(" ")).not.toContain("1,300");
    }
  });

  it("begins with what speaks against the parts of an export being one import, in every form for people", () => {
    const shards = { proved: false, shards: 2, rows: 2420, ownRows: 1210, flaws: [] };
    const source = reportSource({ status: { failed: 0 } });
    const report = makeReport({ ...source, shards });
    for (const text of [reportText(report), reportMarkdown(report), [reportHtml(report)]]) {
      expect(text.join(" ")).toMatch(/No run is going on\. Not proved: .* 1,210 of 2,420 rows/);
    }
  });

  it.each([
    ["finished", { ending: "finished" as const }, false, "finished"],
    ["a proof", { ending: "finished" as const, proof: true }, false, "finished, a proof"],
    ["stopped", { ending: "stopped" as const }, false, "stopped by a signal"],
    ["failed", { ending: "failed" as const, reason: "outage" }, false, "ended by outage"],
    ["killed", { ending: null }, false, "killed, rows as noted last"],
    ["killed early", { ending: null, total: 1213, ...NOTHING_SENT }, false, "killed, .*", "0"],
    ["going on", { ending: null }, true, "going on"],
    ["at its question", { ending: null, ...UNANSWERED }, true, "going on", "0"],
    ["killed there", { ending: null, ...UNANSWERED }, false, BEFORE, "0"],
    ["stopped there", { ending: "stopped" as const, ...UNANSWERED }, false, BEFORE, "0"],
    ["empty", { ending: "finished" as const, ...UNANSWERED }, false, "finished", "0"],
  ])("tells a run that is %s", (_what, changes, running, said, rows = "1,213") => {
    const source = reportSource({ status: { running }, runs: [runRecord(changes)] });
    const text = reportText(makeReport(source)).join("\n");
    expect(text).toMatch(new RegExp(`12 s +${rows} +${said}\n`));
  });

  it("says of a killed run that its last users may be missing among what was carried, and no more rows than it has read", () => {
    const textOf = (changes: Partial<RunRecord>): string => {
      const runs = [
        runRecord({ total: 50_000, read: 20_500, carriedUsers: { joined: 9 }, ...changes }),
      ];
      return reportText(makeReport(reportSource({ runs }))).join("\n");
    };
    expect(textOf({ ending: null })).toMatch(
      /Carried along .*\n {2}The last users of a run that was killed may be missing\.\n[\s\S]* 20,500 +killed/,
    );
    expect(textOf({ ending: "stopped" })).toMatch(/Carried along .*\n\n[\s\S]* 50,000 +stopped/);
  });

  it("takes no run but the latest for one that goes on", () => {
    const runs = [runRecord({ ending: null }), runRecord({ number: 2, ending: null })];
    const text = reportText(makeReport(reportSource({ status: { running: true }, runs }))).join(
      "\n",
    );
    expect(text).toMatch(/1 {2}2026.*killed, rows as noted last\n.*2 {2}2026.*going on/);
  });

  it("shows no control character of a file's name", () => {
    const row = { file: "users\u001b[2J\u202e.csv", number: 1 };
    const text = reportText(makeReport(reportSource({ refused: [refusal(1, { row })] }))).join(
      "\n",
    );
    expect(text).toContain("users\\u{1b}[2J\\u{202e}.csv");
  });
});
