import { describe, expect, it } from "vitest";
import { normalizeHash } from "../../src/hash/normalize.js";
import { verifyPassword } from "../../src/hash/verify.js";
import acceptedTexts from "./fixtures/accepted-texts.json" with { type: "json" };
import exported from "./fixtures/exported-scrypt.json" with { type: "json" };
import knownAnswers from "./fixtures/known-answers.json" with { type: "json" };

const smallScrypt = exported.accepted.find(({ memCost }) => memCost === 1)!;
const bcrypt = knownAnswers.find(({ hash }) => hash.startsWith("$2a$05$"))!;

describe("hashes of known passwords", () => {
  it.each(knownAnswers)("verifies $name with the right password only", async (entry) => {
    const { hash, password, signerKey } = entry;
    expect(await verifyPassword(hash, password, { signerKey })).toBe(true);
    expect(await verifyPassword(hash, `${password}!`, { signerKey })).toBe(false);
  });

  it.each(acceptedTexts)("verifies $name once it is normalized", async ({ raw, password }) => {
    const verdict = normalizeHash({ kind: "text", text: raw });
    const hash = verdict.verdict === "accepted" ? verdict.hash : "";
    expect(await verifyPassword(hash, password)).toBe(true);
    expect(await verifyPassword(hash, "battery staple")).toBe(false);
  });

  it.each(exported.accepted)("verifies a hash exported in $name", async (entry) => {
    const options = { signerKey: exported.signerKey };
    expect(await verifyPassword(entry.normalized, entry.password, options)).toBe(true);
    expect(await verifyPassword(entry.normalized, "battery staple", options)).toBe(false);
  });
});

describe("vendor scrypt's signer key", () => {
  const { normalized, password } = smallScrypt;

  it.each([{}, { signerKey: null }, { signerKey: "" }])("is asked for: %j", async (options) => {
    await expect(verifyPassword(normalized, password, options)).rejects.toMatchObject({
      name: "RunError",
      code: "signer_key_missing",
    });
  });

  it("may be url-safe base64", async () => {
    const signerKey = exported.signerKey.replaceAll("+", "-").replaceAll("/", "_");
    expect(await verifyPassword(normalized, password, { signerKey })).toBe(true);
  });

  it("verifies nothing when it is another account's", async () => {
    const signerKey = Buffer.alloc(64, 7).toString("base64");
    expect(await verifyPassword(normalized, password, { signerKey })).toBe(false);
  });

  it("verifies nothing when it was cut off", async () => {
    const signerKey = exported.signerKey.slice(0, 40);
    expect(await verifyPassword(normalized, password, { signerKey })).toBe(false);
  });
});

describe("passwords at the edge", () => {
  it("never match a bcrypt hash with a NUL in them", async () => {
    // Without the guard, bcrypt's key schedule reads this as the password itself.
    const repeated = `${bcrypt.password}\0${bcrypt.password}`;
    expect(await verifyPassword(bcrypt.hash, repeated)).toBe(false);
  });

  it.each([acceptedTexts[0]!.normalized, bcrypt.hash])("don't match when empty", async (hash) => {
    expect(await verifyPassword(hash, "")).toBe(false);
  });

  it("count their first 72 bytes in bcrypt, as every implementation does", async () => {
    const { hashSync } = await import("bcryptjs");
    const password = "ä".repeat(36);
    const hash = hashSync(password, 4).replace("$2b$", "$2a$");
    expect(await verifyPassword(hash, `${password}tail`)).toBe(true);
    expect(await verifyPassword(hash, "ä".repeat(35))).toBe(false);
  });
});

it("refuses to verify against a text that no core would store", async () => {
  await expect(verifyPassword(`${bcrypt.hash} `, bcrypt.password)).rejects.toMatchObject({
    name: "RunError",
    code: "internal",
  });
});
