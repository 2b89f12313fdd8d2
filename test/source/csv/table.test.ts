import { describe, expect, test } from "vitest";
import { headerOf, openTable } from "../../../src/source/csv/table.js";
import { collect, pieces } from "../support.js";

function open(text: string) {
  const head = { path: "users.csv", text, complete: true };
  return openTable(head, pieces(Buffer.from(text), 10), ["id", "email", "phone"]);
}

describe("a vendor's table", () => {
  test("has its columns in any order, those that it lacks empty", async () => {
    const table = open(" email ,id\nann@example.com,7\n");
    expect([table.has("email"), table.has("phone")]).toEqual([true, false]);
    const [row] = await collect(table.rows);
    if (!Array.isArray(row)) throw new Error("no row");
    expect([table.cell(row, "id"), table.cell(row, "phone")]).toEqual(["7", ""]);
  });

  test.each([
    ["colour,size\nred,3\n", /none of the vendor's columns/],
    ["id,email,id\n7,a,8\n", /id twice/],
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
