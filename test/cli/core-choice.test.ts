import { mkdirSync } from "node:fs";
import { expect, it } from "vitest";
import { coreChoiceOf } from "../../src/cli/core-choice.js";
import { type CoreConfig, loadCoreConfig } from "../../src/cli/core-config.js";
import { runCli } from "../support/cli.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();

const URL = "postgres://ana@127.0.0.1/auth";

const withConfig = (env: NodeJS.ProcessEnv): Promise<CoreConfig> =>
  loadCoreConfig(null, () => {}, { env, listens: true });

it("a password is refused on the command line alone, and not repeated", async () => {
  const url = URL.replace("@", ":canary@");
  const cwd = path("work");
  mkdirSync(cwd);
  const typed = await runCli(["import", "users.csv", "--data", url], { cwd });
  expect(typed).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/by --data\.\n.*PGPASSWORD/),
  });
  expect(typed.stderr).not.toContain("canary");
  const given = await runCli(["import", "users.csv"], { cwd, env: { AUTH_MIGRATE_DATA: url } });
  expect(given).toMatchObject({ code: 66, stderr: expect.stringContaining("users.csv") });
  expect(given.stderr).not.toContain("canary");
});

it.each(["mysql://ana@127.0.0.1/auth", "https://core.example.com", "POSTGRES:///auth"])(
  "a URL that is no database's makes no data file: %s",
  async (url) => {
    const none = await withConfig({});
    expect(() => coreChoiceOf({ data: url }, none, () => {})).toThrow(/from --data, /);
  },
);

it("what no option says the core's configuration does, down to the size of the pool", async () => {
  const none = await withConfig({});
  expect(coreChoiceOf({}, none, () => {})).toEqual({ kind: "file", file: "auth-core.db" });
  const config = await withConfig({ DATA: URL, DATABASE_POOL_SIZE: "4" });
  expect(coreChoiceOf({}, config, () => {})).toMatchObject({
    ...{ kind: "database", database: { host: "127.0.0.1", database: "auth", poolSize: 4 } },
  });
  expect(coreChoiceOf({ data: "own.db" }, config, () => {})).toEqual({
    ...{ kind: "file", file: "own.db" },
  });
  const file = await withConfig({ DATA: "other.db" });
  expect(coreChoiceOf({ data: URL }, file, () => {})).toMatchObject({ kind: "database" });
});
