import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { indexKeys } from "../../src/checkpoint/key-index.js";
import { readStatus } from "../../src/checkpoint/status.js";
import { CHECKPOINT_APPLICATION_ID, CHECKPOINT_MIGRATIONS } from "../../src/checkpoint/schema.js";
import { STATE } from "../../src/plan/states.js";
import { type Database, openDatabase, type SqlValue } from "../../src/sqlite/database.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { prepareMigration } from "./support/people.js";
import { csvOf, outcomes, type Row, told } from "./support/run.js";
import { bcryptOf } from "./support/test-users.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;
const NEW_PASSWORD = "a newer password";
const NEW_HASH = bcryptOf(NEW_PASSWORD);

const ADA: Row = { id: "1", email: "ada@example.com", hash: HASH };
const BEN: Row = { id: "2", email: "ben@example.com", phone: "+15550100002" };
const CLEO: Row = { id: "3", email: "cleo@example.com", hash: HASH };
const DORA: Row = { id: "4", email: "dora@example.com", hash: HASH };
const EMIL: Row = { id: "5", email: "emil@example.com", hash: HASH };
const EVERYBODY = [ADA, BEN, CLEO, DORA, EMIL];

/** The second version's columns, in their order, of the tables that it had. */
const TABLES = {
  meta: "name, value",
  files: "id, path",
  users:
    "id, identity, keyed, plan, state, saw_nobody, file, number, source_id, core_id, code, mapped",
  contacts: "key, user",
};

function open(path: string, versions?: number): Database {
  const applicationId = CHECKPOINT_APPLICATION_ID;
  const migrations = CHECKPOINT_MIGRATIONS.slice(0, versions);
  return openDatabase(path, { applicationId, migrations });
}

/** Writes a checkpoint anew as the second version had it, with what stands in this one. */
function setBackToSecondVersion(path: string, change: string): void {
  const newest = open(path);
  // That version's tables led to everybody.
  indexKeys(newest, Number(newest.prepare("SELECT max(id) FROM users").all()[0]?.[0]));
  const kept = Object.entries(TABLES).map(([table, columns]) => ({
    ...{ table, columns },
    rows: newest.prepare<SqlValue[]>(`SELECT ${columns} FROM ${table}`).all(),
  }));
  newest.close();
  rmSync(path);
  const older = open(path, 2);
  for (const { table, columns, rows } of kept) {
    const places = columns.replace(/\w+/g, "?");
    const insert = older.prepare(`INSERT INTO ${table} (${columns}) VALUES (${places})`);
    for (const row of rows) insert.run(...row);
  }
  older.exec(change);
  older.close();
}

/** Ada and Ben finished; Cleo's call was made and Dora's wasn't, and nobody knows; Emil failed. */
async function prepare(policy: { readonly keepIds: boolean }) {
  const { migration, file } = prepareMigration(newPath, [ADA, BEN, CLEO]);
  await migration.run([file], { policy });
  const others = migration.write("others.csv", csvOf([DORA, EMIL]));
  const importUser = async (): Promise<never> => Promise.reject(new Error("killed"));
  const core = { ...migration.core, importUser };
  await expect(migration.run([others], { policy, core })).rejects.toThrow("killed");
  setBackToSecondVersion(
    migration.checkpoint,
    `UPDATE users SET state = ${STATE.intent}, saw_nobody = 1, core_id = NULL, mapped = 0
     WHERE source_id IN ('3', '4');
     UPDATE users SET state = ${STATE.failed}, saw_nobody = 0, code = 'core_busy'
     WHERE source_id = '5'`,
  );
  const next = (rows: readonly Row[]) =>
    migration.run([migration.write("newer.csv", csvOf(rows))], { policy });
  return { migration, next };
}

describe("a checkpoint of the version before updates", () => {
  it.each([{ keepIds: false }, { keepIds: true }])(
    "is gone on with: finished users stay, open ones are found out, failed ones tried (%o)",
    async (policy) => {
      const { migration, next } = await prepare(policy);
      const run = await next(EVERYBODY);
      // Ben's code has verified his email, which the export doesn't say.
      expect(outcomes(run.summary)).toEqual({ unchanged: 1, imported: 3, created: 1 });
      expect(run.summary.calls).toMatchObject({ import: 2, code: 0, part: 1 });
      expect(run.summary.mapped).toBe(policy.keepIds ? 3 : 0);
      expect(await migration.core.countUsers()).toBe(5);
      expect(outcomes((await next(EVERYBODY)).summary)).toEqual({ unchanged: 5 });
    },
  );

  it("takes a newer export, and no hash of the older one after it", async () => {
    const { migration, next } = await prepare({ keepIds: false });
    const newer = [ADA, CLEO, DORA, EMIL].map((row) => ({ ...row, hash: NEW_HASH }));
    const run = await next([...newer, { ...BEN, phone: "+15550100022" }]);
    expect(outcomes(run.summary)).toEqual({ imported: 4, created: 1 });
    expect(run.summary.notices).toMatchObject({ hash_updated: 1, contacts_updated: 1 });
    const stale = await next([ADA, CLEO, DORA, EMIL]);
    const older = [1, 2, 3, 4].map((number) => `${number} skip older_export`);
    expect(stale.events.map(told)).toEqual(older);
    for (const { email = "" } of newer) {
      const signedIn = await migration.core.signIn({ email, password: NEW_PASSWORD });
      expect(signedIn.status).toBe("OK");
    }
    expect(await migration.core.countUsers()).toBe(5);
  });

  it("says who is gone from a newer export, those who may be at the core among them", async () => {
    const { next } = await prepare({ keepIds: false });
    const { findings } = await next([ADA]);
    expect(findings.filter(({ code }) => code.startsWith("gone"))).toMatchObject([{ count: 3 }]);
  });
});

describe("a checkpoint of a shard, of the version in which each read the whole export", () => {
  it("is gone on with by the import of its part, or of the whole", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, BEN]);
    await migration.run([file]);
    const older = open(migration.checkpoint);
    const sum = "0".repeat(32);
    older.exec(`INSERT INTO meta VALUES ('shard', '2/3'), ('reading', '5 ${sum} 2 ${sum}')`);
    older.close();
    expect(readStatus(migration.checkpoint).shard).toBeNull();
    const part = { index: 2, count: 3, exportRows: 5, split: "f".repeat(64) };
    for (const given of [{ part }, {}]) {
      expect(outcomes((await migration.run([file], given)).summary)).toEqual({ unchanged: 2 });
      expect(readStatus(migration.checkpoint).shard).toEqual({ index: 2, count: 3 });
    }
  });
});
