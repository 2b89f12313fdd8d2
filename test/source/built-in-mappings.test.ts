import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtInMappings } from "../../src/source/built-in-mappings.js";
import { fieldsOf } from "../../src/source/fields/field-table.js";
import { parseMapping } from "../../src/source/mapping/mapping-file.js";
import { collect, PLAIN, pieces } from "./support.js";

const FOLDER = new URL("../../mappings/", import.meta.url).pathname;
const MAPPINGS = readdirSync(FOLDER).map((file) => {
  return [file, readFileSync(join(FOLDER, file), "utf8")] as const;
});

describe("the mapping", () => {
  test.each(MAPPINGS)("%s has the name of its file, and no field twice", (file, text) => {
    const { name } = parseMapping(file, text);
    expect(file).toBe(`${name}.yaml`);
    const source = builtInMappings().find((one) => one.name === name);
    expect(source?.fields.flatMap(({ places }) => places.nodes).length).toBeGreaterThan(5);
    for (const { table } of source?.fields ?? []) {
      const paths = fieldsOf(table).map(({ path }) => path);
      expect(new Set(paths).size).toBe(paths.length);
    }
  });

  test.each(MAPPINGS)(
    "%s lists what it recognizes a line each, to be found quickly",
    (_file, text) => {
      expect(text).toMatch(/^recognize:\n(?: {2}- \[.*\]\n)+\w/m);
    },
  );
});

test("Parse's accounts of other services are told from mongoexport's columns, too", async () => {
  const user = { _id: "a", username: "ann", email: "ann@example.com", _hashed_password: "" };
  const parse = builtInMappings().find(({ name }) => name === "parse")!;
  const noticesOf = async (more: object) => {
    const bytes = Buffer.from(`${JSON.stringify({ ...user, ...more })}\n`);
    const [item] = await collect(parse.read("users.ndjson", pieces(bytes, 999), PLAIN));
    return item?.kind === "record" ? item.record : item;
  };
  expect(await noticesOf({ _auth_data_facebook: { id: "7" } })).toMatchObject({
    exclusions: [],
    notices: expect.arrayContaining(["social_identity_dropped"]),
  });
  expect(await noticesOf({ _auth_data_anonymous: { id: "7" } })).toMatchObject({
    exclusions: ["anonymous"],
  });
});
