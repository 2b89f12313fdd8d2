import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { oldHash } from "../bridge/support/migration.js";
import { runCli } from "../support/cli.js";
import { workFolders, writeInto } from "./support.js";

const SOURCES = new URL("../../fixtures/sources/", import.meta.url);
const newFolder = workFolders();
const VAULT = ["--vault", "users.vault", "--vault-key-file", "vault.key"];
const BRIDGED = ["--no-input", "--on-unusable-hash", "bridge", ...VAULT];

/** A table of readers with hashes that no core takes, and a vault's key. */
async function folder(): Promise<string> {
  const cwd = newFolder();
  const rows = ["Tr0mbone", "k1ngfisher", "per1winkle"].map(
    (password, n) => `r-${n},reader.${n}@example.com,${oldHash(password)}`,
  );
  writeInto(cwd, "readers.csv", ["id,email,password_hash", ...rows].join("\n"));
  await runCli(["bridge", "--new-key", "vault.key"], { cwd });
  return cwd;
}

/** A screen's text in one line each paragraph, and the shell's lines that go on. */
function unwrapped(text: string): string {
  return text.replaceAll(/ *\\\n */g, " ").replaceAll(/\s+/g, " ");
}

describe("passwords that the bridge would keep", () => {
  it("are said to be so where their rows are rejected, by validate, import and hash", async () => {
    const cwd = await folder();
    for (const verb of ["validate", "import"]) {
      const { code, stdout } = await runCli([verb, "readers.csv", "--no-input"], { cwd });
      expect(code).toBe(65);
      expect(unwrapped(stdout)).toContain(
        "keep these passwords with --on-unusable-hash bridge (docs/bridge.md), or move these users with --on-unusable-hash passwordless",
      );
    }
    const { stdout } = await runCli(["hash", "--json"], { cwd, stdin: `${oldHash("Tr0mbone")}\n` });
    expect(JSON.parse(stdout)).toMatchObject({ hint: expect.stringContaining("bridge") });
  });
});

it.each([
  ["auth0", "users.ndjson"],
  ["cognito", "users.json"],
  ["okta", "users.json"],
])("users whose passwords are at %s alone have --upstream named", async (vendor, file) => {
  const cwd = newFolder();
  const bytes = readFileSync(new URL(`${vendor}/${file}`, SOURCES));
  writeInto(cwd, file, bytes.toString());
  const told = `With --on-unusable-hash bridge and --upstream ${vendor}`;
  for (const verb of ["validate", "import"]) {
    const { stdout } = await runCli([verb, file, "--no-input"], { cwd });
    expect(unwrapped(stdout)).toContain(told);
  }
  const asked = ["--on-unusable-hash", "bridge", "--upstream", vendor];
  const { stdout } = await runCli(["validate", file, "--no-input", ...asked], { cwd });
  expect(unwrapped(stdout)).not.toContain(told);
});

describe("after a bridged import", () => {
  it("the bridge is the next step, before the core is asked, in the summary, status and report", async () => {
    const cwd = await folder();
    const start =
      /auth-migrate bridge --vault users\.vault --vault-key-file vault\.key\b.*auth-migrate reconcile/;
    for (const _run of ["the first", "one more"]) {
      const { code, stdout } = await runCli(["import", "readers.csv", ...BRIDGED], { cwd });
      expect(code).toBe(0);
      expect(unwrapped(stdout)).toMatch(start);
    }
    for (const verb of ["status", "report"]) {
      const { stdout } = await runCli([verb], { cwd });
      expect(unwrapped(stdout)).toMatch(/Next: start the bridge .* 3 users .* reconcile/);
    }
  });
});
