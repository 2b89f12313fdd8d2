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
import { KNOWN_HASHES } from "../support/known-hashes.js";
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
/**
 * What no screen may end with while nothing is proved. The machine output has the command in a field,
 * and tells nobody to type it.
 */
const SUCCESS =
  /\bDone\b|Nothing stands|To begin|(?<!"check":\s*\["auth-migrate )reconcile|no user is open or failed/;
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
    const [status = "", json = "", text = "", ...others] = await screensOf(cwd);
    for (const screen of [status, json, text, ...others]) expect(screen).not.toMatch(told);
    const again = await runCli([...IMPORT, "right.json"], { cwd });
    expect(again.stdout).toMatch(/\nDone: /);
    // A proof that held is told of from then on.
    for (const screen of [status, text, others[1], others[2], again.stdout]) {
      expect(screen).toContain("Proved: 1 known password verifies against what the core");
    }
    for (const line of [json, others[0] ?? ""])
      expect(JSON.parse(line)).toMatchObject({ proved: true });
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

describe("a run by another key or other parameters than an earlier one has proved", () => {
  const PROOFS = {
    "an import": ["import", "users.json", "--prove", "passwords.csv"],
    "a proof": ["prove", "users.json", "--passwords", "passwords.csv", "--data", "auth-core.db"],
  } as const;
  const OTHERS = {
    "signer key": configOf(OTHER_KEY),
    "hash parameters": configOf(KEY).replace('"rounds":1', '"rounds":2'),
  } as const;
  const cases = Object.keys(PROOFS).flatMap((by) =>
    Object.keys(OTHERS).map((what) => [by, what] as const),
  );

  it.each(cases)("stops, and takes nothing from what %s has proved: the %s", async (by, what) => {
    const cwd = exported();
    writeInto(cwd, "other.json", OTHERS[what as keyof typeof OTHERS]);
    const proof = [...PROOFS[by as keyof typeof PROOFS], "--hash-config", "right.json"];
    expect((await runCli(proof, { cwd })).code).toBe(0);
    const [before = ""] = await screensOf(cwd);
    const { code, stdout } = await runCli([...IMPORT, "other.json", "--json"], { cwd });
    expect(code).toBe(78);
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      code: "proof_missing",
      message: expect.stringContaining(what),
      hint: expect.stringContaining("--prove"),
    });
    expect(before).toContain("Proved: 1 known password");
    if (by === "an import") {
      const [after = ""] = await screensOf(cwd);
      expect(after).toContain("3 of 3 users are at the core");
      expect(after.replaceAll(/\s+/g, " ")).toMatch(
        /no user is open or failed\. The latest run was ended by proof_missing: .* auth-migrate reconcile/,
      );
      expect(after).not.toContain("other.json");
    }
    const same = await runCli([...IMPORT, "right.json", "--json"], { cwd });
    expect(same.code).toBe(0);
    expect(findingsOf(same.stdout)).toEqual([]);
    const [ended = ""] = await screensOf(cwd);
    expect(ended).not.toContain("proof_missing");
  });

  it("asks for no proof of a newer export or of mended rejects by the same key", async () => {
    const cwd = exported();
    const [old, late] = ["Tr0mbone", "Ocar1na"].map((password, index) => {
      return { id: `q-${index}`, email: `q.${index}@example.com`, ...scryptOf(password) };
    });
    writeInto(cwd, "newer.json", firebaseOf([old, late].flatMap((user) => user ?? [])));
    await runCli([...IMPORT, "right.json", "--prove", "passwords.csv"], { cwd });
    const newer = ["import", "newer.json", "--hash-config"];
    const same = await runCli([...newer, "right.json"], { cwd });
    expect(same.stderr).toContain("Proved by an earlier run");
    expect(same.stderr).not.toContain("not proved");
    expect(same.stdout).not.toContain("unproved");
    writeInto(cwd, "other.json", configOf(OTHER_KEY));
    const other = await runCli([...newer, "other.json"], { cwd });
    expect(other.code).toBe(78);
    expect(other.stderr).not.toContain("Proved");
  });

  it("goes on where it proves its own, and where no hash of it needs any", async () => {
    const cwd = exported();
    await runCli([...IMPORT, "right.json", "--prove", "passwords.csv"], { cwd });
    const member = { id: "m-1", email: "m.1@example.com", hash: bcryptOf("Kaz00") };
    writeInto(cwd, "plain.csv", csvUsers([member]));
    const plain = ["import", "plain.csv", "--hash-config", "other.json"];
    expect((await runCli(plain, { cwd })).code).toBe(0);
    const other = { id: "o-1", email: "o.1@example.com", ...scryptOf("Oboe", { key: OTHER_KEY }) };
    writeInto(cwd, "users.json", firebaseOf([other]));
    writeInto(cwd, "passwords.csv", "o-1,Oboe\n");
    const own = [...IMPORT, "other.json", "--prove", "passwords.csv", "--json"];
    expect(summaryOf((await runCli(own, { cwd })).stdout)).toMatchObject({ proved: true });
  });

  it("stops where the key comes from the environment, for hashes that are whole", async () => {
    const cwd = newFolder();
    const { hash, salt } = scryptOf("Tuba");
    const whole = `$f_scrypt$${hash}$${salt}$m=1$r=1$s=Bw==`;
    writeInto(cwd, "users.csv", csvUsers([{ id: "t-1", email: "t.1@example.com", hash: whole }]));
    writeInto(cwd, "p.csv", "t-1,Tuba\n");
    const by = (key: Buffer) => ({
      VENDOR_PASSWORD_HASHING_SIGNER_KEY: key.toString("base64"),
    });
    const first = await runCli(["import", "users.csv", "--prove", "p.csv"], { cwd, env: by(KEY) });
    expect(first.code, first.stderr + first.stdout).toBe(0);
    expect((await runCli(["import", "users.csv"], { cwd, env: by(KEY) })).code).toBe(0);
    expect((await runCli(["import", "users.csv"], { cwd, env: by(OTHER_KEY) })).code).toBe(78);
  });

  it("is foretold by a dry run that asks the core", async () => {
    const cwd = exported();
    const core = await serveHere({ cwd, args: ["--hash-config", "right.json", "--data", "at.db"] });
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const at = ["--core", core.url];
    await runCli([...IMPORT, "right.json", "--prove", "passwords.csv", ...at], { cwd, env });
    for (const [config, expected] of [
      ["right.json", 0],
      ["other.json", 78],
    ] as const) {
      const dry = ["validate", "users.json", "--hash-config", config, ...at];
      expect((await runCli(dry, { cwd, env })).code).toBe(expected);
      expect((await runCli([...IMPORT, config, ...at], { cwd, env })).code).toBe(expected);
    }
    await core.stop();
  });
});

/** A test user of each kind. */
const OF_KIND = { vendor_scrypt: "p-1", bcrypt: "p-2", argon2: "p-3" } as const;

describe("a proof counts for the kinds of hashes that it has tried", () => {
  const kinds = Object.keys(OF_KIND) as (keyof typeof OF_KIND)[];
  const password = {
    vendor_scrypt: "Tr0mbone",
    bcrypt: "Kaz00",
    argon2: KNOWN_HASHES.argon2.password,
  };
  const users = {
    vendor_scrypt: { email: "player.1@example.com", ...scryptOf("Tr0mbone") },
    bcrypt: { email: "player.2@example.com", hash: bcryptOf("Kaz00") },
    argon2: { email: "player.3@example.com", hash: `"${KNOWN_HASHES.argon2.passwordHash}"` },
  };
  const sets = [1, 2, 3, 4, 5, 6, 7].map((bits) => kinds.filter((_, at) => bits & (1 << at)));
  it.each(sets.flatMap((has) => has.map((tried) => [has.join(", "), tried] as const)))(
    "and no other: of a file of %s a user with %s",
    async (has, tried) => {
      const cwd = newFolder();
      const of = kinds.filter((kind) => has.includes(kind));
      writeInto(
        cwd,
        "users.csv",
        csvUsers(of.map((kind) => ({ id: OF_KIND[kind], ...users[kind] }))),
      );
      writeInto(cwd, "right.json", configOf(KEY));
      writeInto(cwd, "p.csv", `user,password\n${OF_KIND[tried]},${password[tried]}\n`);
      const prove = ["prove", "users.csv", "--hash-config", "right.json", "--passwords", "p.csv"];
      const untried = of.filter((kind) => kind !== tried);
      const isOpen = untried.includes("vendor_scrypt");
      const { code, stdout } = await runCli([...prove, "--json"], { cwd });
      expect(code).toBe(isOpen ? 78 : 0);
      const expected = Object.fromEntries(untried.map((kind) => [kind, 1]));
      expect(summaryOf(stdout)).toMatchObject({ untried: expected, proved: !isOpen });
      const { stdout: text } = await runCli(prove, { cwd });
      expect(text.includes("To begin: ")).toBe(!isOpen);
      for (const kind of untried) expect(text).toContain(`${kind}`);
      const setup = ["setup", "users.csv", "--no-input", "--data", "auth-core.db"];
      const given = ["--hash-config", "right.json", "--prove", "p.csv", "--json"];
      const { code: ended } = await runCli([...setup, ...given], { cwd });
      expect(ended).toBe(isOpen ? 78 : 0);
      if (isOpen) return;
      // What setup has proved counts in the import for as much.
      const imported = summaryOf((await runCli(["import", "users.csv", "--json"], { cwd })).stdout);
      const told = jsonLines((await runCli(["import", "users.csv", "--json"], { cwd })).stdout);
      expect(imported).toMatchObject({ imported: of.length, proved: true });
      const codes = told.flatMap(({ type, code: one }) => (type === "finding" ? [one] : []));
      const bare = untried.filter((kind) => kind !== "vendor_scrypt");
      const isPlain = bare.length === 0 && tried !== "vendor_scrypt";
      const none = of.every((kind) => kind === "vendor_scrypt");
      expect(codes.includes("prehash_possible")).toBe(!isPlain && !none);
      expect(codes).not.toContain("unproved");
    },
  );
});

it("a proof tells of rows that the import rejects before it names the import", async () => {
  const cwd = newFolder();
  const users = [
    { id: "p-1", email: "player.1@example.com", ...scryptOf("Tr0mbone") },
    { id: "p-2", email: "player.2@example.com", hash: bcryptOf("Kaz00") },
  ];
  writeInto(cwd, "users.csv", csvUsers(users));
  writeInto(cwd, "p.csv", "p-2,Kaz00\n");
  const { stdout } = await runCli(["prove", "users.csv", "--passwords", "p.csv"], { cwd });
  expect(stdout).toMatch(/\nAn import may reject some rows: .*\n.*To begin: /s);
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
