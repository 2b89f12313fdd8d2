import { scryptSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { verifyLegacyPassword } from "../../../src/hash/legacy/find-legacy-hash.js";
import { readPasswordLines } from "../../../src/password-export/read-lines.js";
import type { PasswordLine } from "../../../src/source/password-lines.js";
import { openInputs } from "../../../src/source/inputs.js";
import { RowDamage } from "../../../src/source/row-damage.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { collect } from "../support.js";

const newPath = temporaryPaths();
const BCRYPT = "$2b$04$mOGvN0d17mmgBnVHRryuHedcAtIVzlVCdw3cqHmscwijpV.HrtImO";
const PASSWORD = "amelia-sails-6";
const SALT = Buffer.from("a salt of 22 bytes has").toString("base64url").padEnd(32, "=");
const ABOVE = [
  "scrypt hash parameters,,,,",
  "scryptCostParameter,1 << 4,,,",
  "scryptRParameter,8,,,",
  "scryptPParameter,1,,,",
  "scryptKeyLengthParamenter,32,,,",
  ",,,,",
];
const HEADER = "id,hash,salt,hash_method,project_id";

/** As Stytch makes it: the salt's text goes in as it is. */
function scrypt(): string {
  return `${scryptSync(PASSWORD, SALT, 32, { N: 16, r: 8, p: 1 }).toString("base64url")}=`;
}

function exported(rows: readonly string[], above: readonly string[] = ABOVE): string {
  return [...above, HEADER, ...rows].join("\r\n");
}

async function read(content: string | Buffer): Promise<(PasswordLine | RowDamage)[]> {
  const path = newPath("hashes.csv");
  writeFileSync(path, content);
  return collect(readPasswordLines(path));
}

async function hashOf(row: string): Promise<string | null> {
  const [line] = await read(exported([row]));
  return line === undefined || line instanceof RowDamage ? null : line.hash;
}

describe("a line of Stytch's hashes", () => {
  test("is the user's by the id, and verifies the password by what stands above the header", async () => {
    const text = exported([`user-test-1,${scrypt()},${SALT},scrypt,project-test-1`]);
    for (const content of [text, gzipSync(text), `\uFEFF${text}\r\n`]) {
      const [line] = await read(content);
      expect(line).toMatchObject({ keys: ["id user-test-1"] });
      const hash = { kind: "text", text: (line as PasswordLine).hash ?? "" } as const;
      expect(await verifyLegacyPassword(hash, PASSWORD)).toBe(true);
      expect(await verifyLegacyPassword(hash, `${PASSWORD}!`)).toBe(false);
    }
  });

  test.each([
    ["bcrypt", BCRYPT],
    ["argon_2id", "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$aGVsbG9oZWxsb2hlbGxvaGVsbG8"],
    ["phpass", "$P$BabcdefghijklmnopqrstuvwxyzABCD"],
  ])("of a user who came with %s has that hash as it is", async (method, hash) => {
    expect(await hashOf(`u1,"${hash}",,${method},p1`)).toBe(hash);
  });

  test("of a user who came with a digest says how it was made", async () => {
    const hash = await hashOf("u1,5f4dcc3b5aa765d61d8327deb882cf99,pinch,md_5,p1");
    expect(JSON.parse(hash ?? "")).toEqual({
      password_hash: "5f4dcc3b5aa765d61d8327deb882cf99",
      algorithm: "md_5",
      salt: "pinch",
    });
  });

  test.each([
    ["without an id", `,${scrypt()},${SALT},scrypt,p1`],
    ["without a hash", `u1,,${SALT},scrypt,p1`],
    ["without its salt", `u1,${scrypt()},,scrypt,p1`],
    ["with a hash of another length", `u1,${scrypt().slice(9)},${SALT},scrypt,p1`],
    ["with too many columns", `u1,${scrypt()},${SALT},scrypt,p1,x`],
  ])("%s is damage", async (_how, row) => {
    const lines = await read(exported([row, `u2,${scrypt()},${SALT},scrypt,p1`]));
    expect(lines).toMatchObject([{ code: expect.any(String) }, { keys: ["id u2"] }]);
  });
});

describe("Stytch's hashes", () => {
  test.each([
    ["all lines", []],
    ["the cost", ABOVE.filter((line) => !line.startsWith("scryptCost"))],
    ["a cost that is a power of two", ABOVE.map((line) => line.replace("1 << 4", "15"))],
  ])("whose start lacks %s are refused", async (_what, above) => {
    const text = exported([`u1,${scrypt()},${SALT},scrypt,p1`], above);
    await expect(read(text)).rejects.toMatchObject({ code: "input_unrecognized" });
  });

  test("that end within a line are cut off", async () => {
    const rows = [1, 2].map((id) => `u${id},${scrypt()},${SALT},scrypt,p1`);
    const text = exported(rows);
    await expect(read(text.slice(0, -60))).rejects.toMatchObject({
      code: "password_export_partial",
    });
  });

  test("in place of the users are refused with the option that takes them", async () => {
    const path = newPath("hashes.csv");
    writeFileSync(path, exported([`u1,${scrypt()},${SALT},scrypt,p1`]));
    await expect(openInputs([path])).rejects.toMatchObject({
      code: "input_unrecognized",
      hint: expect.stringContaining(`--password-export ${path}`),
    });
  });
});
