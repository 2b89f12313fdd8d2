import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLineParser } from "../../src/source/firebase-csv.js";
import { RowDamage } from "../../src/source/row-damage.js";

/** Writes a row as the vendor's tool does: names quoted only for commas, claims' `\"` left alone. */
function write(columns: ReadonlyMap<number, string>, width = 52): string {
  const row = Array.from({ length: width }, (_, index) => columns.get(index) ?? "");
  for (const name of [5, 9, 13]) if (row[name]?.includes(",")) row[name] = `"${row[name]}"`;
  if (row[27]) row[27] = `"${row[27].replace(/(?<!\\)"/g, '""')}"`;
  return `${row.join(",")},\n`;
}

function user(more: readonly (readonly [number, string])[] = []): Map<number, string> {
  return new Map([
    [0, "a1"],
    [1, "ann@example.com"],
    [2, "true"],
    [23, "1693562400000"],
    [24, "1704164645000"],
    [26, "false"],
    ...more,
  ]);
}

function parse(line: string): readonly string[] | string {
  const columns = createLineParser()(line);
  return columns instanceof RowDamage ? columns.code : columns;
}

describe("a line of Firebase's CSV", () => {
  test.each([52, 28])("is read in its %i columns", (width) => {
    const columns = parse(write(user([[25, "+15550100001"]]), width));
    expect(columns).toHaveLength(width + 1);
    expect(columns[25]).toBe("+15550100001");
  });

  test("may end in CRLF, or lack the comma at its end", () => {
    expect(parse(write(user()).replace("\n", "\r\n"))).toHaveLength(53);
    expect(parse(write(user()).replace(/,\n$/, "\n"))).toHaveLength(52);
  });

  test.each([
    ["Lee, Ann", ""],
    ['Ann "Bee" Lee', ""],
    ['"Bee", Ann', ""],
    ['Lee "Bee", Ann', '{"admin":true,"team":"blue"}'],
    ["", '{"motto":"say \\"hi\\", then go","level":3}'],
    ["", '{"quote":"\\"","next":"a,b"}'],
    ['"', '{"a":"1","b":"2","c":"3","d":"4"}'],
    ["Lee, Ann,,, PhD", '{"a":["x","y","z"],"b":{"c":"d,e"}}'],
  ])(
    "keeps its columns apart whatever quotes and commas name and claims hold (%#)",
    (name, claims) => {
      const columns = parse(
        write(
          user([
            [5, name],
            [27, claims],
            [13, "Doe, Jo"],
          ]),
        ),
      );
      expect([columns[1], columns[24], columns[26]]).toEqual([
        "ann@example.com",
        "1704164645000",
        "false",
      ]);
      expect(columns[5]).toBe(name.includes(",") ? `"${name}"` : name);
    },
  );

  test("is either read rightly or refused, whatever name somebody chose", () => {
    const hostile = fc.array(
      fc.constantFrom(",", ",,,", '"', '",', ',"', "1", "true", "false", "+1555", '"{', '}"', "x"),
      { maxLength: 40 },
    );
    const claims = fc.constantFrom("", '{"a":1,"b":"c,d"}');
    fc.assert(
      fc.property(hostile, hostile, claims, (name, social, claim) => {
        const truth = user([
          [5, name.join("")],
          [9, social.join("")],
          [26, "true"],
          [27, claim],
        ]);
        const columns = parse(write(truth));
        if (typeof columns === "string") return;
        expect([columns[25], columns[26]]).toEqual(["", "true"]);
      }),
      { numRuns: 3000 },
    );
  });

  test("that can be read in two ways is refused", () => {
    const otherColumns = [...Array.from({ length: 17 }, () => ""), "1", "2", "", "false"];
    const name = ['Ann"', ...otherColumns, '"{x'].join(",");
    const spoof = user([
      [5, name],
      [26, "true"],
      [27, '{"role":"none"}'],
    ]);
    expect(parse(write(spoof))).toBe("row_malformed");
  });

  test("with too few or too many columns is refused, and the file's width stays", () => {
    const parseLine = createLineParser();
    expect(parseLine(write(user()))).toHaveLength(53);
    expect(parseLine(write(user(), 28))).toMatchObject({ code: "row_malformed" });
    expect(parseLine("a,b,c\n")).toMatchObject({ code: "row_malformed" });
    expect(parseLine(write(user([[5, "x,".repeat(500)]])))).toMatchObject({
      code: "row_malformed",
    });
  });

  test("that ends without a line end and too early is cut off", () => {
    const parseLine = createLineParser();
    const line = write(user());
    parseLine(line);
    for (let length = 1; length < line.length - 1; length++) {
      expect(parseLine(line.slice(0, length))).toMatchObject({ code: "truncated" });
    }
    expect(parseLine(line.slice(0, -1))).toHaveLength(53);
  });
});
