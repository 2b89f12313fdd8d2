import { describe, expect, it } from "vitest";
import { idMapCsv, idMapNdjson } from "../../src/report/lists.js";
import { migrated, reportSource } from "./support/reports.js";

const EXISTED = { outcome: "existed", isNew: false } as const;
const USERS = [
  migrated(),
  migrated({ sourceId: 'o\'hara,"x"', coreId: "core-2", outcome: "created" }),
  migrated({ ...EXISTED, sourceId: "vendor-3", coreId: "core-3" }),
  migrated({ sourceId: null, coreId: "core-4" }),
  migrated({ sourceId: "vendor-5", coreId: null }),
  migrated({ sourceId: "vendor-6", coreId: "core-6", idKept: true }),
];
const SOURCE = reportSource({ migrated: USERS });

describe("the id map", () => {
  it("has both ids of everybody of whom both are known, those who were there already marked", () => {
    expect([...idMapCsv(SOURCE)].join("")).toBe(
      [
        "vendor_id,core_user_id,outcome,id_kept,source,namespace",
        "vendor-1,core-1,imported,false,firebase,",
        '"o\'hara,""x""",core-2,created,false,firebase,',
        "vendor-3,core-3,existed,false,firebase,",
        "vendor-6,core-6,imported,true,firebase,",
        "",
      ].join("\r\n"),
    );
    expect([...idMapNdjson(SOURCE)].map((line) => JSON.parse(line))).toMatchObject([
      { type: "id", v: 1, sourceId: "vendor-1", coreId: "core-1", outcome: "imported" },
      { sourceId: 'o\'hara,"x"', source: "firebase", namespace: "" },
      { outcome: "existed" },
      { idKept: true },
    ]);
  });

  it("has the ids to the byte, also those that a spreadsheet would run", () => {
    const source = reportSource({ migrated: [migrated({ sourceId: "=1+1" })] });
    expect([...idMapCsv(source)][1]).toMatch(/^=1\+1,/);
  });
});
