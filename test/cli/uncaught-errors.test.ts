import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ANSWERS } from "../hash/legacy/support/known-answers.js";
import { type CliResult, runCli, startCli } from "../support/cli.js";
import { tried } from "../support/repeated.js";
import { workFolders } from "./support.js";

const workFolder = workFolders();
const PRELOAD = fileURLToPath(new URL("fixtures/errors-that-nothing-catches.mjs", import.meta.url));
const VAULT = ["--vault", "users.vault", "--vault-key-file", "vault.key"];
const DJANGO = ANSWERS.find(({ format }) => format === "django_pbkdf2_sha256")!;
const EMAIL = "canary.of.the.mine@example.com";
const PASSWORD = "canary-that-was-typed";
const API_KEY = "canary-of-the-environment";
const SECRETS = [EMAIL, PASSWORD, DJANGO.hash!.slice(-20)];
const HOWS = tried(["thrown", "rejected", "out of memory"] as const, 2);

/** All that Node.js may be told to write of an error, with a preload that makes one. */
function flags(how: string, canary: string): Record<string, string> {
  const reports = "--report-uncaught-exception --report-on-fatalerror --report-exclude-network";
  const more =
    "--report-directory=reports --abort-on-uncaught-exception --trace-uncaught --max-old-space-size=80";
  return {
    NODE_OPTIONS: `${reports} ${more} --import ${PRELOAD}`,
    HOW: how,
    TRIGGER: Buffer.from(canary).toString("base64"),
    AUTH_MIGRATE_API_KEY: API_KEY,
  };
}

/** A folder with a user of Django's, and a vault's key. */
async function folder(): Promise<string> {
  const cwd = workFolder();
  mkdirSync(join(cwd, "reports"));
  writeFileSync(join(cwd, "users.csv"), `id,email,password_hash\nu-1,${EMAIL},${DJANGO.hash}\n`);
  await runCli(["bridge", "--new-key", "vault.key"], { cwd });
  return cwd;
}

const IMPORT = ["import", "users.csv", "--no-input", "--on-unusable-hash", "bridge", ...VAULT];

function expectSilence(cwd: string, how: string, { code, stdout, stderr }: CliResult): void {
  const reports = readdirSync(join(cwd, "reports"));
  const files = reports.map((name) => readFileSync(join(cwd, "reports", name), "utf8"));
  const told = [stdout, stderr, ...files].join("\n");
  expect(SECRETS.filter((secret) => told.includes(secret))).toEqual([]);
  if (how === "out of memory") {
    expect([code, reports.length]).toEqual([null, 1]);
    // Older ones leave the environment in.
    if ("excludeEnv" in process.report) expect(files.join()).not.toContain(API_KEY);
  } else {
    expect([code, reports]).toEqual([1, []]);
    expect(stderr).toMatch(/An unexpected Error \(at .*This is a bug/s);
  }
}

describe.each(HOWS)("an error that nothing catches, %s,", (how) => {
  it("tells no password, hash or email of the bridge", async () => {
    const cwd = await folder();
    expect((await runCli(IMPORT, { cwd })).code).toBe(0);
    const env = flags(how, PASSWORD);
    const limits = ["-c 0"];
    const bridge = startCli(["bridge", ...VAULT, "--port", "0", "--json"], { cwd, env, limits });
    const { url } = JSON.parse(await bridge.firstLine()) as { url: string };
    const body = JSON.stringify({ email: EMAIL, password: PASSWORD });
    await fetch(`${url}/verify`, { method: "POST", body }).catch(() => {});
    expectSilence(cwd, how, await bridge.ended);
  });

  it("tells none of an import to a vault", async () => {
    const cwd = await folder();
    const env = flags(how, DJANGO.hash!.slice(-20));
    expectSilence(cwd, how, await runCli(IMPORT, { cwd, env, limits: ["-c 0"] }));
  });
});
