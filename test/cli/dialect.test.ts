/** The command line at cores of either dialect: which one it is, is recognized or named, and what is said of the signer key is said in its names. */

import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { parseHashConfig } from "../../src/hash/hash-config.js";
import { runCli, serveHere } from "../support/cli.js";
import { type SuperTokensOptions, startSuperTokensStub } from "../support/supertokens-stub.js";
import { startInterfaceStub } from "../support/interface-stub.js";
import { expectFailure, HASH_CONFIG, summaryOf, USERS, workFolders, writeInto } from "./support.js";

const KEY = "dialects-of-cores-key-0001";
const ENV = { AUTH_MIGRATE_API_KEY: KEY };
const { signerKey: SIGNER_KEY } = parseHashConfig(readFileSync(HASH_CONFIG, "utf8"));
/** Every fourteenth row of the demo: of every algorithm, and without a password. */
const SAMPLE = { imported: 13, created: 5, scrypt: 3 };
const newFolder = workFolders();

/** A working directory that holds the sample. */
function workFolder(): string {
  const folder = newFolder();
  const [head, ...rows] = readFileSync(USERS, "utf8").trimEnd().split("\n");
  const some = rows.filter((_, index) => index % 14 === 0);
  writeInto(folder, "users.csv", `${[head, ...some].join("\n")}\n`);
  return folder;
}

const IMPORT = ["import", "users.csv", "--hash-config", HASH_CONFIG] as const;

const opened: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const one of opened) await one.close();
});

async function superTokens(options: Partial<SuperTokensOptions> = {}) {
  const stub = await startSuperTokensStub({ apiKey: KEY, signerKey: SIGNER_KEY, ...options });
  opened.push(stub);
  return stub;
}

describe.concurrent("an import into a core of the dialect supertokens", () => {
  it.each([
    ["recognized", []],
    ["named", ["--dialect", "supertokens"]],
  ])("that is %s brings everybody", async (_title, flags) => {
    const stub = await superTokens();
    const args = [...IMPORT, "--core", stub.url, "--json", ...flags];
    const { code, stdout, stderr } = await runCli(args, { cwd: workFolder(), env: ENV });
    expect(code, stderr).toBe(0);
    const { imported, created, scrypt } = SAMPLE;
    expect(summaryOf(stdout)).toMatchObject({
      imported,
      created,
      core: { kind: "remote", url: stub.url, dialect: "supertokens" },
    });
    expect(stub.users).toHaveLength(imported + created);
    expect(stub.users.filter(({ email, phoneNumber }) => email && phoneNumber)).toHaveLength(2);
    const asked = stub.calls.filter(({ path }) => path === "/apiversion");
    expect(asked).toHaveLength(flags.length === 0 ? 1 : 0);
    const names = stub.calls.flatMap(({ body }) => body.hashingAlgorithm ?? []);
    expect(names).toEqual(Array(scrypt).fill("firebase_scrypt"));
  });

  it("without a signer key ends with 78 and its three ways to set it", async () => {
    const stub = await superTokens({ signerKey: null });
    await expectFailure(
      [...IMPORT, "--core", stub.url],
      { cwd: workFolder(), env: ENV },
      {
        code: "signer_key_missing",
        says: /no signer key/,
        next: /firebase_password_hashing_signer_key.*dashboard.*configuration file.*FIREBASE_PASSWORD_HASHING_SIGNER_KEY.*same command again/,
      },
    );
    expect(stub.users.every(({ passwordHash = "" }) => !passwordHash.startsWith("$f_"))).toBe(true);
  });
});

describe.concurrent("a core of the dialect interface", () => {
  it("hears interface.md's names although ours understands both", async () => {
    const core = await serveHere({
      cwd: workFolder(),
      apiKey: KEY,
      args: ["--hash-config", HASH_CONFIG],
    });
    for (const [dialect, flags] of [
      ["interface", []],
      ["supertokens", ["--dialect", "supertokens"]],
    ] as const) {
      const args = [...IMPORT, "--core", core.url, "--json", "--on-existing", "update", ...flags];
      const { code, stdout, stderr } = await runCli(args, { cwd: workFolder(), env: ENV });
      expect(code, stderr).toBe(0);
      expect(summaryOf(stdout)).toMatchObject({ imported: SAMPLE.imported, core: { dialect } });
    }
    await core.stop();
  });

  it.each(["never", "always"])(
    "without a signer key ends an import with --bulk %s, and rejects nobody for it",
    async (bulk) => {
      const cwd = workFolder();
      const core = await serveHere({ cwd: workFolder(), apiKey: KEY, args: [] });
      await expectFailure(
        [...IMPORT, "--core", core.url, "--bulk", bulk],
        { cwd, env: ENV },
        {
          code: "signer_key_missing",
          says: /no signer key/,
          next: /vendor_password_hashing_signer_key.*serve by --hash-config.*same command again/,
        },
      );
      const { stdout } = await runCli(["status", "--json"], { cwd });
      expect(JSON.parse(stdout)).toMatchObject({ rejected: 0, endedBy: "signer_key_missing" });
      await core.stop();
    },
  );
});

describe.concurrent("--dialect", () => {
  it("may come from the environment and the configuration file", async () => {
    const stub = await superTokens();
    const args = [...IMPORT, "--core", stub.url, "--json"];
    const fromFile = workFolder();
    writeInto(fromFile, "auth-migrate.config.json", '{"dialect":"supertokens"}');
    for (const options of [
      { cwd: workFolder(), env: { ...ENV, AUTH_MIGRATE_DIALECT: "supertokens" } },
      { cwd: fromFile, env: ENV },
    ]) {
      const { code, stderr } = await runCli(args, options);
      expect(code, stderr).toBe(0);
    }
    expect(stub.calls.some(({ path }) => path === "/apiversion")).toBe(false);
  });
});

describe.concurrent("setup", () => {
  const SETUP = ["setup", "users.csv", "--hash-config", HASH_CONFIG, "--skip-proof", "--no-input"];

  it("says where the signer key belongs in the names of the core that it asked", async () => {
    const cores = [
      [await superTokens(), "firebase_password_hashing_signer_key"],
      [await startInterfaceStub({ apiKey: KEY }), "vendor_password_hashing_signer_key"],
    ] as const;
    for (const [core, field] of cores) {
      opened.push(core);
      const args = [...SETUP, "--core", core.url, "--assume-empty"];
      const { code, stdout, stderr } = await runCli(args, { cwd: workFolder(), env: ENV });
      expect(code, stderr).toBe(0);
      const read = stdout.replace(/\s+/g, " ");
      expect(read).toContain(`the field ${field} of its dashboard`);
      expect(read).toContain(`the variable ${field.toUpperCase()}`);
    }
  });
});
