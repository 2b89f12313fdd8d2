import { scryptSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { runCli, serveHere } from "../support/cli.js";
import { jsonLines, signIn, summaryOf, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();
const { password, passwordHash } = KNOWN_HASHES.bcrypt;
/** As Auth0 writes it. */
const HASH = passwordHash.replace("$2a$", "$2b$");
const DATABASE = "Username-Password-Authentication";

function userLine(id: string, name: string): string {
  const identity = { connection: DATABASE, provider: "auth0", user_id: id, isSocial: false };
  const user = { user_id: `auth0|${id}`, email: `${name}@example.com`, email_verified: true };
  return `${JSON.stringify({ ...user, identities: [identity] })}\n`;
}

function passwordLine(id: string, name: string, hash = HASH): string {
  const line = { _id: { $oid: id }, email: `${name}@example.com`, passwordHash: hash };
  return `${JSON.stringify({ ...line, connection: DATABASE, tenant: "acme" })}\n`;
}

/** Four users: one found by id, one by email, one not at all, one with two hashes. */
function folderWithUsers(): string {
  const folder = newFolder();
  const users = [
    userLine("a1", "ann"),
    userLine("b1", "bob"),
    userLine("c1", "cy"),
    userLine("d1", "di"),
  ];
  writeInto(folder, "users.ndjson", users.join(""));
  const lines = [
    passwordLine("a1", "ann"),
    passwordLine("65ff", "bob"),
    "{}\n",
    passwordLine("d1", "di"),
    passwordLine("d1", "di", HASH.replace("kWru", "kWrv")),
    passwordLine("66aa", "elsewhere"),
  ];
  writeInto(folder, "passwords.ndjson", lines.join(""));
  return folder;
}

const EXPORT = ["--password-export", "passwords.ndjson"];

describe("--password-export", () => {
  it("gives users their hash, in a dry run as in an import", async () => {
    const cwd = folderWithUsers();
    const dry = await runCli(["validate", "users.ndjson", ...EXPORT, "--json"], { cwd });
    const coverage = { lines: 5, unreadable: 1, users: 4, matched: 2, ambiguous: 1, unused: 1 };
    expect(summaryOf(dry.stdout)).toMatchObject({
      ready: { import: 2, passwordless: 1 },
      rejects: { credential_ambiguous: 1 },
      notices: { password_not_exported: 1 },
      passwordExport: coverage,
      exitCode: 65,
    });
    const { stdout, stderr } = await runCli(["import", "users.ndjson", ...EXPORT, "--json"], {
      cwd,
    });
    expect(summaryOf(stdout)).toMatchObject({
      ...{ imported: 2, created: 1, rejected: 1 },
      ...{ passwordExport: coverage, exitCode: 65 },
    });
    const findings = jsonLines(stdout).filter(({ type }) => type === "finding");
    expect(findings[0]).toMatchObject({ code: "bans_not_exported", count: 4 });
    expect(findings.slice(1, 3)).toMatchObject([
      { code: "input_doubtful", count: 1, rows: [{ file: "users.ndjson", number: 4 }] },
      { code: "input_doubtful", rows: [{ file: "passwords.ndjson", number: 3 }] },
    ]);
    for (const text of [dry.stdout, dry.stderr, stdout, stderr]) {
      expect(text).not.toMatch(/\$2[ab]\$|@example/);
    }
  });

  it("is kept by setup for the import, and proved there", async () => {
    const cwd = folderWithUsers();
    writeInto(cwd, "test-users.csv", `bob@example.com,${password}\n`);
    const answers = ["--data", "auth-core.db", "--prove", "test-users.csv", "--no-input", "--json"];
    const setup = await runCli(["setup", "users.ndjson", ...EXPORT, ...answers], { cwd });
    expect(jsonLines(setup.stdout).at(-1)).toMatchObject({ type: "setup", proved: true });
    const { stdout } = await runCli(["import", "users.ndjson", "--json"], { cwd });
    expect(summaryOf(stdout)).toMatchObject({ imported: 2, passwordExport: { matched: 2 } });
  });

  it("tells people what it came to, and who found nothing", async () => {
    const cwd = folderWithUsers();
    const { stdout, stderr } = await runCli(["validate", "users.ndjson", ...EXPORT], { cwd });
    expect(stderr).toContain("passwords.ndjson: a password export of 5 lines");
    expect(stdout.replace(/\n +/g, " ")).toContain(
      "2 of 4 users with a password found its hash (50%); 5 lines, 1 without a user, 1 user with several hashes, 1 line unreadable",
    );
  });

  it("says so where nobody among the users could have a line in it", async () => {
    const cwd = folderWithUsers();
    writeInto(cwd, "users.csv", "id,email\n1,ann@example.com\n");
    const { stdout, code } = await runCli(["validate", "users.csv", ...EXPORT], { cwd });
    expect(stdout).toMatch(/input_doubtful .*\n.*No user is joined: among these \(csv\)/);
    expect(code).toBe(0);
  });
});

describe("a password export of Stytch's", () => {
  it("brings along whose hash moves, and leaves the others to the bridge", async () => {
    const cwd = newFolder();
    const user = (id: string, name: string, has: boolean) => ({
      user_id: id,
      emails: [{ email_id: `e-${id}`, email: `${name}@example.com`, verified: true }],
      status: "active",
      is_locked: name === "cy",
      password: has ? { password_id: `p-${id}`, requires_reset: false } : null,
    });
    const users = [user("u1", "ann", true), user("u2", "bob", true), user("u3", "cy", true)];
    writeInto(cwd, "users.json", JSON.stringify({ results: [...users, user("u4", "di", false)] }));
    const salt = "pUiU_eyG4-R2owyvGLsIe1GWXsqKtQ==";
    const made = scryptSync("bob-sails-6", salt, 32, { N: 16, r: 8, p: 1 }).toString("base64url");
    const lines = [
      "scrypt hash parameters,,,,\nscryptCostParameter,1 << 4,,,\nscryptRParameter,8,,,",
      "scryptPParameter,1,,,\nscryptKeyLengthParamenter,32,,,\n,,,,",
      "id,hash,salt,hash_method,project_id",
      `u1,${HASH},,bcrypt,p1`,
      `u2,${made}=,${salt},scrypt,p1`,
      `u9,${made}=,${salt},scrypt,p1`,
    ];
    writeInto(cwd, "hashes.csv", lines.join("\r\n"));
    await runCli(["bridge", "--new-key", "vault.key"], { cwd });
    const vault = ["--vault", "users.vault", "--vault-key-file", "vault.key"];
    const kept = ["--on-unusable-hash", "bridge", ...vault];
    const args = ["users.json", "--password-export", "hashes.csv", "--json"];
    const { stdout, stderr } = await runCli(["import", ...args, ...kept], { cwd });
    expect(summaryOf(stdout), stderr).toMatchObject({
      ...{ imported: 2, bridged: 1, created: 1, skipped: 1, rejected: 0 },
      passwordExport: { lines: 3, users: 3, matched: 2, unused: 1 },
    });
    const core = await serveHere({ cwd });
    expect(await signIn(core, "ann@example.com", password)).toBe("OK");
    await core.stop();
    writeInto(cwd, "test-users.csv", "bob@example.com,bob-sails-6\n");
    const proof = await runCli(
      ["prove", ...args, "--on-unusable-hash", "bridge", "--passwords", "test-users.csv"],
      {
        cwd,
      },
    );
    expect(jsonLines(proof.stdout)[0]).toMatchObject({ type: "proof", verdict: "proved" });
  });
});
