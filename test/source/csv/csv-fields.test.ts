import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellsOf, fieldsOf, parseRows } from "../../../src/source/csv/csv-fields.js";

const COMMA = { delimiter: ",", lineEnd: "\n" } as const;

describe("csv-parse takes a row's fields apart", () => {
  test.each([
    ["a doubled quotation mark", '7,"Ann ""Ace"" Lee",x', ["7", 'Ann "Ace" Lee', "x"]],
    ["a delimiter and a line break", '7,"Lee, Ann\nMarie",x', ["7", "Lee, Ann\nMarie", "x"]],
    ["nothing, first and last", '"",b,""', ["", "b", ""]],
    ["a quotation mark in an unquoted field", ',5" tall,"a",,', ["", '5" tall', "a", "", ""]],
    ["nothing but one quoted field", '"a,b"', ["a,b"]],
    ["several quoted fields between others", 'a,b,"c",d,"e,f",g', ["a", "b", "c", "d", "e,f", "g"]],
  ])("with %s", (_what, row, fields) => {
    expect(fieldsOf(row, COMMA)).toEqual(fields);
  });

  test("many rows at once, each with its own", () => {
    expect(parseRows(['1,"a"', '"2",b,c', '"x,y"'], COMMA)).toEqual([
      ["1", "a"],
      ["2", "b", "c"],
      ["x,y"],
    ]);
  });

  test("and stops where it sees other rows than were cut out, before a field becomes another user's", () => {
    expect(() => parseRows(['1,"a"\n2,"b"', '3,"c"'], COMMA)).toThrow(
      /3 rows where 2 were cut out/,
    );
  });
});

test("a database's row keeps what is NULL apart from empty texts, in whichever order they stand", () => {
  const cell = fc.constantFrom(null, "", "a", 'a"b', "a,b", "a\nb", " ");
  // As COPY writes it.
  const written = (text: string | null): string =>
    text === null ? "" : /^$|[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 5 }), (cells) => {
      expect(cellsOf(cells.map(written).join(","), COMMA)).toEqual(cells);
    }),
  );
});
