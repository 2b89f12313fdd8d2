/** The database goes away under load and comes back: whoever was answered is there, and imports end as if nothing had been. */

import { join } from "node:path";
import { expect, it } from "vitest";
import { CoreFailure } from "../../../src/core/core-failure.js";
import { connectCore } from "../../../src/core/http/client.js";
import { workFolders } from "../../cli/support.js";
import { bcryptOf } from "../../run/support/test-users.js";
import { type RunningCli, startCli, startServe } from "../../support/cli.js";
import { runClean } from "../../support/oracle.js";
import { writeExport } from "../support/exports.js";
import { postgresServer, type TestDatabase } from "../support/postgres.js";
import { until } from "../support/until.js";

const PEOPLE = 4000;
const RESTARTS = 3;
const workFolder = workFolders();
const server = postgresServer();

/** Restarts the server hard, up to so many times, each time when more users are there than the last time. */
async function restartUnder(database: TestDatabase, run: RunningCli): Promise<void> {
  let isOver = false;
  void run.ended.then(() => {
    isOver = true;
  });
  let seen = 0;
  let restarts = 0;
  const more = async (): Promise<number | null> => {
    const users = await database.count();
    return isOver || users > seen ? users : null;
  };
  while (restarts < RESTARTS) {
    // A look is a login, which costs more than the users that it counts.
    seen = await until("more users are there", more, { everyMs: 20 });
    if (isOver) break;
    restarts += 1;
    await server.cluster.restart("immediate");
  }
  expect(restarts).toBeGreaterThan(0);
}

it("an import into the embedded core goes on by itself, and brings everybody", async () => {
  const database = await server.database();
  const cwd = workFolder();
  const file = join(cwd, "people.csv");
  writeExport(file, PEOPLE);
  const run = startCli(["import", file, "--data", database.url, "--concurrency", "64", "--json"], {
    cwd,
    env: database.env,
  });
  await restartUnder(database, run);
  const { code, stderr, stdout } = await run.ended;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    ...{ read: PEOPLE, failed: 0, pending: 0, existed: 0 },
    core: { kind: "embedded", database: database.url.replace(/[^/]*@/, "") },
  });
  const clean = await runClean([file]);
  expect(await database.users()).toEqual(clean.users);
  expect(`${stdout}${stderr}`).not.toContain(server.cluster.password);
});

it("an import through serve goes on by itself, and brings everybody", async () => {
  const database = await server.database();
  const cwd = workFolder();
  const file = join(cwd, "people.csv");
  writeExport(file, PEOPLE);
  const served = await startServe({
    cwd,
    env: database.env,
    args: ["--data", database.url],
  });
  const alone = ["--bulk", "never", "--yes", "--json"];
  const run = startCli(["import", file, "--core", served.url, ...alone], {
    cwd,
    env: { AUTH_MIGRATE_API_KEY: served.apiKey },
  });
  await restartUnder(database, run);
  const { code, stderr, stdout } = await run.ended;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    ...{ read: PEOPLE, failed: 0, pending: 0 },
  });
  const clean = await runClean([file]);
  expect(await database.users()).toEqual(clean.users);
  expect(await served.stop()).toMatchObject({ code: 0 });
});

it("serve says that it is busy while the database is away, and works when it is back", async () => {
  const database = await server.database();
  const served = await startServe({
    cwd: workFolder(),
    env: database.env,
    args: ["--data", database.url],
  });
  const core = connectCore({ url: served.url, apiKey: served.apiKey, connections: 64 });
  const passwordHash = bcryptOf("tulip");
  const acknowledged = new Set<string>();
  const failures: CoreFailure[] = [];
  let isOver = false;
  let next = 0;
  const load = async (): Promise<void> => {
    while (!isOver) {
      next += 1;
      const email = `reader.${next}@example.com`;
      try {
        await core.importUser({ email, passwordHash });
        acknowledged.add(email);
      } catch (error) {
        if (!(error instanceof CoreFailure)) throw error;
        failures.push(error);
      }
    }
  };
  const loads = Promise.all(Array.from({ length: 48 }, load));
  const until = async (reached: () => boolean): Promise<void> => {
    while (!reached())
      await core
        .dialect()
        .then(() => core.findUsers({ email: "a@b.example" }))
        .catch(() => {});
  };
  await until(() => acknowledged.size > 500);
  await server.cluster.stop("immediate");
  const unanswered = failures.length;
  await until(() => failures.length > unanswered + 200);
  const response = await fetch(`${served.url}/users/count`, {
    headers: { "api-key": served.apiKey },
  });
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  await server.cluster.start();
  const before = acknowledged.size;
  await until(() => acknowledged.size > before + 500);
  isOver = true;
  await loads;

  // Under a call nobody knows what became of it; every later one was told to come again.
  const kinds = new Set(
    failures.map(({ kind, reached, status }) => `${kind} ${reached} ${status}`),
  );
  expect(
    [...kinds].filter((kind) => !["busy yes 503", "unreachable unknown 502"].includes(kind)),
  ).toEqual([]);
  expect(kinds).toContain("busy yes 503");
  const rows = await database.query("SELECT email FROM auth_core.users");
  const found = new Set(rows.map(([email]) => email));
  expect([...acknowledged].filter((email) => !found.has(email))).toEqual([]);
  await core.close();
  expect(await served.stop()).toMatchObject({ code: 0 });
});
