import { readdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type CliOptions, type CliResult, runCli, serveHere } from "../support/cli.js";
import { ADA, NELE, OTHER, OWN } from "./setup/support/projects.js";
import { expectFailure, jsonLines, signIn, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
const API_KEY = "harbor-slate-6620-key";
const PASSWORDS = "test-users.csv";

/** What a proof leaves in the configuration: no password, contact, hash or key. */
const TRACE = {
  file: OWN.users,
  row: 1,
  salt: expect.stringMatching(/^[\w-]{22}$/),
  digest: expect.stringMatching(/^[\w-]{43}$/),
};

/** A folder with a file of test users, and nothing else. */
function newFolder(): string {
  const folder = workFolder();
  writeInto(folder, PASSWORDS, `${ADA.email},"${ADA.password}"\n`);
  return folder;
}

const GIVEN = [OWN.users, "--hash-config", OWN.hashConfig, "--prove", PASSWORDS] as const;

function setup(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return runCli(["setup", "--no-input", ...args], options);
}

function configIn(cwd: string): unknown {
  return JSON.parse(readFileSync(join(cwd, "auth-migrate.config.json"), "utf8"));
}

/** Names of the files of a folder, but for what was there before. */
function written(cwd: string): string[] {
  return readdirSync(cwd)
    .filter((name) => name !== PASSWORDS)
    .sort();
}

describe.concurrent("setup without a question", () => {
  it("writes what makes `import` with just the files work, and people sign in", async () => {
    const cwd = newFolder();
    const { code, stdout, stderr } = await setup([...GIVEN, "--data", "auth-core.db"], { cwd });
    expect(code, stderr).toBe(0);
    expect(written(cwd)).toEqual(["auth-core.yaml", "auth-migrate.config.json"]);
    expect(configIn(cwd)).toEqual({
      data: "auth-core.db",
      hashConfig: { rounds: 8, mem_cost: 4, base64_salt_separator: "Bw==" },
      proof: TRACE,
    });
    const yaml: unknown = parse(readFileSync(join(cwd, "auth-core.yaml"), "utf8"));
    expect(yaml).toEqual({ vendor_password_hashing_signer_key: OWN.signerKey });
    for (const name of written(cwd)) expect(statSync(join(cwd, name)).mode & 0o777).toBe(0o600);
    expect(stdout).toContain(`\n  auth-migrate import ${OWN.users} --prove ${PASSWORDS}\n`);

    const done = await runCli(["import", OWN.users, "--prove", PASSWORDS], { cwd });
    expect(done.code, done.stderr).toBe(0);
    expect(done.stdout).toMatch(/imported +8 /);
    const core = await serveHere({ cwd });
    expect(await signIn(core, NELE.email, NELE.password)).toBe("OK");
    expect(await signIn(core, NELE.email, "testing124")).toBe("WRONG_CREDENTIALS_ERROR");
    await core.stop();
  });

  it("configures an import into a remote core, and says where the core reads the signer key", async () => {
    const core = await serveHere({ cwd: workFolder(), apiKey: API_KEY });
    const cwd = newFolder();
    const keyFile = writeInto(cwd, "core.key", `${API_KEY}\n`);
    const args = [...GIVEN, "--core", `${core.url}/`, "--api-key-file", keyFile];
    const { code, stdout, stderr } = await setup(args, { cwd });
    expect(code, stderr).toBe(0);
    expect(written(cwd)).toEqual(["auth-migrate.config.json", keyFile]);
    expect(configIn(cwd)).toEqual({
      apiKeyFile: keyFile,
      core: core.url,
      hashConfig: { rounds: 8, mem_cost: 4, base64_salt_separator: "Bw==" },
    });
    for (const way of [/dashboard/, /configuration file/, /VENDOR_PASSWORD_HASHING_SIGNER_KEY/]) {
      expect(stdout).toMatch(way);
    }
    expect(stdout).toContain("secrets.AUTH_MIGRATE_API_KEY");
    // A job has the configuration and the variable, and no file with the key.
    renameSync(join(cwd, keyFile), join(cwd, "elsewhere.key"));
    const env = { AUTH_MIGRATE_API_KEY: API_KEY };
    const job = await runCli(["doctor"], { cwd, env });
    expect(job.code, job.stderr).toBe(0);
    renameSync(join(cwd, "elsewhere.key"), join(cwd, keyFile));
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /Proved on this machine\. Not proved: that people can sign in at the core, which has a signer key of its own\. The import does that: it imports the users of test-users\.csv first/,
    );
    const again = await setup([...args, "--json"], { cwd });
    expect(jsonLines(again.stdout)).toMatchObject([{ proved: false, provedHere: true }]);
    const skipped = [
      OWN.users,
      "--hash-config",
      OWN.hashConfig,
      "--skip-proof",
      "--core",
      core.url,
    ];
    const without = await setup([...skipped, "--api-key-file", keyFile], { cwd });
    expect(without.stdout.replace(/\s+/g, " ")).toMatch(/ Not proved: .* Add --prove FILE/);
    await core.stop();
  });

  it("spares the import the question that it has settled, as long as all is as it was", async () => {
    const cwd = newFolder();
    const copy = writeInto(cwd, "users.json", readFileSync(OWN.users));
    await setup([copy, ...GIVEN.slice(1), "--data", "auth-core.db"], { cwd });
    const first = await runCli(["import", copy, "--json"], { cwd });
    expect(first.stderr).toContain("Proved by setup: key, parameters and user are still the same.");
    expect(jsonLines(first.stdout).at(-1)).toMatchObject({ proved: true, imported: 8 });
    writeInto(cwd, copy, readFileSync(OTHER.users));
    const other = ["import", copy, "--json", "--data", "b.db", "--checkpoint", "b"];
    const changed = await runCli(other, { cwd });
    expect(jsonLines(changed.stdout).at(-1)).toMatchObject({ proved: false });
    expect(changed.stderr).toContain("The signer key is not proved");
  });

  it("tells a program what it found and wrote", async () => {
    const cwd = newFolder();
    const { stdout } = await setup([...GIVEN, "--data", "users.db", "--json"], { cwd });
    expect(jsonLines(stdout)).toEqual([
      {
        type: "setup",
        v: 1,
        core: { kind: "embedded", file: "users.db" },
        proved: true,
        provedHere: true,
        written: ["auth-migrate.config.json", "auth-core.yaml"],
        command: `auth-migrate import ${OWN.users} --prove ${PASSWORDS}`,
        rejects: {},
        exitCode: 0,
      },
    ]);
    expect(configIn(cwd)).toMatchObject({ data: "users.db" });
  });

  it("keeps what an import has to be told again", async () => {
    const cwd = workFolder();
    writeInto(cwd, "members.csv", "nr,mail_address,pw\n1,ann@example.com,\n");
    const args = ["members.csv", "--from", "csv", "--map", "email=mail_address", "--skip-proof"];
    const more = ["--encoding", "windows-1252", "--default-country", "AT"];
    const others = [...more, "--allow-hash", "2x", "--on-lost-factor", "accept"];
    const { code, stderr } = await setup([...args, ...others, "--data", "auth-core.db"], { cwd });
    expect(code, stderr).toBe(0);
    expect(configIn(cwd)).toEqual({
      data: "auth-core.db",
      mapping: "auth-migrate.mapping.yaml",
      encoding: "windows-1252",
      defaultCountry: "AT",
      allowHash: ["2x"],
      onLostFactor: "accept",
    });
    expect(readdirSync(cwd).sort()).toEqual([
      "auth-migrate.config.json",
      "auth-migrate.mapping.yaml",
      "members.csv",
    ]);
    const { stdout } = await runCli(["import", "members.csv", "--json"], { cwd });
    expect(jsonLines(stdout).at(-1)).toMatchObject({ created: 1, exitCode: 0 });
  });

  it("lets neither key nor password out, but for the signer key in the core's own file", async () => {
    const core = await serveHere({ cwd: workFolder(), apiKey: API_KEY });
    const cwd = newFolder();
    const env = { AUTH_MIGRATE_API_KEY: API_KEY };
    const runs = [
      await setup([...GIVEN, "--core", core.url], { cwd, env }),
      await setup([...GIVEN, "--data", "auth-core.db", "--force"], { cwd, env }),
      await setup([...GIVEN, "--data", "auth-core.db", "--json"], { cwd, env }),
      await setup([...GIVEN, "--hash-config", OTHER.hashConfig, "--data", "a.db"], { cwd, env }),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0, 78]);
    const texts = runs.map(({ stdout, stderr }) => stdout + stderr);
    texts.push(readFileSync(join(cwd, "auth-migrate.config.json"), "utf8"));
    const secrets = [
      API_KEY,
      OWN.signerKey.slice(0, 20),
      OTHER.signerKey.slice(0, 20),
      ADA.password,
    ];
    for (const secret of secrets) expect(texts.some((text) => text.includes(secret))).toBe(false);
    expect(readFileSync(join(cwd, "auth-core.yaml"), "utf8").includes(API_KEY)).toBe(false);
    await core.stop();
  });
});

describe.concurrent("a configuration that is there already", () => {
  const embedded = [...GIVEN, "--data", "auth-core.db"];

  it("is left alone without --force, the core's as well", async () => {
    for (const [name, content] of [
      ["auth-migrate.config.json", '{"onLostFactor":"accept"}\n'],
      ["auth-core.yaml", `vendor_password_hashing_signer_key: ${OTHER.signerKey}\n`],
    ] as const) {
      const cwd = newFolder();
      writeInto(cwd, name, content);
      const says = new RegExp(`${name} is there already`);
      const failure = { code: "config_invalid", says, next: /--force/ };
      await expectFailure(["setup", "--no-input", ...embedded], { cwd }, failure);
      expect(written(cwd)).toEqual([name]);
      expect(readFileSync(join(cwd, name), "utf8")).toBe(content);
    }
  });

  it("can't be written stops the setup before the first answer", async () => {
    const cwd = newFolder();
    const elsewhere = ["--config", "missing/move.json", "--core-config", "missing/core.yaml"];
    const says = /missing can't be written to \(ENOENT\)/;
    const failure = { code: "disk", says, next: /--config and --core-config/ };
    await expectFailure(["setup", "--no-input", ...embedded, ...elsewhere], { cwd }, failure);
  });

  it("that is a link stays one: what it leads to is written", async () => {
    const cwd = newFolder();
    writeInto(cwd, "shared.json", "{}");
    symlinkSync("shared.json", join(cwd, "auth-migrate.config.json"));
    expect(await setup([...embedded, "--force"], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "shared.json"), "utf8")).toContain("auth-core.db");
    expect(statSync(join(cwd, "shared.json")).mode & 0o777).toBe(0o600);
    expect(written(cwd)).toEqual(["auth-core.yaml", "auth-migrate.config.json", "shared.json"]);
  });

  it("and can't be read stops the setup before the first answer", async () => {
    for (const [name, content, says] of [
      ["auth-migrate.config.json", "{", /isn't JSON/],
      ["auth-core.yaml", "port: 4000\nprot: 1\n", /auth-core\.yaml, line 2/],
    ] as const) {
      const cwd = newFolder();
      writeInto(cwd, name, content);
      const failure = { code: "config_invalid", says, next: /./ };
      await expectFailure(["setup", "--no-input", ...embedded, "--force"], { cwd }, failure);
    }
  });

  it("keeps its other options under --force, and loses those of another core", async () => {
    const cwd = newFolder();
    const before = {
      onUnusableHash: "passwordless",
      core: "https://core.example.com",
      assumeEmpty: true,
    };
    writeInto(cwd, "auth-migrate.config.json", JSON.stringify(before));
    const { code } = await setup([...embedded, "--force"], { cwd });
    expect(code).toBe(0);
    expect(configIn(cwd)).toEqual({
      onUnusableHash: "passwordless",
      data: "auth-core.db",
      hashConfig: { rounds: 8, mem_cost: 4, base64_salt_separator: "Bw==" },
      proof: TRACE,
    });
  });

  it("of the core gets the signer key added, and keeps fields and comments", async () => {
    const cwd = newFolder();
    writeInto(cwd, "auth-core.yaml", "# our rehearsal\nport: 4000 # free here\n");
    const { code } = await setup(embedded, { cwd });
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, "auth-core.yaml"), "utf8")).toBe(
      `# our rehearsal\nport: 4000 # free here\nvendor_password_hashing_signer_key: ${OWN.signerKey}\n`,
    );
    expect(statSync(join(cwd, "auth-core.yaml")).mode & 0o777).toBe(0o600);
  });

  it("is written once: the same setup again changes nothing and needs no --force", async () => {
    const cwd = newFolder();
    await setup(embedded, { cwd });
    const before = written(cwd).map((name) => statSync(join(cwd, name)).mtimeMs);
    const { code, stdout } = await setup([...embedded, "--json"], { cwd });
    expect(code).toBe(0);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ written: [] });
    expect(written(cwd).map((name) => statSync(join(cwd, name)).mtimeMs)).toEqual(before);
  });

  it("may have other names", async () => {
    const cwd = newFolder();
    const names = ["--config", "move.json", "--core-config", "core.yaml"];
    const { code, stdout } = await setup([...embedded, ...names], { cwd });
    expect(code).toBe(0);
    expect(written(cwd)).toEqual(["core.yaml", "move.json"]);
    expect(stdout).toContain("--config move.json");
    const done = await runCli(["import", OWN.users, "--config", "move.json"], { cwd });
    expect(done.code, done.stderr).toBe(0);
  });
});
