import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeReport } from "../../src/report/report.js";
import { reportCsv } from "../../src/report/lists.js";
import { reportHtml } from "../../src/report/report-html.js";
import { reportMarkdown } from "../../src/report/report-markdown.js";
import { refusal, reportSource, runRecord } from "./support/reports.js";

/** What somebody may have named a file, or a core may have said. */
const HOSTILE = [
  "<script>alert(1)</script>.csv",
  '"><img src=x onerror=alert(1)>.csv',
  "a|b`c`.csv",
  "](https://evil.example.com) @security www.evil.example.com",
  "a\r\nb\u202e.csv",
];

describe("a report as Markdown", () => {
  it("has a table for everything, and the verdict at its top", () => {
    const text = reportMarkdown(makeReport(reportSource({ refused: [refusal(1)] }))).join("\n");
    expect(text).toMatch(
      /^## Migration of users\n\n\*\*1,200 of 1,210 users are at the core .*\*\*\n\nNo run is going on\. Of 1,210 users 1 has failed/,
    );
    expect(text).toContain("| imported | 1,000 | with their password |");
    expect(text).toContain("| Rejected | no&#95;contact | 1 | users.csv, row 1 | Add an email");
    expect(text).toContain(
      "| 1 | 2026-11-20 05:02 UTC | 12 s | 1,213 | 1,200 | 9 | 1 | 4 | finished |",
    );
    for (const title of ["Notices", "Calls", "Rows a second in run 1"]) {
      expect(text).toContain(`### ${title}`);
    }
  });

  it.each(HOSTILE)("lets no file name out of its cell: %j", (file) => {
    const refused = [refusal(1, { row: { file, number: 1 } })];
    const plain = reportMarkdown(makeReport(reportSource({ refused: [refusal(1)] })));
    const lines = reportMarkdown(makeReport(reportSource({ refused })));
    expect(lines).toHaveLength(plain.length);
    const row = lines.find((line) => line.startsWith("| Rejected")) ?? "";
    expect(row.split("|")).toHaveLength(7);
    expect(row).not.toMatch(/[<>`[\]@]|:\/\/|www\.|[\r\n\u202e]/);
  });
});

describe("a report as CSV", () => {
  const linesOf = (...refused: ReturnType<typeof refusal>[]): string[] => [
    ...reportCsv(reportSource({ refused })),
  ];

  it("has a line for every row, with the vendor's id", () => {
    expect(linesOf(refusal(1, { sourceId: "kZ81" }), refusal(2, { type: "failure" }))).toEqual([
      "file,row,vendor_id,outcome,code,hint,line\r\n",
      "users.csv,1,kZ81,rejected,no_contact,Add an email or a phone.,\r\n",
      "users.csv,2,,failed,no_contact,Add an email or a phone.,\r\n",
    ]);
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "＝1"])(
    "has no cell that a spreadsheet would run: %j",
    (sourceId) => {
      const [, line = ""] = linesOf(refusal(1, { sourceId }));
      expect(line.split(",")[2]).toMatch(/^"?'/);
    },
  );

  it("shows control characters instead of writing them", () => {
    const [, line] = linesOf(refusal(1, { sourceId: "\t=1\u202e" }));
    expect(line).toContain(",\\u{9}=1\\u{202e},");
  });

  it("is made line by line, however many rows there are", () => {
    let made = 0;
    const source = {
      *refused() {
        for (;;) yield refusal(++made);
      },
    };
    const lines = reportCsv(source);
    for (let at = 0; at < 3; at += 1) lines.next();
    expect(made).toBe(2);
  });

  it("has the same number of cells in every line, whatever they hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), (hint) => {
        const [, line = ""] = linesOf(refusal(1, { hint }));
        const cells = line.match(/(?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,|\r\n$)/g) ?? [];
        expect(cells.join("")).toBe(line);
        expect(cells).toHaveLength(7);
      }),
      { numRuns: 50 },
    );
  });
});

describe("a report as HTML", () => {
  it.each(HOSTILE)("makes no element of a file name: %j", (file) => {
    const refused = [refusal(1, { row: { file, number: 1 }, hint: file })];
    const clean = reportHtml(makeReport(reportSource({ refused: [refusal(1)] })));
    const page = reportHtml(makeReport(reportSource({ refused })));
    const tags = (html: string): string[] => html.match(/<[^>]*>/g) ?? [];
    expect(tags(page).length).toBe(tags(clean).length);
    expect(page).not.toMatch(/<script|<img|[\u202e]/);
  });

  it("says when it was made", () => {
    const page = reportHtml(makeReport(reportSource()), new Date("2026-11-29T08:30:00Z"));
    expect(page).toMatch(/report of <span[^>]*>2026-11-29 08:30 UTC<\/span> by auth-migrate/);
  });

  it("loads nothing, runs nothing and links nowhere", () => {
    const page = reportHtml(makeReport(reportSource()));
    expect(page).toContain("default-src &#39;none&#39;");
    expect(page).not.toMatch(
      /<script|<link|<iframe|<form|\bhref=|\bsrc=|url\(|@import| on\w+=| style=/,
    );
  });

  it("has a chart with the number of every bar, and a table behind it", () => {
    const page = reportHtml(makeReport(reportSource({ refused: [refusal(1), refusal(2)] })));
    expect(page).toContain('data-label="imported" data-count="1000"');
    const charts = page.match(/<svg /g) ?? [];
    expect(page.match(/<details>/g)).toHaveLength(charts.length);
    expect(page.match(/role="img" aria-labelledby="/g)).toHaveLength(charts.length);
  });

  it("is a page also of a checkpoint that knows nobody, and of one without a history", () => {
    const nobody = {
      users: 0,
      imported: 0,
      created: 0,
      skipped: 0,
      rejected: 0,
      failed: 0,
      notices: {},
    };
    const empty = reportHtml(makeReport(reportSource({ status: nobody, runs: [] })));
    expect(empty).toContain("The checkpoint holds no user yet.");
    expect(empty).not.toContain("<svg");
  });

  it("draws the latest run that took long enough", () => {
    const runs = [1, 2, 3, 4, 5, 6].map((number) =>
      runRecord({ number, ...(number === 6 ? { samples: [] } : {}) }),
    );
    const page = reportHtml(makeReport(reportSource({ runs })));
    const drawn = [...page.matchAll(/<h2>Rows a second in run (\d)/g)].map(([, number]) => number);
    expect(drawn).toEqual(["5"]);
  });
});
