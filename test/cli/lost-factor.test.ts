import { describe, expect, it } from "vitest";
import { bcryptOf } from "../run/support/hashes.js";
import { runCli } from "../support/cli.js";
import { jsonLines, summaryOf, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();

/** A reader, one who is asked for a second factor, and one who isn't let in at all. */
function folderWithReaders(): string {
  const cwd = workFolder();
  const lines = [
    "id,email,password_hash,two_factor_enabled,disabled",
    `r-1,ada.reader@example.com,${bcryptOf("Tr0mbone")},false,false`,
    `r-2,bob.reader@example.com,${bcryptOf("Kaz00")},true,false`,
    `r-3,cy.reader@example.com,${bcryptOf("Ob0e")},true,true`,
  ];
  writeInto(cwd, "readers.csv", `${lines.join("\n")}\n`);
  return cwd;
}

const READ = ["readers.csv", "--json", "--allow-hash", "as-typed"];

describe.concurrent("a user with a second factor", () => {
  it("is rejected with the way out, while who is disabled stays skipped", async () => {
    const cwd = folderWithReaders();
    const { code, stdout } = await runCli(["import", ...READ], { cwd });
    expect(code).toBe(65);
    expect(summaryOf(stdout)).toMatchObject({
      ...{ imported: 1, rejected: 1, skipped: 1 },
      ...{ rejects: { factor_lost: 1 }, skips: { disabled: 1 } },
    });
    expect(jsonLines(stdout).find(({ type }) => type === "reject")).toMatchObject({
      row: { file: "readers.csv", number: 2 },
      code: "factor_lost",
      hint: expect.stringContaining("--on-lost-factor accept"),
    });
  });

  it("comes without it where that is accepted, and counts as one who lost it", async () => {
    const cwd = folderWithReaders();
    const args = ["import", ...READ, "--on-lost-factor", "accept"];
    const { code, stdout } = await runCli(args, { cwd });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({
      ...{ imported: 2, rejected: 0, skipped: 1 },
      notices: { mfa_not_migrated: 1 },
    });
  });

  it.each([
    ["a variable", {}, { AUTH_MIGRATE_ON_LOST_FACTOR: "accept" }],
    ["the configuration file", { onLostFactor: "accept" }, {}],
  ])("is accepted by %s, too", async (_where, config, env) => {
    const cwd = folderWithReaders();
    writeInto(cwd, "auth-migrate.config.json", JSON.stringify(config));
    const { code, stdout } = await runCli(["validate", ...READ], { cwd, env });
    expect(code).toBe(0);
    expect(summaryOf(stdout)).toMatchObject({ ready: { import: 2, passwordless: 0 } });
  });
});
