import { describe, expect, it, onTestFinished } from "vitest";
import { bcryptOf } from "../run/support/hashes.js";
import { runCli } from "../support/cli.js";
import { startSuperTokensStub } from "../support/supertokens-stub.js";
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

/** Nadia has a second factor that arrives where the core keeps it. */
const SECRETS = [
  "id,email,password_hash,otp",
  `n-1,nadia.novak@example.net,${bcryptOf("V1ola")},JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP`,
  `n-2,otto.novak@example.net,${bcryptOf("F1ddle")},`,
];
const READ_SECRETS = ["secrets.csv", "--map", "totp=otp", "--allow-hash", "as-typed"];
const CERTAIN = "an import ends so for every row.";

describe("a dry run against a core", () => {
  it.each([
    ["says that it has no licence for second factors", "unlicensed", [], true, 65],
    ["says that it has one", "licensed", ["mfa"], true, 0],
    ["has none and doesn't say so", "unlicensed", undefined, false, 65],
    ["has one and doesn't say so", "licensed", undefined, false, 0],
  ] as const)(
    "calls an import's end certain only where the import ends so: it %s",
    async (_what, totp, features, isCertain, ends) => {
      const apiKey = "factors-test-key-0001";
      const given = features === undefined ? {} : { features };
      const stub = await startSuperTokensStub({ apiKey, signerKey: null, totp, ...given });
      onTestFinished(() => stub.close());
      const cwd = workFolder();
      writeInto(cwd, "secrets.csv", `${SECRETS.join("\n")}\n`);
      const options = { cwd, env: { AUTH_MIGRATE_API_KEY: apiKey } };
      const args = [...READ_SECRETS, "--core", stub.url];
      const dry = await runCli(["validate", ...args], options);
      const said = `${dry.stdout} ${dry.stderr}`.replace(/\s+/g, " ");
      expect(said.includes(CERTAIN)).toBe(isCertain);
      const foretold = await runCli(["validate", ...args, "--json"], options);
      expect(summaryOf(foretold.stdout)).toMatchObject({
        rejects: isCertain && ends === 65 ? { factor_lost: 1 } : {},
      });
      expect(dry.code).toBe(isCertain ? ends : 0);
      if (dry.code === 0) {
        const asked = isCertain ? "Nothing stands" : "Nothing that was asked stands";
        expect(said).toContain(`${asked} in the way.`);
      }
      const imported = await runCli(["import", ...args, "--json"], options);
      expect(imported.code, imported.stderr).toBe(ends);
      const rejects = ends === 65 ? { factor_lost: 1 } : {};
      expect(summaryOf(imported.stdout)).toMatchObject({ rejects, imported: ends === 65 ? 1 : 2 });
    },
  );
});

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
});
