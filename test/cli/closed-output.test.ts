import { describe, expect, it } from "vitest";
import { startCli } from "../support/cli.js";
import { HASH_CONFIG, IMPORT_DEMO, USERS, workFolders } from "./support.js";
import { usersIn } from "../support/oracle.js";
import { join } from "node:path";
import { existsSync } from "node:fs";
import { tried } from "../support/repeated.js";

const workFolder = workFolders();

describe("whoever reads standard output goes away (EPIPE)", () => {
  it.each(tried(["--json", "--quiet"], 1))(
    "and an import goes on (%s): everybody is there, and stderr says how it ended",
    async (flag) => {
      const cwd = workFolder();
      const run = startCli([...IMPORT_DEMO, flag], { cwd });
      run.closeStdout();
      const { code, stderr } = await run.ended;
      expect(code).toBe(0);
      expect(stderr).toMatch(/reader of standard output has gone/);
      expect(stderr).toMatch(/ended with 0: done/);
      expect(usersIn(join(cwd, "auth-core.db"))).toHaveLength(240);
      expect(existsSync(join(cwd, "auth-core.db-wal"))).toBe(false);
    },
  );

  it("and a dry run says how it ended, too", async () => {
    const run = startCli(["validate", USERS, "--hash-config", HASH_CONFIG], { cwd: workFolder() });
    run.closeStdout();
    const { code, stderr } = await run.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/The run ended with 0/);
  });

  it("says nothing of the kind where somebody reads", async () => {
    const run = startCli(["validate", USERS, "--hash-config", HASH_CONFIG], { cwd: workFolder() });
    const { stderr } = await run.ended;
    expect(stderr).not.toMatch(/Nobody reads/);
  });
});
