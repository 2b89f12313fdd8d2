import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { RowDamage } from "../../../../src/source/row-damage.js";
import { readPasswordLines } from "../../../../src/password-export/read-lines.js";
import type { PasswordLine } from "../../../../src/source/password-lines.js";
import { temporaryPaths } from "../../../support/temporary-folder.js";
import { collect } from "../../support.js";

const newPath = temporaryPaths();
const HASH = `$2b$10$${"a".repeat(53)}`;

/** What the support's article shows, with another address. */
const LINE = {
  _id: { $oid: "5dea9f9c82dd7c0e76e4ec93" },
  email_verified: false,
  email: "Nico@example.com",
  passwordHash: HASH,
  password_set_date: { $date: "2019-12-06T18:36:12.412Z" },
  tenant: "acme",
  connection: "main",
  _tmp_is_unique: true,
};
const LOGIN = 'login "main" nico@example.com';

async function read(content: string | Buffer): Promise<(PasswordLine | RowDamage)[]> {
  const path = newPath("passwords.ndjson");
  writeFileSync(path, content);
  return collect(readPasswordLines(path));
}

async function readOne(line: object): Promise<PasswordLine | RowDamage | undefined> {
  return (await read(`${JSON.stringify(line)}\n`))[0];
}

describe("a line of Auth0's password export", () => {
  const { _id, ...rest } = LINE;
  const id = "id 5dea9f9c82dd7c0e76e4ec93";

  test.each([
    ["as support writes it", LINE],
    ["with _ID", { _ID: _id, ...rest }],
    ["with $oid at the top", { $oid: _id.$oid, ...rest }],
    ["with the id's prefix", { $oid: `auth0|${_id.$oid}`, ...rest }],
    ["with a bare _id", { _id: _id.$oid, ...rest }],
    ["with password_hash", { ...LINE, passwordHash: undefined, password_hash: HASH }],
    ["with the same hash twice", { ...LINE, password_hash: HASH }],
    [
      "whose email is among the identifiers",
      {
        ...LINE,
        email: undefined,
        identifiers: [
          { type: "username", value: "nico" },
          { type: "email", value: "nico@example.com", verified: false },
        ],
      },
    ],
  ])("is read %s", async (_title, line) => {
    expect(await readOne(line)).toEqual({ keys: [id, LOGIN], hash: HASH });
  });

  test("has the id of the customer's own, too", async () => {
    expect(await readOne({ ...LINE, alt_id: "euclid" })).toEqual({
      keys: [id, "id euclid", LOGIN],
      hash: HASH,
    });
    expect(await readOne({ ...LINE, alt_id: 17 })).toMatchObject({ keys: [id, "id 17", LOGIN] });
  });

  test("has an email of no known connection where it names none", async () => {
    expect(await readOne({ ...LINE, connection: undefined })).toMatchObject({
      keys: [id, 'login "" nico@example.com'],
    });
  });

  test("without a hash is a line all the same: its user has none to be looked for elsewhere", async () => {
    for (const passwordHash of [undefined, null, "", " "]) {
      expect(await readOne({ ...LINE, passwordHash })).toEqual({ keys: [id, LOGIN], hash: null });
    }
  });

  test.each([
    ["a user's own export", { user_id: "auth0|a1", email: "ann@example.com" }],
    ["a line that names nobody", { passwordHash: HASH }],
    ["an id of control characters", { passwordHash: HASH, _id: "a\u0000b" }],
    ["two hashes", { ...LINE, password_hash: HASH.replace("10", "12") }],
    ["a hash that would be cut off", { ...LINE, passwordHash: `${HASH}\u0000and more` }],
    ["a hash of another type", { ...LINE, passwordHash: { hash: HASH } }],
  ])("is damage where it is %s, and isn't repeated", async (_title, line) => {
    const damage = await readOne(line);
    expect(damage).toBeInstanceOf(RowDamage);
    expect(JSON.stringify(damage)).not.toMatch(/\$2b|@|a1/);
  });
});

describe("a password export", () => {
  const text = `${JSON.stringify(LINE)}\nno line at all\n\n${JSON.stringify(LINE)}\n`;

  test("goes on behind a bad line", async () => {
    const kinds = (await read(text)).map((line) => line instanceof RowDamage);
    expect(kinds).toEqual([false, true, false]);
  });

  test("may be compressed, or an array", async () => {
    expect(await read(gzipSync(text))).toHaveLength(3);
    expect(await read(JSON.stringify([LINE, LINE]))).toHaveLength(2);
  });

  test.each([
    ["a line", Buffer.from(text.slice(0, -20))],
    ["an array", Buffer.from(JSON.stringify([LINE, LINE]).slice(0, -5))],
    ["a gzip file", gzipSync(text.repeat(200)).subarray(0, -30)],
  ])("that is cut off inside %s is refused whole", async (_title, content) => {
    await expect(read(content)).rejects.toMatchObject({ code: "password_export_partial" });
  });
});
