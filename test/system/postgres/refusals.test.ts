/** Databases that can't be used: each has its code, its exit code and a way out, and no message holds a password. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openConnections } from "../../../src/core/embedded/postgres/connections.js";
import { openPostgresCore } from "../../../src/core/embedded/postgres/postgres-core.js";
import { workFolders } from "../../cli/support.js";
import { runProcess, startServe } from "../../support/cli.js";
import { selfSigned } from "../support/certificate.js";
import { writeExport } from "../support/exports.js";
import { databaseOf, postgresServer, type TestDatabase } from "../support/postgres.js";

const workFolder = workFolders();
const server = postgresServer({ max_connections: 12 });
const SECRET = "moss-canary-51";

interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly exitCode: number;
}

/** Imports a few people; answers the error that the command ends with. */
async function refused({ url, env }: Pick<TestDatabase, "url" | "env">): Promise<Refusal> {
  const cwd = workFolder();
  const file = join(cwd, "people.csv");
  writeExport(file, 20);
  const { code, stdout, stderr } = await runProcess(["import", file, "--data", url, "--json"], {
    cwd,
    env,
  });
  const error: Refusal & { type: string } = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "{}");
  expect(error.type, stdout).toBe("error");
  expect(code).toBe(error.exitCode);
  const { password } = server.cluster;
  for (const secret of [password, SECRET]) expect(`${stdout}${stderr}`).not.toContain(secret);
  expect(existsSync(join(cwd, "auth-core.db"))).toBe(false);
  return error;
}

it("a wrong password, and none where one is asked for", async () => {
  const { url } = await server.database();
  for (const env of [{ PGPASSWORD: SECRET }, { PGPASSFILE: "/dev/null" }]) {
    expect(await refused({ url, env: { ...env } })).toMatchObject({
      ...{ code: "key_refused", exitCode: 77 },
    });
  }
});

it("a password on the command line, which others could read", async () => {
  const database = await server.database();
  const url = database.url.replace("@", `:${SECRET}@`);
  const error = await refused({ ...database, url });
  expect(error).toMatchObject({ code: "usage", exitCode: 2 });
  expect(error.hint).toContain("PGPASSWORD");
});

it("a password in the URL is taken from the environment and from the core's configuration", async () => {
  const database = await server.database();
  const { user, password } = server.cluster;
  const url = database.url.replace(user, `${user}:${password}`);
  const served = await startServe({ cwd: workFolder(), env: { DATA: url } });
  const { code, stdout, stderr } = await served.stop();
  expect({ code, shown: `${stdout}${stderr}`.includes(password) }).toEqual({
    code: 0,
    shown: false,
  });
});

it("a database that doesn't exist, and a server that isn't there", async () => {
  const there = databaseOf(server.cluster, "nowhere");
  expect(await refused(there)).toMatchObject({ code: "data_unusable", exitCode: 66 });
  const url = there.url.replace(`:${server.cluster.port}`, ":1");
  expect(await refused({ ...there, url })).toMatchObject({
    ...{ code: "core_unreachable", exitCode: 69 },
  });
});

it("a server without TLS where TLS is wanted", async () => {
  const database = await server.database();
  const url = `${database.url}?sslmode=verify-full`;
  const error = await refused({ ...database, url });
  expect(error).toMatchObject({ code: "core_unreachable", exitCode: 69 });
  expect(error.message).toContain("TLS");
});

it("tables of another version, and a schema that isn't the core's; neither is touched", async () => {
  const newer = await server.database();
  await (await openPostgresCore({ database: newer.settings })).close();
  await newer.query("UPDATE auth_core.core SET version = 99");
  const error = await refused(newer);
  expect(error).toMatchObject({ code: "data_unusable", exitCode: 66 });
  expect(error.message).toContain("another version");
  expect(await newer.query("SELECT version FROM auth_core.core")).toEqual([[99]]);

  const foreign = await server.database();
  await foreign.query("CREATE SCHEMA auth_core");
  await foreign.query("CREATE TABLE auth_core.users (name text)");
  expect(await refused(foreign)).toMatchObject({ code: "data_unusable", exitCode: 66 });
  expect(
    await foreign.query(
      "SELECT relname FROM pg_class WHERE relnamespace = 'auth_core'::regnamespace AND relkind = 'r'",
    ),
  ).toEqual([["users"]]);
});

it("a database in another encoding", async () => {
  const database = databaseOf(server.cluster, "latin");
  const { query } = databaseOf(server.cluster, "postgres");
  await query("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
  expect(await refused(database)).toMatchObject({ code: "data_unusable", exitCode: 66 });
});

it("a database that takes no writes", async () => {
  const database = await server.database();
  await (await openPostgresCore({ database: database.settings })).close();
  const name = database.settings.database;
  await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  expect(await refused(database)).toMatchObject({ code: "disk", exitCode: 74 });
});

it("a role that may make no tables; one for whom the schema was made may", async () => {
  const database = await server.database();
  await database.query(`CREATE ROLE gardener LOGIN PASSWORD '${SECRET}'`);
  const theirs = {
    url: database.url.replace(server.cluster.user, "gardener"),
    env: { PGPASSWORD: SECRET },
  };
  expect(await refused(theirs)).toMatchObject({ code: "key_refused", exitCode: 77 });
  await database.query("CREATE SCHEMA auth_core AUTHORIZATION gardener");
  const settings = { ...database.settings, user: "gardener", password: SECRET };
  const core = await openPostgresCore({ database: settings });
  expect(await core.countUsers()).toBe(0);
  await core.close();
});

it("a checkpoint whose core isn't on the database", async () => {
  const first = await server.database();
  const other = await server.database();
  const cwd = workFolder();
  const file = join(cwd, "people.csv");
  writeExport(file, 20);
  const run = ({ url, env }: TestDatabase) =>
    runProcess(["import", file, "--data", url, "--json"], { cwd, env });
  expect(await run(first)).toMatchObject({ code: 0 });
  const empty = await run(other);
  expect(empty.code).toBe(66);
  expect(empty.stdout).toContain("data_unusable");
  await (await openPostgresCore({ database: other.settings })).close();
  const strange = await run(other);
  expect(strange.code).toBe(66);
  expect(strange.stdout).toContain("checkpoint_other_core");
  expect(await run(first)).toMatchObject({ code: 0 });
});

it("a server that has no connection left, at the start and later", async () => {
  const database = await server.database();
  const { user } = server.cluster;
  await (await openPostgresCore({ database: database.settings })).close();
  await database.query(`CREATE ROLE visitor LOGIN PASSWORD '${SECRET}'`);
  await database.query("GRANT USAGE ON SCHEMA auth_core TO visitor");
  await database.query("GRANT ALL ON ALL TABLES IN SCHEMA auth_core TO visitor");
  const settings = { ...database.settings, user: "visitor", password: SECRET };
  // A connection that was closed is taken as long as its process ends.
  const ours = "SELECT pid FROM pg_stat_activity WHERE application_name = 'auth-migrate'";
  await expect.poll(() => database.query(ours)).toEqual([]);
  // Three of the twelve are the superuser's.
  const many = await openConnections({ ...settings, poolSize: 20 });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Each keeps its connection until the import has ended, however long that takes. One by one: of
  // many at once more than enough are turned away.
  const held: Promise<void>[] = [];
  for (let taken = 0; taken < 9; taken += 1) {
    await new Promise<void>((resolve, reject) => {
      const holding = many.transact(async (ask) => {
        await ask("SET LOCAL idle_in_transaction_session_timeout = 0");
        resolve();
        await released;
      });
      holding.catch(reject);
      held.push(holding);
    });
  }
  const full = { kind: "busy", reached: "no", retryAfterMs: 1000 };
  await expect(many.transact((ask) => ask("SELECT 1"))).rejects.toMatchObject(full);
  const theirs = { url: database.url.replace(user, "visitor"), env: { PGPASSWORD: SECRET } };
  expect(await refused(theirs)).toMatchObject({ code: "outage", exitCode: 75 });
  release();
  await Promise.all(held);
  await many.close();
});

it("keep no session from answering only when it is on the disk", async () => {
  const database = await server.database();
  const name = database.settings.database;
  const own = async () => {
    const connections = await openConnections(database.settings);
    const { rows } = await connections.transact((ask) => ask("SHOW synchronous_commit"));
    await connections.close();
    return rows;
  };
  await database.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  expect(await own()).toEqual([["on"]]);
  await database.query(`ALTER DATABASE ${name} SET synchronous_commit = remote_apply`);
  expect(await own()).toEqual([["remote_apply"]]);
});

it("another certificate than the one that is trusted; with that one it is let in", async () => {
  const { folder } = server.cluster;
  const database = await server.database();
  const certificate = await selfSigned(folder);
  await database.query("ALTER SYSTEM SET ssl = on");
  await database.query("SELECT pg_reload_conf()");
  const tls = (more: string) => ({
    ...database,
    url: `${database.url}?sslmode=verify-full${more}`,
  });
  const error = await refused(tls(""));
  expect(error).toMatchObject({ code: "core_unreachable", exitCode: 69 });
  expect(error.message).toContain("SELF_SIGNED");
  const trusted = tls(`&sslrootcert=${certificate}`);
  const byName = { ...trusted, url: trusted.url.replace("127.0.0.1", "localhost") };
  expect((await refused(byName)).message).toContain("ERR_TLS_CERT_ALTNAME_INVALID");
  const served = await startServe({
    cwd: workFolder(),
    env: trusted.env,
    args: ["--data", trusted.url],
  });
  expect(
    await database.query(
      `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE application_name = 'auth-migrate'`,
    ),
  ).toEqual([[true]]);
  await served.stop();
});
