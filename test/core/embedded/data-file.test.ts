import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { newCodeSecrets } from "../../../src/core/embedded/code-secrets.js";
import { DATA_FILE_ID, MIGRATIONS } from "../../../src/core/embedded/sqlite/schema.js";
import { type Database, openDatabase } from "../../../src/sqlite/database.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const path = temporaryPaths();
const { password, passwordHash } = KNOWN_HASHES.bcrypt;
const NOON = Date.UTC(2026, 0, 15, 12);
const ANA = "019bbf35-8400-7000-8abc-0123456789ab";
const BEN = "019bbf35-8400-7001-9abc-0123456789ab";

/** What version 1 of the data file was, word for word: its migration must never be edited. */
const VERSION_1 = `
  CREATE TABLE core (core_id TEXT NOT NULL);
  INSERT INTO core VALUES (lower(hex(randomblob(16))));
  CREATE TABLE user (
    id INTEGER PRIMARY KEY,
    user_id TEXT NOT NULL UNIQUE,
    recipe INTEGER NOT NULL,
    email TEXT,
    phone_number TEXT,
    password_hash TEXT,
    time_joined INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX user_email ON user (email, recipe) WHERE email IS NOT NULL;
  CREATE UNIQUE INDEX user_phone_number ON user (phone_number) WHERE phone_number IS NOT NULL;
  CREATE TABLE device (
    id INTEGER PRIMARY KEY,
    pre_auth_session_id TEXT NOT NULL UNIQUE,
    email TEXT,
    phone_number TEXT,
    salt BLOB NOT NULL,
    link_digest TEXT NOT NULL,
    failed_attempts INTEGER NOT NULL,
    time_created INTEGER NOT NULL
  );
  CREATE INDEX device_email ON device (email) WHERE email IS NOT NULL;
  CREATE INDEX device_phone_number ON device (phone_number) WHERE phone_number IS NOT NULL;
  CREATE INDEX device_time_created ON device (time_created);
`;

/** A file as version 1 left it: Ana with a password, Ben without one, and a code on its way to Cleo. */
function versionOneFile(file: string) {
  const database = openDatabase(file, { applicationId: DATA_FILE_ID, migrations: [VERSION_1] });
  const insert = database.prepare(
    `INSERT INTO user (user_id, recipe, email, phone_number, password_hash, time_joined)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  insert.run(ANA, 1, "ana@example.com", null, passwordHash, NOON - 2);
  insert.run(BEN, 2, "ben@example.com", "+4915112345678", null, NOON - 1);
  const code = newCodeSecrets();
  database
    .prepare(
      `INSERT INTO device (pre_auth_session_id, email, salt, link_digest, failed_attempts,
         time_created) VALUES (?, ?, ?, ?, 1, ?)`,
    )
    .run(code.preAuthSessionId, "cleo@example.com", code.salt, code.linkDigest, NOON);
  const coreId = database.prepare<[string]>("SELECT core_id FROM core").get()?.[0];
  database.close();
  return { coreId, code };
}

function reopen(file: string, migrations = MIGRATIONS): Database {
  return openDatabase(file, { applicationId: DATA_FILE_ID, migrations });
}

/** The tables and indexes, whatever their text's line breaks. */
function schemaOf(file: string): unknown {
  const database = reopen(file);
  const rows = database.prepare("SELECT name, sql FROM sqlite_master ORDER BY name").all();
  database.close();
  return rows.map(([name, sql]) => [name, String(sql).replace(/\s+/g, " ")]);
}

describe("a data file of version 1", () => {
  it("keeps its id, its users, and the code that is on its way", async () => {
    const file = path("core.db");
    const { coreId, code } = versionOneFile(file);
    const core = openEmbeddedCore({ file, mustExist: true, now: () => NOON + 1 });
    expect(core.coreId).toBe(coreId);
    const { users } = await core.listUsers({});
    expect(users).toEqual([
      { userId: ANA, email: "ana@example.com", timeJoined: NOON - 2, recipe: "emailpassword" },
      {
        userId: BEN,
        email: "ben@example.com",
        phoneNumber: "+4915112345678",
        timeJoined: NOON - 1,
        recipe: "passwordless",
      },
    ]);
    const signIn = await core.signIn({ email: "ana@example.com", password });
    expect(signIn).toMatchObject({ status: "OK", user: { userId: ANA } });
    const wrong = { ...code, linkCode: undefined, userInputCode: "wrong" };
    const { preAuthSessionId, deviceId, userInputCode } = wrong;
    expect(await core.consumeCode({ preAuthSessionId, deviceId, userInputCode })).toMatchObject({
      failedCodeInputAttemptCount: 2,
    });
    const { linkCode } = code;
    expect(await core.consumeCode({ preAuthSessionId, linkCode })).toMatchObject({
      createdNewUser: true,
      user: { email: "cleo@example.com" },
    });
    expect(await core.mapUserId({ userId: ANA, externalUserId: "ana-1" })).toEqual({
      status: "OK",
    });
    await core.close();
  });

  it("gets the very tables of a new one", async () => {
    const [older, newer] = [path("older.db"), path("newer.db")];
    versionOneFile(older);
    await openEmbeddedCore({ file: older }).close();
    await openEmbeddedCore({ file: newer }).close();
    expect(schemaOf(older)).toEqual(schemaOf(newer));
  });
});

describe.each(MIGRATIONS.slice(1).map((_, index) => index + 2))(
  "a data file of version %d",
  (version) => {
    it("keeps its users, who get parts, and gets the very tables of a new one", async () => {
      const [file, newer] = [path("between.db"), path("newer.db")];
      const migrations = MIGRATIONS.slice(0, version);
      const database = openDatabase(file, { applicationId: DATA_FILE_ID, migrations });
      database
        .prepare(
          `INSERT INTO user (user_id, recipe, email, password_hash, time_joined)
         VALUES (?, 1, 'ana@example.com', ?, ?)`,
        )
        .run(ANA, passwordHash, NOON);
      database.close();
      const core = openEmbeddedCore({ file, mustExist: true });
      const signIn = await core.signIn({ email: "ana@example.com", password });
      expect(signIn).toMatchObject({ status: "OK", user: { userId: ANA, timeJoined: NOON } });
      await core.part("updateMetadata", { userId: ANA, metadataUpdate: { plan: "pro" } });
      expect(await core.part("countQueued", {})).toEqual({ status: "OK", count: 0 });
      await core.close();
      await openEmbeddedCore({ file: newer }).close();
      expect(schemaOf(file)).toEqual(schemaOf(newer));
    });
  },
);

describe("the data file", () => {
  it("itself lets no two users have one external id, one email or one phone", async () => {
    const file = path("core.db");
    await openEmbeddedCore({ file }).close();
    const database = reopen(file);
    const insert = database.prepare(
      `INSERT INTO user (user_id, recipe, email, phone_number, external_user_id, time_joined)
       VALUES (?, 2, ?, ?, ?, 0)`,
    );
    insert.run(ANA, "ana@example.com", "+4915112345678", "ana-1");
    for (const [email, phone, externalId] of [
      ["ana@example.com", null, null],
      [null, "+4915112345678", null],
      [null, null, "ana-1"],
    ] as const) {
      expect(() => insert.run(BEN, email, phone, externalId)).toThrow(
        expect.objectContaining({ kind: "constraint" }),
      );
    }
    database.close();
  });
});

describe("a data file of a newer version", () => {
  it("is refused and left as it was", async () => {
    const file = path("core.db");
    await openEmbeddedCore({ file }).close();
    const newer = [...MIGRATIONS, "CREATE TABLE session (handle TEXT)"];
    reopen(file, newer).close();
    expect(() => openEmbeddedCore({ file })).toThrow(
      expect.objectContaining({
        code: "data_file_invalid",
        hint: expect.stringContaining("newer version"),
      }),
    );
    const again = reopen(file, newer);
    expect(again.prepare("PRAGMA user_version").get()).toEqual([newer.length]);
    expect(again.prepare("SELECT count(*) FROM session").get()).toEqual([0]);
    again.close();
  });
});

describe("a data file that is damaged", () => {
  it.each([
    ["at the opening", 0],
    ["at a call", 2],
  ])("says so, be it found %s", async (_when, page) => {
    const file = path("damaged.db");
    const core = openEmbeddedCore({ file });
    await core.importUser({ email: "ana@example.com", passwordHash });
    await core.close();
    const bytes = readFileSync(file);
    // Of the first page its header stays, by which it is known for SQLite's.
    bytes.fill(0xff, page === 0 ? 100 : page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
    writeFileSync(file, bytes);
    const use = async () => {
      const again = openEmbeddedCore({ file });
      await again.listUsers({ limit: 10 }).finally(() => again.close().catch(() => {}));
    };
    await expect(use()).rejects.toMatchObject(
      page === 0 ? { code: "data_file_invalid" } : { kind: "damaged" },
    );
  });

  const PAGE_BYTES = 4096;
});
