import { describe, expect, it } from "vitest";
import { reportJunit } from "../../src/report/report-junit.js";
import { refusal, reportSource, STATUS } from "./support/reports.js";

describe("a report as JUnit's XML", () => {
  it("has a test that passes for all who are well, and one that fails for each row to mend", () => {
    const refused = [
      refusal(12, { row: { file: "users.csv", number: 12, line: 13 } }),
      refusal(40, { type: "failure", code: "core_broken", hint: "Run it again." }),
      refusal(41, { type: "skip", code: "disabled" }),
    ];
    const status = { ...STATUS, rejected: 1, failed: 1, rejects: { no_contact: 1 } };
    expect([...reportJunit(reportSource({ refused, status }))].join("")).toBe(`\
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="auth-migrate" tests="3" failures="1" errors="1" skipped="0">
  <testcase classname="auth-migrate" name="1,200 of 1,210 users are at the core (99.1 %), 1 rejected, 3 skipped, 1 failed."/>
  <testcase classname="no_contact" name="users.csv, row 12 (line 13)" file="users.csv" line="13">
    <failure type="no_contact" message="Add an email or a phone."/>
  </testcase>
  <testcase classname="core_broken" name="users.csv, row 40" file="users.csv">
    <error type="core_broken" message="Run it again."/>
  </testcase>
</testsuite>
`);
  });

  it("counts rows beside users, too", () => {
    const otherRows = { rejects: { duplicate: 4 }, skips: { older_export: 2 }, failures: {} };
    const status = { ...STATUS, otherRows };
    const [, head] = reportJunit(reportSource({ refused: [], status }));
    expect(head).toBe(
      '<testsuite name="auth-migrate" tests="12" failures="10" errors="1" skipped="0">\n',
    );
  });

  it.each(['"><x a="', "a&b<c>.csv", "a\u0000\u001b]0;b\u202e.csv", "it's.csv"])(
    "lets no file name out of its attribute: %j",
    (file) => {
      const lines = [
        ...reportJunit(reportSource({ refused: [refusal(1, { row: { file, number: 1 } })] })),
      ];
      const tag =
        /^ {2}<testcase classname="no_contact" name="[^"<>\p{Cc}\u202e]*, row 1" file="[^"<>\p{Cc}\u202e]*">\n$/u;
      expect(lines[3]).toMatch(tag);
    },
  );

  it("is made line by line, however many rows there are", () => {
    let made = 0;
    const source = {
      status: STATUS,
      *refused() {
        for (;;) yield refusal(++made);
      },
    };
    const lines = reportJunit(source);
    for (let at = 0; at < 5; at += 1) lines.next();
    expect(made).toBe(1);
  });
});
