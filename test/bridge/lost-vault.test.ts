import { copyFileSync, renameSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Migration, migrations } from "./support/migration.js";

const migrationOf = migrations();
const OLD = ["Tr0mbone", "k1ngfisher", "per1winkle"];
const [FIRST = "", SECOND = ""] = OLD;
const WRONG = { status: "WRONG_CREDENTIALS_ERROR" };
const BRIDGE = { onUnusableHash: "bridge" } as const;
const MISSING = { code: "vault_missing" };

describe("a run whose checkpoint has bridged users", () => {
  it.each([
    ["is lost", ({ vault }) => rmSync(vault.path)],
    ["is misnamed", ({ vault }) => Object.assign(vault, { path: `${vault.path}.other` })],
    [
      "is a new one with a new key",
      ({ vault }) => Object.assign(vault, { path: `${vault.path}.new`, key: Buffer.alloc(32, 9) }),
    ],
  ] as [string, (migration: Migration) => void][])(
    "stops before anything is sent where the vault %s",
    async (_how, lose) => {
      const migration = migrationOf(OLD);
      await migration.run();
      lose(migration);
      migration.write([...OLD, "a newcomer's"]);
      for (const run of [migration.run, migration.foretell]) {
        const error = await run(BRIDGE).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ ...MISSING, hint: expect.stringContaining("cutover") });
        expect((error as Error).message).toMatch(
          /old hashes of 3 users are in the vault that was named .*users\.vault last and to which 1 import has written/,
        );
      }
      expect(migration.exists()).toBe(false);
      expect(await migration.users()).toBe(3);
    },
  );

  it("takes no vault of another migration", async () => {
    const [one, other] = [migrationOf(OLD), migrationOf(OLD)];
    await one.run();
    await other.run();
    copyFileSync(other.vault.path, one.vault.path);
    await expect(one.run()).rejects.toMatchObject(MISSING);
    await expect(one.foretell(BRIDGE)).rejects.toMatchObject(MISSING);
  });

  it("takes no older copy, whether a hash has changed since or a user has come", async () => {
    for (const newer of [
      [FIRST, "a new one", "per1winkle"],
      [...OLD, "a newcomer's"],
    ]) {
      const migration = migrationOf(OLD);
      await migration.run();
      copyFileSync(migration.vault.path, `${migration.vault.path}.copy`);
      migration.write(newer);
      await migration.run();
      renameSync(`${migration.vault.path}.copy`, migration.vault.path);
      for (const run of [migration.run, migration.foretell]) {
        const error = await run(BRIDGE).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject(MISSING);
        expect((error as Error).message).toMatch(/is an older copy.* 2 imports have written/);
      }
    }
  });

  it("takes the right vault under another name, one that users have left, and a copy of the latest", async () => {
    const migration = migrationOf(OLD);
    await migration.run();
    const { path } = migration.vault;
    expect(await migration.foretell(BRIDGE)).toMatchObject({ read: 3 });
    copyFileSync(path, `${path}.copy`);
    expect(await migration.signIn(0, FIRST)).toEqual({ status: "OK" });
    expect(await migration.run()).toMatchObject({ unchanged: 3 });
    renameSync(`${path}.copy`, `${path}.moved`);
    migration.vault.path = `${path}.moved`;
    expect(await migration.run()).toMatchObject({ unchanged: 3 });
    expect(await migration.signIn(1, SECOND)).toEqual({ status: "OK" });
    expect(await migration.signIn(0, SECOND)).toEqual(WRONG);
  });

  it.each(["reject", "passwordless"] as const)(
    "stops before anything is sent where it takes no vault (%s), and so does its dry run",
    async (onUnusableHash) => {
      const migration = migrationOf(OLD);
      await migration.run();
      const changed = [FIRST, "a new one", "per1winkle", "a newcomer's"];
      migration.write(changed);
      for (const run of [migration.run, migration.foretell]) {
        const error = await run({ onUnusableHash }).catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({
          ...MISSING,
          message: expect.stringMatching(
            /takes no vault\. The old hashes of 3 users are in the vault that was named .*users\.vault last/,
          ),
          hint: expect.stringMatching(
            /^Nothing was sent\. .*--on-unusable-hash bridge.* a file without hashes .*reseal/,
          ),
        });
      }
      expect(await migration.users()).toBe(3);
      expect(await migration.run()).toMatchObject({ imported: 2, unchanged: 2, rejected: 0 });
      for (const [user, password] of changed.entries()) {
        expect(await migration.signIn(user, password)).toEqual({ status: "OK" });
      }
    },
  );

  it("needs no vault once nobody is left in it, or since the cut-over", async () => {
    const migration = migrationOf(OLD);
    const without = { onUnusableHash: "reject" } as const;
    await migration.run();
    migration.recordCutOver(1);
    expect(await migration.run(without)).toMatchObject({ unchanged: 3, rejected: 0 });
    migration.recordCutOver(null);
    const { path } = migration.vault;
    renameSync(path, `${path}.kept`);
    await expect(migration.run(without)).rejects.toMatchObject({
      ...MISSING,
      hint: expect.stringContaining("record that with auth-migrate cutover"),
    });
    renameSync(`${path}.kept`, path);
    for (const [user, password] of OLD.entries()) {
      const left = user === 2 ? "hash of 1 user is" : `hashes of ${3 - user} users are`;
      const message = expect.stringContaining(`The old ${left} in the vault`);
      await expect(migration.run(without)).rejects.toMatchObject({ ...MISSING, message });
      await migration.signIn(user, password);
    }
    migration.write([...OLD, "a newcomer's"]);
    expect(await migration.foretell(without)).toMatchObject({ rejected: 1 });
    expect(await migration.run(without)).toMatchObject({ unchanged: 3, rejected: 1 });
  });

  it("goes on by the same command when it was killed between vault and checkpoint", async () => {
    const migration = migrationOf(OLD);
    await migration.run();
    migration.copyCheckpoint();
    migration.write([...OLD, "a newcomer's"]);
    await migration.run();
    migration.putCheckpointBack();
    expect(await migration.run()).toMatchObject({ rejected: 0, failed: 0 });
    expect(await migration.signIn(3, "a newcomer's")).toEqual({ status: "OK" });
  });
});
