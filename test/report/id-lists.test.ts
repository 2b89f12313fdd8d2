import { describe, expect, it } from "vitest";
import { idMapCsv, idMapNdjson, undoCsv, undoNdjson } from "../../src/report/lists.js";
import { idMapSql, whyNoSql } from "../../src/report/id-map-sql.js";
import { openDatabase } from "../../src/sqlite/database.js";
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
const ORDERS = { table: "orders", column: "user_id" };

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

  it("can be of one source or namespace alone", () => {
    const other = { source: "csv", namespace: "shop" };
    const source = reportSource({
      migrated: [...USERS, migrated({ scope: other, coreId: "core-9" })],
    });
    expect([...idMapCsv(source, { namespace: "shop" })]).toHaveLength(2);
    expect([...idMapCsv(source, { source: "csv" })]).toHaveLength(2);
    expect([...idMapCsv(source, { source: "csv", namespace: "" })]).toHaveLength(1);
    expect([...idMapCsv(source, {})]).toHaveLength(6);
  });
});

describe("the id map as SQL", () => {
  it("replaces the vendor's ids in a real table, and nothing else", () => {
    const database = openDatabase("", { applicationId: 7, migrations: [] });
    database.exec("CREATE TABLE orders (number INTEGER, user_id TEXT, note TEXT)");
    const insert = database.prepare("INSERT INTO orders VALUES (?, ?, 'vendor-1')");
    const before = [
      "vendor-1",
      "vendor-1",
      'o\'hara,"x"',
      "vendor-3",
      "vendor-6",
      "stranger",
      null,
    ];
    for (const [number, id] of before.entries()) insert.run(number, id);
    const sql = [...idMapSql(SOURCE, ORDERS)].join("");
    database.exec(sql);
    // Applied once more it finds nobody.
    database.exec(sql);
    expect(database.prepare("SELECT user_id, note FROM orders ORDER BY number").all()).toEqual(
      ["core-1", "core-1", "core-2", "core-3", "vendor-6", "stranger", null].map((id) => [
        id,
        "vendor-1",
      ]),
    );
    database.close();
  });

  it("says at its end how many there are, and whom it left out and why", () => {
    const source = reportSource({ migrated: [...USERS, migrated({ sourceId: "a\\' OR 1=1 --" })] });
    const lines = [...idMapSql(source, ORDERS)];
    expect(lines.filter((line) => line.startsWith("UPDATE"))).toHaveLength(3);
    expect(lines.join("")).toMatch(/^-- .*\nBEGIN;\n/);
    expect(lines.join("")).toContain("COMMIT;\n-- users: 3 (imported 1, created 1, existed 1)\n");
    expect(lines.join("")).toContain("-- left out: 1 whose vendor's id");
    expect(lines.join("")).toContain("-- LEFT OUT: 1 whose id has a backslash");
    expect(lines.join("")).not.toContain("OR 1=1");
  });

  it("takes a schema before the table", () => {
    const lines = [...idMapSql(SOURCE, { table: "shop.orders", column: "user_id" })];
    expect(lines[2]).toBe(
      `UPDATE "shop"."orders" SET "user_id" = 'core-1' WHERE "user_id" = 'vendor-1';\n`,
    );
  });

  it.each(['orders"; DROP TABLE users; --', "orders;", "", "a.b.c.d", "a..b", "1st", "naïve"])(
    "refuses what is no name: %j",
    (name) => {
      for (const target of [
        { ...ORDERS, table: name },
        { ...ORDERS, column: name },
      ]) {
        expect(whyNoSql(SOURCE, target)?.hint).toContain("--table");
        expect(() => idMapSql(SOURCE, target).next()).toThrow(TypeError);
      }
    },
  );

  it("takes no user of one database for the user of another one with the same id", () => {
    const scope = { source: "csv", namespace: "shop" };
    const source = reportSource({ migrated: [migrated(), migrated({ scope, coreId: "core-2" })] });
    expect(whyNoSql(source, ORDERS)?.hint).toContain("--namespace");
    expect(() => idMapSql(source, ORDERS).next()).toThrow(TypeError);
    expect(whyNoSql(source, ORDERS, { namespace: "shop" })).toBeNull();
    expect([...idMapSql(source, ORDERS, { namespace: "shop" })].join("")).toContain("'core-2'");
  });
});

describe("the undo list", () => {
  it("has whom this migration made, and nobody who was there before", () => {
    expect([...undoCsv(SOURCE)].join("")).toBe(
      [
        "core_user_id,outcome,vendor_id,file,row",
        "core-1,imported,vendor-1,users.csv,1",
        'core-2,created,"o\'hara,""x""",users.csv,1',
        "core-4,imported,,users.csv,1",
        "core-6,imported,vendor-6,users.csv,1",
        "",
      ].join("\r\n"),
    );
    expect([...undoNdjson(SOURCE)].map((line) => JSON.parse(line).coreId)).toEqual([
      ...["core-1", "core-2", "core-4", "core-6"],
    ]);
  });
});
