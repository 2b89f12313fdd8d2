import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defineSource } from "../../src/source/define-source.js";
import { detectSource, namedSource } from "../../src/source/detect.js";
import { findSource, SOURCES } from "../../src/source/registry.js";
import type { Source } from "../../src/source/source.js";
import { collect, PLAIN, pieces } from "./support.js";

function head(text: string) {
  return { path: "export.dat", text, complete: true };
}

function fitting(name: string, generic = false): Source {
  return defineSource({
    name,
    generic,
    recognize: () => `looks like ${name}`,
    open: () => {
      throw new Error("not read here");
    },
  });
}

describe("detectSource", () => {
  test.each([
    ["firebase", '{"users":[{"localId":"a1","email":"ann@example.com"}]}'],
    ["firebase", '[{"localId":"a1"}]'],
    ["firebase", `a1,ann@example.com,true,,,,${",".repeat(16)},1,2,,false,,\n`],
    ["csv", "email\nann@example.com\n"],
    ["csv", "Mobile;Name\n+15550100001;Ann\n"],
    ["json", '[{"email":"ann@example.com"}]'],
    ["json", "[]"],
    ["json", '{"total":0,"users":[]}'],
    ["json", '{"id":1,"profile":{"email":"ann@example.com"}}\n'],
  ])("recognizes %s by its shape (%#)", (name, text) => {
    const { source, reason } = detectSource(head(text));
    expect(source.name).toBe(name);
    expect(reason).not.toBe("");
  });

  test.each([
    "hello, world",
    '{"Users":[{"Username":"ann"}]}',
    '{"users":[{"id":"1","username":"ann"}]}',
    "colour,size\nred,3\n",
  ])("refuses what is no export, naming what it expected and the way out (%#)", (text) => {
    expect(() => detectSource(head(text))).toThrow(
      expect.objectContaining({
        code: "input_unrecognized",
        message: expect.stringContaining("export.dat"),
        hint: expect.stringMatching(/--map email=NAME.*vendors\/README/),
      }),
    );
  });

  test("asks for --from where two vendors fit, and names both", () => {
    expect(() => detectSource(head("x"), [fitting("one"), fitting("two")])).toThrow(
      expect.objectContaining({
        code: "input_unrecognized",
        message: expect.stringContaining("one or two"),
        hint: expect.stringContaining("--from one or --from two"),
      }),
    );
  });

  test("asks for --from where one real file has the fields of two vendors", () => {
    const user = {
      localId: "a1",
      email: "ann@example.com",
      user_id: "auth0|64f0c1d2e3a4b5c6d7e8f901",
    };
    const both = { ...user, identities: [{ provider: "auth0", connection: "db", user_id: "1" }] };
    expect(() => detectSource(head(JSON.stringify([both])))).toThrow(
      expect.objectContaining({
        code: "input_unrecognized",
        hint: expect.stringMatching(/--from firebase or --from auth0/),
      }),
    );
  });

  test.each([
    [
      '[{"colour":"red","size":{"width":3}}]',
      /JSON objects with the properties "colour", "size.width"/,
    ],
    ["colour,size\nred,3\n", /a table with the columns "colour", "size"/],
    ["1,ann@example.com,Ann\n", /rows without a header/],
    ["hello", /text without columns/],
    ['{"teams":[{"title":"red"}]}', /JSON objects with the properties "title"/],
    ["[1, 2]", /JSON without an array of objects/],
  ])("says what an unrecognized file looks like (%#)", (text, seen) => {
    expect(() => detectSource(head(text))).toThrow(
      expect.objectContaining({ message: expect.stringMatching(seen) }),
    );
  });

  test("says of rows without a header what helps them", () => {
    expect(() => detectSource(head("1,ann@example.com,Ann\n"))).toThrow(
      expect.objectContaining({
        code: "input_unrecognized",
        hint: expect.stringContaining("Put a row before it"),
      }),
    );
  });

  test("shows nothing of anybody in that", () => {
    const text = '[{"ann@example.com":{"$2a$10$851F/nQcrhTCgKGqW3vAEu":1},"+15550100001":2}]';
    for (const shape of [text, "7;Ann Lee;ann@example.com;+15550100001\n"]) {
      let message = "";
      try {
        detectSource(head(shape));
      } catch (error) {
        message = `${error}`;
      }
      expect(message).toContain("export.dat");
      expect(message).not.toMatch(/ann@|\$2a|5550100001/);
    }
  });

  test("prefers a vendor's source to a generic one", () => {
    const { source } = detectSource(head("x"), [fitting("any", true), fitting("vendor")]);
    expect(source.name).toBe("vendor");
  });
});

describe("a source that the operator names", () => {
  const firebase = fitting("firebase");

  function silent(name: string, generic = false): Source {
    return { ...fitting(name, generic), recognize: () => null };
  }

  test("reads what it recognizes, whoever else does", () => {
    const { source } = namedSource(head("x"), firebase, [fitting("okta"), firebase]);
    expect(source).toBe(firebase);
  });

  test("tries what nobody recognizes", () => {
    const okta = silent("okta");
    expect(namedSource(head("x"), okta, [okta, silent("csv", true)]).source).toBe(okta);
  });

  test("is refused for a file that is another vendor's", () => {
    expect(() => namedSource(head("x"), silent("okta"), [firebase])).toThrow(
      expect.objectContaining({
        code: "input_unrecognized",
        message: "export.dat is no okta export: it is looks like firebase",
        hint: "Give --from firebase, or leave --from out.",
      }),
    );
  });

  test("leaves a table of anybody's to the generic source", () => {
    const csv = fitting("csv", true);
    expect(namedSource(head("x"), silent("okta"), [csv]).source).toBe(csv);
    expect(() => namedSource(head("x"), silent("json", true), [csv])).toThrow(/is no json export/);
  });
});

describe("what the operator says of a file without a vendor's marks", () => {
  const TABLE = "id,email,password\n7,ann@example.com,x\n";
  const LIST = '[{"id":"7","email":"ann@example.com","password":"x"}]';
  const vendors = SOURCES.filter(({ generic }) => !generic).map(({ name }) => name);

  test.each(vendors)(
    "--from %s is heard: by its fields, or it is said that it isn't",
    async (name) => {
      const named = findSource(name);
      if (named === null) throw new Error(`no source ${name}`);
      for (const text of [TABLE, LIST]) {
        const { source, reason } = namedSource(head(text), named);
        if (source !== named) expect(reason).toContain(`not as ${name} writes it`);
        const bytes = pieces(Buffer.from(text), 99);
        const [item] = await collect(source.read("export.dat", bytes, PLAIN));
        expect(item).toMatchObject({
          record: { sourceId: "7", email: { value: "ann@example.com" } },
        });
      }
    },
  );

  test("a class of Parse's without hashes is Parse's by its own names", () => {
    const user = { objectId: "k1", username: "ann", email: "ann@example.com", ACL: {} };
    const text = JSON.stringify({ results: [user] });
    expect(detectSource(head(text)).source.name).toBe("parse");
    const parse = findSource("parse");
    const bare = JSON.stringify({ results: [{ ...user, ACL: undefined }] });
    expect(parse && namedSource(head(bare), parse).source).toBe(parse);
  });

  test.each([
    ["a table", "uid,secret\nann@example.com,x\n", "csv", "email", "uid"],
    ["JSON", '[{"login":"ann@example.com"}]', "json", "email", "login"],
    ["a document", '{"answer":{"people":[{"a":1}]}}', "json", "users", "answer.people"],
  ])(
    "a map of a contact or the users makes %s one of nobody's form",
    (_what, text, name, field, at) => {
      const map = new Map([[field, at]]);
      expect(detectSource(head(text), SOURCES, map).source.name).toBe(name);
      for (const vendor of ["laravel", "firebase"]) {
        const named = findSource(vendor);
        const found = named && namedSource(head(text), named, SOURCES, map);
        expect(found?.source.name).toBe(name);
        expect(found?.reason).toContain(`judged as ${vendor}'s`);
      }
    },
  );
});

test("sources have different names and are found by them", () => {
  for (const source of SOURCES) expect(findSource(source.name)).toBe(source);
  expect(findSource("nobody")).toBeNull();
});

describe("a vendor's users in a list that a script named", () => {
  const FIXTURES = new URL("../../fixtures/sources/", import.meta.url).pathname;
  const LISTS: readonly (readonly [string, string, (document: never) => unknown])[] = [
    ["firebase", "users.json", ({ users }: { users: unknown }) => users],
    ["auth0", "bulk-import.json", (list) => list],
    ["akamai", "records.json", ({ results }: { results: unknown }) => results],
    ["kratos", "identities.json", (list) => list],
    ["okta", "users.json", (list) => list],
    ["parse", "_User.json", ({ results }: { results: unknown }) => results],
    ["supabase", "list-users.json", ({ users }: { users: unknown }) => users],
    ["zitadel", "users.json", ({ result }: { result: unknown }) => result],
  ];

  test.each(LISTS)("of %s are read as the vendor's", async (name, file, listOf) => {
    const text = readFileSync(`${FIXTURES}${name}/${file}`, "utf8");
    const list = listOf(JSON.parse(text) as never);
    const read = async (wrapped: unknown) => {
      const bytes = JSON.stringify(wrapped);
      const { source } = detectSource(head(bytes));
      expect(source.name).toBe(name);
      return collect(source.read("users.json", pieces(Buffer.from(bytes), 999), PLAIN));
    };
    const items = JSON.stringify(await read(list));
    expect(items).toContain('"kind":"record"');
    for (const wrapped of [{ rows: list }, { total: 9, rows: list }, { answer: { rows: list } }]) {
      expect(JSON.stringify(await read(wrapped))).toBe(items);
    }
  });

  test("are no list within a user: objects over several lines are told as that", () => {
    const user = (id: string) => ({
      localId: id,
      email: `${id}@example.com`,
      disabled: true,
      providerUserInfo: [{ providerId: "google.com", email: `${id}@example.com` }],
    });
    const text = ["ann", "bob"].map((id) => JSON.stringify(user(id), null, 2)).join("\n");
    expect(() => detectSource(head(text))).toThrow(
      expect.objectContaining({
        message: expect.stringContaining("JSON objects over several lines"),
        hint: expect.stringContaining("jq -c ."),
      }),
    );
  });
});
