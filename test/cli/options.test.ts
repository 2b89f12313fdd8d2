import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.js";
import {
  expectFailure,
  HASH_CONFIG,
  IMPORT_DEMO,
  type JsonLine,
  PROBLEMS,
  summaryOf,
  USERS,
  workFolders,
  writeInto,
} from "./support.js";

const workFolder = workFolders();
const VALIDATE = ["validate", USERS, "--hash-config", HASH_CONFIG, "--json"];

async function summary(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<JsonLine> {
  return summaryOf((await runCli([...args, "--json"], { cwd, env })).stdout);
}

describe.concurrent("users who are at the core already", () => {
  it("end the run with 65 under --on-existing fail, naming the row and the other choices", async () => {
    const cwd = workFolder();
    const first = await summary([...IMPORT_DEMO, "--on-existing", "fail"], cwd);
    expect(first).toMatchObject({ imported: 180, created: 60, exitCode: 0 });
    const again = [...IMPORT_DEMO, "--checkpoint", "2nd.checkpoint", "--on-existing", "fail"];
    await expectFailure(
      again,
      { cwd },
      {
        code: "user_exists",
        says: /users\.csv, row \d+ \(line \d+\), is at the core already/,
        next: /--on-existing skip.*update/,
      },
    );
  });
});

describe.concurrent("--expect-users", () => {
  it("ends with 65 when the export holds more or fewer, and says both numbers", async () => {
    const { code, stdout } = await runCli([...IMPORT_DEMO, "--expect-users", "250"], {
      cwd: workFolder(),
    });
    expect(code).toBe(65);
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /250 rows were expected, but the files hold 245 rows: .*--expect-users/,
    );
  });
});

// Ten of the thirteen rows are rejected: 76.9 %.
it.concurrent.each([
  ["10", 0],
  ["76.9%", 65],
])(
  "--accept-rejects %s decides whether ten rejects are a success: %i",
  async (allowed, exitCode) => {
    const args = ["validate", PROBLEMS, "--accept-rejects", allowed];
    expect((await runCli(args, { cwd: workFolder() })).code).toBe(exitCode);
  },
);

describe.concurrent("an option's value", () => {
  it("comes from the flag, then the environment, then the configuration file, then the default", async () => {
    const cwd = workFolder();
    expect(await summary(VALIDATE, cwd)).toMatchObject({ exitCode: 0 });
    writeInto(cwd, "auth-migrate.config.json", '{"expectUsers": 1}');
    expect(await summary(VALIDATE, cwd)).toMatchObject({ exitCode: 65 });
    const env = { AUTH_MIGRATE_EXPECT_USERS: "245" };
    expect(await summary(VALIDATE, cwd, env)).toMatchObject({ exitCode: 0 });
    const flag = [...VALIDATE, "--expect-users", "2"];
    expect(await summary(flag, cwd, env)).toMatchObject({ exitCode: 65 });
  });

  it("may come from a configuration file of another name, for several commands at once", async () => {
    const cwd = workFolder();
    const options = { hashConfig: HASH_CONFIG, acceptRejects: "90%", data: "users.db", port: 0 };
    writeInto(cwd, "move.json", JSON.stringify(options));
    expect(await summary(["import", USERS, PROBLEMS, "--config", "move.json"], cwd)).toMatchObject({
      core: { file: "users.db" },
      exitCode: 0,
    });
  });

  it("of --json may come from environment or file, and then errors are JSON, too", async () => {
    const cwd = workFolder();
    const env = { AUTH_MIGRATE_JSON: "true" };
    const byVariable = await runCli(["import", "users-of-may.csv"], { cwd, env });
    writeInto(cwd, "auth-migrate.config.json", '{"json": true}');
    const byFile = await runCli(["import", "users-of-may.csv"], { cwd });
    for (const { stdout } of [byVariable, byFile]) {
      expect(JSON.parse(stdout)).toMatchObject({ type: "error", code: "input_unreadable" });
    }
  });
});
