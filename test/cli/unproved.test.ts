import { describe, expect, it } from "vitest";
import {
  bcryptOf,
  csvUsers,
  firebaseOf,
  hashConfigOf,
  KEY,
  OTHER_KEY,
  scryptOf,
} from "../run/support/test-users.js";
import { runCli, serveHere } from "../support/cli.js";
import { jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const newFolder = workFolders();

/** Firebase's export of three players, the parameters of their project and of another one, and a password. */
function exported(): string {
  const cwd = newFolder();
  const users = ["Tr0mbone", "Kaz00", "Fl3gelhorn"].map((password, index) => {
    const id = `p-${index + 1}`;
    return { id, email: `player.${index + 1}@example.com`, ...scryptOf(password) };
  });
  writeInto(cwd, "users.json", firebaseOf(users));
  writeInto(cwd, "right.json", configOf(KEY));
  writeInto(cwd, "other.json", configOf(OTHER_KEY));
  writeInto(cwd, "passwords.csv", "user,password\np-1,Tr0mbone\n");
  return cwd;
}

function configOf(key: Buffer): string {
  const { signerKey, memCost, rounds, saltSeparator } = hashConfigOf(key);
  const config = { base64_signer_key: signerKey, mem_cost: memCost, rounds };
  return JSON.stringify({ ...config, base64_salt_separator: saltSeparator });
}

const IMPORT = ["import", "users.json", "--hash-config"];
/** What no screen may end with while nothing is proved. */
const SUCCESS = /\bDone\b|Nothing stands|To begin|reconcile|every user is finished/;
const FORMATS = ["text", "json", "markdown", "html", "junit", "prometheus"];

/** All that tells where a migration stands. */
async function screensOf(cwd: string): Promise<string[]> {
  const ask = async (...args: string[]) => (await runCli(args, { cwd })).stdout;
  const reports = FORMATS.map((format) => ask("report", "--format", format));
  return Promise.all([ask("status"), ask("status", "--json"), ...reports]);
}

function findingsOf(stdout: string): unknown[] {
  const findings = jsonLines(stdout).filter(({ type }) => type === "finding");
  return findings.flatMap(({ code, count }) => (code === "unproved" ? [count] : []));
}

/** The command that stands last, as a person copies it. */
function nextOf(stdout: string): string[] {
  const [, words = ""] = /\n {2}auth-migrate ((?:.*\\\n)*.*)\n$/.exec(stdout) ?? [];
  return words.replaceAll("\\\n", " ").trim().split(/\s+/);
}

describe("an import whose signer key nothing has proved", () => {
  it("is called unproved by its summary, status and every report, and nothing calls it done", async () => {
    const cwd = exported();
    const { code, stdout } = await runCli([...IMPORT, "other.json"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nFindings\n {2}unproved {3}3\n/);
    expect(nextOf(stdout)[0]).toBe("prove");
    const all = [stdout, ...(await screensOf(cwd))];
    for (const screen of all) expect(screen).toMatch(/unproved/);
    for (const screen of all) expect(screen).not.toMatch(SUCCESS);
    const again = await runCli([...IMPORT, "other.json", "--json"], { cwd });
    expect(findingsOf(again.stdout)).toEqual([3]);
    expect(summaryOf(again.stdout)).toMatchObject({ unchanged: 3, proved: false, exitCode: 0 });
    const { stdout: quiet } = await runCli([...IMPORT, "other.json", "--quiet"], { cwd });
    expect(quiet).toContain("The signer key isn't proved");
  });

  it("names a proof that works as it stands, and ends it", async () => {
    const cwd = exported();
    const { stdout } = await runCli([...IMPORT, "right.json", "--concurrency", "4"], { cwd });
    const proof = await runCli([...nextOf(stdout), "--passwords", "passwords.csv"], { cwd });
    expect(proof.code, proof.stderr).toBe(0);
    const told = /\(unproved\)|"unproved":[1-9]|unproved_users [1-9]/;
    for (const screen of await screensOf(cwd)) expect(screen).not.toMatch(told);
    const again = await runCli([...IMPORT, "right.json"], { cwd });
    expect(again.stdout).toMatch(/\nDone: /);
  });

  it("is unproved again where hashes of another project follow", async () => {
    const cwd = exported();
    const proved = [...IMPORT, "right.json", "--prove", "passwords.csv", "--json"];
    expect(findingsOf((await runCli(proved, { cwd })).stdout)).toEqual([]);
    const { stdout: same } = await runCli([...IMPORT, "right.json", "--json"], { cwd });
    expect(findingsOf(same)).toEqual([]);
    const { stdout: other } = await runCli([...IMPORT, "other.json", "--json"], { cwd });
    expect(findingsOf(other)).toEqual([3]);
    expect((await screensOf(cwd))[0]).toContain("(unproved)");
  });

  it("is so at a remote core until a test user has signed in there", async () => {
    const cwd = exported();
    const core = await serveHere({ cwd, args: ["--hash-config", "right.json", "--data", "at.db"] });
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const args = [...IMPORT, "right.json", "--core", core.url];
    const { stdout } = await runCli(args, { cwd, env });
    const next = nextOf(stdout);
    expect(next).toEqual(expect.arrayContaining(["prove", "--core", core.url]));
    expect(await screensOf(cwd).then(([status]) => status)).toContain("(unproved)");
    const proved = await runCli([...args, "--prove", "passwords.csv", "--json"], { cwd, env });
    expect(findingsOf(proved.stdout)).toEqual([]);
    expect(summaryOf(proved.stdout)).toMatchObject({ unchanged: 3, proved: true });
    expect(await screensOf(cwd).then(([status]) => status)).not.toContain("unproved");
    await core.stop();
  });

  it("isn't spoken of where no hash needs the key", async () => {
    const cwd = newFolder();
    const member = { id: "m-1", email: "m.1@example.com", hash: bcryptOf("Kaz00") };
    writeInto(cwd, "users.csv", csvUsers([member]));
    const { stdout } = await runCli(["import", "users.csv"], { cwd });
    expect(stdout).toMatch(/\nDone: /);
    for (const screen of await screensOf(cwd)) expect(screen).not.toMatch(/\(unproved\)/);
  });
});

describe("validate of hashes whose signer key nothing has proved", () => {
  it("names the proof as what is next, and not the import", async () => {
    const cwd = exported();
    const validate = ["validate", "users.json", "--hash-config", "right.json"];
    const { code, stdout } = await runCli(validate, { cwd });
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n {2}unproved {3}3\n/);
    expect(stdout).not.toMatch(SUCCESS);
    const proof = await runCli([...nextOf(stdout), "--passwords", "passwords.csv"], { cwd });
    expect(proof.stdout).toContain("\nTo begin: auth-migrate import users.json");
  });

  it("says nothing of it in a dry run of an import that proves", async () => {
    const cwd = exported();
    const args = [...IMPORT, "right.json", "--dry-run", "--prove", "passwords.csv", "--json"];
    expect(findingsOf((await runCli(args, { cwd })).stdout)).toEqual([]);
  });
});
