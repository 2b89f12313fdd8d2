/** What keeps users from being read, at both systems of databases: each fault has a code and a next step. */

import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { DatabaseInput } from "../../../src/source/database/database.js";
import { closeInputs, openInputs } from "../../../src/source/inputs.js";
import { jsonLines, workFolders } from "../../cli/support.js";
import { runCli, startCli } from "../../support/cli.js";
import { until } from "../support/until.js";
import { KINDS, type People, servers } from "./servers.js";
import { refused, usersIn } from "./users-in.js";

const workFolder = workFolders();
const sides = servers();
type Kind = DatabaseInput["kind"];

interface Fault {
  readonly what: string;
  /** Runs before. */
  readonly sql?: string;
  readonly input: (people: People, kind: Kind) => DatabaseInput;
  readonly code: string;
  /** In the message. */
  readonly says: string;
  /** In the hint. */
  readonly next: string;
  /** What PostgreSQL makes of it, where that is another fault: it takes a query alone. */
  readonly onPostgres?: Pick<Fault, "code" | "says" | "next">;
}

const NO_QUERY = {
  code: "input_unrecognized",
  says: "syntax error",
  next: "isn't SQL of this server",
};

const asked = (input: DatabaseInput, query: string): DatabaseInput => ({
  ...input,
  table: undefined,
  query,
});
const loginWith = (
  input: DatabaseInput,
  login: Partial<DatabaseInput["login"]>,
): DatabaseInput => ({
  ...input,
  login: { ...input.login, ...login },
});

const FAULTS: readonly Fault[] = [
  {
    what: "a wrong password",
    input: ({ input }) => loginWith(input, { password: "wrong" }),
    code: "key_refused",
    says: "refuses the login",
    next: "--input-password-file",
  },
  {
    what: "no password",
    input: ({ input }) => loginWith(input, { password: null }),
    code: "key_refused",
    says: "refuses the login",
    next: "--input-password-file",
  },
  {
    what: "a database that isn't there",
    input: ({ byKeeper }) => loginWith(byKeeper, { database: "elsewhere" }),
    code: "input_unreadable",
    says: "elsewhere doesn't exist",
    next: "behind the last slash",
  },
  {
    what: "a server that isn't there",
    input: ({ input }) => loginWith(input, { port: 1 }),
    code: "input_unreadable",
    says: "can't be reached",
    next: "that the server runs",
  },
  {
    what: "a table that isn't there",
    input: ({ input }) => ({ ...input, table: "persons" }),
    code: "input_unrecognized",
    says: '"people"',
    next: "--table",
  },
  {
    what: "no table that is known",
    input: ({ input }) => ({ ...input, table: undefined }),
    code: "input_unrecognized",
    says: '"people"',
    next: "--table NAME",
  },
  {
    what: "a query that names a column that isn't there",
    input: ({ input }) => asked(input, "SELECT phone FROM people"),
    code: "input_unrecognized",
    says: "phone",
    next: "--print-query",
  },
  {
    what: "a query of a table that the reader may not read",
    sql: "CREATE TABLE secrets (id int, email varchar(255))",
    input: ({ input }) => asked(input, "SELECT * FROM secrets"),
    code: "input_unreadable",
    says: "secrets",
    next: "Grant",
  },
  {
    what: "a query that writes",
    input: ({ byKeeper }) => asked(byKeeper, "DELETE FROM people"),
    code: "usage",
    says: "is only read",
    next: "one SELECT",
  },
  {
    what: "a query that drops a table",
    input: ({ byKeeper }) => asked(byKeeper, "DROP TABLE people"),
    code: "usage",
    says: "is only read",
    next: "one SELECT",
    onPostgres: NO_QUERY,
  },
  {
    what: "a query that ends the transaction",
    input: ({ byKeeper }) => asked(byKeeper, "COMMIT"),
    code: "usage",
    says: "is only read",
    next: "one SELECT",
    onPostgres: NO_QUERY,
  },
  {
    what: "a query without a meaning",
    input: ({ input }) => asked(input, "SELEC id FROM people"),
    code: "input_unrecognized",
    says: "can't answer the query",
    next: "isn't SQL of this server",
  },
];

describe.each(KINDS)("on %s", (kind) => {
  const side = sides[kind];

  it.each(FAULTS)("$what is told with a next step", async ({ sql, input, onPostgres, ...told }) => {
    const { code, says, next } = (kind === "postgres" && onPostgres) || told;
    const people = await side.people();
    if (sql !== undefined) await people.query(sql);
    const error = await refused(input(people, kind));
    expect(error).toMatchObject({
      code,
      message: expect.stringContaining(says),
      hint: expect.stringContaining(next),
    });
    expect(await usersIn(people.input)).toMatchObject({ items: { length: 5 } });
  });

  it("a table that the reader may not read, by its name", async () => {
    const { input, query } = await side.people();
    await query("CREATE TABLE secrets (id int, email varchar(255))");
    const error = await refused({ ...input, table: "secrets" });
    expect(error).toMatchObject({ code: expect.stringMatching(/^input_un/) });
    expect(error).toMatchObject({ hint: expect.stringContaining("GRANT SELECT ON") });
  });

  it("a column that the reader may not read", async () => {
    const { input, query, grant } = await side.people();
    await query("CREATE TABLE members (id int PRIMARY KEY, email varchar(255), secret varchar(9))");
    if (kind === "postgres")
      await query(`GRANT SELECT (id, email) ON members TO ${input.login.user}`);
    else await query(`GRANT SELECT (id, email) ON members TO ${input.login.user}@'127.0.0.1'`);
    expect(await refused({ ...input, table: "members" })).toMatchObject({
      code: "input_unreadable",
      hint: expect.stringMatching(/grant/i),
    });
    await grant("members");
    expect(await usersIn({ ...input, table: "members" })).toMatchObject({ items: [] });
  });

  it("a table that is locked is waited for, and then told", async () => {
    const { input, byKeeper, hold } = await side.people();
    const release = await hold(
      kind === "postgres" ? "BEGIN; LOCK TABLE people" : "LOCK TABLES people WRITE",
    );
    expect(await refused(input)).toMatchObject({
      code: "in_use",
      hint: expect.stringContaining("run the same command again"),
    });
    await release();
    expect(await usersIn(byKeeper)).toMatchObject({ items: { length: 5 } });
  });

  it("a table that a factor may be in has to have what says so", async () => {
    const { input, query, grant } = await side.people();
    await query(`
      CREATE TABLE auth_user (id int PRIMARY KEY, password text, last_login {time} NULL, is_active {bool}, is_superuser {bool}, email text);
      CREATE TABLE mfa_authenticator (id int PRIMARY KEY, user_id int, kind text, data {json})`);
    await grant("auth_user");
    const own = { ...input, table: undefined };
    // MySQL shows nobody the names of what they may not read.
    if (kind === "postgres") {
      expect(await refused(own)).toMatchObject({
        code: "input_unreadable",
        message: expect.stringContaining("public.mfa_authenticator"),
      });
    } else {
      const { reason } = await usersIn(own);
      expect(reason).toMatch(/; not there, or not this user's to read: .*\bmfa_authenticator\b/);
    }
    await grant("mfa_authenticator");
    expect(await refused(own)).toMatchObject({
      code: "input_unrecognized",
      message: expect.stringContaining("mfa_authenticator.type"),
    });
  });

  it("a server that goes away in the middle is told, with nothing sent", async () => {
    const { input } = await side.people(200_000);
    const inputs = await openInputs([input]);
    await side.restart();
    const reading = async (): Promise<void> => {
      for await (const items of inputs[0]?.read({}) ?? []) expect(items).toBeDefined();
    };
    await expect(reading()).rejects.toMatchObject({
      code: "outage",
      hint: expect.stringContaining("run the same command again"),
    });
    await closeInputs(inputs);
  });

  it("an import whose connection is lost goes on by the same command", async () => {
    const { url, env, query, grant, input } = await side.people(3000);
    const slow = kind === "postgres" ? "pg_sleep(600)::text" : "sleep(600)";
    await query(`
      CREATE TABLE pause (is_on int);
      INSERT INTO pause VALUES (1);
      CREATE VIEW members AS SELECT p.*, CASE WHEN p.id = 9007199254742992 AND (SELECT is_on FROM pause) = 1 THEN ${slow} END AS nickname FROM people p`);
    await grant("members");
    const cwd = workFolder();
    const words = [
      "import",
      url,
      "--table",
      "members",
      "--allow-hash",
      "as-typed",
      "--data",
      "core.db",
    ];
    const run = startCli([...words, "--json"], { cwd, env });
    await until("the query waits", async () => {
      const who = input.login.user;
      const [[waits] = []] = (await query(
        kind === "postgres"
          ? `SELECT count(*) FROM pg_stat_activity WHERE usename = '${who}' AND wait_event = 'PgSleep'`
          : `SELECT count(*) FROM information_schema.processlist WHERE user = '${who}' AND state = 'User sleep'`,
      )) as unknown[][];
      return Number(waits) === 0 ? null : true;
    });
    await side.restart();
    const lost = await run.ended;
    expect(jsonLines(lost.stdout).at(-1)).toMatchObject({
      type: "error",
      code: "outage",
      hint: expect.stringContaining("run the same command again"),
    });
    await query("UPDATE pause SET is_on = 0");
    const again = await runCli([...words, "--json"], { cwd, env });
    expect(jsonLines(again.stdout).at(-1)).toMatchObject({ imported: 2999, skipped: 1 });
  });

  it("nothing but reading is asked of the server, as its own log shows", async () => {
    const { input } = await side.people();
    await usersIn(input);
    const verbs = side
      .asked()
      .map((sql) => /^\w+(?: (?:TRANSACTION|INTO))?/i.exec(sql)?.[0].toUpperCase());
    expect([...new Set(verbs)]).toEqual(
      kind === "postgres"
        ? ["SET", "SHOW", "SELECT", "COPY"]
        : ["SET", "START TRANSACTION", "SHOW", "SELECT"],
    );
  });

  it("a server that offers no TLS isn't read without it where it is asked for", async () => {
    const { input } = await side.people();
    expect(await refused(loginWith(input, { tls: {} }))).toMatchObject({
      code: "input_unreadable",
      message: expect.stringContaining("doesn't offer TLS"),
    });
  });

  it("TLS is verified: by the authority that the URL names, and for the host that it names", async () => {
    const { url, env } = await side.people();
    const certificate = await side.encrypt();
    const own =
      kind === "postgres"
        ? ["sslmode=verify-full", "sslrootcert"]
        : ["ssl-mode=VERIFY_IDENTITY", "ssl-ca"];
    const isEncrypted =
      kind === "postgres"
        ? "(SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid())"
        : "(SELECT variable_value FROM information_schema.session_status WHERE variable_name = 'Ssl_cipher') <> ''";
    const validate = async (at: string) => {
      const cwd = workFolder();
      writeFileSync(`${cwd}/users.sql`, `SELECT id, email FROM people WHERE ${isEncrypted}`);
      const { stdout } = await runCli(["validate", at, "--query", "users.sql", "--json"], {
        cwd,
        env,
      });
      return jsonLines(stdout).at(-1);
    };
    expect(await validate(`${url}?${own[0]}`)).toMatchObject({
      code: "input_unreadable",
      message: expect.stringMatching(/self.signed certificate/),
      hint: expect.stringContaining("sslrootcert"),
    });
    const trusted = `?${own[0]}&${own[1]}=${certificate}`;
    const other = url.replace("127.0.0.1", "localhost");
    expect(await validate(`${other}${trusted}`)).toMatchObject({
      code: "input_unreadable",
      message: expect.stringContaining("localhost"),
    });
    expect(await validate(`${url}${trusted}`)).toMatchObject({ read: 5 });
    expect(await validate(`${url}?sslrootcert=${certificate}`)).toMatchObject({ read: 5 });
  });
});
