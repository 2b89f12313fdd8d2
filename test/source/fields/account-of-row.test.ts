import fc from "fast-check";
import { expect, test } from "vitest";
import { accountOfRow, readAccount } from "../../../src/source/fields/account-reader.js";
import { accountTree } from "../../../src/source/generic/account-fields.js";
import { cell } from "../../../src/source/generic/column-flags.js";
import { SECRET } from "./filled-users.js";

const READING = { now: Date.parse("2030-01-01"), keepsAccount: "all" } as const;
const TREE = accountTree(new Map([["roles", ["groups"]]]));

const column = fc.constantFrom(
  ...[
    "id",
    "name",
    "Created At",
    "locale",
    "totp_secret",
    "groups",
    "given_name",
    "2",
    "__proto__",
  ],
);
const text = fc.constantFrom(
  ...["", " ", "NULL", "\\N", "null", "{}", "[]", "Ann", "0", "writer;editor", SECRET],
  ...["2024-05-01T09:00:00Z", "2031-01-01T00:00:00Z", '{"a":"b"}'],
);

test("the parts of a row are those of the object that it stands for", () => {
  const row = fc.uniqueArray(fc.tuple(column, text), { selector: ([name]) => name });
  const property = fc.property(row, (cells) => {
    const columns = cells.map(([name], index) => ({ index, name }));
    const texts = cells.map(([, value]) => value);
    const filled = cells.flatMap(([name], index) => {
      const value = cell(texts, index);
      return value === "" ? [] : [[name, value] as const];
    });
    const stays = ["metadata_not_migrated"];
    expect(accountOfRow(columns, TREE, cell)(texts, READING, stays)).toEqual(
      readAccount(Object.fromEntries(filled), TREE, READING, stays),
    );
  });
  fc.assert(property, { numRuns: 500 });
});

test("a row whose columns have paths is read as the object that these say", () => {
  const tree = accountTree(new Map([["metadata.city", ["home"]]]));
  const columns = [
    { index: 0, name: "name" },
    { index: 1, name: "home.city" },
  ];
  const read = accountOfRow(columns, tree, cell)(["Ann", "Bonn"], READING, []);
  expect(read.metadata).toEqual({ name: "Ann", city: { city: "Bonn" } });
});
