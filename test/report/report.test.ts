import { describe, expect, it } from "vitest";
import { makeReport, reportJson } from "../../src/report/report.js";
import { refusal, reportSource, runRecord, STATUS } from "./support/reports.js";

describe("a report", () => {
  it("groups rows by what was told of them, failures first, with a few examples", () => {
    const refused = [
      ...[1, 2, 3, 4].map((number) => refusal(number)),
      refusal(5, { type: "failure", code: "core_broken", hint: "Run it again." }),
      refusal(6, { type: "skip", code: "disabled", hint: "Left out." }),
    ];
    const { groups } = makeReport(reportSource({ refused }));
    expect(groups).toEqual([
      {
        ...{ type: "failure", code: "core_broken", hint: "Run it again.", count: 1, users: 1 },
        examples: [{ file: "users.csv", number: 5 }],
      },
      {
        ...{
          type: "reject",
          code: "no_contact",
          hint: "Add an email or a phone.",
          count: 4,
          users: 4,
        },
        examples: [1, 2, 3].map((number) => ({ file: "users.csv", number })),
      },
      {
        ...{ type: "skip", code: "disabled", hint: "Left out.", count: 1, users: 1 },
        examples: [{ file: "users.csv", number: 6 }],
      },
    ]);
  });

  it("names vendor's ids only where they are asked for", () => {
    const source = reportSource({ refused: [refusal(1, { sourceId: "kZ81" }), refusal(2)] });
    expect(JSON.stringify(makeReport(source))).not.toContain("kZ81");
    expect(makeReport(source, { withIds: true }).groups[0]?.examples).toEqual([
      { file: "users.csv", number: 1, sourceId: "kZ81" },
      { file: "users.csv", number: 2, sourceId: null },
    ]);
  });

  it("sums calls and pauses up over all runs, and tells notices of users", () => {
    const waits = { retry_after: { count: 1, ms: 2000 } };
    const report = makeReport(
      reportSource({
        runs: [
          runRecord({ waits, pauses: 3, pausedMs: 2100 }),
          runRecord({
            ...{ number: 2, pauses: 2, pausedMs: 5000 },
            waits: { retry_after: { count: 1, ms: 1000 }, outage: { count: 1, ms: 4000 } },
          }),
        ],
      }),
    );
    expect(report).toMatchObject({
      ...{ retries: 8, pauses: 5, pausedMs: 7100 },
      calls: { import: 2000, lookup: 2800, map: 0 },
      notices: { phone_not_migrated: 25 },
      waits: { retry_after: { count: 2, ms: 3000 }, outage: { count: 1, ms: 4000 } },
    });
    expect(report.waits).not.toHaveProperty("busy");
  });

  it("tells rows from the users who stand so: a duplicate is a row alone", () => {
    const otherRows = { rejects: { no_contact: 1, duplicate: 1 }, skips: {}, failures: {} };
    const refused = [refusal(1), refusal(2), refusal(3, { code: "duplicate" })];
    const { groups } = makeReport(reportSource({ refused, status: { otherRows } }));
    expect(groups.map(({ code, count, users }) => [code, count, users])).toEqual([
      ["no_contact", 2, 1],
      ["duplicate", 1, 0],
    ]);
  });

  it("has the status beside it in its JSON, with the codes in its groups alone", () => {
    const event = reportJson(makeReport(reportSource({ refused: [refusal(1)] })));
    const { rejects: _rejects, skips: _skips, failures: _failures, ...standing } = STATUS;
    expect(event).toMatchObject({ type: "report", ...standing, groups: [{ code: "no_contact" }] });
    expect(event).not.toHaveProperty("rejects");
    expect(event).not.toHaveProperty("status");
  });
});
