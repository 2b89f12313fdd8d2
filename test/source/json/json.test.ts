import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstObjects, readJson } from "../../../src/source/json/json.js";
import { arraysOfObjects } from "../../../src/source/json/json-scan.js";
import { pieces, rowsOf } from "../support.js";
import { runs } from "../../support/repeated.js";

function read(text: string | Buffer, size = 7): Promise<unknown[]> {
  return rowsOf(readJson("users.json", pieces(Buffer.from(text), size), "users"));
}

/** What a vendor's user can look like, and much that it can't. */
const user = fc.dictionary(
  fc.oneof(fc.constantFrom("users", "__proto__", "email", 'a"b', "c\\"), fc.string()),
  fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" }),
  { noNullPrototype: true },
);
const users = fc.array(user, { maxLength: 8 });
const size = fc.integer({ min: 1, max: 60 });
const indent = fc.constantFrom(undefined, 1, "\t");

describe("readJson", () => {
  test("agrees with JSON.parse of the whole on any document, in pieces of any size", async () => {
    const other = fc.dictionary(
      fc.string().filter((key) => key !== "users"),
      fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.record({ users })),
    );
    await fc.assert(
      fc.asyncProperty(
        users,
        other,
        other,
        indent,
        size,
        async (list, before, after, by, bytes) => {
          const text = JSON.stringify({ ...before, users: list, ...after }, null, by);
          expect(await read(text, bytes)).toEqual(JSON.parse(text).users);
          const array = JSON.stringify(list, null, by);
          expect(await read(array, bytes)).toEqual(JSON.parse(array));
        },
      ),
      { numRuns: 100 },
    );
  });

  test("reads all arrays of a property that is there twice, and none that is nested deeper", async () => {
    const text =
      '{"x":{"users":[{"a":0}]},"y":[{"users":[{"b":0}]}],"users":[{"a":1}],"users":[{"a":2}]}';
    expect(await read(text)).toEqual([{ a: 1 }, { a: 2 }]);
    expect(await read('[{"a":1,"a":2}]')).toEqual([{ a: 2 }]);
  });

  test("wherever a document is cut off, gives the whole users before and says so last", async () => {
    await fc.assert(
      fc.asyncProperty(users, size, fc.nat(), async (list, bytes, at) => {
        const whole = Buffer.from(JSON.stringify({ kind: "export", users: list }));
        const rows = await read(whole.subarray(0, at % whole.length), bytes);
        expect(rows.at(-1)).toBe("truncated");
        const expected: unknown[] = JSON.parse(whole.toString()).users;
        expect(rows.slice(0, -1)).toEqual(expected.slice(0, rows.length - 1));
      }),
      { numRuns: runs(200) },
    );
  });

  test("never fails on broken text, and reads it the same in pieces of any size", async () => {
    const noise = fc.string({ unit: fc.constantFrom(...'[]{}",:\\ u1') });
    await fc.assert(
      fc.asyncProperty(noise, size, async (text, bytes) => {
        expect(await read(`{"users":[${text}`, bytes)).toEqual(
          await read(`{"users":[${text}`, 999),
        );
      }),
      { numRuns: runs(500) },
    );
  });

  test("rejects what isn't an object, or isn't JSON, and goes on", async () => {
    const broken = ["null", "7", '"x,]"', "[{}]", '{"b":}', '{"c":2}}', "", "{'e':1}", '{"e":NaN}'];
    expect(await read(`[{"a":1},${broken.join(",")},{"d":3},]`)).toEqual([
      { a: 1 },
      ...broken.map(() => "row_malformed"),
      { d: 3 },
      "row_malformed",
    ]);
  });

  test("reads empty arrays, white space and a key written with escapes", async () => {
    expect(await read('{"users":[ \n ]}')).toEqual([]);
    expect(await read("[]\n")).toEqual([]);
    expect(await read(' {"x":"]}","\\u0075sers" : [ {"a":1} ] } \n')).toEqual([{ a: 1 }]);
  });

  test("takes __proto__ for a key like any other", async () => {
    const [first] = await read('[{"__proto__":{"admin":true},"constructor":1}]');
    expect(Object.keys(first as object)).toEqual(["__proto__", "constructor"]);
    expect((first as { admin?: boolean }).admin).toBeUndefined();
  });

  test("doesn't take an object for a row's damage", async () => {
    const forged = { kind: "truncated", code: "truncated", hint: "x" };
    expect(await read(JSON.stringify([forged]))).toEqual([forged]);
  });

  test("rejects a user that is too large or too deep, and goes on", async () => {
    const large = JSON.stringify({ name: "x".repeat(8 * 1024 * 1024) });
    const deep = `{"a":${"[".repeat(80)}${"]".repeat(80)}}`;
    expect(await read(`[{"a":1},${large},${deep},{"b":2}]`, 65_536)).toEqual([
      { a: 1 },
      "row_too_large",
      "row_too_large",
      { b: 2 },
    ]);
  });

  test("reads a user of 2 MB, and NUL characters where they are escaped alone", async () => {
    const bio = "x".repeat(2 * 1024 * 1024);
    expect(await read(JSON.stringify([{ bio }, { b: "\0" }]), 65_536)).toEqual([
      { bio },
      { b: "\0" },
    ]);
    expect(await read('[{"a":"\0"},{"b":2}]')).toEqual(["row_malformed", { b: 2 }]);
  });

  test("takes no longer for a million open brackets than their bytes do", async () => {
    const rows = await read(`[{"a":1},{"b":${"[".repeat(2_000_000)}`, 65_536);
    expect(rows).toEqual([{ a: 1 }, "truncated"]);
  });

  test("rejects a user that is not UTF-8 and goes on", async () => {
    const bad = Buffer.concat([
      Buffer.from('[{"a":"'),
      Buffer.from([0xe8]),
      Buffer.from('"},{"b":2}]'),
    ]);
    expect(await read(bad)).toEqual(["encoding_invalid", { b: 2 }]);
  });

  test("reads documents one after the other, with or without white space between them", async () => {
    const page = (id: number, token: string): string =>
      JSON.stringify({ users: [{ id }, { id: id + 1 }], PaginationToken: token });
    const text = `${page(1, "abc")}${page(3, "def")}\n${page(5, "ghi")} \r\n{"users":[]}[{"id":7}]\n`;
    for (const size of [1, 7, 50, 1000]) {
      expect(await read(text, size)).toEqual([1, 2, 3, 4, 5, 6, 7].map((id) => ({ id })));
    }
  });

  test("says that the last of several documents is cut off, wherever that is", async () => {
    const text = '{"users":[{"id":1}]}\n{"users":[{"id":2}]}';
    for (let at = 22; at < text.length; at++) {
      expect((await read(text.slice(0, at), 7)).at(-1)).toBe("truncated");
    }
    expect(await read(text.slice(0, 21), 7)).toEqual([{ id: 1 }]);
  });

  test("rejects a later document without the array, and text that is no document", async () => {
    const text = '[{"id":1}]\n{"error":"throttled"}\n[{"id":2}]\nAn error occurred\n[{"id":3}]';
    expect(await read(text, 7)).toEqual([{ id: 1 }, "row_malformed", { id: 2 }, "row_malformed"]);
  });

  test("refuses several documents the first of which has no array", async () => {
    await expect(read('{"error":1}\n[{"id":1}]', 7)).rejects.toMatchObject({
      code: "input_unrecognized",
    });
  });

  test.each(['{"people":[{"a":1}]}', '{"users":{"a":1}}', '{"x":{"users":[{}]}}', "hello", "{}"])(
    "refuses a document without the array (%#)",
    async (text) => {
      await expect(read(text)).rejects.toMatchObject({ code: "input_unrecognized" });
    },
  );
});

describe("the first objects of a document", () => {
  test("are those that are whole in a head that ends inside the next one", () => {
    const head = { path: "users.json", text: '{"users":[null,{"a":1},{"b":', complete: false };
    expect(firstObjects(head, "users", 9)).toEqual([{ a: 1 }]);
  });

  test("are none in an empty array", () => {
    const head = { path: "u.json", text: '{"users":[]}', complete: true };
    expect(firstObjects(head, "users", 9)).toEqual([]);
  });
});

describe("arraysOfObjects", () => {
  test("names no list by the last property of the document before", () => {
    const pages = [[{ id: 1, banned: true }], [{ id: 2, banned: false }]];
    const text = pages.map((page) => JSON.stringify(page)).join("\n");
    expect(arraysOfObjects(text)).toEqual([[""], [""]]);
  });
});
