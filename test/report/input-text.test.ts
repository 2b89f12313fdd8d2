import { describe, expect, it } from "vitest";
import { columnLines } from "../../src/report/input-text.js";

describe("what of a file is read as what", () => {
  it("is told in two lines, what isn't read by how often it is filled", () => {
    const read = [
      { name: "mail", as: "email", filled: 12_345 },
      { name: "pw", as: "hash", filled: 12_000 },
    ];
    const unread = [
      { name: "nickname", filled: 3 },
      { name: "city", filled: 4_000 },
    ];
    expect(columnLines({ read, unread }, "users.csv")).toEqual([
      "users.csv: read: mail as email (12,345), pw as hash (12,000)",
      "users.csv: not read: city (4,000), nickname (3)",
    ]);
  });

  it("leaves out the second line where all is read", () => {
    const read = [{ name: "email", as: "email", filled: 1 }];
    expect(columnLines({ read, unread: [] }, "users.csv")).toHaveLength(1);
  });

  it("counts what a look doesn't take in", () => {
    const unread = Array.from({ length: 20 }, (_, index) => ({ name: `c${index}`, filled: 1 }));
    expect(columnLines({ read: [], unread }, "users.csv")[1]).toMatch(/c11 \(1\) and 8 more$/);
  });
});
