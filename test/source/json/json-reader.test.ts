import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonElementCutter } from "../../../src/source/json/json-elements.js";
import { JsonReader, parseElement } from "../../../src/source/json/json-reader.js";
import { LIST } from "../../../src/source/json/lists-beside.js";
import { runs } from "../../support/repeated.js";

/** Every element cut out byte by byte and parsed alone. */
function oneByOne(bytes: Buffer): unknown[] {
  return new JsonElementCutter("users").take(bytes).map(parseElement);
}

function inPieces(bytes: Buffer, sizes: readonly number[]): unknown[] {
  const reader = new JsonReader("users");
  const rows: unknown[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    for (const batch of reader.take(bytes.subarray(at, at + size))) rows.push(...batch);
    at += size;
  }
  return rows;
}

/** Users as an exporter writes them, with all in them that could pass for the end of one. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'},{"id:[]\\é🚀 \n'), maxLength: 12 }),
  fc.constantFrom('},{"id"', '"},{"id":"', "\uFFFD"),
);
const friend = fc.record({ id: text, name: text }, { noNullPrototype: true });
const user = fc.record(
  { id: text, name: text, friends: fc.array(friend, { maxLength: 3 }) },
  { requiredKeys: ["id"], noNullPrototype: true },
);
const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });
const indent = fc.constantFrom(undefined, 0, 1, "\t");
const pages = fc.array(fc.array(user, { maxLength: 20 }), { minLength: 1, maxLength: 3 });

function write(lists: readonly object[][], by: string | number | undefined): Buffer {
  const documents = lists.map((users) => JSON.stringify({ kind: "export", users }, null, by));
  return Buffer.from(documents.join(by === 1 ? "\n" : ""));
}

describe("JsonReader", () => {
  test("agrees with JSON.parse of the whole, in pieces of any size", () => {
    fc.assert(
      fc.property(pages, indent, sizes, (lists, by, pieces) => {
        expect(inPieces(write(lists, by), pieces)).toEqual(
          JSON.parse(JSON.stringify(lists.flat())),
        );
      }),
      { numRuns: runs(300) },
    );
  });

  test("reads a broken document as if each user were cut out alone", () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",\\x 1', "\u00e8", "\0")), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(pages, indent, sizes, damage, (lists, by, pieces, changes) => {
        const bytes = write(lists, by);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte.charCodeAt(0);
        expect(inPieces(bytes, pieces)).toEqual(oneByOne(bytes));
      }),
      { numRuns: runs(800) },
    );
  });

  test("hands out the objects of lists beside the users, in pieces of any size, each with its list's path", () => {
    const beside = fc.record({
      roles: fc.array(user, { maxLength: 6 }),
      meta: fc.record({ notes: fc.array(fc.oneof(user, text), { maxLength: 4 }) }),
    });
    fc.assert(
      fc.property(pages, beside, indent, sizes, (lists, { roles, meta }, by, pieces) => {
        const documents = lists.map((users) => ({ roles, users, meta }));
        const bytes = Buffer.from(documents.map((one) => JSON.stringify(one, null, by)).join("\n"));
        const named = (list: string, objects: readonly unknown[]) =>
          objects
            .filter((one) => typeof one === "object")
            .map((one) => ({ [LIST]: list, ...Object(one) }));
        const expected = lists.flatMap((users) => [
          ...named("roles", roles),
          ...users,
          ...named("meta.notes", meta.notes),
        ]);
        const rows: unknown[] = [];
        const texts: unknown[] = [];
        const reader = new JsonReader("users", () => true);
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = pieces[turn % pieces.length] ?? 1;
          for (const batch of reader.take(bytes.subarray(at, at + size))) {
            rows.push(...batch);
            texts.push(...batch.map((_row, index) => JSON.parse(batch.raw?.at(index).text ?? "")));
          }
          at += size;
        }
        expect(rows).toEqual(JSON.parse(JSON.stringify(expected)));
        expect(texts).toEqual(rows);
        const users = inPieces(bytes, pieces);
        expect(users).toEqual(JSON.parse(JSON.stringify(lists.flat())));
      }),
      { numRuns: runs(300) },
    );
  });

  test("takes nothing in the middle of an element for the start of one", () => {
    const one = '{"id":1},{"id":2},12 ,null, {"id":3},{"id":4} ,{"id":5}';
    const bytes = Buffer.from(`[${Array.from({ length: 20 }, () => one).join(",")}]`);
    for (let size = 1; size < 100; size++) expect(inPieces(bytes, [size])).toEqual(oneByOne(bytes));
  });

  test("goes on with users that are written in another way than those before", () => {
    const users = [
      ...Array.from({ length: 50 }, (_, id) => ({ id, name: "Ana" })),
      ...Array.from({ length: 50 }, (_, id) => ({ name: "Ben", id })),
    ];
    const bytes = Buffer.from(`[${users.map((one) => JSON.stringify(one)).join(" , ")}]`);
    expect(inPieces(bytes, [300])).toEqual(users);
  });

  test("rejects users that are too deep wherever they stand, beside users of the deepest kind", () => {
    const nested = (levels: number): string => `{"id":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    const texts = Array.from({ length: 40 }, (_, index) => nested(index % 2 === 0 ? 63 : 64));
    const rows = inPieces(Buffer.from(`[${texts.join(",")}]`), [1000]);
    expect(rows.map((row, index) => (index % 2 === 0 ? Object.keys(row as object) : row))).toEqual(
      texts.map((_, index) =>
        index % 2 === 0 ? ["id"] : expect.objectContaining({ code: "row_too_large" }),
      ),
    );
  });
});
