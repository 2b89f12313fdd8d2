import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import type { ProgressEvent } from "../../src/events/events.js";
import { importUsers } from "../../src/run/import-users.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  byRow,
  EVERY_KIND,
  EVERY_KIND_ENDS,
  EVERY_KIND_TOLD,
  type Prepared,
  prepareMigration,
  readers,
} from "./support/people.js";
import { ELSEWHERE, csvOf, outcomes, type Row, told } from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;

function prepare(rows?: readonly Row[]): Prepared {
  return prepareMigration(newPath, rows);
}

describe("an import", () => {
  it("leaves every row in exactly one outcome and says which", async () => {
    const { migration, file } = prepare();
    const { summary, events } = await migration.run([file]);
    expect(summary.read).toBe(EVERY_KIND.length);
    expect(outcomes(summary)).toEqual(EVERY_KIND_ENDS);
    expect(events.map(told).sort(byRow)).toEqual(EVERY_KIND_TOLD);
    expect(summary.skips).toEqual({ disabled: 1 });
    expect(summary.algorithms).toEqual({ bcrypt: 1 });
    expect(summary.interrupted).toBe(false);
  });

  it("brings people who can sign in, with all their contacts, and nobody else", async () => {
    const { migration, file } = prepare();
    await migration.run([file]);
    const { password } = KNOWN_HASHES.bcrypt;
    const signedIn = await migration.core.signIn({ email: "ada@example.com", password });
    expect(signedIn.status).toBe("OK");
    const users = (await migration.users()).map(({ email, phoneNumber, recipe }) =>
      [recipe, email, phoneNumber].join(" ").trim(),
    );
    expect(users.sort()).toEqual([
      "emailpassword ada@example.com",
      "passwordless  +15550100003",
      "passwordless ben@example.com",
      "passwordless dora@example.com +15550100004",
    ]);
  });

  it("counts its calls, and looks nobody up where the embedded core has no users", async () => {
    const { migration, file } = prepare();
    const { summary } = await migration.run([file]);
    expect(summary.calls).toMatchObject({ code: 3, consume: 3, import: 1, lookup: 0, part: 1 });
    const elsewhere = prepare();
    const core: Core = { ...elsewhere.migration.core, target: ELSEWHERE };
    const looking = await elsewhere.migration.run([elsewhere.file], { core });
    expect(looking.summary.calls).toEqual({ ...summary.calls, lookup: 5 });
  });

  it("says nothing of whom it tells but row, id and code", async () => {
    const { migration, file } = prepare([
      { id: "ada@example.com", email: "ada@example.com", hash: "Marmalade7" },
      { id: "r-2", email: "ben@example.com", hash: HASH.slice(0, -1) },
    ]);
    const { events } = await migration.run([file]);
    expect(events.map(({ sourceId }) => sourceId)).toEqual([null, "r-2"]);
    const said = JSON.stringify(events);
    for (const secret of ["ada@", "ben@", "Marmalade7", HASH.slice(8, 30)]) {
      expect(said).not.toContain(secret);
    }
  });

  it("reads several files in order, and goes on after one that was cut off", async () => {
    const { migration, file } = prepare([{ id: "1", email: "ada@example.com", hash: HASH }]);
    const cutOff = migration.write(
      "cut-off.json",
      '{"users":[{"localId":"b-1","email":"ben@example.com","emailVerified":true},{"localId":"b-2","ema',
    );
    const last = migration.write("last.csv", csvOf([{ id: "1", email: "ada@example.com" }]));
    const { summary, events } = await migration.run([file, cutOff, last]);
    expect(summary).toMatchObject({ read: 3, truncated: [cutOff], source: "csv,firebase" });
    expect(outcomes(summary)).toEqual({ imported: 1, created: 1, rejected: 1 });
    expect(events).toMatchObject([{ code: "duplicate", row: { file: last, number: 1 } }]);
    expect(events[0]?.hint).toContain(`${file}, row 1`);
  });

  it("keeps equal ids of two databases apart by the namespace", async () => {
    const { migration, file } = prepare([{ id: "1", email: "ada@example.com", hash: HASH }]);
    await migration.run([file], { namespace: "shop" });
    const other = migration.write(
      "b.csv",
      csvOf([{ id: "1", email: "b@example.com", hash: HASH }]),
    );
    const { summary } = await migration.run([other], { namespace: "forum" });
    expect(outcomes(summary)).toEqual({ imported: 1 });
  });

  it("reports progress at most once a second", async () => {
    const { migration, file } = prepare(readers(1200));
    const timing = virtualTiming();
    const progress: ProgressEvent[] = [];
    let now = 0;
    const { summary } = await migration.run([file], {
      timing: { ...timing, now: () => (now += 500) },
      onEvent: (event) => void (event.type === "progress" && progress.push(event)),
    });
    expect(progress.length).toBeGreaterThan(1);
    for (const [index, { elapsedMs, done, read }] of progress.entries()) {
      expect(elapsedMs - (progress[index - 1]?.elapsedMs ?? 0)).toBeGreaterThanOrEqual(1000);
      expect(done).toBeLessThanOrEqual(read);
    }
    expect(summary.elapsedMs).toBeGreaterThan(progress.at(-1)?.elapsedMs ?? 0);
  });
});

describe("the vendor's scrypt hashes", () => {
  const { passwordHash, password } = KNOWN_HASHES.vendor_scrypt;
  const [, , hash, salt] = passwordHash.split("$");
  const users = [
    { localId: "a", email: "ada@example.com", passwordHash: hash, salt },
    { localId: "b", email: "ben@example.com", emailVerified: true },
  ];
  const hashConfig = { signerKey: SIGNER_KEY, saltSeparator: "Bw==", rounds: 8, memCost: 14 };

  it("are built with the account's parameters and verify", async () => {
    const { migration } = prepare();
    const file = migration.write("users.json", JSON.stringify({ users }));
    const { summary } = await migration.run([file], { hashConfig });
    expect(outcomes(summary)).toEqual({ imported: 1, created: 1 });
    expect(summary).toMatchObject({ algorithms: { vendor_scrypt: 1 }, proved: false });
    const signedIn = await migration.core.signIn({ email: "ada@example.com", password });
    expect(signedIn.status).toBe("OK");
  });

  it("stop the run without the parameters, before anything is sent", async () => {
    const { migration } = prepare();
    const file = migration.write("users.json", JSON.stringify({ users }));
    await expect(migration.run([file])).rejects.toMatchObject({
      code: "hash_config_missing",
      message: expect.stringContaining("row 1"),
    });
    expect(await migration.core.countUsers()).toBe(0);
  });
});

describe("a run that can't start", () => {
  it("is refused while another run holds the checkpoint", async () => {
    const { migration, file } = prepare(readers(5));
    const options = await migration.options([file]);
    const [first, second] = await Promise.allSettled([importUsers(options), importUsers(options)]);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(second).toMatchObject({ status: "rejected", reason: { code: "in_use" } });
  });

  it("says so where the checkpoint can't be written, and leaves nothing there", async () => {
    const { migration, file } = prepare();
    const checkpoint = join(newPath("nowhere"), "checkpoint");
    await expect(migration.run([file], { checkpoint })).rejects.toMatchObject({ code: "disk" });
    expect(existsSync(checkpoint)).toBe(false);
    expect(await migration.core.countUsers()).toBe(0);
  });

  it("gives the lock back", async () => {
    const { migration, file } = prepare(readers(2));
    const core: Core = {
      ...migration.core,
      probe: () =>
        Promise.reject(new CoreFailure("unreachable", "ECONNREFUSED", { reached: "no" })),
    };
    await expect(migration.run([file], { core })).rejects.toMatchObject({
      code: "core_unreachable",
    });
    expect(outcomes((await migration.run([file])).summary)).toEqual({ imported: 1, created: 1 });
  });
});
