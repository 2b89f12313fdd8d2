import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ANSWERS } from "../hash/legacy/support/known-answers.js";
import { runCli, startCli } from "../support/cli.js";
import { expectFailure, workFolders } from "./support.js";

const workFolder = workFolders();
const DJANGO = ANSWERS.filter(({ format }) => format === "django_pbkdf2_sha256").slice(0, 2);
const VAULT = ["--vault", "users.vault", "--vault-key-file", "vault.key"];

/** A folder with a table of Django's users, their passwords, and a vault's key. */
async function folder(): Promise<string> {
  const cwd = workFolder();
  const rows = DJANGO.map(({ hash }, n) => `u-${n},user.${n}@example.com,${hash}`);
  writeFileSync(join(cwd, "users.csv"), ["id,email,password_hash", ...rows].join("\n"));
  const passwords = DJANGO.map(({ password }, n) => `user.${n}@example.com,${password}`);
  writeFileSync(join(cwd, "known.csv"), ["email,password", ...passwords].join("\n"));
  expect((await runCli(["bridge", "--new-key", "vault.key"], { cwd })).code).toBe(0);
  return cwd;
}

/** The line that a command with `--json` ends with. */
function lastLine(stdout: string): unknown {
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}

const IMPORT = ["import", "users.csv", "--no-input", "--on-unusable-hash", "bridge"];

describe("a vault's key", () => {
  it("is made in a file of its owner's alone", async () => {
    const cwd = await folder();
    const path = join(cwd, "vault.key");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const key = readFileSync(path, "utf8");
    expect(Buffer.from(key, "base64")).toHaveLength(32);
  });
});

describe("import --on-unusable-hash bridge, then bridge", () => {
  it("lets users in with their old passwords, and is told to stop well", async () => {
    const cwd = await folder();
    const { code, stdout } = await runCli([...IMPORT, ...VAULT, "--json"], { cwd });
    expect(code).toBe(0);
    expect(lastLine(stdout)).toMatchObject({ imported: 2, bridged: 2, importedAlgorithms: {} });
    const bridge = startCli(["bridge", ...VAULT, "--port", "0", "--json"], { cwd });
    const { url }: { url: string } = JSON.parse(await bridge.firstLine());
    const verify = async (n: number, password: string): Promise<unknown> => {
      const body = JSON.stringify({ email: `user.${n}@example.com`, password });
      return (await fetch(`${url}/verify`, { method: "POST", body })).json();
    };
    for (const [n, { password }] of DJANGO.entries()) {
      expect(await verify(n, `!${password}`)).toEqual({ status: "WRONG_CREDENTIALS_ERROR" });
      expect(await verify(n, password)).toEqual({ status: "OK" });
    }
    expect(await (await fetch(`${url}/metrics`)).text()).toContain("users_left 0\n");
    const status = await runCli(["bridge", "--status", ...VAULT.slice(0, 2), "--json"], { cwd });
    expect(lastLine(status.stdout)).toMatchObject({ type: "vault", users: 0 });
    await expectFailure(
      ["bridge", "purge", ...VAULT.slice(0, 2), "--yes"],
      { cwd },
      { code: "in_use", says: /Another process/, next: /stop the bridge/ },
    );
    bridge.kill("SIGTERM");
    expect((await bridge.ended).code).toBe(0);
    expect((await runCli(["bridge", "purge", ...VAULT.slice(0, 2), "--yes"], { cwd })).code).toBe(
      0,
    );
    expect(readdirSync(cwd).filter((name) => name.startsWith("users.vault"))).toEqual([]);
  });

  it("lists the ids of users who are left, also while it runs, and replaces no file", async () => {
    const cwd = await folder();
    await runCli([...IMPORT, ...VAULT], { cwd });
    const bridge = startCli(["bridge", ...VAULT, "--port", "0", "--json"], { cwd });
    const { url }: { url: string } = JSON.parse(await bridge.firstLine());
    const [ann] = DJANGO;
    const body = JSON.stringify({ email: "user.0@example.com", password: ann?.password });
    await fetch(`${url}/verify`, { method: "POST", body });
    const listing = ["bridge", ...VAULT, "--export-remaining", "left.csv"];
    expect((await runCli(listing, { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, "left.csv"), "utf8")).toBe("vendor_id\r\nu-1\r\n");
    const says = { code: "usage", says: /is there already/, next: /new file/ };
    await expectFailure(listing, { cwd }, says);
    bridge.kill("SIGTERM");
    await bridge.ended;
  });

  it("opens with a new key alone once it was sealed anew", async () => {
    const cwd = await folder();
    await runCli([...IMPORT, ...VAULT], { cwd });
    await runCli(["bridge", "--new-key", "new.key"], { cwd });
    const { code, stdout } = await runCli(["bridge", ...VAULT, "--rekey", "new.key"], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining("2 users left")]);
    const wrong = { code: "vault_key_wrong", says: /isn't the one/, next: /key/ };
    await expectFailure(["bridge", ...VAULT], { cwd }, wrong);
    const again = ["bridge", ...VAULT.slice(0, 3), "new.key", "--rekey", "vault.key"];
    expect((await runCli(again, { cwd })).code).toBe(0);
  });

  it("is refused beside --status where the old key isn't named", async () => {
    const cwd = await folder();
    await runCli([...IMPORT, ...VAULT], { cwd });
    await runCli(["bridge", "--new-key", "new.key"], { cwd });
    const args = ["bridge", "--status", "--rekey", "new.key", ...VAULT.slice(0, 2)];
    const says = { code: "usage", says: /its key isn't named/, next: /--vault-key-file/ };
    await expectFailure(args, { cwd }, says);
  });

  it.each([
    ["without its URL", ["--upstream", "cognito", "--upstream-client", "c"], "usage"],
    ["of an unnamed vendor, by its URL", ["--upstream-url", "https://a.example"], "usage"],
    ["of an unnamed vendor, by a client", ["--upstream-client", "c"], "usage"],
    ["without a client", ["--upstream", "auth0", "--upstream-url", "https://a.example"], "usage"],
    [
      "over plain http",
      ["--upstream", "okta", "--upstream-url", "http://acme.okta.com"],
      "config_invalid",
    ],
  ])("asks no vendor %s", async (_how, given, code) => {
    const cwd = await folder();
    await runCli([...IMPORT, ...VAULT], { cwd });
    const expected = { code, says: /asked|https/, next: /--upstream|https/ };
    await expectFailure(["bridge", ...VAULT, ...given], { cwd }, expected);
  });

  it("makes no core where none is", async () => {
    const cwd = await folder();
    await runCli([...IMPORT, ...VAULT], { cwd });
    const args = ["bridge", ...VAULT, "--data", "mistyped.db", "--checkpoint", "none"];
    const says = { code: "data_unusable", says: /mistyped/, next: /./ };
    await expectFailure(args, { cwd }, says);
    expect(readdirSync(cwd)).not.toContain("mistyped.db");
  });

  it("is foretold, proved and counted apart from the users whose hash moves", async () => {
    const cwd = await folder();
    const foretold = await runCli(
      ["validate", "users.csv", ...IMPORT.slice(3), ...VAULT, "--json"],
      { cwd },
    );
    expect(lastLine(foretold.stdout)).toMatchObject({ ready: { import: 2 }, bridged: 2 });
    const proof = await runCli(
      ["prove", "users.csv", ...IMPORT.slice(2), "--passwords", "known.csv"],
      {
        cwd,
      },
    );
    expect([proof.code, proof.stdout]).toEqual([0, expect.stringContaining("will be bridged")]);
    const text = await runCli([...IMPORT, ...VAULT, "--prove", "known.csv"], { cwd });
    expect(text.stdout).toMatch(/bridged +2 +imported; the bridge brings their password/);
    const status = await runCli(["status", "--json"], { cwd });
    expect(lastLine(status.stdout)).toMatchObject({ imported: 2, bridged: 2 });
  });

  it("is begun, after a dry run or a proof, with a vault that neither needs", async () => {
    const cwd = await folder();
    const bridged = IMPORT.slice(1);
    const named = ["validate", ...bridged, ...VAULT];
    const [dry, proof, ready] = await Promise.all(
      [["validate", ...bridged], ["prove", ...bridged, "--passwords", "known.csv"], named].map(
        (args) => runCli(args, { cwd }),
      ),
    );
    for (const ended of [dry, proof]) {
      expect(ended?.stdout).toMatch(
        /To begin[^:]*:\s+auth-migrate import .* --vault users\.vault --vault-key-file vault\.key\n/,
      );
    }
    expect(ready?.stdout).toMatch(
      /To begin, as a rehearsal unless you add --core URL:\s+auth-migrate import/,
    );
  });

  it("is offered by setup, with the numbers", async () => {
    const cwd = await folder();
    const args = ["setup", "users.csv", "--data", "core.db", "--skip-proof", "--no-input"];
    const { stdout } = await runCli(args, { cwd });
    expect(stdout).toContain("2 of the 2 users looked at have a hash that no core takes");
    expect(stdout).toContain("--on-unusable-hash bridge --vault users.vault");
  });

  it("says whether callers need a key, which the same command makes as a vault's", async () => {
    const cwd = await folder();
    await runCli([...IMPORT, ...VAULT], { cwd });
    expect((await runCli(["bridge", "--new-key", "bridge-key.txt"], { cwd })).code).toBe(0);
    const key = readFileSync(join(cwd, "bridge-key.txt"), "utf8");
    const [user] = DJANGO;
    const body = JSON.stringify({ email: "user.0@example.com", password: user?.password });
    for (const [given, says, without] of [
      [[], "needs no key", 200],
      [["--bridge-key-file", "bridge-key.txt"], "Callers give its key as api-key", 401],
    ] as const) {
      const bridge = startCli(["bridge", ...VAULT, ...given, "--port", "0"], { cwd });
      const line = await bridge.firstLine();
      expect(line).toContain(says);
      const [url] = /http:[^ ]+/.exec(line) ?? [];
      const ask = async (headers: Record<string, string>): Promise<number> =>
        (await fetch(`${url}/verify`, { method: "POST", body, headers })).status;
      expect(await ask({})).toBe(without);
      expect(await ask({ "api-key": key.trim() })).toBe(200);
      bridge.kill("SIGTERM");
      await bridge.ended;
    }
  });

  it("wants a key for an address that others reach", async () => {
    const cwd = await folder();
    await runCli([...IMPORT, ...VAULT], { cwd });
    const args = ["bridge", ...VAULT, "--host", "0.0.0.0", "--port", "0"];
    await expectFailure(
      args,
      { cwd },
      { code: "config_invalid", says: /reached from outside/, next: /--bridge-key-file/ },
    );
  });

  it.each([
    ["that no header carries", "ключ-для-моста-из-двадцати", "127.0.0.1", /no header carries/],
    ["that can be guessed where others reach it", "short", "0.0.0.0", /fewer than 20/],
  ])("is refused with a key %s", async (_what, key, host, says) => {
    const cwd = await folder();
    await runCli([...IMPORT, ...VAULT], { cwd });
    writeFileSync(join(cwd, "bridge.key"), key);
    const given = ["--bridge-key-file", "bridge.key", "--host", host, "--port", "0"];
    const expected = { code: "config_invalid", says, next: /at least 20/ };
    await expectFailure(["bridge", ...VAULT, ...given], { cwd }, expected);
  });
});
