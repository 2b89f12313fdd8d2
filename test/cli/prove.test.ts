import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { csvUsers, hashConfigOf, KEY, scryptOf, bcryptOf } from "../run/support/test-users.js";
import { type CliResult, runCli, serveHere } from "../support/cli.js";
import { startGate } from "./gate.js";
import {
  everyone,
  HASH_CONFIG,
  IMPORT_DEMO,
  jsonLines,
  PASSWORDS,
  SOME_PASSWORDS,
  summaryOf,
  USERS,
  workFolders,
  writeInto,
} from "./support.js";

const newFolder = workFolders();
/** Two of the known answers' projects, made cheap. */
const [OWN, OTHER] = ["own", "other"].map((name) =>
  fileURLToPath(new URL(`./setup/fixtures/${name}`, import.meta.url)),
) as [string, string];
const PROVE_DEMO = ["prove", USERS, "--hash-config", HASH_CONFIG, "--passwords", PASSWORDS];

const PROVE_SOME = ["prove", USERS, "--hash-config", HASH_CONFIG, "--passwords", "some.csv"];
const SOME = SOME_PASSWORDS.split("\n").length;

/** The proofs of a run, in a word each. */
function verdicts(stdout: string): string[] {
  const proofs = jsonLines(stdout).filter(({ type }) => type === "proof");
  return proofs.map(({ verdict, code }) => String(code ?? verdict));
}

/** The arguments that prove users of a Firebase project, and their passwords file. */
function project(folder: string, home: string, config = home, count = 9): string[] {
  const passwords: Record<string, string> = JSON.parse(
    readFileSync(join(home, "passwords.json"), "utf8"),
  );
  const lines = Object.entries(passwords).map(([user, password]) => `${user},"${password}"\n`);
  writeInto(folder, "passwords.csv", lines.slice(0, count).join(""));
  return [
    ...["prove", join(home, "users.json")],
    ...["--hash-config", join(config, "hash-config.txt"), "--passwords", "passwords.csv"],
  ];
}

function proveJson(args: readonly string[], cwd: string, env = {}): Promise<CliResult> {
  return runCli([...args, "--json"], { cwd, env });
}

describe("auth-migrate prove", () => {
  it("proves the demo's users, names no one and leaves nothing behind", async () => {
    const cwd = newFolder();
    const { code, stdout, stderr } = await runCli(PROVE_DEMO, { cwd });
    expect(stderr).toBe("");
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(
      lines.slice(0, 16).every((line) => /^ {2}user \d+ +proved {3}.*row \d+ /.test(line)),
    ).toBe(true);
    expect(lines[6]).toMatch(
      /row 86 \(line 87\) +bcrypt, django_bcrypt_stripped, bcrypt_2b_to_2a$/,
    );
    expect(lines.at(-3)).toBe("Proved: 16 known passwords verify against what the core gets.");
    expect(lines.at(-1)).toBe(
      `To begin: auth-migrate import ${USERS} --hash-config ${HASH_CONFIG} --prove ${PASSWORDS}`,
    );
    expect(readdirSync(cwd)).toEqual([]);
  });

  it("names no import but the real one behind a rehearsal of the same files that is finished and proved", async () => {
    const cwd = newFolder();
    writeInto(cwd, "some.csv", SOME_PASSWORDS);
    const lastLine = async (args = PROVE_SOME) =>
      (await runCli(args, { cwd })).stdout.trimEnd().split("\n").at(-1);
    await runCli(IMPORT_DEMO, { cwd });
    expect(await lastLine()).toMatch(/^To begin: auth-migrate import /);
    await runCli([...IMPORT_DEMO, "--prove", "some.csv"], { cwd });
    expect(await lastLine()).toBe(
      `The import of these files is finished. To bring these users to your core; --bulk always keeps the sign-up day of each: auth-migrate ${IMPORT_DEMO.join(" ")} --prove some.csv --core URL --bulk always --checkpoint real.checkpoint`,
    );
    // Another file, whose name the imported one's ends with.
    writeInto(cwd, "users.csv", readFileSync(USERS, "utf8"));
    const another = PROVE_SOME.map((word) => (word === USERS ? "users.csv" : word));
    expect(await lastLine(another)).toMatch(/^To begin: auth-migrate import users\.csv /);
  });

  it.each([
    ["", "", true],
    [" --include unverified", "", true],
    [" --include unverified", " --include=unverified", true],
    ["", " --include unverified", false],
    [" --include unverified", " --include unverified,disabled", false],
    ["", " --on-unusable-hash passwordless", false],
    ["", " --keep-ids", false],
    ["", " --password-export late.ndjson", false],
    [" --password-export late.ndjson", " --password-export late.ndjson", true],
  ])(
    "takes for finished what an import has read by all of its own choices: %s,%s",
    async (of, by, is) => {
      const cwd = newFolder();
      const hash = bcryptOf("ann-sesame-7");
      const identities = [{ provider: "auth0", user_id: "1", connection: "db", isSocial: false }];
      const ann = {
        user_id: "auth0|1",
        email: "ann@example.com",
        email_verified: true,
        identities,
      };
      writeInto(cwd, "users.ndjson", `${JSON.stringify({ ...ann, passwordHash: hash })}\n`);
      const late = { _id: { $oid: "1" }, email: "ann@example.com", passwordHash: hash };
      writeInto(cwd, "late.ndjson", `${JSON.stringify(late)}\n`);
      writeInto(cwd, "p.csv", "ann@example.com,ann-sesame-7\n");
      const run = (line: string) => runCli(line.split(" "), { cwd });
      const imported = await run(`import users.ndjson --from auth0${of} --yes`);
      expect(imported.code, imported.stdout + imported.stderr).toBe(0);
      const { stdout, stderr } = await run(`prove users.ndjson --passwords p.csv${by}`);
      expect(stdout, stderr).toContain(
        is
          ? "The import of these files is finished."
          : `To begin: auth-migrate import users.ndjson `,
      );
      // The one that is named has them.
      if (!is) expect(stdout).toContain(by);
    },
  );

  it.each(["by a word", "by a variable", "by a data file"])(
    "names an import into the core that its checkpoint has, which was given %s, and no other",
    async (how) => {
      const cwd = newFolder();
      const core = await serveHere({ cwd, args: ["--data", "served.db"] });
      const people = ["ann", "ben"].map((name) => {
        return { id: name, email: `${name}@example.com`, hash: bcryptOf(`${name}-sesame-7`) };
      });
      writeInto(cwd, "users.csv", csvUsers(people));
      writeInto(cwd, "p.csv", "ann,ann-sesame-7\n");
      const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
      const isVariable = how === "by a variable";
      const first = isVariable ? { ...env, AUTH_MIGRATE_CORE: core.url } : env;
      const word = how === "by a word" ? ["--core", core.url] : ["--data", "own.db"];
      const at = ["--checkpoint", "real.checkpoint"];
      const named = [...at, ...(isVariable ? [] : word)];
      const import_ = ["import", "users.csv", "--yes", ...named];
      const prove = ["prove", "users.csv", "--passwords", "p.csv", ...at];
      const next = async (): Promise<CliResult> => {
        const { stdout } = await runCli(prove, { cwd, env });
        const [, words = ""] = /: auth-migrate (.*)\n$/.exec(stdout) ?? [];
        const there = words.replace(" URL ", ` ${core.url} `);
        return runCli([...there.split(" "), "--json"], { cwd, env });
      };
      await runCli([...import_, "--limit", "1"], { cwd, env: first });
      const begun = await next();
      expect(begun.code, begun.stdout).toBe(0);
      expect(summaryOf(begun.stdout)).toMatchObject({ command: "import", standing: { users: 2 } });
      const checked = await next();
      expect(checked.code, checked.stdout).toBe(0);
      // What is in a data file may be brought to a core behind a URL.
      const command = how === "by a data file" ? "import" : "reconcile";
      expect(summaryOf(checked.stdout)).toMatchObject({ command });
      expect(readdirSync(cwd)).not.toContain("auth-core.db");
      await core.stop();
    },
  );

  it("tells programs the same, a line for each user and a summary", async () => {
    const cwd = newFolder();
    const passwords = readFileSync(PASSWORDS, "utf8").split("\n");
    const [head, zoe] = [/^email,/, /^zoe\.yilmaz\.141@/].map((start) =>
      passwords.find((line) => start.test(line)),
    );
    writeInto(cwd, "zoe.csv", `${head}\n${zoe}\n`);
    const { code, stdout } = await proveJson([...PROVE_DEMO.slice(0, -1), "zoe.csv"], cwd);
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toEqual([
      {
        type: "proof",
        v: 1,
        user: 1,
        row: { file: USERS, number: 141, line: 142 },
        sourceId: "u-00141",
        verdict: "proved",
        algorithm: "vendor_scrypt",
        bridged: false,
        steps: ["vendor_scrypt_built"],
        code: null,
        hint: null,
        signedIn: null,
      },
      {
        type: "summary",
        v: 1,
        command: "prove",
        source: "csv",
        core: null,
        users: 1,
        algorithms: { vendor_scrypt: 1 },
        untried: { bcrypt: 110, argon2: 30 },
        outcomes: null,
        proved: true,
        elapsedMs: expect.any(Number),
        checkpoint: null,
        interrupted: false,
        exitCode: 0,
      },
    ]);
  });

  it("takes the signer key from the environment where the parameters come without it", async () => {
    const cwd = newFolder();
    const { signerKey, memCost, rounds, saltSeparator } = hashConfigOf(KEY);
    writeInto(
      cwd,
      "users.csv",
      csvUsers([{ id: "p-1", email: "ann@example.com", ...scryptOf("Tuba") }]),
    );
    writeInto(cwd, "passwords.csv", "p-1,Tuba\n");
    const hashConfig = { mem_cost: memCost, rounds, base64_salt_separator: saltSeparator };
    writeInto(cwd, "auth-migrate.config.json", JSON.stringify({ hashConfig }));
    const args = ["prove", "users.csv", "--passwords", "passwords.csv"];
    const without = await proveJson(args, cwd);
    expect(verdicts(without.stdout)).toEqual(["signer_key_missing"]);
    const env = { VENDOR_PASSWORD_HASHING_SIGNER_KEY: signerKey ?? "" };
    expect(verdicts((await proveJson(args, cwd, env)).stdout)).toEqual(["proved"]);
  });

  it("tries the salt of a file", async () => {
    const cwd = newFolder();
    writeInto(
      cwd,
      "users.csv",
      csvUsers([{ id: "m-1", email: "ann@example.com", hash: bcryptOf("TubaNaCl") }]),
    );
    writeInto(cwd, "passwords.csv", "m-1,Tuba\n");
    writeInto(cwd, "pepper.txt", "NaCl\n");
    const args = ["prove", "users.csv", "--passwords", "passwords.csv"];
    expect(verdicts((await proveJson(args, cwd)).stdout)).toEqual(["wrong_password"]);
    const salted = await proveJson([...args, "--prehash-salt-file", "pepper.txt"], cwd);
    expect(verdicts(salted.stdout)).toEqual(["prehashed"]);
  });

  it("exits with 66 where a user is in no file, and with 78 where another failed, too", async () => {
    const cwd = newFolder();
    const ann = { id: "m-1", email: "ann@example.com", hash: bcryptOf("Kaz00") };
    writeInto(cwd, "users.csv", csvUsers([ann]));
    writeInto(cwd, "passwords.csv", "ann@example.com,Kaz00\nnobody@example.com,Tuba\n");
    const args = ["prove", "users.csv", "--passwords", "passwords.csv"];
    const { code, stdout } = await proveJson(args, cwd);
    expect(verdicts(stdout)).toEqual(["proved", "user_not_found"]);
    expect(code).toBe(66);
    writeInto(cwd, "passwords.csv", "nobody@example.com,Tuba\nann@example.com,Tuba\n");
    expect((await proveJson(args, cwd)).code).toBe(78);
  });
});

describe("prove with a core", () => {
  it("imports the test users alone into the data file that is named, and an import goes on from there", async () => {
    const cwd = newFolder();
    writeInto(cwd, "some.csv", SOME_PASSWORDS);
    const { code, stdout } = await proveJson([...PROVE_SOME, "--data", "core.db"], cwd);
    expect(code).toBe(0);
    const proofs = jsonLines(stdout).filter(({ type }) => type === "proof");
    expect(proofs.map(({ signedIn }) => signedIn)).toEqual(Array(SOME).fill(true));
    expect(summaryOf(stdout)).toMatchObject({
      core: { kind: "embedded", file: "core.db" },
      outcomes: {
        imported: SOME,
        created: 0,
        existed: 0,
        skipped: 0,
        rejected: 0,
        failed: 0,
        unchanged: 0,
      },
      checkpoint: "auth-migrate.checkpoint",
    });
    const after = await runCli([...IMPORT_DEMO, "--data", "core.db", "--json"], { cwd });
    expect(summaryOf(after.stdout)).toMatchObject({
      unchanged: SOME,
      imported: 180 - SOME,
      created: 60,
    });
  });

  it("does the same at a remote core", async () => {
    const cwd = newFolder();
    writeInto(cwd, "some.csv", SOME_PASSWORDS);
    const core = await serveHere({ cwd, args: ["--hash-config", HASH_CONFIG] });
    const env = { AUTH_MIGRATE_API_KEY: core.apiKey };
    const { code, stdout, stderr } = await runCli([...PROVE_SOME, "--core", core.url], {
      cwd,
      env,
    });
    expect(stderr).toMatch(
      new RegExp(`^Signing in as the ${SOME} test users at the core at .*, imported first unless`),
    );
    expect(stdout).toContain(
      "row 141 (line 142)   vendor_scrypt, vendor_scrypt_built; signs in at the core",
    );
    expect(stdout).toContain(
      `Proved: ${SOME} known passwords verify here and at the core at ${core.url}`,
    );
    expect(code).toBe(0);
    expect(await everyone(core)).toHaveLength(SOME);
    await core.stop();
  });

  it("calls no core where the proof fails here", async () => {
    const cwd = newFolder();
    const served = await serveHere({ cwd });
    const gate = await startGate(served, 0);
    const args = [...project(cwd, OWN, OTHER), "--core", gate.url];
    const env = { AUTH_MIGRATE_API_KEY: served.apiKey };
    const { code, stdout } = await runCli(args, { cwd, env });
    expect(code).toBe(78);
    expect(stdout).toContain("Not proved: 8 of 8 users failed. Nothing was sent by this.");
    expect(gate.calls).toEqual([]);
    gate.open();
    await gate.close();
    await served.stop();
  });
});

it("never prints a contact, password, hash or key, whatever comes of it", async () => {
  const cwd = newFolder();
  const runs: CliResult[] = [];
  for (const config of [OWN, OTHER]) {
    const args = project(cwd, OWN, config);
    runs.push(await runCli(args, { cwd }), await proveJson([...args, "--data", "core.db"], cwd));
  }
  const printed = runs.map(({ stdout, stderr }) => stdout + stderr).join("\n");
  const read = (home: string, name: string): string => readFileSync(join(home, name), "utf8");
  const { users }: { users: Record<string, string>[] } = JSON.parse(read(OWN, "users.json"));
  const passwords: Record<string, string> = JSON.parse(read(OWN, "passwords.json"));
  const keys = [OWN, OTHER].map((home) => {
    return /base64_signer_key: ([^,\s]+)/.exec(read(home, "hash-config.txt"))?.[1] ?? "";
  });
  const secrets = [
    ...keys,
    ...Object.entries(passwords).flat(),
    ...users.flatMap(({ email = "", passwordHash = "", salt = "" }) => [email, passwordHash, salt]),
  ].filter((secret) => secret !== "");
  expect(secrets.length).toBeGreaterThan(20);
  for (const secret of secrets) expect(printed.includes(secret)).toBe(false);
});
