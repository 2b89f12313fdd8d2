import { describe, expect, test } from "vitest";
import { detectSource } from "../../../src/source/detect.js";
import type { RawRow, Reason } from "../../../src/source/raw/raw-row.js";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import { findSource, SOURCES } from "../../../src/source/registry.js";
import type { ReadOptions, Source, SourceItem } from "../../../src/source/source.js";
import { type Fixture, fixturesOf } from "../fixtures.js";
import { collect, PLAIN, pieces } from "../support.js";

type Row = Exclude<SourceItem, { readonly kind: "truncated" }>;

/** With everything in it that parts cells, rows and strings. */
const REASON: Reason = {
  code: "some_code",
  hint: 'Mend it; "this" is wrong, or {that}.\\',
  row: 'row 7 of a "b",c.csv',
};

async function rowsOf(source: Source, bytes: Buffer, options: ReadOptions): Promise<Row[]> {
  const items = await collect(
    source.read("rejects", pieces(bytes, 999), { ...options, keepsRaw: true }),
  );
  return items.flatMap((item) => (item.kind === "truncated" ? [] : [item]));
}

function rawOf(row: Row): RawRow {
  if (row.raw === undefined) throw new Error("has no raw row");
  return row.raw();
}

/** A file of rejects with these rows in it. */
function fileOf(rows: readonly Row[], reason: Reason = REASON): Buffer {
  const raws = rows.map(rawOf);
  expect(new Set(raws.map(({ form }) => form.key)).size).toBe(1);
  const opening = raws[0]?.form.opening ?? "";
  return Buffer.from(opening + raws.map((raw) => raw.form.write(raw, reason)).join(""));
}

/** What a row says, its account with it: of a row that is none, that it has to be mended. */
function saysOf(row: Row): unknown {
  if (row.kind === "record") return { ...row.record, account: row.record.account?.() };
  const { code, sourceId, hint } = row;
  return rawOf(row).state === "whole" ? { code, sourceId, hint } : "row_not_mended";
}

/** The same of a row that was read out of a file of rejects. */
function saysAgain(row: Row): unknown {
  return row.kind === "reject" && row.code === "row_not_mended" ? row.code : saysOf(row);
}

function headOf(bytes: Buffer) {
  return { path: "rejects", text: bytes.toString().replace(/^\uFEFF/, ""), complete: true };
}

describe.each(SOURCES.map((source) => [source.name, source] as const))("%s", (name, source) => {
  const fixtures = fixturesOf(source).map((fixture) => [fixture.file, fixture] as const);

  describe.each(fixtures)("rows of %s", (_file, { bytes, options }: Fixture) => {
    test("are read again out of a file of rejects, and once more out of that one's rejects", async () => {
      const rows = await rowsOf(source, bytes, options);
      const file = fileOf(rows);
      const again = await rowsOf(source, file, options);
      expect(again.map(saysAgain)).toEqual(rows.map(saysOf));
      const third = await rowsOf(source, fileOf(again, { ...REASON, code: "other" }), options);
      expect(third.map(saysAgain)).toEqual(rows.map(saysOf));
    });

    test("say the same alone as among all the others", async () => {
      for (const row of await rowsOf(source, bytes, options)) {
        const [again] = await rowsOf(source, fileOf([row]), options);
        expect(again === undefined ? null : saysAgain(again)).toEqual(saysOf(row));
      }
    });

    test("are recognized as this source's where one of them shows whose it is", async () => {
      const rows = await rowsOf(source, bytes, options);
      // Behind a row that shows nothing.
      const [first, ...others] = [...rows].sort((a, b) => a.kind.localeCompare(b.kind)).reverse();
      const file = fileOf(first === undefined ? [] : [first, ...others]);
      if (options.map.size === 0) expect(detectSource(headOf(file)).source.name).toBe(name);
    });

    test("hold no reason of an earlier run beside the new one", async () => {
      const rows = await rowsOf(source, bytes, options);
      const whole = rows.filter((row) => rawOf(row).state === "whole");
      const again = await rowsOf(source, fileOf(whole, { ...REASON, code: "earlier" }), options);
      expect(fileOf(again).toString()).not.toContain("earlier");
    });
  });
});

describe("a row", () => {
  const inLine = (source: Source, text: string | Buffer): Promise<Row[]> =>
    rowsOf(source, Buffer.from(text), PLAIN);

  test("that has a list named as the vendor's list of users is one row again", async () => {
    const user = {
      id: "00u1",
      status: "ACTIVE",
      profile: { login: "ann@example.com", email: "ann@example.com" },
      credentials: {},
      users: [{ id: "00u2" }],
    };
    const okta = findSource("okta")!;
    const rows = await inLine(okta, JSON.stringify([user]));
    const again = await rowsOf(okta, fileOf(rows), PLAIN);
    expect(again.map(saysAgain)).toEqual(rows.map(saysOf));
  });

  test.each([
    ["JSON", genericJson, "", '{"id":"1","email":"a@example.com"}\n'],
    ["a table", genericCsv, "id,email\n", "1,a@example.com\n"],
  ])("that is no text stands as what can be read of it: %s", async (_what, source, start, line) => {
    // Behind the start by which a file is told to be text.
    const text = start + line.repeat(5000) + line.replace("a@", "zo\xeb@");
    const row = (await inLine(source, Buffer.from(text, "latin1"))).at(-1);
    if (row === undefined) throw new Error("has no row");
    expect(row).toMatchObject({ code: "encoding_invalid" });
    const file = fileOf([row]);
    expect(file.toString()).toContain("zo\uFFFD@example.com");
    expect((await rowsOf(source, file, PLAIN)).map(saysAgain)).toEqual(["row_not_mended"]);
  });

  test("that is too large is rejected again, though nothing of it is kept", async () => {
    const [row] = await inLine(genericCsv, `id,email\n1,${"x".repeat(2 ** 21)}\n`);
    if (row === undefined) throw new Error("has no row");
    const again = await rowsOf(genericCsv, fileOf([row]), PLAIN);
    expect([row, ...again].map((one) => ("code" in one ? one.code : one.kind))).toEqual([
      "row_too_large",
      "row_not_mended",
    ]);
  });
});

describe("nothing is kept", () => {
  test("where nobody asks for it", async () => {
    for (const source of SOURCES) {
      const [fixture] = fixturesOf(source);
      if (fixture === undefined) throw new Error("has no fixture");
      const items = await collect(
        source.read("users", pieces(fixture.bytes, 999), { ...PLAIN, ...fixture.options }),
      );
      expect(items.filter((item) => "raw" in item)).toEqual([]);
    }
  });
});
