import { describe, expect, test } from "vitest";
import { detectSource } from "../../src/source/detect.js";
import { findFlaw } from "../../src/source/json/json-scan.js";
import { findMisfit } from "../../src/source/misfits.js";
import { findSource } from "../../src/source/registry.js";

const FLAT = '{"id":"7","email":"ann@example.com"}';

function head(text: string, complete = true) {
  return { path: "users.dump", text, complete };
}

/** Files as the programs write their first lines. */
const SHAPES: readonly (readonly [string, string, RegExp])[] = [
  [
    "an SQL dump",
    "--\n-- PostgreSQL database dump\n--\n\nSET statement_timeout = 0;\nCOPY public.users (id, email, password) FROM stdin;\n1\tann@example.com\tx\n",
    /psql restored -f users\.dump .*\\copy users/,
  ],
  ["an SQL dump", "INSERT INTO users (id, email, password) VALUES (1, 'a', 'b');\n", /createdb/],
  [
    "a MySQL or MariaDB dump",
    "-- MySQL dump 10.13  Distrib 8.0.36\n/*!40101 SET NAMES utf8 */;\nCREATE TABLE `users` (\n",
    /mysql --batch/,
  ],
  [
    "an SQLite dump",
    "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE users(id, email);\n",
    /sqlite3 -header -csv/,
  ],
  [
    "LDIF",
    "version: 1\n\ndn: uid=ann,dc=example\nuid: ann\nmail: ann@example.com\n",
    /perl .*uid mail/,
  ],
  [
    "phpMyAdmin's JSON",
    '[\n{"type":"header","version":"5.2.1","comment":"Export to JSON plugin for PHPMyAdmin"},\n{"type":"database","name":"site"},\n{"type":"table","name":"users","database":"site","data":\n[\n{"id":"1","email":"ann@example.com"}\n]\n}\n]\n',
    /jq -c .*select\(\.name == "users"/,
  ],
  ["YAML", "---\nusers:\n  ann:\n    email: ann@example.com\n", /yq -o=json .*to_entries/],
  ["YAML", "- email: ann@example.com\n  id: 7\n", /yq -o=json/],
  ["a web page", "<!DOCTYPE html>\n<html><body>Sign in</body></html>", /without a sign-in/],
  [
    "a table behind a comment",
    "# exported today, email\nid,email\n7,ann@example.com\n",
    /grep -v '\^#'/,
  ],
  ["sep= line that doesn't fit", "sep=;\nid,email\n7,ann@example.com\n", /tail -n \+2/],
];

describe("what is no export", () => {
  test.each([
    ["dn: uid=ann,dc=example\nmail: ann@example.com\n", /LDIF/],
    ["users:\n  ann:\n    email: ann@example.com\n", /YAML/],
    ["-- a dump\nINSERT INTO users (id) VALUES (1);\n", /an SQL dump/],
    [":", /not an export that is known here/],
  ])("is found behind any number of blank lines (%#)", (text, message) => {
    expect(() => detectSource(head("\n".repeat(20_000) + text))).toThrow(message);
  });

  test.each(SHAPES)(
    "is called %s, with the command that makes one of it (%#)",
    (what, text, command) => {
      expect(() => detectSource(head(text))).toThrow(
        expect.objectContaining({
          code: "input_unrecognized",
          message: expect.stringContaining(what),
          hint: expect.stringMatching(command),
        }),
      );
    },
  );

  test.each([
    ["fault in line 2, column 3: a comment", '{\n  // the users\n  "users": []\n}', /no comments/],
    ["fault in line 1, column 2: a single quotation mark", "{'email': 'ann@example.com'}", /names/],
    ["fault in line 3, column 1: a bracket behind a comma", '{\n"id": "7",\n}', /comma/],
    ["JSON that ends before it is whole, in line 1, column 18", '{"email": "ann@exa', /again/],
    ["JSON that ends before it is whole, in line 2, column 8", '[\n{"id":1,\n', /cut off/],
    ["JSON that ends before it is whole, in line 1, column 23", '[{"id":1,"email":"ann@e', /again/],
    [
      "one JSON object over several lines",
      JSON.stringify(JSON.parse(FLAT), null, 2),
      /jq -c \. users\.dump/,
    ],
    [
      "JSON objects over several lines",
      `${JSON.stringify(JSON.parse(FLAT), null, 2)}\n`.repeat(2),
      /jq -c/,
    ],
    [
      "one JSON object over several lines",
      JSON.stringify(
        {
          id: "o1",
          profile: { email: "ann@example.com" },
          credentials: { emails: [{ value: "ann@example.com" }] },
        },
        null,
        2,
      ),
      /jq -c/,
    ],
    [
      "list data.members lies too deep",
      `{"data":{"members":[${FLAT}]}}`.replace("{", "{\n"),
      /--from json --map users=data\.members/,
    ],
  ])("of JSON is called %s", (what, text, command) => {
    const misfit = findMisfit(head(text));
    expect(misfit?.what).toContain(what);
    expect(misfit?.hint).toMatch(command);
  });

  test("of JSON may have a first user longer than what is looked at, and the picture is named", () => {
    const text = `{"id":"7","email":"ann@example.com","avatar":"data:image/png;base64,${"A".repeat(66_000)}`;
    const misfit = findMisfit(head(text.slice(0, 65_536), false));
    expect(misfit?.what).toContain("longer than 64 KiB");
    expect(misfit?.hint).toContain("jq -c 'del(.avatar)' users.dump");
  });

  test("shows nothing of anybody", () => {
    for (const text of ['{"email": "ann@example.com", oops', "{'ann@example.com': 1}"]) {
      expect(JSON.stringify(findMisfit(head(text)))).not.toContain("ann");
    }
  });

  test("is not a list on one line, which is no table either", () => {
    const line =
      '[{"id": 1, "email": "ann@example.com", "phone": ""}, {"id": 2, "email": "bo@example.com", "phone": ""}]';
    expect(findSource("csv")?.recognize(head(line))).toBeNull();
    expect(detectSource(head(line)).source.name).toBe("json");
  });

  test.each([
    "id,email\n7,ann@example.com\n",
    "#id,email\n7,ann@example.com\n",
    "insert_date,email\n2024-01-01,ann@example.com\n",
    "dn,mail\nuid=ann,ann@example.com\n",
    `${FLAT}\n${FLAT}\n`,
    `[${FLAT}]`,
  ])("is not a table or a list of users (%#)", (text) => {
    expect(findMisfit(head(text))).toBeNull();
  });
});

describe("a text as JSON", () => {
  test.each([
    ["{}", { kind: "values", count: 1 }],
    ['{"a":[1,-2.5e3,true,null,"\\u00e9\\""],"b":{}} []', { kind: "values", count: 2 }],
    ['{"a":"b', { kind: "open", name: "a" }],
    ['{"a":tru', { kind: "open", name: "a" }],
    ['{"a":"\\u00', { kind: "open", name: "a" }],
    ["[1,]", { kind: "flaw", line: 1, column: 4 }],
    ['{"a" 1}', { kind: "flaw", column: 6 }],
    ['{"a":}', { kind: "flaw", column: 6 }],
    ["[1}", { kind: "flaw", column: 3 }],
    ['{"a":"b\nc"}', { kind: "flaw", line: 1, column: 8 }],
  ])("%s is %j", (text, flaw) => {
    expect(findFlaw(text)).toMatchObject(flaw);
  });
});
