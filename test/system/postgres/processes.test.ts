/** Several processes on one database, and their deaths: nobody who was answered is lost, nobody is doubled. */

import { randomInt } from "node:crypto";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Core } from "../../../src/core/core.js";
import { CoreFailure } from "../../../src/core/core-failure.js";
import { connectCore } from "../../../src/core/http/client.js";
import { workFolders } from "../../cli/support.js";
import { bcryptOf } from "../../run/support/test-users.js";
import { runProcess, type ServedProcess, startCli, startServe } from "../../support/cli.js";
import { runClean } from "../../support/oracle.js";
import { writeExport } from "../support/exports.js";
import { startOnePort } from "../support/one-port.js";
import { postgresServer, type TestDatabase } from "../support/postgres.js";
import { until } from "../support/until.js";

const KILLS = Number(process.env.AUTH_MIGRATE_KILLS ?? 4);
const AT_ONCE = 32;
const HASH = bcryptOf("tulip");
const workFolder = workFolders();
const server = postgresServer();

function serve({ url, env }: TestDatabase, apiKey?: string): Promise<ServedProcess> {
  const key = apiKey === undefined ? {} : { apiKey };
  return startServe({ cwd: workFolder(), env, args: ["--data", url], ...key });
}

function coreAt({ url, apiKey }: Pick<ServedProcess, "url" | "apiKey">): Core {
  return connectCore({ url, apiKey, connections: 2 * AT_ONCE });
}

/** Everything that a process said was done, by email. */
interface Acknowledged {
  readonly imported: Map<string, string>;
  readonly consumed: Map<string, { readonly preAuthSessionId: string; readonly linkCode: string }>;
}

/** Asks for as much as it can get until the process is gone. */
async function loadUntilGone(
  core: Core,
  { imported, consumed }: Acknowledged,
  onImport = () => {},
) {
  const untilGone = async (work: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        await work();
      } catch (error) {
        if (error instanceof CoreFailure && error.kind === "unreachable") return;
        throw error;
      }
    }
  };
  const importOne = async (): Promise<void> => {
    const email = `reader.${randomInt(2 ** 40)}@example.com`;
    const { user } = await core.importUser({ email, passwordHash: HASH });
    imported.set(email, user.userId);
    onImport();
  };
  const consumeOne = async (): Promise<void> => {
    const email = `guest.${randomInt(2 ** 40)}@example.com`;
    const { preAuthSessionId, linkCode } = await core.createCode({ email });
    const outcome = await core.consumeCode({ preAuthSessionId, linkCode });
    expect(outcome.status).toBe("OK");
    consumed.set(email, { preAuthSessionId, linkCode });
  };
  await Promise.all([
    ...Array.from({ length: AT_ONCE }, () => untilGone(importOne)),
    ...Array.from({ length: 4 }, () => untilGone(consumeOne)),
  ]);
}

it("lose nobody whom they answered when they are killed in turn under load", async () => {
  const database = await server.database();
  const acknowledged: Acknowledged = { imported: new Map(), consumed: new Map() };
  for (let kills = 0; kills < KILLS; kills += 1) {
    const both = await Promise.all([serve(database), serve(database)]);
    const cores = both.map(coreAt);
    let left = randomInt(50, 1200);
    const killAtRandom = (): void => {
      left -= 1;
      // The other one a little later, since it works on meanwhile.
      if (left === 0) void both[0].kill();
      if (left === -300) void both[1].kill();
    };
    await Promise.all(cores.map((core) => loadUntilGone(core, acknowledged, killAtRandom)));
    await Promise.all(cores.map((core) => core.close()));
  }
  const { imported, consumed } = acknowledged;
  expect(imported.size).toBeGreaterThan(KILLS * 50);
  expect(consumed.size).toBeGreaterThan(0);
  const rows = await database.query("SELECT recipe, email, user_id::text FROM auth_core.users");
  const found = new Map(rows.map(([recipe, email, id]) => [`${recipe} ${email}`, id]));
  expect(found.size).toBe(rows.length);
  expect([...imported].filter(([email, id]) => found.get(`1 ${email}`) !== id)).toHaveLength(0);
  expect([...consumed.keys()].filter((email) => !found.has(`2 ${email}`))).toHaveLength(0);

  const served = await serve(database);
  const core = coreAt(served);
  for (const code of [...consumed.values()].slice(-20)) {
    expect(await core.consumeCode(code)).toEqual({ status: "RESTART_FLOW_ERROR" });
  }
  await core.close();
  expect(await served.stop()).toMatchObject({ code: 0 });
});

it("make one user of each contact that two imports bring at once", async () => {
  const database = await server.database();
  const cwd = workFolder();
  const file = join(cwd, "people.csv");
  writeExport(file, 3000);
  const importing = (checkpoint: string) =>
    runProcess(
      [
        ...["import", file, "--data", database.url, "--checkpoint", checkpoint],
        ...["--on-existing", "update", "--json"],
      ],
      { cwd, env: database.env },
    );
  const both = await Promise.all([importing("one.checkpoint"), importing("other.checkpoint")]);
  for (const { code, stderr } of both) expect(code, stderr).toBe(0);
  const clean = await runClean([file]);
  expect(await database.users()).toEqual(clean.users);
});

it("consume a code once, whichever of them is asked", async () => {
  const database = await server.database();
  const both = await Promise.all([serve(database), serve(database)]);
  const [one, other] = both.map(coreAt);
  if (one === undefined || other === undefined) throw new Error("there are two");
  const emails = Array.from({ length: 100 }, (_, index) => `guest.${index}@example.com`);
  // Two codes of one contact, each presented to both processes.
  const codes = await Promise.all([...emails, ...emails].map((email) => one.createCode({ email })));
  const consumed = await Promise.all(
    codes.flatMap(({ preAuthSessionId, linkCode, deviceId, userInputCode }) => [
      one.consumeCode({ preAuthSessionId, linkCode }),
      other.consumeCode({ preAuthSessionId, deviceId, userInputCode }),
      other.consumeCode({ preAuthSessionId, linkCode }),
      one.consumeCode({ preAuthSessionId, deviceId, userInputCode }),
    ]),
  );
  const statuses = consumed.map(({ status }) => status);
  expect(statuses.filter((status) => status === "OK")).toHaveLength(100);
  expect(statuses.filter((status) => status === "RESTART_FLOW_ERROR")).toHaveLength(700);
  expect(await database.query("SELECT count(*)::int FROM auth_core.users")).toEqual([[100]]);
  expect(await database.query("SELECT count(*)::int FROM auth_core.devices")).toEqual([[0]]);

  // Wrong digits count for the device, not for the process.
  const { preAuthSessionId, deviceId } = await one.createCode({ email: "lost@example.com" });
  const wrong = { preAuthSessionId, deviceId, userInputCode: "none" };
  const tries = await Promise.all(
    Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? one : other).consumeCode(wrong)),
  );
  const counted = tries.filter(({ status }) => status === "INCORRECT_USER_INPUT_CODE_ERROR");
  expect(counted).toHaveLength(4);
  await Promise.all([one.close(), other.close()]);
  await Promise.all(both.map((served) => served.stop()));
});

it("give a contact and an external id to one of all who want them at once", async () => {
  const database = await server.database();
  const both = await Promise.all([serve(database), serve(database)]);
  const [one, other] = both.map(coreAt);
  if (one === undefined || other === undefined) throw new Error("there are two");
  const cores = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? one : other));
  const ids = await Promise.all(
    cores.map(async (core, index) => {
      const { preAuthSessionId, linkCode } = await core.createCode({
        email: `guest.${index}@example.com`,
      });
      const outcome = await core.consumeCode({ preAuthSessionId, linkCode });
      return outcome.status === "OK" ? outcome.user.userId : "";
    }),
  );
  const countOf = (outcomes: readonly { readonly status: string }[], wanted: string): number =>
    outcomes.filter(({ status }) => status === wanted).length;
  const phones = await Promise.all(
    cores.map((core, index) =>
      core.updateUser({ userId: ids[index] ?? "", phoneNumber: "+15550109001" }),
    ),
  );
  expect(countOf(phones, "OK")).toBe(1);
  expect(countOf(phones, "PHONE_NUMBER_ALREADY_EXISTS_ERROR")).toBe(39);
  const emails = await Promise.all(
    cores.map((core, index) =>
      core.updateUser({ userId: ids[index] ?? "", email: "all@example.com" }),
    ),
  );
  expect(countOf(emails, "OK")).toBe(1);
  expect(countOf(emails, "EMAIL_ALREADY_EXISTS_ERROR")).toBe(39);
  const mapped = await Promise.all(
    cores.map((core, index) =>
      core.mapUserId({ userId: ids[index] ?? "", externalUserId: "legacy|1" }),
    ),
  );
  expect(countOf(mapped, "OK")).toBe(1);
  expect(countOf(mapped, "USER_ID_MAPPING_ALREADY_EXISTS_ERROR")).toBe(39);
  await Promise.all([one.close(), other.close()]);
  await Promise.all(both.map((served) => served.stop()));
});

it("make the tables once when they start at once on an empty database", async () => {
  const database = await server.database();
  const all = await Promise.all(Array.from({ length: 4 }, () => serve(database)));
  expect(await database.query("SELECT count(*)::int FROM auth_core.core")).toEqual([[1]]);
  for (const served of all) expect(await served.stop()).toMatchObject({ code: 0 });
});

it("finish an import through one port although one of them is killed meanwhile", async () => {
  const database = await server.database();
  const cwd = workFolder();
  const file = join(cwd, "people.csv");
  writeExport(file, 6000);
  const apiKey = "one-key-for-both-0001";
  const both = await Promise.all([serve(database, apiKey), serve(database, apiKey)]);
  const port = await startOnePort(() => both.map(({ url }) => url));
  const alone = ["--bulk", "never", "--yes", "--json"];
  const run = startCli(["import", file, "--core", port.url, ...alone], {
    cwd,
    env: { AUTH_MIGRATE_API_KEY: apiKey },
  });
  const isUnderWay = async () => ((await database.count()) < 1000 ? null : true);
  await until("a thousand users are there", isUnderWay, { everyMs: 20 });
  await both[0].kill();
  const { code, stderr, stdout } = await run.ended;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    ...{ read: 6000, failed: 0, pending: 0 },
  });
  const clean = await runClean([file]);
  expect(await database.users()).toEqual(clean.users);
  await both[1].stop();
});
