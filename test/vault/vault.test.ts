import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { KeptHash } from "../../src/hash/legacy/kept-password.js";
import { verifyPassword } from "../../src/hash/verify.js";
import { openDatabase } from "../../src/sqlite/database.js";
import { VAULT_FILE } from "../../src/vault/vault-file.js";
import { Vault, type VaultRecord } from "../../src/vault/vault.js";
import { newVaultKey, parseVaultKey } from "../../src/vault/vault-keys.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const KEY = Buffer.alloc(32, 7);
const SALT = Buffer.alloc(16, 3);
const BINDING = { migration: "5f0c", core: "https://core.example.com" };
const DJANGO = "pbkdf2_sha256$1000$seasalt$pTS4GcCm2yVm9BEOqWXYVxR4dRAf3mbjyw5SN1qL0KE=";

function open(path: string, changes: { key?: Buffer; core?: string; mustExist?: boolean } = {}) {
  const { key = KEY, core = BINDING.core, mustExist = false } = changes;
  return Vault.open(path, { key, binding: { ...BINDING, core }, mustExist });
}

function recordOf(text = DJANGO, password = "no-user-knows"): KeptHash & VaultRecord {
  const standIns = [{ password, hash: "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA" }];
  const context = { vendor: "django", pepper: "s3cret-pepper", userNames: ["ann"] };
  return { hash: { kind: "text", text }, context, standIns };
}

async function vaultOfAnn() {
  const path = newPath("users.vault");
  const vault = open(path);
  await vault.put("ann@example.com", recordOf());
  return { path, vault };
}

/** Everything that the vault and SQLite have written, as one text of bytes. */
function bytesOf(path: string): string {
  const folder = dirname(path);
  const names = readdirSync(folder).filter((name) => join(folder, name).startsWith(path));
  return names.map((name) => readFileSync(join(folder, name), "latin1")).join("\n");
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return "nothing thrown";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

describe("a vault", () => {
  it("gives back what was kept, after it was closed and opened again", async () => {
    const { path, vault } = await vaultOfAnn();
    vault.close();
    const again = open(path, { mustExist: true });
    expect(again.get("ann@example.com")).toEqual(recordOf());
    expect(again.get("bob@example.com")).toBeNull();
    expect(again.count()).toBe(1);
    again.close();
  });

  it("is one process' at a time", () => {
    const path = newPath("users.vault");
    const vault = open(path);
    expect(codeOf(() => open(path))).toBe("in_use");
    vault.close();
    open(path).close();
  });

  it("keeps one record a user, the last one", async () => {
    const { vault } = await vaultOfAnn();
    await vault.put("ann@example.com", recordOf("sha1$other$0000"));
    expect(vault.count()).toBe(1);
    const hash = { kind: "text", text: "sha1$other$0000" };
    expect(vault.get("ann@example.com")).toMatchObject({ hash });
    vault.close();
  });

  it("is private to its owner, and shows nothing of any user in its bytes", async () => {
    const { path, vault } = await vaultOfAnn();
    expect(statSync(path).mode & 0o077).toBe(0);
    const open_ = bytesOf(path);
    vault.close();
    for (const bytes of [open_, bytesOf(path)]) {
      for (const secret of [
        "ann@example",
        "ann",
        DJANGO,
        "seasalt",
        "django",
        "pepper",
        "no-user-knows",
      ]) {
        expect(bytes.includes(secret), secret).toBe(false);
      }
    }
  });

  it("has boxes of one length for hashes of other formats", async () => {
    const path = newPath("users.vault");
    const vault = open(path);
    const { seal } = (await import("../../src/vault/vault-keys.js")).createVaultKeys(
      KEY,
      randomBytes(16),
    );
    const lengths = [DJANGO, "$P$B12345678", "x".repeat(200)].map(
      (text) => seal(Buffer.from("a"), JSON.stringify(recordOf(text))).length,
    );
    expect(new Set(lengths).size).toBe(1);
    vault.close();
  });

  it("leaves no trace of an erased record in the file or its log", async () => {
    const { path, vault } = await vaultOfAnn();
    const reader = openDatabase(path, VAULT_FILE);
    const [[box] = []] = reader.prepare<[Buffer]>("SELECT box FROM record").all();
    reader.close();
    const trace = box?.subarray(20, 60).toString("latin1") ?? "";
    expect(bytesOf(path)).toContain(trace);
    await vault.erase("ann@example.com");
    expect(vault.get("ann@example.com")).toBeNull();
    expect(vault.count()).toBe(0);
    expect(bytesOf(path)).not.toContain(trace);
    vault.close();
  });

  it("gives the attempts back with the record that it erases", async () => {
    const { vault } = await vaultOfAnn();
    const take = () => vault.takeAttempt("ann@example.com", 1_700_000_000_000);
    for (let attempt = 0; attempt < 10; attempt++) await take();
    expect(await take()).not.toBeNull();
    await vault.erase("ann@example.com");
    expect(await take()).toBeNull();
    vault.close();
  });

  it("says of its disk, and not of another file's, that it can't be closed well", async () => {
    const { path, vault } = await vaultOfAnn();
    mkdirSync(`${path}-journal`);
    expect(() => vault.close()).toThrow(expect.objectContaining({ code: "disk" }));
    rmdirSync(`${path}-journal`);
    const again = open(path);
    expect(again.get("ann@example.com")).toEqual(recordOf());
    again.close();
  });

  it("is read also where damage has made a text of a record, at which the driver ends the process", async () => {
    const { path, vault } = await vaultOfAnn();
    vault.close();
    // A record's header: its length, a blob of 32 bytes, and a blob of 540 or, one more, a text (sqlite.org/fileformat2.html).
    const bytes = readFileSync(path);
    const header = bytes.indexOf(Buffer.from([0x05, 0x4c, 0x88, 0x44]));
    expect(header).toBeGreaterThan(0);
    bytes[header + 3] = 0x45;
    writeFileSync(path, bytes);
    const damaged = open(path);
    expect(damaged.get("ann@example.com")).toEqual(recordOf());
    damaged.close();
  });

  it("cuts the log off behind a reader that kept it", async () => {
    const { path, vault } = await vaultOfAnn();
    await vault.put("bob@example.com", recordOf("bob's"));
    const reader = openDatabase(path, VAULT_FILE);
    const [[box] = []] = reader.prepare<[Buffer]>("SELECT box FROM record").all();
    const trace = box?.subarray(20, 60).toString("latin1") ?? "";
    reader.exec("BEGIN; SELECT count(*) FROM record");
    await vault.erase("ann@example.com");
    await vault.erase("bob@example.com");
    expect(vault.count()).toBe(0);
    expect(bytesOf(path)).toContain(trace);
    reader.exec("COMMIT");
    reader.close();
    await vault.erase("bob@example.com");
    expect(bytesOf(path)).not.toContain(trace);
    vault.close();
  });

  it.each([
    ["vault_key_wrong", { key: Buffer.alloc(32, 8) }],
    ["vault_missing", { core: "https://other.example.com" }],
  ])("is refused as %s", async (code, changes) => {
    const path = newPath("users.vault");
    open(path).close();
    expect(codeOf(() => open(path, changes))).toBe(code);
  });

  it("isn't made where it must be there", () => {
    expect(codeOf(() => open(newPath("none.vault"), { mustExist: true }))).toBe("vault_missing");
  });

  it("opens under a new key after rotation, and under the old one no more", async () => {
    const path = newPath("users.vault");
    const vault = open(path);
    const emails = Array.from({ length: 5 }, (_, index) => `user.${index}@example.com`);
    for (const email of emails) await vault.put(email, recordOf(email));
    const standIn = await vault.standIn("ann@example.com", recordOf().hash, SALT);
    const key = Buffer.alloc(32, 9);
    vault.rekey(key);
    expect(codeOf(() => open(path))).toBe("vault_key_wrong");
    const again = open(path, { key });
    for (const email of emails) expect(again.get(email)).toEqual(recordOf(email));
    expect(await again.standIn("ann@example.com", recordOf().hash, SALT)).toEqual(standIn);
    again.close();
  });

  it("finds another user's record for one whom it doesn't know, the same each time", async () => {
    const vault = open(newPath("users.vault"));
    expect(vault.decoy("zoe@example.com")).toBeNull();
    for (const name of ["ann", "bob", "cleo"]) {
      await vault.put(`${name}@example.com`, recordOf(name));
    }
    const decoy = vault.decoy("zoe@example.com");
    expect(decoy).not.toBeNull();
    expect(vault.decoy("zoe@example.com")).toEqual(decoy);
    vault.close();
  });

  it("passes over damaged records where another user's is wanted, and tells of the user's own", async () => {
    const path = newPath("users.vault");
    const vault = open(path);
    const names = ["ann", "bob", "cleo", "dan", "eve"];
    for (const name of names) await vault.put(`${name}@example.com`, recordOf(name));
    vault.close();
    const database = openDatabase(path, VAULT_FILE);
    const rows = database.prepare<[Buffer, Buffer]>("SELECT digest, box FROM record").all();
    for (const [digest, box] of rows.slice(1)) {
      box[20]! ^= 1;
      database.prepare("UPDATE record SET box = ? WHERE digest = ?").run(box, digest);
    }
    database.close();
    const damaged = open(path);
    const strangers = Array.from({ length: 20 }, (_, index) => `stranger.${index}@example.com`);
    for (const email of strangers) expect(damaged.decoy(email)).not.toBeNull();
    const own = names.map((name) => codeOf(() => damaged.get(`${name}@example.com`)));
    expect(own.filter((code) => code === "vault_missing")).toHaveLength(4);
    damaged.close();
  });
});

describe("what stands at the core", () => {
  it("is a hash of its password, the same in each run, another for another hash or user", async () => {
    const vault = open(newPath("users.vault"));
    const { hash } = recordOf();
    const one = await vault.standIn("ann@example.com", hash, SALT);
    expect(await vault.standIn("ann@example.com", hash, SALT)).toEqual(one);
    expect(await verifyPassword(one.hash, one.password)).toBe(true);
    const others = [
      await vault.standIn("bob@example.com", hash, SALT),
      await vault.standIn("ann@example.com", { kind: "text", text: "other" }, SALT),
    ];
    expect(new Set([one, ...others].map(({ password }) => password)).size).toBe(3);
    vault.close();
  });
});

describe("attempts", () => {
  const MINUTE = 60_000;

  it("are ten in any quarter of an hour, over restarts, for each email alone", async () => {
    const path = newPath("users.vault");
    let vault = open(path);
    const start = 1_700_000_000_000;
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await vault.takeAttempt("ann@example.com", start + attempt * MINUTE)).toBeNull();
    }
    vault.close();
    vault = open(path);
    expect(await vault.takeAttempt("ann@example.com", start + 10 * MINUTE)).toBe(5 * MINUTE);
    expect(await vault.takeAttempt("bob@example.com", start + 10 * MINUTE)).toBeNull();
    expect(await vault.takeAttempt("ann@example.com", start + 15 * MINUTE)).toBeNull();
    expect(await vault.takeAttempt("ann@example.com", start + 15 * MINUTE)).toBe(MINUTE);
    await vault.forgetAttempts("ann@example.com");
    expect(await vault.takeAttempt("ann@example.com", start + 15 * MINUTE)).toBeNull();
    vault.close();
  });

  it("of a clock that was set back by a day lock no user out for a day", async () => {
    const vault = open(newPath("users.vault"));
    const now = 1_700_000_000_000;
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await vault.takeAttempt("ann@example.com", now)).toBeNull();
    }
    expect(await vault.takeAttempt("ann@example.com", now - MINUTE)).toBe(16 * MINUTE);
    expect(await vault.takeAttempt("ann@example.com", now - 24 * 60 * MINUTE)).toBeNull();
    vault.close();
  });

  it("are ten also where a thousand come at once", async () => {
    const vault = open(newPath("users.vault"));
    const taken = await Promise.all(
      Array.from({ length: 1000 }, () => vault.takeAttempt("ann@example.com", 1_700_000_000_000)),
    );
    expect(taken.filter((wait) => wait === null)).toHaveLength(10);
    vault.close();
  });
});

describe("a key file", () => {
  it("holds 32 random bytes in base64", () => {
    expect(parseVaultKey(newVaultKey())).toHaveLength(32);
    expect(newVaultKey()).not.toBe(newVaultKey());
  });

  it.each(["", "short", `${newVaultKey().trim()}x`, randomBytes(31).toString("base64")])(
    "is refused where it holds anything else",
    (text) => {
      expect(codeOf(() => parseVaultKey(text))).toBe("vault_key_wrong");
    },
  );
});
