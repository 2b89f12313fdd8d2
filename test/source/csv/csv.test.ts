import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { detectLayout, readCsv } from "../../../src/source/csv/csv.js";
import { RowDamage } from "../../../src/source/row-damage.js";
import { headOf } from "../read-users.js";
import { collect, pieces, rowsOf } from "../support.js";
import { runs } from "../../support/repeated.js";

const COMMA = { delimiter: ",", lineEnd: "\n", header: ["id", "email", "name"] } as const;

function read(text: string | Buffer, layout: Parameters<typeof readCsv>[1] = COMMA, size = 5) {
  return rowsOf(readCsv(pieces(Buffer.from(text), size), layout));
}

describe("readCsv", () => {
  test("agrees with csv-parse on any sound table in pieces of any size", async () => {
    const cell = fc.string({
      unit: fc.constantFrom("a", "é", " ", ",", ";", '"', "\n", "\r\n", "🚀"),
    });
    const filled = fc.tuple(cell, cell, cell).filter((row) => row.join("").trim() !== "");
    const table = fc.array(filled, { minLength: 1, maxLength: 12 });
    const end = fc.constantFrom("\n", "\r\n");
    await fc.assert(
      fc.asyncProperty(table, end, fc.boolean(), fc.nat(40), async (rows, lineEnd, bare, size) => {
        const quote = (text: string): string =>
          bare && /^[aé🚀 ]+$/u.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
        const text = rows.map((row) => `${row.map(quote).join(",")}${lineEnd}`).join("");
        const whole = parse(`h1,h2,h3\n${text}`, { record_delimiter: ["\n", "\r\n"] }).slice(1);
        expect(whole).toEqual(rows);
        expect(await read(`h1,h2,h3\n${text}`, COMMA, size + 1)).toEqual(rows);
      }),
      { numRuns: runs(400) },
    );
  });

  test("cuts one broken row out of any table and keeps the rows around it", async () => {
    const cell = fc.string({ unit: fc.constantFrom("a", "é", ";", '"', "\n", "\t") });
    const table = fc.array(fc.tuple(cell, cell), { maxLength: 8 });
    const delimiter = fc.constantFrom(",", ";", "\t", "|");
    const broken = fc.constantFrom('x,"a "b"",c', '"a"b,c,d', "x", 'x,5" tall');
    await fc.assert(
      fc.asyncProperty(table, table, delimiter, broken, async (before, after, name, row) => {
        const write = (cells: readonly string[]): string =>
          `${cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(name)}${name}5" tall\n`;
        const lines = [...before.map(write), `${row.replaceAll(",", name)}\n`, ...after.map(write)];
        const whole = (cells: readonly string[]): string[] => [...cells, '5" tall'];
        expect(await read(`h1,h2,h3\n${lines.join("")}`, { ...COMMA, delimiter: name }, 7)).toEqual(
          [...before.map(whole), "row_malformed", ...after.map(whole)],
        );
      }),
      { numRuns: runs(300) },
    );
  });

  test("keeps each row's own text where rows with nothing in them are left out", async () => {
    const text = 'h,h,h\n"","",""\n1,"a ""b""",c\n,,\n2,d,e\n" ",,\n"3",f,"x"y\n4,"g",h\n';
    for await (const batch of readCsv(pieces(Buffer.from(text), 1000), COMMA)) {
      expect(batch.map((_row, index) => batch.raw?.at(index).text)).toEqual([
        '1,"a ""b""",c',
        "2,d,e",
        '"3",f,"x"y',
        '4,"g",h',
      ]);
    }
    expect.assertions(1);
  });

  test("reads a long row without quotation marks that begins with an empty column", async () => {
    const long = "x".repeat(100_000);
    expect(await read(`h,h,h\n,${long},b\n1,"c",d\n`, COMMA, 1000)).toEqual([
      ["", long, "b"],
      ["1", "c", "d"],
    ]);
  });

  test("gives the same rows for any bytes, whatever the size of the pieces", async () => {
    const noise = fc.string({
      unit: fc.constantFrom("a", ",", '"', "\n", "\r", "é"),
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(noise, fc.integer({ min: 1, max: 20 }), async (text, size) => {
        const whole = await read(`h1,h2,h3\n${text}`, COMMA, 1000);
        expect(await read(`h1,h2,h3\n${text}`, COMMA, size)).toEqual(whole);
      }),
      { numRuns: runs(1000) },
    );
  });

  test("rejects a row with another number of columns and goes on", async () => {
    const rows = await collect(readCsv(pieces(Buffer.from("h,h,h\na,b\nc,d,e\n"), 100), COMMA));
    expect(rows[0]).toMatchObject({ code: "row_malformed" });
    expect(rows[0] instanceof RowDamage && rows[0].hint).toMatch(/2 columns .* 3/);
    expect(rows[1]).toEqual(["c", "d", "e"]);
  });

  test("rejects a row whose quote is never closed and reads the next line", async () => {
    expect(await read('h,h,h\n1,"ann,x\n2,bob,y\n3,cy,z\n')).toEqual([
      "row_malformed",
      ["2", "bob", "y"],
      ["3", "cy", "z"],
    ]);
  });

  test("rejects a row with a quote inside a quoted field and reads the next line", async () => {
    expect(await read('h,h,h\n1,"a "b" c",x\n2,"bob",y\n')).toEqual([
      "row_malformed",
      ["2", "bob", "y"],
    ]);
  });

  test("rejects rows that quotation marks in the text of two of them have joined", async () => {
    const rows = [
      '1,ann@example.com,"Ann',
      "2,bob@example.com,Bob",
      '3,cy@example.com,Cy"',
      "4,di@example.com,Di",
    ];
    expect(await read(`id,email,name\n${rows.join("\n")}\n`)).toEqual([
      "row_malformed",
      ["4", "di@example.com", "Di"],
    ]);
  });

  test("keeps a row whose last field has lines with as many delimiters", async () => {
    const bio = "Ann\n12345 Ulm, Bavaria, Germany\nann@example.com, at work";
    expect(await read(`id,email,name\n1,ann@example.com,"${bio}"\n`)).toEqual([
      ["1", "ann@example.com", bio],
    ]);
  });

  test("takes a quote inside an unquoted field for text", async () => {
    expect(await read('h,h,h\n1,5" tall,x"\n2,b,c\n')).toEqual([
      ["1", '5" tall', 'x"'],
      ["2", "b", "c"],
    ]);
  });

  test.each([
    ["without all its columns", "1,a,b\n2,c"],
    ["inside a quoted field", '1,a,b\n2,"c'],
    ["inside a quoted field, after a delimiter in it", '1,a,b\n2,"c,d,e'],
    ["inside a character", Buffer.concat([Buffer.from("1,a,b\n2,c,\u00e9").subarray(0, -1)])],
  ])("says that the file is cut off when its last row ends %s", async (_where, text) => {
    const bytes = Buffer.concat([Buffer.from("h,h,h\n"), Buffer.from(text)]);
    expect(await read(bytes)).toEqual([["1", "a", "b"], "truncated"]);
  });

  test("takes a last row without a line end, or with half of one, when its columns are there", async () => {
    expect(await read("h,h,h\n1,a,b")).toEqual([["1", "a", "b"]]);
    expect(await read('h,h,h\r\n1,a,"b"\r')).toEqual([["1", "a", "b"]]);
  });

  test("leaves blank lines out and counts rows, not lines", async () => {
    expect(await read('h,h,h\n\n1,"a\n\nb",c\n\r\n2,d,e\n\n')).toEqual([
      ["1", "a\n\nb", "c"],
      ["2", "d", "e"],
    ]);
  });

  test("takes lines of nothing but delimiters, blanks and empty quotes for no rows", async () => {
    expect(await read('h,h,h\n1,a,b\n,,\n,,,,\n , ,\n"","",""\n2,c,d\n,,\n')).toEqual([
      ["1", "a", "b"],
      ["2", "c", "d"],
    ]);
  });

  test("says that the file is cut off when it ends inside a row that begins with empty columns", async () => {
    expect(await read("h,h,h\n1,a,b\n,")).toEqual([["1", "a", "b"], "truncated"]);
    expect(await read("h,h,h\n1,a,b\n,,")).toEqual([["1", "a", "b"]]);
  });

  test("finds no rows under a header alone", async () => {
    expect(await read("h,h,h\n")).toEqual([]);
    expect(await read("h,h,h")).toEqual([]);
  });

  test("rejects rows with more delimiters than the header, even where nothing follows them", async () => {
    expect(await read("h,h,h\n1,a,b,\n2,c,d\n")).toEqual(["row_malformed", ["2", "c", "d"]]);
    const layout = { ...COMMA, header: ["id", "email", ""] };
    expect(await read("id,email,\n1,a,\n", layout)).toEqual([["1", "a", ""]]);
  });

  test("says by what a row is parted where that isn't the header's delimiter", async () => {
    const text = "h,h,h\n1;a;b\n2\tc\td\n3;e\n";
    const rows = await collect(readCsv(pieces(Buffer.from(text), 100), COMMA));
    const hints = rows.map((row) => (row instanceof RowDamage ? row.hint : ""));
    expect(hints[0]).toMatch(/has semicolons .* commas/);
    expect(hints[1]).toMatch(/has tabs .* commas/);
    expect(hints[2]).toMatch(/has 1 columns .* 3/);
  });

  test("reads lines that end in CR alone", async () => {
    const layout = { ...COMMA, lineEnd: "\r" } as const;
    expect(await read('h,h,h\r1,"a\rb",c\r2,"d\n",e\r', layout)).toEqual([
      ["1", "a\rb", "c"],
      ["2", "d\n", "e"],
    ]);
  });

  test("reads LF, CRLF and CR CR LF in one file; any other CR is text", async () => {
    expect(await read('h,h,h\r\n1,a,b\n2,c\rd,e\r\n3,f,g\r\r\n4,h,"i"\r\r\n')).toEqual([
      ["1", "a", "b"],
      ["2", "c\rd", "e"],
      ["3", "f", "g"],
      ["4", "h", "i"],
    ]);
  });

  test("rejects a row with a CR between a closing quote and a delimiter", async () => {
    expect(await read('h,h,h\n"a"\r,b\n2,c,d\n')).toEqual(["row_malformed", ["2", "c", "d"]]);
  });

  test("reads a line break and a NUL inside a field as they are", async () => {
    expect(await read('h,h,h\n1,a\0b,\0\n2,"Ana\nRuiz","x\r\ny"\n')).toEqual([
      ["1", "a\0b", "\0"],
      ["2", "Ana\nRuiz", "x\r\ny"],
    ]);
  });

  test("rejects a row that is not UTF-8 and goes on", async () => {
    const bytes = Buffer.concat([Buffer.from("h,h,h\n1,a,"), Buffer.from([0xe8, 0x0a])]);
    expect(await read(Buffer.concat([bytes, Buffer.from("2,b,é\n")]), COMMA, 1000)).toEqual([
      "encoding_invalid",
      ["2", "b", "é"],
    ]);
  });

  test("keeps a replacement character that the export itself has, beside a row of bad bytes", async () => {
    const bytes = Buffer.from("h,h,h\n1,a,\uFFFD\n2,b,?\n");
    bytes[bytes.length - 2] = 0xe8;
    expect(await read(bytes, COMMA, 1000)).toEqual([["1", "a", "\uFFFD"], "encoding_invalid"]);
  });

  test.each([7000, 1 << 24])(
    "rejects rows beyond 1 MiB and goes on (pieces of %i)",
    async (size) => {
      const long = "x".repeat(2 * 1024 * 1024);
      const text = `h,h,h\n1,${long},b\n2,c,d\n3,"${long}",e\n4,f,g\n`;
      expect(await read(text, COMMA, size)).toEqual([
        "row_too_large",
        ["2", "c", "d"],
        "row_too_large",
        ["4", "f", "g"],
      ]);
    },
  );

  test("rejects a row with a value that nests without end, and goes on", async () => {
    const deep = `${"[".repeat(4000)}${"]".repeat(4000)}`;
    const object = `${'{""a"":'.repeat(900)}1${"}".repeat(900)}`;
    const text = `h,h,h\n1,${deep},b\n2,c,d\n3,"${object}",e\n4,${"[".repeat(4000)},g\n`;
    expect(await read(text, COMMA, 7000)).toEqual([
      "row_malformed",
      ["2", "c", "d"],
      "row_malformed",
      // No JSON, and so a text like any other.
      ["4", "[".repeat(4000), "g"],
    ]);
  });

  test("doesn't take the lines of a large quoted field for rows", async () => {
    const planted = "9,mallory@example.com,x\n".repeat(100_000);
    expect(await read(`h,h,h\n1,"${planted}",b\n2,c,d\n`, COMMA, 50_000)).toEqual([
      "row_too_large",
      ["2", "c", "d"],
    ]);
  });

  test("gives all whole rows before an error of the bytes", async () => {
    async function* failing(): AsyncGenerator<Buffer> {
      yield Buffer.from(`h,h,h\n1,"a,${"b".repeat(100)}`);
      yield Buffer.from('",c\n2,');
      throw new Error("disk");
    }
    const rows: unknown[] = [];
    const reading = async (): Promise<void> => {
      for await (const batch of readCsv(failing(), COMMA)) rows.push(...batch);
    };
    await expect(reading()).rejects.toThrow("disk");
    expect(rows).toEqual([["1", `a,${"b".repeat(100)}`, "c"]]);
  });

  test("loses one row, not the file, to an open quote that no later quote closes", async () => {
    const rest = Array.from(
      { length: 60_000 },
      (_, index) => `${index},user${index}@example.com,n`,
    );
    const rows = await read(`h,h,h\n0,"ann,x\n${rest.join("\n")}\n`, COMMA, 50_000);
    expect(rows).toHaveLength(60_001);
    expect(rows.filter((row) => row === "row_malformed")).toHaveLength(1);
  });

  test.each([
    ["in pieces", 1 << 16],
    ["at once", 1 << 25],
  ])("loses one row to an open quote whose next one is 17 MiB behind, read %s", async (_, size) => {
    const line = `1,${"a".repeat(2043)},n\n`;
    const near = 8 * 1024;
    const rows = await read(`h,h,h\n0,"ann,x\n${line.repeat(near + 512)}2,bob",n\n`, COMMA, size);
    expect(rows).toHaveLength(near + 514);
    expect(rows.filter((row) => typeof row === "string")).toEqual(["row_malformed"]);
  });
});

describe("detectLayout", () => {
  test.each([
    [",", "id,email,name"],
    [";", "id;e,mail;name"],
    ["\t", "id\temail\tname"],
    ["|", "id|email|name"],
  ])("finds the delimiter %j", (delimiter, text) => {
    expect(detectLayout(headOf(`${text}\n1,2,3\n`))).toMatchObject({ delimiter });
  });

  test("doesn't count delimiters inside a quoted name", () => {
    expect(detectLayout(headOf('id;"a,b,c,d";mail\n'))).toMatchObject({
      delimiter: ";",
      header: ["id", "a,b,c,d", "mail"],
    });
  });

  test("reads a header over two lines, and one that is the whole file", () => {
    expect(detectLayout(headOf('id,"e\nmail"\n1,x\n'))?.header).toEqual(["id", "e\nmail"]);
    expect(detectLayout(headOf("id,email"))?.header).toEqual(["id", "email"]);
  });

  test("passes over blank lines before the header", () => {
    expect(detectLayout(headOf("\r\n\nid,email\n"))?.header).toEqual(["id", "email"]);
  });

  test("tells lines that end in CR by the first line end outside quotation marks", () => {
    const lineEnd = (text: string) => detectLayout(headOf(text))?.lineEnd;
    expect(lineEnd('id,"e\nmail"\r1,"a\nb"\r')).toBe("\r");
    expect(lineEnd("id,email\r\r1,a\r")).toBe("\r");
    expect(lineEnd('id,"e\rmail"\n1,a\r\n')).toBe("\n");
    expect(lineEnd("id,email\r\r\n1,a\r\r\n")).toBe("\n");
    expect(detectLayout(headOf("id,email\r"))?.header).toEqual(["id", "email"]);
  });

  test("finds none where the first row doesn't end in the head", () => {
    expect(detectLayout(headOf("id,email", false))).toBeNull();
    expect(detectLayout(headOf('id,"email\n', false))).toBeNull();
  });
});
