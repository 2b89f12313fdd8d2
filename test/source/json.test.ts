import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstObject, readJson } from "../../src/source/json.js";
import { RowDamage } from "../../src/source/row-damage.js";
import { collect, pieces } from "./support.js";

async function read(text: string | Buffer, size = 7): Promise<unknown[]> {
  const rows = await collect(readJson("users.json", pieces(Buffer.from(text), size), "users"));
  return rows.map((row) => (row instanceof RowDamage ? row.code : row));
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
      { numRuns: 300 },
    );
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
      { numRuns: 300 },
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
      { numRuns: 500 },
    );
  });

  test("rejects what isn't an object, or isn't JSON, and goes on", async () => {
    const text = '[{"a":1},null,7,"x,]",[{}],{"b":},{"c":2}},,{"d":3},]';
    expect(await read(text)).toEqual([
      { a: 1 },
      ...["row_malformed", "row_malformed", "row_malformed", "row_malformed"],
      ...["row_malformed", "row_malformed", "row_malformed"],
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

  test("rejects a user that is not UTF-8 and goes on", async () => {
    const bad = Buffer.concat([
      Buffer.from('[{"a":"'),
      Buffer.from([0xe8]),
      Buffer.from('"},{"b":2}]'),
    ]);
    expect(await read(bad)).toEqual(["encoding_invalid", { b: 2 }]);
  });

  test("doesn't pass over a second document in silence", async () => {
    expect(await read('{"users":[{"a":1}]}\n{"users":[{"b":2}]}')).toEqual([
      { a: 1 },
      "row_malformed",
    ]);
  });

  test.each(['{"people":[{"a":1}]}', '{"users":{"a":1}}', '{"x":{"users":[{}]}}', "hello", "{}"])(
    "refuses a document without the array (%#)",
    async (text) => {
      await expect(read(text)).rejects.toMatchObject({ code: "input_unrecognized" });
    },
  );
});

describe("firstObject", () => {
  test("finds the first object in a head that ends inside the second", () => {
    const head = { path: "users.json", text: '{"users":[null,{"a":1},{"b":', complete: false };
    expect(firstObject(head, "users")).toEqual({ a: 1 });
  });

  test("finds none in an empty array", () => {
    expect(
      firstObject({ path: "u.json", text: '{"users":[]}', complete: true }, "users"),
    ).toBeNull();
  });
});
