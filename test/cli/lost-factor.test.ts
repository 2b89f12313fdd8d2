import { describe, expect, it, onTestFinished } from "vitest";
import { bcryptOf } from "../run/support/hashes.js";
import { runCli } from "../support/cli.js";
import { startSuperTokensStub } from "../support/supertokens-stub.js";
import { summaryOf, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();

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
        expect(said).toContain(`${asked} in the way`);
      }
      const imported = await runCli(["import", ...args, "--json"], options);
      expect(imported.code, imported.stderr).toBe(ends);
      const rejects = ends === 65 ? { factor_lost: 1 } : {};
      expect(summaryOf(imported.stdout)).toMatchObject({ rejects, imported: ends === 65 ? 1 : 2 });
    },
  );
});
