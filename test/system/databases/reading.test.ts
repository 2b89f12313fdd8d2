/** Users read straight from PostgreSQL: what holds for a file holds here, nothing is written, and each fault has a code and a next step. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashSync } from "bcryptjs";
import { Client } from "pg";
import { expect, it } from "vitest";
import type { DatabaseInput } from "../../../src/source/database/database.js";
import { closeInputs, openInputs } from "../../../src/source/inputs.js";
import { jsonLines, workFolders } from "../../cli/support.js";
import { runCli } from "../../support/cli.js";
import { postgresServer, type TestDatabase } from "../support/postgres.js";
import { refused, toldOf, usersIn } from "./users-in.js";

const workFolder = workFolders();
const server = postgresServer();
const HASH = "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy";
/** What a row has beside its id and its email. */
const COLUMNS = { password_hash: HASH, nickname: "", joined: null };
const READER = "only-reads-7";

/** A database with people, and a role that may read their table and no more, by one connection. */
async function people(rows = 5): Promise<TestDatabase & { readonly input: DatabaseInput }> {
  const database = await server.database();
  const { database: name, host, port = 0 } = database.settings;
  const user = `reader_of_${name}`;
  await database.query(`
    CREATE TABLE people (id bigint PRIMARY KEY, email text, password_hash text, disabled boolean, nickname text, joined date);
    INSERT INTO people SELECT 9007199254740992 + n, 'p' || n || '@example.com', '${HASH}', n = 2, '', NULL
      FROM generate_series(1, ${rows}) n;
    CREATE ROLE ${user} LOGIN PASSWORD '${READER}' CONNECTION LIMIT 1;
    GRANT SELECT ON people TO ${user}`);
  const login = { host, port, database: name, user, password: READER, tls: null };
  return {
    ...database,
    url: `postgres://${user}@${host}:${port}/${name}`,
    env: { PGPASSWORD: READER },
    input: { kind: "postgres", login, table: "people" },
  };
}

it("values are as a file has them: large ids, times, bytes, JSON, lists, in the order of the key", async () => {
  const { query, input } = await people();
  await query(`
    CREATE TABLE members (id bigint, email text, created_at timestamp, confirmed_at timestamptz,
      roles text[], profile jsonb, photo bytea, PRIMARY KEY (id)) PARTITION BY RANGE (id);
    CREATE TABLE members_1 PARTITION OF members FOR VALUES FROM (0) TO (100);
    CREATE TABLE members_2 PARTITION OF members FOR VALUES FROM (100) TO (9223372036854775807);
    INSERT INTO members VALUES
      (9007199254740993, 'bo@example.com', '2020-01-01 23:30', NULL, '{}', NULL, NULL),
      (7, 'ann@example.com', '2020-01-01 23:30', '2020-01-01 23:30+02', '{editor,"back office"}', '{"a": "x\\\\ny"}', '\\x00ff');
    CREATE VIEW seen AS SELECT * FROM members;
    GRANT SELECT ON members, seen TO ${input.login.user}`);
  for (const table of ["members", "public.members", "seen"]) {
    const map = new Map([["roles", "roles"]]);
    const { path, source, items } = await usersIn({ ...input, table }, { map });
    expect(path).toBe(`${input.login.database}.${table.replace("public.", "")}`);
    expect(source).toBe("csv");
    expect(toldOf(items)).toEqual([
      "7 ann@example.com+ - - role:editor role:back office 2020-01-01 (joined_not_migrated) (profile_not_migrated) (roles_not_migrated)",
      "9007199254740993 bo@example.com! - - 2020-01-01 (joined_not_migrated)",
    ]);
  }
});

it("a query of one's own is read as it stands, and can't write", async () => {
  const { input } = await people();
  const query = "SELECT id, email FROM people WHERE NOT disabled ORDER BY id DESC; \n";
  const { path, items } = await usersIn({ ...input, table: undefined, query });
  expect(path).toBe(`${input.login.database}.query`);
  expect(toldOf(items).map((told) => told.split(" ")[1])).toEqual(
    [5, 4, 3, 1].map((n) => `p${n}@example.com`),
  );
  const written = "WITH gone AS (DELETE FROM people RETURNING *) SELECT * FROM gone";
  const writes = await refused({ ...input, table: undefined, query: written });
  expect(writes).toMatchObject({ code: expect.stringMatching(/^(?:usage|input_un\w+)$/) });
  expect(await usersIn(input)).toMatchObject({ items: { length: 5 } });
});

it("what changes meanwhile isn't seen, and one connection is enough", async () => {
  const { input, query } = await people(5000);
  const inputs = await openInputs([input]);
  await query("DELETE FROM people WHERE id > 9007199254740995; UPDATE people SET email = 'x'");
  let rows = 0;
  for await (const items of inputs[0]?.read({}) ?? []) rows += items.length;
  await closeInputs(inputs);
  expect(rows).toBe(5000);
});

it("an import resumes, takes a newer state by the same command, and writes rejects that are imported again", async () => {
  const { url, env, query } = await people();
  const cwd = workFolder();
  await query("UPDATE people SET email = 'nobody' WHERE id = 9007199254740997");
  const args = ["import", url, "--table", "people", "--allow-hash", "as-typed", "--yes"];
  const words = [...args, "--data", "core.db", "--rejects-out", "rejects.ndjson", "--json"];
  const first = jsonLines((await runCli(words, { cwd, env })).stdout);
  const row = { file: expect.stringMatching(/^auth_\d+\.people$/), number: 5 };
  expect(first).toContainEqual(
    expect.objectContaining({ type: "reject", row, sourceId: "9007199254740997" }),
  );
  expect(first.at(-1)).toMatchObject({ imported: 3, skipped: 1, rejected: 1 });
  const rejects = join(cwd, "rejects.ndjson");
  const text = readFileSync(rejects, "utf8");
  const { auth_migrate: _reason, ...rest } = JSON.parse(text);
  expect(rest).toEqual({ ...COLUMNS, id: "9007199254740997", email: "nobody", disabled: "f" });
  writeFileSync(rejects, text.replace("nobody", "eve@example.com"));
  const mended = [
    "import",
    "rejects.ndjson",
    "--allow-hash",
    "as-typed",
    "--data",
    "core.db",
    "--json",
  ];
  expect(jsonLines((await runCli(mended, { cwd, env })).stdout).at(-1)).toMatchObject({
    imported: 1,
  });
  await query(`
    UPDATE people SET email = 'eve@example.com' WHERE id = 9007199254740997;
    INSERT INTO people VALUES (1, 'new@example.com', '${HASH}', false)`);
  const again = words.filter((word) => !/rejects/.test(word));
  expect(jsonLines((await runCli(again, { cwd, env })).stdout).at(-1)).toMatchObject({
    ...{ imported: 1, unchanged: 4, skipped: 1, exitCode: 0 },
  });
});

it("is split into parts that bring the same users by the command that is printed, and proves a user", async () => {
  const { url, env, query } = await people(40);
  const cwd = workFolder();
  const hash = hashSync("p3-sesame-7", 4);
  await query(`UPDATE people SET password_hash = '${hash}' WHERE email = 'p3@example.com'`);
  const table = [url, "--table", "people"];
  const split = ["split", ...table, "--shards", "2", "--out-dir", "parts"];
  const { stdout } = await runCli(split, { cwd, env });
  const printed = stdout.trim().split("\n").at(-1) ?? "";
  expect(printed.trim()).toBe("auth-migrate import parts/part-1");
  const [first, second] = ["part-1", "part-2"].map((part) => ["import", `parts/${part}`]);
  const imports = [first ?? [], second ?? []].map((words, at) =>
    runCli([...words, "--data", `${at}.db`, "--checkpoint", `${at}`, "--json"], { cwd }),
  );
  const ends = (await Promise.all(imports)).map(({ stdout: lines }) => jsonLines(lines).at(-1));
  const [one, other] = ends.map((end) => Number(end?.imported));
  expect([Number(one) + Number(other), ends.map((end) => end?.exitCode)]).toEqual([39, [0, 0]]);
  writeFileSync(join(cwd, "passwords.csv"), "email,password\np3@example.com,p3-sesame-7\n");
  const proof = await runCli(["prove", ...table, "--passwords", "passwords.csv"], { cwd, env });
  expect([proof.code, proof.stdout]).toEqual([0, expect.stringContaining("proved")]);
});

it("rows that are hidden in silence aren't left out", async () => {
  const { input, query } = await people();
  await query("ALTER TABLE people ENABLE ROW LEVEL SECURITY");
  expect(await refused(input)).toMatchObject({
    code: "input_unreadable",
    hint: expect.stringContaining("BYPASSRLS"),
  });
});

it("a database that knows no encoding is read as a file is", async () => {
  const { settings, query } = await people();
  await query("CREATE DATABASE latin TEMPLATE template0 ENCODING 'SQL_ASCII'");
  const { user, password, host, port = 0 } = { ...settings, password: server.cluster.password };
  const login = { host, port, database: "latin", user, password, tls: null };
  const client = new Client(login as object);
  await client.connect();
  await client.query("SET client_encoding = 'SQL_ASCII'");
  await client.query(`CREATE TABLE people AS SELECT 1 id, E'j\\xF6rg@example.com' email, 'J' name`);
  await client.end();
  const input = { kind: "postgres", login, table: "people" } as const;
  const read = await usersIn(input, { encoding: "windows-1252" });
  expect(toldOf(read.items)[0]).toContain("jörg@example.com");
});
