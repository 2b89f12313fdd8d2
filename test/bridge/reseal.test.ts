import { copyFileSync, renameSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { EmbeddedCore } from "../../src/core/embedded/assemble-core.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import { type Migration, migrations } from "./support/migration.js";

const migrationOf = migrations();
const OLD = ["Tr0mbone", "k1ngfisher", "per1winkle"];
const OK = { status: "OK" };
const WRONG = { status: "WRONG_CREDENTIALS_ERROR" };
const RESEAL = { onUnusableHash: "reseal" } as const;
const LOST = (rows: readonly number[]): string[] => rows.map((row) => `${row} reject not_resealed`);

async function lostOf(passwords = OLD): Promise<Migration> {
  const migration = migrationOf(passwords);
  await migration.run();
  rmSync(migration.vault.path);
  return migration;
}

/** As a core behind a URL, which has no call that compares and writes. */
const remotely = (core: EmbeddedCore): EmbeddedCore => ({
  ...core,
  target: { kind: "remote", url: "http://core.example" },
  replacePassword: () =>
    Promise.reject(new CoreFailure("not_offered", "it isn't offered", { reached: "no" })),
});

describe("users whose vault or key is lost", () => {
  it("sign in with their old passwords once the export is sealed again", async () => {
    const migration = await lostOf();
    Object.assign(migration.vault, {
      path: `${migration.vault.path}.new`,
      key: Buffer.alloc(32, 9),
    });
    expect(await migration.run(RESEAL)).toMatchObject({
      unchanged: 3,
      rejected: 0,
      notices: { resealed: 3 },
    });
    expect(await migration.signIn(0, "k1ngfisher")).toEqual(WRONG);
    for (const [user, password] of OLD.entries()) {
      expect(await migration.signIn(user, password)).toEqual(OK);
    }
    expect(await migration.run()).toMatchObject({ unchanged: 3, rejected: 0 });
    expect(await migration.users()).toBe(3);
  });

  it("keep the password that they have set, and the bridge's", async () => {
    const migration = migrationOf(OLD);
    await migration.run();
    expect(await migration.signIn(1, "k1ngfisher")).toEqual(OK);
    rmSync(migration.vault.path);
    await migration.reset(0, "since then");
    expect(await migration.run(RESEAL)).toMatchObject({ rejected: 0, notices: { resealed: 1 } });
    expect(await migration.signIn(0, "since then")).toEqual(OK);
    expect(await migration.signIn(0, "Tr0mbone")).toEqual(WRONG);
    expect(await migration.signIn(1, "k1ngfisher")).toEqual(OK);
    expect(await migration.signIn(2, "per1winkle")).toEqual(OK);
  });

  it("are told by row in every run until they are sealed, whatever run was stopped", async () => {
    const migration = await lostOf();
    migration.write([undefined, "k1ngfisher", undefined]);
    expect(await migration.run(RESEAL)).toMatchObject({ unchanged: 1 });
    migration.write(OLD);
    expect(await migration.run()).toMatchObject({ unchanged: 1, rejected: 2 });
    expect(migration.told).toEqual(LOST([1, 3]));
    await expect(migration.run({ onUnusableHash: "reject" })).rejects.toMatchObject({
      code: "vault_missing",
      message: expect.stringContaining("The old hash of 1 user is in the vault"),
    });
    migration.recordCutOver(1);
    expect(await migration.run({ onUnusableHash: "reject" })).toMatchObject({
      notices: { bridge_lost: 2 },
    });
    migration.recordCutOver(null);
    const stopped = (core: EmbeddedCore): EmbeddedCore => ({
      ...core,
      replacePassword: () => Promise.reject(new Error("the machine went down")),
    });
    await expect(migration.run({ ...RESEAL, wrap: stopped })).rejects.toThrow();
    expect(await migration.run()).toMatchObject({ unchanged: 1, rejected: 2 });
    expect(await migration.run(RESEAL)).toMatchObject({ unchanged: 3, rejected: 0 });
    expect(await migration.signIn(2, "per1winkle")).toEqual(OK);
  });

  it("are sealed again by an older copy, which is then the latest", async () => {
    const migration = migrationOf(OLD);
    await migration.run();
    const { path } = migration.vault;
    copyFileSync(path, `${path}.copy`);
    const newer = ["Tr0mbone", "a new one", "per1winkle", "a newcomer's"];
    migration.write(newer);
    await migration.run();
    renameSync(path, `${path}.lost`);
    renameSync(`${path}.copy`, path);
    expect(await migration.run(RESEAL)).toMatchObject({ rejected: 0, notices: { resealed: 4 } });
    for (const [user, password] of newer.entries()) {
      expect(await migration.signIn(user, password)).toEqual(OK);
    }
    migration.vault.path = `${path}.lost`;
    await expect(migration.run()).rejects.toMatchObject({ code: "vault_missing" });
  });

  it("are sealed by the hash that a newer export brings, and newcomers with them", async () => {
    const migration = await lostOf();
    const newer = ["a new one", "k1ngfisher", "per1winkle", "a newcomer's"];
    migration.write(newer);
    expect(await migration.run(RESEAL)).toMatchObject({ imported: 2, unchanged: 2, rejected: 0 });
    for (const [user, password] of newer.entries()) {
      expect(await migration.signIn(user, password)).toEqual(OK);
    }
    expect(await migration.run()).toMatchObject({ unchanged: 4, rejected: 0 });
  });

  it("aren't taken for sealed where the run that brought them was killed before it knew of it", async () => {
    const migration = migrationOf(OLD);
    const killed = (core: EmbeddedCore): EmbeddedCore => ({
      ...core,
      async importAccount(request) {
        await core.importAccount(request);
        throw new Error("the machine went down");
      },
    });
    await migration.run({ wrap: killed }).catch(() => {});
    const there = await migration.users();
    rmSync(migration.vault.path);
    expect(there).toBeGreaterThan(0);
    expect(await migration.run(RESEAL)).toMatchObject({ rejected: there });
    await migration.run(RESEAL);
    expect(await migration.run()).toMatchObject({ rejected: 0, failed: 0 });
    for (const [user, password] of OLD.entries()) {
      expect(await migration.signIn(user, password)).toEqual(OK);
    }
  });

  it("are sealed at a remote core only where it is vouched that nobody has signed in, before the cut-over", async () => {
    const migration = await lostOf();
    const at = { ...RESEAL, wrap: remotely };
    const vouched = { ...at, assumeNeverSignedIn: true };
    expect(await migration.run(at)).toMatchObject({ rejected: 3 });
    // Each is told once the core was asked for them.
    expect([...migration.told].sort()).toEqual(LOST([1, 2, 3]));
    migration.recordCutOver(1);
    expect(await migration.run(vouched)).toMatchObject({ rejected: 3 });
    migration.recordCutOver(null);
    expect(await migration.run(vouched)).toMatchObject({ rejected: 0, notices: { resealed: 3 } });
    expect(await migration.signIn(2, "per1winkle")).toEqual(OK);
  });
});
