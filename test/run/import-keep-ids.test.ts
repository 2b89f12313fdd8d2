import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import type { CodeRequest } from "../../src/core/core.js";
import { connectCore } from "../../src/core/http/client.js";
import { startCoreServer } from "../../src/core/http/server.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Prepared, prepareMigration, readers } from "./support/people.js";
import {
  BEHIND_URL,
  csvOf,
  type Migration,
  newMigration,
  outcomes,
  type Row,
} from "./support/run.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;
const KEEP = { policy: { keepIds: true } } as const;

const ADA: Row = { id: "u-ada", email: "ada@example.com", hash: HASH };
const BEN: Row = { id: "u-ben", email: "ben@example.com", phone: "+15550100002" };

function prepare(rows: readonly Row[] = [ADA, BEN]): Prepared {
  return prepareMigration(newPath, rows);
}

/** By which id everybody is shown, by their first contact. */
async function idsOf({ users }: Migration): Promise<Record<string, string>> {
  const all = await users();
  return Object.fromEntries(
    all.map(({ email, phoneNumber, userId }) => [email ?? phoneNumber, userId]),
  );
}

describe("an import that keeps ids", () => {
  it("says in a dry run whose id would be kept, and calls nobody", async () => {
    const { migration, file } = prepare([ADA, BEN, { email: "cleo@example.com", hash: HASH }]);
    const dry = await validateUsers(await migration.options([file], KEEP));
    expect(dry).toMatchObject({ mapped: 2, rejects: { id_missing: 1 }, calls: { map: 0 } });
    const plain = await validateUsers(await migration.options([file]));
    expect(plain).toMatchObject({ mapped: 0, rejects: {} });
  });

  it("says in a dry run against the core whose id somebody has there, to users of earlier runs as well", async () => {
    for (const as of [undefined, (core: Migration["core"]) => core]) {
      const migration = newMigration(newPath, as);
      const rows = readers(12);
      const file = migration.write("readers.csv", csvOf(rows));
      const half = migration.write("half.csv", csvOf(rows.slice(0, 6)));
      await migration.run([half]);
      for (const id of ["r-2", "r-9"]) await takeId(migration, id);
      const { inputs, binding, checkpoint } = await migration.options([file]);
      const dry = await validateUsers({
        ...{ inputs, ...KEEP },
        asks: {
          ...{ core: migration.core, binding: binding ?? BEHIND_URL, checkpoint },
          ...{ concurrency: 8, targetMoved: false, checkExisting: 1000 },
        },
      });
      const { summary } = await migration.run([file], KEEP);
      const ending = { mapped: 10, notices: { id_not_kept: 2 } };
      expect(summary).toMatchObject({ unchanged: 6, ...ending });
      expect(dry).toMatchObject({ ...ending, prediction: { unasked: 0 } });
    }
  });

  it("keeps an id that is an address, and tells and stores it nowhere", async () => {
    const rows = [{ ...ADA, id: "ada.lovelace@example.org" }];
    const { migration, file } = prepare(rows);
    const { summary, events } = await migration.run([file], KEEP);
    expect(summary.mapped).toBe(1);
    expect(await idsOf(migration)).toEqual({ "ada@example.com": "ada.lovelace@example.org" });
    // A run of its own meets her as a stranger, who is shown by that address.
    const other = await migration.run([file], { checkpoint: `${migration.checkpoint}-other` });
    expect(outcomes(other.summary)).toEqual({ existed: 1 });
    for (const path of [migration.checkpoint, `${migration.checkpoint}-other`]) {
      expect(readFileSync(path).includes("lovelace")).toBe(false);
    }
    expect(JSON.stringify([summary, events, other])).not.toContain("lovelace");
  });

  it("ends the same over the wire", async () => {
    const { migration, file } = prepare(readers(30));
    const apiKeys = ["keep-ids-test-key"];
    const server = await startCoreServer(migration.core, { host: "127.0.0.1", port: 0, apiKeys });
    const core = connectCore({ url: server.url, apiKey: "keep-ids-test-key", connections: 64 });
    onTestFinished(async () => {
      await core.close();
      await server.close();
    });
    const remote = { core, binding: { kind: "remote", url: server.url }, ...KEEP } as const;
    const { summary } = await migration.run([file], remote);
    expect(summary).toMatchObject({ imported: 15, created: 15, mapped: 30, calls: { map: 30 } });
    expect(Object.values(await idsOf(migration)).sort()).toEqual(
      readers(30)
        .map(({ id }) => id)
        .sort(),
    );
    const again = await migration.run([file], remote);
    expect(again.summary).toMatchObject({ unchanged: 30, calls: { map: 0, lookup: 0 } });
  });
});

describe("an id that can't be kept", () => {
  it("is one that the core has for a user of its own", async () => {
    const { migration } = prepare();
    const { userId } = await passwordlessUser(migration, { email: "zoe@example.com" });
    const file = migration.write("users.csv", csvOf([{ ...ADA, id: userId }]));
    const { summary } = await migration.run([file], KEEP);
    expect(summary).toMatchObject({ imported: 1, mapped: 0, notices: { id_not_kept: 1 } });
  });

  it("stops no run, however many users of earlier ones have metadata under their own id", async () => {
    const { migration } = prepare();
    const rows = Array.from({ length: 150 }, (_, at) => `u-${at},reader.${at}@example.com,Ada`);
    const text = ["id,email,name", ...rows, ""].join("\n");
    const file = migration.write("users.csv", text);
    await migration.run([file]);
    const newer = migration.write("newer.csv", `${text}u-new,new@example.com,Ben\n`);
    const { summary } = await migration.run([newer], KEEP);
    expect(outcomes(summary)).toEqual({ created: 1, unchanged: 150 });
    expect(summary).toMatchObject({ mapped: 1, notices: { id_not_kept: 150 } });
  });
});

/** Somebody else's by an earlier migration. */
async function takeId({ core }: Migration, externalUserId: string): Promise<void> {
  const email = `stranger.${externalUserId}@example.net`;
  const { user } = await core.importUser({ email, passwordHash: HASH });
  await core.mapUserId({ userId: user.userId, externalUserId });
}

async function passwordlessUser(
  { core }: Migration,
  contact: CodeRequest,
): Promise<{ userId: string }> {
  const consumed = await core.consumeCode(await core.createCode(contact));
  if (consumed.status !== "OK") throw new Error(consumed.status);
  return consumed.user;
}
