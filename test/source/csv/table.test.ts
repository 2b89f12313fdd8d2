import { describe, expect, test } from "vitest";
import { headerOf } from "../../../src/source/csv/table.js";
import { fieldTree } from "../../../src/source/fields/field-tree.js";
import { openTable } from "../../../src/source/table-users.js";
import { collect, pieces } from "../support.js";

const FIELDS = fieldTree({
  pages: [],
  read: { id: "id", contact: "email, phone" },
  meaningless: {},
});

function open(text: string) {
  const head = { path: "users.csv", text, complete: true };
  return openTable(head, pieces(Buffer.from(text), 10), FIELDS, { map: new Map() });
}

describe("a vendor's table", () => {
  test("has rows that are users by the paths of their columns, without empty cells", async () => {
    const table = open(" email ,id,phone,roles[0].name,auth_migrate_code\na@b.io,7,,admin,x\n");
    expect([...table.names]).toEqual(["email", "id", "phone", "roles[0].name"]);
    const [row] = await collect(table.rows);
    if (!Array.isArray(row)) throw new Error("no row");
    expect(table.userOf(row)).toEqual({ email: "a@b.io", id: "7", roles: [{ name: "admin" }] });
  });

  test("keeps columns that are named like JavaScript's own to their rows", async () => {
    const table = open("id,__proto__.tainted,a.__proto__.tainted,__proto__\n7,x,y,z\n");
    const [row] = await collect(table.rows);
    if (!Array.isArray(row)) throw new Error("no row");
    expect(Object.keys(table.userOf(row))).toContain("__proto__");
    expect(Reflect.get({}, "tainted")).toBeUndefined();
  });

  test.each([
    ["colour,size\nred,3\n", /none of the vendor's columns/],
    ["id,email,id\n7,a,8\n", /"id" twice/],
    ['"id,email\n', /no readable header/],
  ])("is refused where its header can't be used (%#)", (text, message) => {
    expect(() => open(text)).toThrow(
      expect.objectContaining({
        code: "input_unrecognized",
        message: expect.stringMatching(message),
      }),
    );
  });

  test("shows its header's names trimmed", () => {
    const head = { path: "users.csv", text: " id ;email\n", complete: true };
    expect(headerOf(head)).toEqual(["id", "email"]);
  });
});
