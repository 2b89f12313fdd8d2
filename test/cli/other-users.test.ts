import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.js";
import { workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
const OPEN = 0o777;

describe("a data file that its own user left readable", () => {
  it("is taken from others before anything is written, and that is told", async () => {
    const cwd = workFolder();
    writeInto(cwd, "users.csv", "id,email\n1,ann@example.com\n");
    for (const name of ["auth-core.db", "auth-migrate.checkpoint"]) {
      chmodSync(join(cwd, writeInto(cwd, name, "")), 0o644);
    }
    const { code, stderr } = await runCli(["import", "users.csv"], { cwd });
    expect(code, stderr).toBe(0);
    for (const name of [
      "auth-core.db",
      "auth-migrate.checkpoint",
      "auth-migrate.checkpoint.lock",
    ]) {
      expect(statSync(join(cwd, name)).mode & OPEN, name).toBe(0o600);
    }
    expect(stderr).toContain("could read auth-core.db");
    expect(stderr).toContain("could read auth-migrate.checkpoint");
    expect((await runCli(["status"], { cwd })).stderr).not.toContain("could read");
  });
});
