import { describe, expect, it } from "vitest";
import {
  censusText,
  columnLines,
  coverageLines,
  coverageText,
} from "../../src/report/input-text.js";

it.each([
  ["40 rows; no hashes", {}, {}, 0],
  ["40 rows; hashes for the bridge: pbkdf2 40", {}, { pbkdf2: 40 }, 0],
  ["40 rows; hashes that are refused: 40", {}, {}, 40],
  [
    "40 rows; hashes: bcrypt 9, argon2 8; hashes for the bridge: pbkdf2 7; hashes that are refused: 1",
    { bcrypt: 9, argon2: 8 },
    { pbkdf2: 7 },
    1,
  ],
])("before the import's question stands %j", (text, algorithms, bridged, refused) => {
  expect(censusText({ rows: 40, algorithms, bridged, refused })).toBe(text);
});

describe("what of a file is read as what", () => {
  it("is told in two lines, what isn't read by how often it is filled", () => {
    const read = [
      { name: "email", as: "email", filled: 12_345 },
      { name: "pw", as: "hash", filled: 12_000 },
    ];
    const unread = [
      { name: "nickname", filled: 3 },
      { name: "city", filled: 4_000 },
    ];
    expect(columnLines({ read, unread }, "users.csv")).toEqual([
      "users.csv: read: email, pw as hash",
      "users.csv: not read: city (4,000), nickname (3)",
    ]);
  });

  it.each([
    [["day"], "day first"],
    [["month", "unclear"], "month first, some unclear"],
    [["day", "month"], "day or month first"],
    [["unclear"], "unclear whether day or month first"],
  ] as const)("says of dates that are %j how they are read", (dates, text) => {
    const read = [{ name: "since", as: "joined", filled: 1, dates }];
    expect(columnLines({ read, unread: [] }, "users.csv")).toEqual([
      `users.csv: read: since as joined (${text})`,
    ]);
  });

  it("says of an id how it stays valid, unless it is kept", () => {
    const read = [{ name: "nr", as: "id", filled: 1 }];
    const line = (tellsIds: boolean) => columnLines({ read, unread: [] }, "a.csv", { tellsIds });
    expect(line(true)).toEqual(["a.csv: read: nr as id (--keep-ids keeps it at the core)"]);
    expect(line(false)).toEqual(["a.csv: read: nr as id"]);
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

const NONE = { lines: 0, unreadable: 0, users: 0, matched: 0, ambiguous: 0, unused: 0 };

describe("the coverage of a password export", () => {
  it("is a share of the users with a password, and nothing where there are none", () => {
    expect(coverageText({ users: 8, matched: 6 })).toContain("(75%)");
    expect(coverageText({ users: 0, matched: 0 })).toContain("(0%)");
  });

  it("says all only where it is all", () => {
    expect(coverageText({ users: 100_000, matched: 99_999 })).toMatch(
      /^99,999 of 100,000 .*99\.9%\)/,
    );
    expect(coverageText({ users: 1, matched: 1 })).toMatch(/^1 of 1 user .*\(100%\)$/);
  });

  it("has no section without an export", () => {
    expect(coverageLines(null)).toEqual([]);
  });

  it("names what was left over, ambiguous or unreadable, where there is any", () => {
    const join = { ...NONE, lines: 10, users: 8, matched: 6 };
    expect(coverageLines(join)).toEqual([
      "",
      "Password export",
      "  6 of 8 users with a password found its hash (75%); 10 lines",
    ]);
    expect(coverageLines({ ...join, ambiguous: 1, unused: 2, unreadable: 3 }).at(-1)).toBe(
      "  6 of 8 users with a password found its hash (75%); 10 lines, 2 without a user, 1 user with several hashes, 3 lines unreadable",
    );
  });
});
