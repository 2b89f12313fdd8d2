import { createCipheriv, scryptSync } from "node:crypto";
import { totalmem } from "node:os";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { normalizeHash } from "../../src/hash/normalize.js";
import { parseVendorScrypt } from "../../src/hash/vendor-scrypt.js";
import { excessOf, memoryOf, recoverSignerKey, verifyPassword } from "../../src/hash/verify.js";
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

it("verifies the vendor's scrypt at the largest parameters that are accepted", async () => {
  const [memCost, rounds] = [15, 16];
  const salt = Buffer.alloc(10, 5);
  const table = { N: 2 ** memCost, r: rounds, p: 1, maxmem: 2 ** 27 };
  const derived = scryptSync("correct horse", Buffer.concat([salt, Buffer.of(7)]), 64, table);
  const cipher = createCipheriv("aes-256-ctr", derived.subarray(0, 32), Buffer.alloc(16));
  const hash = cipher.update(Buffer.from(exported.signerKey, "base64")).toString("base64");
  const text = `$f_scrypt$${hash}$${salt.toString("base64")}$m=${memCost}$r=${rounds}$s=Bw==`;
  expect(normalizeHash({ kind: "text", text })).toMatchObject({ hash: text });
  const options = { signerKey: exported.signerKey };
  expect(await verifyPassword(text, "correct horse", options)).toBe(true);
  expect(await verifyPassword(text, "battery staple", options)).toBe(false);
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

describe("the encoding of a vendor scrypt password", () => {
  const { signerKey } = exported;
  const parts = parseVendorScrypt(smallScrypt.normalized)!;

  /** A hash as the vendor makes it of these bytes. */
  async function hashOf(password: string): Promise<string> {
    const key = { ...parts, hash: signerKey };
    const hash = (await recoverSignerKey(key, password)).toString("base64");
    return `$f_scrypt$${hash}$${parts.salt}$m=${parts.memCost}$r=${parts.rounds}$s=${parts.separator}`;
  }

  it.each([
    ["pässwörd", "p?ssw?rd"],
    ["naïve 🎻 player", "na?ve ? player"],
    ["half \ud83c of a pair", "half ? of a pair"],
    ["пароль", "??????"],
  ])(
    "is UTF-8 by default, as at the vendor, and one question mark a character as ASCII",
    async (password, asAscii) => {
      const ascii = { signerKey, scryptPasswordEncoding: "ascii" } as const;
      const hash = await hashOf(password);
      expect(await verifyPassword(hash, password, { signerKey })).toBe(true);
      expect(await verifyPassword(hash, password, ascii)).toBe(false);
      expect(await verifyPassword(await hashOf(asAscii), password, ascii)).toBe(true);
      expect(await verifyPassword(await hashOf(asAscii), password, { signerKey })).toBe(false);
    },
  );

  it("makes no difference to passwords of plain ASCII", async () => {
    const options = { signerKey, scryptPasswordEncoding: "ascii" } as const;
    expect(await verifyPassword(await hashOf("one space?"), "one space?", options)).toBe(true);
  });
});

describe("a right password", () => {
  it("brings back the signer key that made a vendor scrypt hash, a wrong one doesn't", async () => {
    const parts = parseVendorScrypt(smallScrypt.normalized)!;
    const key = Buffer.from(exported.signerKey, "base64");
    expect(await recoverSignerKey(parts, smallScrypt.password)).toEqual(key);
    expect(await recoverSignerKey(parts, `${smallScrypt.password} `)).not.toEqual(key);
  });
});

describe("passwords as bytes", () => {
  it("verify as the text that they are", async () => {
    const bytes = Buffer.from(bcrypt.password);
    expect(await verifyPassword(bcrypt.hash, bytes)).toBe(true);
  });

  it("verify in argon2 whatever they are", async () => {
    const argon2 = await import("argon2");
    const bytes = Buffer.from("pässwörd", "latin1");
    const made = await argon2.hash(bytes, { memoryCost: 64, timeCost: 2, parallelism: 1 });
    expect(await verifyPassword(made, bytes)).toBe(true);
    expect(await verifyPassword(made, "pässwörd")).toBe(false);
  });

  it("never match a bcrypt hash where they are no text", async () => {
    const { hashSync } = await import("bcryptjs");
    // What a decoder would make of these two bytes.
    const replaced = hashSync("\ufffd\ufffd", 4).replace("$2b$", "$2a$");
    expect(await verifyPassword(replaced, Buffer.from([0xff, 0xfe]))).toBe(false);
  });
});

describe("a hash that asks for too much", () => {
  const tail = "$T8Cla1aTchpiJBDcGnHSpw$xZ8SRjyq4AnxaHqnS+NTRz5+2mJP3u8eNOyKjxbWLCk";

  it.each([
    ["argon2 with terabytes of memory", "memory", `$argon2id$v=19$m=4294967295,t=1,p=1${tail}`],
    ["argon2 with billions of passes", "time", `$argon2id$v=19$m=1024,t=4294967295,p=1${tail}`],
    ["bcrypt of cost 30", "time", bcrypt.hash.replace("$05$", "$30$")],
  ])("ends in an error of ours at once: %s", async (_which, what, hash) => {
    await expect(verifyPassword(hash, "correct horse")).rejects.toMatchObject({
      name: "RunError",
      code: "hash_too_costly",
      message: expect.stringContaining(`more ${what} than this machine can give`),
    });
    expect(excessOf(hash)).toBe(what);
  });

  it.each([
    ["bcrypt of cost 20", bcrypt.hash.replace("$05$", "$20$")],
    ["argon2 of 64 MiB and three passes", `$argon2id$v=19$m=65536,t=3,p=4${tail}`],
    ["the vendor's own scrypt", smallScrypt.normalized],
  ])("isn't one that is merely slow: %s", (_, hash) => {
    expect(excessOf(hash)).toBeNull();
  });

  it("is the first beyond the last bearable one", () => {
    expect(excessOf(bcrypt.hash.replace("$05$", "$21$"))).toBe("time");
    expect(excessOf(`$argon2id$v=19$m=1024,t=${2 ** 17},p=1${tail}`)).toBeNull();
    expect(excessOf(`$argon2id$v=19$m=1024,t=${2 ** 17 + 1},p=1${tail}`)).toBe("time");
  });

  it.each([
    ["a container's limit", 2 ** 29, 2 ** 29],
    ["the machine's own, where no limit is known", 0, totalmem()],
    ["the machine's own, where the limit is beyond it", 2 ** 63, totalmem()],
  ])("is beyond half of the memory: %s", async (_, limit, bytes) => {
    const spy = vi.spyOn(process, "constrainedMemory").mockReturnValue(limit);
    onTestFinished(() => spy.mockRestore());
    // A module of its own, since the limit is read when it is loaded.
    const path = new URL(`../../dist/hash/verify.js?limit=${limit}`, import.meta.url).href;
    const fresh: typeof import("../../src/hash/verify.js") = await import(path);
    const kib = Math.floor(bytes / 2 / 1024);
    expect(fresh.excessOf(`$argon2id$v=19$m=${kib},t=1,p=1${tail}`)).toBeNull();
    expect(fresh.excessOf(`$argon2id$v=19$m=${kib + 1},t=1,p=1${tail}`)).toBe("memory");
  });
});

describe("the memory that verifying takes", () => {
  it.each([
    ["next to none for bcrypt", bcrypt.hash, 0],
    [
      "what argon2 asks for",
      "$argon2d$v=19$m=4096,t=3,p=1$T8Cla1aTchpiJBDcGnHSpw$xZ8SRjyq4AnxaHqnS+NTRz5+2mJP3u8eNOyKjxbWLCk",
      4 * 2 ** 20,
    ],
    [
      "scrypt's table and a little more",
      smallScrypt.normalized.replace(/m=\d+\$r=\d+/, "m=14$r=8"),
      16 * 2 ** 20 + 3 * 1024,
    ],
  ])("is %s", (_, hash, bytes) => {
    expect(memoryOf(hash)).toBe(bytes);
  });
});
