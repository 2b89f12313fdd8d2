import { describe, expect, it } from "vitest";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { CODE, IMPORT, KEY, serveCore } from "./served-core.js";

const { ask } = await serveCore();
const keyless = await serveCore((core) => core, null);

describe("GET /apiversion", () => {
  it("lists the versions and the dialects that are understood", async () => {
    const { json } = await ask("GET", "/apiversion");
    const versions = json.versions as string[];
    expect(json).toEqual({ versions, dialects: ["interface", "supertokens"] });
    expect(versions).toEqual(expect.arrayContaining(["2.7", "2.21", "3.0", "3.1", "4.0", "5.4"]));
    expect(new Set(versions).size).toBe(23);
  });

  it("lists what cdi-version may say", async () => {
    const { versions } = (await ask("GET", "/apiversion")).json;
    for (const version of versions as string[]) {
      const headers = { "api-key": KEY, "cdi-version": version };
      expect((await ask("GET", "/users/count", undefined, headers)).status).toBe(200);
    }
  });
});

describe("cdi-version", () => {
  it.each([
    "",
    "5",
    "5.5",
    "2.6",
    "2.22",
    "3.2",
    "4.1",
    "99.0",
    "5.4.1",
    "05.4",
    "latest",
    "5.4, 5.4",
  ])("is refused as %j, at every endpoint", async (version) => {
    const headers = { "api-key": KEY, "cdi-version": version };
    for (const [method, target] of [
      ["GET", "/users/count"],
      ["POST", CODE],
    ] as const) {
      const { status, json } = await ask(method, target, { email: "uli@example.com" }, headers);
      expect(status).toBe(400);
      expect(json.message).toContain("cdi-version");
    }
  });

  it("isn't looked at before the key", async () => {
    expect((await ask("GET", "/users", undefined, { "cdi-version": "99.0" })).status).toBe(401);
  });
});

describe("hashingAlgorithm", () => {
  const scrypt = KNOWN_HASHES.vendor_scrypt;

  it.each([
    ["vendor_scrypt", scrypt],
    ["firebase_scrypt", scrypt],
    ["FIREBASE_SCRYPT", scrypt],
    [" Vendor_Scrypt\n", scrypt],
    ["bcrypt", KNOWN_HASHES.bcrypt],
    ["BCrypt", KNOWN_HASHES.bcrypt],
    [" ARGON2 ", KNOWN_HASHES.argon2],
  ])("%j announces a hash of its kind", async (hashingAlgorithm, { passwordHash, password }) => {
    const email = "willi@example.com";
    const { status } = await ask("POST", IMPORT, { email, passwordHash, hashingAlgorithm });
    expect(status).toBe(200);
    const { json } = await ask("POST", "/recipe/signin", { email, password });
    expect(json.status).toBe("OK");
  });

  it.each(["", "md5", "scrypt", "argon2id", "bcrypt2", "vendor scrypt", "__proto__"])(
    "is refused as %j, and the answer says what it may be",
    async (hashingAlgorithm) => {
      const { passwordHash } = KNOWN_HASHES.bcrypt;
      const body = { email: "xenia@example.com", passwordHash, hashingAlgorithm };
      const { status, json } = await ask("POST", IMPORT, body);
      expect(status).toBe(400);
      expect(json.message).toMatch(/^hashingAlgorithm: .*vendor_scrypt.*firebase_scrypt/);
    },
  );

  it.each([
    ["bcrypt", KNOWN_HASHES.argon2],
    ["argon2", KNOWN_HASHES.bcrypt],
    ["bcrypt", scrypt],
    ["vendor_scrypt", KNOWN_HASHES.bcrypt],
    ["firebase_scrypt", KNOWN_HASHES.argon2],
  ])("%s refuses a hash of another kind, and nobody is created", async (hashingAlgorithm, hash) => {
    const email = "yara@example.com";
    const { passwordHash } = hash;
    const { status, json } = await ask("POST", IMPORT, { email, passwordHash, hashingAlgorithm });
    expect(status).toBe(400);
    expect(json.message).toContain("passwordHash");
    const found = await ask("GET", `/users/by-accountinfo?email=${encodeURIComponent(email)}`);
    expect(found.json.users).toEqual([]);
  });
});

describe("a missing signer key", () => {
  const { passwordHash } = KNOWN_HASHES.vendor_scrypt;
  const INTERFACE = "vendor_password_hashing_signer_key";
  const SUPERTOKENS = "firebase_password_hashing_signer_key";

  it.each([
    ["vendor_scrypt", false],
    [undefined, false],
    ["firebase_scrypt", true],
    [" Firebase_Scrypt ", true],
  ])("is told by the name of its field: %j", async (hashingAlgorithm, speaksSuperTokens) => {
    const body = { email: "zoe@example.com", passwordHash, hashingAlgorithm };
    const { status, json } = await keyless.ask("POST", IMPORT, body);
    expect(status).toBe(400);
    expect(json.message).toContain(INTERFACE);
    expect(String(json.message).includes(SUPERTOKENS)).toBe(speaksSuperTokens);
  });

  it("doesn't matter for other hashes", async () => {
    const body = { email: "zoe@example.com", passwordHash: KNOWN_HASHES.bcrypt.passwordHash };
    expect((await keyless.ask("POST", IMPORT, body)).status).toBe(200);
  });
});
