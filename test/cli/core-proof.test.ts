import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../src/core/http/server.js";
import { oldHash } from "../bridge/support/migration.js";
import {
  bcryptOf,
  csvUsers,
  type ExportedUser,
  hashConfigOf,
  KEY,
  OTHER_KEY,
  scryptOf,
} from "../run/support/test-users.js";
import { allUsers } from "../run/support/run.js";
import { runCli } from "../support/cli.js";
import { startInterfaceStub } from "../support/interface-stub.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { startSuperTokensStub } from "../support/supertokens-stub.js";
import { jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const apiKey = "harbor-slate-6620-key";
const ENV = { AUTH_MIGRATE_API_KEY: apiKey };
const TESTED = ["ann@example.com", "ben@example.com"];

/** An export of ten users, its parameters with the vendor's key, and the passwords of the last two. */
function exported(): string {
  const cwd = newFolder();
  const others = Array.from({ length: 8 }, (_, index) => {
    return { id: `m-${index}`, email: `m.${index}@example.com`, ...scryptOf(`Tuba ${index}`) };
  });
  const tested = [
    { id: "t-1", email: "ann@example.com", ...scryptOf("Tr0mbone") },
    { id: "t-2", email: "ben@example.com", hash: bcryptOf("Kaz00") },
  ];
  writeInto(cwd, "users.csv", csvUsers([...others, ...tested]));
  writeInto(cwd, "t.csv", "user,password\nt-1,Tr0mbone\nben@example.com,Kaz00\n");
  const { signerKey, memCost, rounds, saltSeparator } = hashConfigOf(KEY);
  const config = { base64_signer_key: signerKey, mem_cost: memCost, rounds };
  const text = JSON.stringify({ ...config, base64_salt_separator: saltSeparator });
  writeInto(cwd, "hash-config.json", text);
  return cwd;
}

const IMPORT = ["import", "users.csv", "--hash-config", "hash-config.json", "--yes"];
const PROVE = [...IMPORT, "--prove", "t.csv", "--require-proof"];

interface Remote {
  readonly url: string;
  emails(): Promise<string[]>;
}

/** A core of each dialect, with a signer key of its own; SuperTokens' is a stub. */
const CORES = {
  async interface(key: Buffer): Promise<Remote> {
    const signerKey = key.toString("base64");
    const core = openEmbeddedCore({ file: join(newFolder(), "core.db"), signerKey });
    const server = await startCoreServer(core, { host: "127.0.0.1", port: 0, apiKeys: [apiKey] });
    onTestFinished(async () => {
      await server.close();
      await core.close();
    });
    const emails = async () => (await allUsers(core)).flatMap(({ email }) => email ?? []).sort();
    return { url: server.url, emails };
  },
  async supertokens(key: Buffer): Promise<Remote> {
    const stub = await startSuperTokensStub({ apiKey, signerKey: key.toString("base64") });
    onTestFinished(() => stub.close());
    return {
      url: stub.url,
      emails: async () => stub.users.flatMap(({ email }) => email ?? []).sort(),
    };
  },
} as const;

describe("import --prove --require-proof into a remote core", () => {
  it("ends with 78 at another signer key, and only the test users are there", async () => {
    const cwd = exported();
    const core = await CORES.supertokens(OTHER_KEY);
    const args = [...PROVE, "--core", core.url];
    const { code, stdout, stderr } = await runCli([...args, "--json"], { cwd, env: ENV });
    expect(jsonLines(stdout).at(-1), stderr).toMatchObject({
      type: "error",
      code: "proof_failed",
      message: expect.stringMatching(
        /user 1 of t\.csv \(users\.csv, row 9 \(line 10\)\).*core_signer_key/,
      ),
      hint: expect.stringMatching(
        /the core's firebase_password_hashing_signer_key .*FIREBASE_PASSWORD_HASHING/,
      ),
    });
    expect(code).toBe(78);
    expect(await core.emails()).toEqual(TESTED);
  });

  it("goes on where the core has the key, and says so to people and programs", async () => {
    const cwd = exported();
    const core = await CORES.interface(KEY);
    const people = await runCli([...PROVE, "--core", core.url], { cwd, env: ENV });
    // Once on a screen that shows both.
    expect(people.stderr).not.toContain("Proved at the core");
    expect(people.stdout).toContain("Proved at the core: 2 of 2 test users signed in.");
    expect(people.code).toBe(0);
    const { stdout } = await runCli([...PROVE, "--core", core.url, "--json"], { cwd, env: ENV });
    expect(summaryOf(stdout)).toMatchObject({
      proved: true,
      signIns: { users: 2, signedIn: 2 },
      unchanged: 10,
    });
  });
});

it("a core without a sign-in ends a required proof, and status names the import that goes on", async () => {
  const cwd = exported();
  const { url, close } = await startInterfaceStub({ apiKey });
  onTestFinished(close);
  const rest = ["--core", url, "--assume-empty"];
  const refused = await runCli([...PROVE, ...rest], { cwd, env: ENV });
  expect([refused.code, refused.stderr]).toEqual([78, expect.stringContaining("no sign-in")]);
  const { stdout } = await runCli(["status"], { cwd });
  const text = stdout.replaceAll(/[\s\\]+/g, " ");
  const command = /was ended by proof_unavailable: .* goes on: auth-migrate (.*) auth-migrate\./;
  const words = (command.exec(text)?.[1] ?? text).split(" ");
  expect(words.join(" ")).toBe([...IMPORT, "--prove", "t.csv", ...rest].join(" "));
  expect((await runCli(words, { cwd, env: ENV })).code).toBe(0);
});

describe("what no hash shows", () => {
  const PROOF = ["--passwords", "t.csv", "--data", "core.db", "--yes"];
  /** What is found about hashes by an import, run once more. */
  async function found(cwd: string, files: readonly string[]): Promise<string[]> {
    const args = ["import", ...files, "--data", "core.db", "--yes", "--json"];
    const { stdout } = await runCli(args, { cwd });
    return jsonLines(stdout).flatMap(({ type, code }) => (type === "finding" ? String(code) : []));
  }

  const users = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const email = `${name}.${index}@example.com`;
      return { id: `${name}-${index}`, email, hash: bcryptOf(`Tuba ${index}`) };
    });

  it("is settled by a proof for every later file of the same source, and of no other", async () => {
    const cwd = newFolder();
    const [reader] = users("reader", 1);
    const unreadable = { id: "reader-9", email: "nobody", hash: bcryptOf("Tuba 9") };
    writeInto(cwd, "users.csv", csvUsers([...users("reader", 3), unreadable]));
    writeInto(cwd, "newer.csv", csvUsers(users("reader", 5)));
    // In the other namespace the readers would be other users with the same contacts.
    writeInto(cwd, "writers.csv", csvUsers(users("writer", 2)));
    const shop = `no,mail,pw_hash\n7,ann@example.com,${bcryptOf("Tuba 1")}\n`;
    writeInto(cwd, "shop.csv", shop);
    const argon2 = {
      id: "a-1",
      email: "a.1@example.com",
      hash: `"${KNOWN_HASHES.argon2.passwordHash}"`,
    };
    writeInto(cwd, "mixed.csv", csvUsers([...(reader ? [reader] : []), argon2]));
    writeInto(cwd, "t.csv", "user,password\nreader-1,Tuba 1\n");
    const prehash = "prehash_possible";
    expect(await found(cwd, ["users.csv", "--rejects-out", "rejects.csv"])).toContain(prehash);
    await runCli(["prove", "users.csv", ...PROOF], { cwd });
    const rejects = readFileSync(join(cwd, "rejects.csv"), "utf8");
    writeInto(cwd, "rejects.csv", rejects.replace("nobody", "reader.9@example.com"));
    for (const settled of ["users.csv", "rejects.csv", "newer.csv"]) {
      expect(await found(cwd, [settled]), settled).not.toContain(prehash);
    }
    for (const other of [
      ["shop.csv"],
      ["mixed.csv"],
      ["writers.csv", "--namespace", "b"],
      ["newer.csv", "--from", "laravel"],
    ]) {
      expect(await found(cwd, other), other.join(" ")).toContain(prehash);
    }
    writeInto(cwd, "t.csv", "user,password\nann@example.com,Tuba 1\n");
    await runCli(["prove", "shop.csv", ...PROOF], { cwd });
    expect(await found(cwd, ["users.csv", "shop.csv"])).not.toContain(prehash);
  });

  it("is settled for several files of one run by a user of each", async () => {
    const cwd = newFolder();
    writeInto(cwd, "one.csv", csvUsers(users("reader", 2)));
    writeInto(cwd, "two.csv", csvUsers(users("writer", 2)));
    const both = ["one.csv", "two.csv", "--prove", "t.csv"];
    writeInto(cwd, "t.csv", "user,password\nreader-1,Tuba 1\n");
    expect(await found(cwd, both)).toContain("prehash_possible");
    writeInto(cwd, "t.csv", "user,password\nreader-1,Tuba 1\nwriter-1,Tuba 1\n");
    expect(await found(cwd, both)).not.toContain("prehash_possible");
  });
});

it("a proof after an import leaves what is told of the other rows as it is", async () => {
  const cwd = newFolder();
  const ann = { id: "a-1", email: "ann@example.com", hash: bcryptOf("Tr0mbone") };
  const cut = { id: "a-2", email: "ben@example.com", hash: bcryptOf("Kaz00").slice(0, 40) };
  const twin = { id: "a-3", email: "ann@example.com", hash: bcryptOf("Tuba 3") };
  writeInto(cwd, "users.csv", csvUsers([ann, cut, twin]));
  writeInto(cwd, "t.csv", "user,password\na-1,Tr0mbone\n");
  const told = async () => (await runCli(["report", "--format", "csv"], { cwd })).stdout;
  await runCli(["import", "users.csv", "--data", "core.db", "--yes"], { cwd });
  const before = await told();
  expect(before).toMatch(/,bcrypt_length,.*,duplicate_contact,/s);
  const prove = ["prove", "users.csv", "--passwords", "t.csv", "--data", "core.db", "--yes"];
  const proved = await runCli(prove, { cwd });
  expect(proved.stdout).toContain("Proved");
  expect(await told()).toBe(before);
});

describe("--require-proof where the bridge takes every test user's password", () => {
  /** A vault's key, a test user with a hash for the bridge, and other users. */
  async function kept(others: readonly ExportedUser[]) {
    const cwd = newFolder();
    const core = await CORES.interface(KEY);
    const ann = { id: "o-1", email: "ann@example.com", hash: oldHash("Tr0mbone") };
    writeInto(cwd, "old.csv", csvUsers([ann, ...others]));
    writeInto(cwd, "t.csv", "user,password\no-1,Tr0mbone\n");
    await runCli(["bridge", "--new-key", "vault.key"], { cwd });
    const vault = ["--vault", "users.vault", "--vault-key-file", "vault.key"];
    const words = ["import", "old.csv", "--on-unusable-hash", "bridge", ...vault, "--yes"];
    const proof = ["--prove", "t.csv", "--require-proof"];
    return { cwd, core, args: [...words, ...proof] };
  }
  const member = { id: "m-1", email: "m.1@example.com", hash: bcryptOf("Kaz00") };
  const none = { alone: [], "beside one who is kept out": [{ ...member, disabled: true }] };

  it.each(Object.entries(none))(
    "takes what was verified here for a proof, of users %s",
    async (_which, others) => {
      const { cwd, core, args } = await kept(others);
      const at = [...args, "--core", core.url];
      const { code, stdout, stderr } = await runCli(at, { cwd, env: ENV });
      expect(code, stderr).toBe(0);
      const proved = "1 known password verifies against what the vault keeps.";
      expect(stdout).toContain(`Proved: ${proved}`);
      // Nobody is sent first who could join or sign in.
      expect(stderr).toContain(`Proved here: ${proved}\n`);
      expect(await core.emails()).toEqual(["ann@example.com"]);
      const { stdout: json } = await runCli([...at, "--json"], { cwd, env: ENV });
      expect(summaryOf(json)).toMatchObject({ proved: true, signIns: null });
    },
  );

  it("asks for another where the core gets hashes of others, and goes on by it", async () => {
    const { cwd, core, args } = await kept([member]);
    const rehearsal = args.map((word) => word.replace(/^users.vault$/, "rehearsal.vault"));
    const rehearsed = await runCli([...rehearsal, "--checkpoint", "rehearsal"], { cwd });
    expect(rehearsed.code, rehearsed.stderr).toBe(0);
    expect(rehearsed.stderr).toContain("with --core this import would stop, since --require-proof");
    const at = [...args, "--core", core.url, "--json"];
    const stopped = await runCli(at, { cwd, env: ENV });
    expect(jsonLines(stopped.stdout).at(-1)).toMatchObject({ code: "proof_missing" });
    expect(await core.emails()).toEqual([]);
    writeInto(cwd, "t.csv", "user,password\no-1,Tr0mbone\nm-1,Kaz00\n");
    const { code, stdout } = await runCli(at, { cwd, env: ENV });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({ proved: true, signIns: { users: 1, signedIn: 1 } });
  });
});

it("a day of joining is told of as lost by the import that brings the users, which nobody is to undo", async () => {
  const cwd = newFolder();
  const core = await CORES.interface(KEY);
  const row = `j-1,ann@example.com,${bcryptOf("Tr0mbone")},2020-01-02T03:04:05Z`;
  writeInto(cwd, "users.csv", `id,email,password_hash,created_at\n${row}\n`);
  const args = ["users.csv", "--core", core.url];
  const dry = await runCli(["validate", ...args], { cwd, env: ENV });
  expect(dry.stdout).toMatch(/joined_not_migrated +1 (?:.|\n)*--bulk always keeps the sign-up day/);
  expect(dry.stdout).toMatch(/ import users\.csv (?:.|\n)*--bulk always\n/);
  const first = await runCli(["import", ...args, "--yes"], { cwd, env: ENV });
  expect(first.stderr.match(/joined_not_migrated +1(?:.|\n)*--bulk\s+always/g)).toHaveLength(1);
  expect(first.stdout).toMatch(/Findings\n(?:.|\n)*joined_not_migrated +1 /);
  expect(first.stdout).not.toMatch(/undo|--bulk/);
  const again = await runCli(["validate", ...args, "--checkpoint", "new"], { cwd, env: ENV });
  expect(again.stdout).toMatch(/existed +1/);
  expect(again.stdout).not.toMatch(/Carried along|joined_not_migrated/);
  const anew = ["import", ...args, "--yes", "--checkpoint", "anew"];
  const { stdout: there } = await runCli(anew, { cwd, env: ENV });
  expect(there).toMatch(/existed +1/);
  expect(there).not.toContain("joined_not_migrated");
  const report = await runCli(["report", "--checkpoint", "anew"], { cwd, env: ENV });
  expect(report.stdout).not.toContain("joined_not_migrated");
  const second = await runCli(["import", ...args, "--yes"], { cwd, env: ENV });
  expect(second.stdout + second.stderr).not.toContain("on the day of");
  const whole = ["import", ...args, "--yes", "--bulk", "always", "--checkpoint", "whole"];
  expect((await runCli(whole, { cwd, env: ENV })).stderr).not.toContain("joined_not_migrated");
});

describe("import --prove whose test users were at the core before", () => {
  const hashes = { bcrypt: { hash: bcryptOf("Tuba 0") }, scrypt: scryptOf("Tuba 0") };

  it.each(["bcrypt", "scrypt"] as const)(
    "says above all that nothing is proved, and names a proof that works (%s)",
    async (kind) => {
      const cwd = exported();
      const core = await CORES.interface(KEY);
      const at = ["--core", core.url];
      const users = ["ann", "cora", "dora"].map((name, index) => {
        return { id: `n-${index}`, email: `${name}@example.com`, ...hashes[kind] };
      });
      writeInto(cwd, "users.csv", csvUsers(users));
      writeInto(cwd, "before.csv", csvUsers(users.slice(0, 1)));
      const first = ["import", "before.csv", ...IMPORT.slice(2), "--checkpoint", "first", ...at];
      expect((await runCli(first, { cwd, env: ENV })).code).toBe(0);
      writeInto(cwd, "t.csv", "user,password\nn-0,Tuba 0\n");
      const args = [...IMPORT, "--prove", "t.csv", ...at];
      const { code, stdout } = await runCli(args, { cwd, env: ENV });
      expect(code).toBe(0);
      expect(stdout.split("\n")[1]).toMatch(
        /^Nothing is proved at the core: 0 of 1 test user signed in /,
      );
      expect(stdout).toMatch(/\n {2}proof_user_existed {3}1 /);
      expect(stdout).not.toMatch(/\bDone\b|reconcile/);
      const json = summaryOf((await runCli([...args, "--json"], { cwd, env: ENV })).stdout);
      const [next = ""] = json.next as string[];
      expect(next).toMatch(/^auth-migrate prove users\.csv .*--core /);
      writeInto(cwd, "brought.csv", "user,password\nn-1,Tuba 0\n");
      const proof = [...next.split(" ").slice(1), "--passwords", "brought.csv", "--json"];
      const proved = await runCli(proof, { cwd, env: ENV });
      expect(proved.code, proved.stdout).toBe(0);
      const known = await runCli([...first, "--prove", "t.csv"], { cwd, env: ENV });
      expect(known.stdout).toContain("Done: every row has an outcome.");
    },
  );

  it("has nothing left to prove where nobody else is brought", async () => {
    const cwd = exported();
    const core = await CORES.interface(KEY);
    const at = ["--core", core.url];
    await runCli([...IMPORT, "--checkpoint", "first", ...at], { cwd, env: ENV });
    const { stdout } = await runCli([...IMPORT, "--prove", "t.csv", ...at], { cwd, env: ENV });
    expect(stdout).toContain("\nNothing is proved at the core: 0 of 2 test users");
    expect(stdout).not.toMatch(/\n {2}unproved /);
    expect(stdout).toContain("\nDone: ");
  });
});

describe("prove --core", () => {
  const PROVE_ONLY = ["prove", "users.csv", "--hash-config", "hash-config.json"];

  it.each([
    ["with its checkpoint", "auth-migrate.checkpoint"],
    ["with another checkpoint", "another.checkpoint"],
  ])("finds another signer key also after an import, %s", async (_how, checkpoint) => {
    const cwd = exported();
    const core = await CORES.supertokens(OTHER_KEY);
    const imported = await runCli([...IMPORT, "--core", core.url], { cwd, env: ENV });
    expect(imported.code, imported.stderr).toBe(0);
    writeFileSync(join(cwd, "two.csv"), "t-1,Tr0mbone\nt-2,Kaz00\nm-3,Tuba 3\n");
    const args = [...PROVE_ONLY, "--passwords", "two.csv", "--core", core.url, "--json"];
    const { code, stdout } = await runCli([...args, "--checkpoint", checkpoint], {
      cwd,
      env: ENV,
    });
    const proofs = jsonLines(stdout).filter(({ type }) => type === "proof");
    const other = checkpoint === "auth-migrate.checkpoint" ? null : "user_existed";
    expect(proofs.map((proof) => proof.code)).toEqual([
      "core_signer_key",
      other,
      "core_signer_key",
    ]);
    expect(proofs[0]?.hint).toContain("firebase_password_hashing_signer_key");
    expect(code).toBe(78);
  });
});
