import { describe, expect, it } from "vitest";
import { readStatus } from "../../src/checkpoint/status.js";
import type { Core } from "../../src/core/core.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import { recordCutover } from "../../src/run/cutover.js";
import { type UndoEvent, type GivenUndo, undoUsers } from "../../src/undo/undo-users.js";
import { Vault } from "../../src/vault/vault.js";
import { readVault } from "../../src/vault/vault-care.js";
import { ANN, BEN, CLEO, DORA, importAccounts } from "../run/support/accounts.js";
import { beginMigration, readers } from "../run/support/people.js";
import {
  BEHIND_URL,
  csvOf,
  ELSEWHERE,
  type Migration,
  newMigration,
  outcomes,
} from "../run/support/run.js";
import { queuedCore } from "../run/bulk/queued-core.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();
const VOUCHED = { assumeNeverSignedIn: true } as const;

async function undo(migration: Migration, changes: Partial<GivenUndo> = {}) {
  const events: UndoEvent[] = [];
  const { core, checkpoint } = migration;
  const binding = { kind: "embedded", coreId: core.coreId } as const;
  const given = { core, binding, checkpoint, ...changes } as const;
  const undone = await undoUsers({ ...given, onEvent: (event) => void events.push(event) });
  const told = events.flatMap((event) =>
    "code" in event ? `${event.row.number} ${event.code}` : [],
  );
  const queue = events.flatMap((event) =>
    event.type === "queue" ? `${event.queued} ${event.written}` : [],
  );
  return { undone, told, queue };
}

/** A core at which the nth removal fails. */
function failing(core: Core, nth: number): Core {
  let calls = 0;
  return {
    ...core,
    async removeUser(userId) {
      calls += 1;
      if (calls === nth) throw new CoreFailure("refused", "not now", { reached: "yes" });
      return core.removeUser(userId);
    },
  };
}

describe("an undo", () => {
  it("removes whom the migration made with all that is theirs, and the same import brings them anew", async () => {
    const migration = newMigration(newPath);
    const options = { policy: { keepIds: true, roles: "create" } } as const;
    await importAccounts(migration, [ANN, BEN, CLEO, DORA], options);
    const { undone } = await undo(migration, VOUCHED);
    expect(undone).toMatchObject({ users: 4, removed: 4, left: 0, failed: 0 });
    expect(await migration.users()).toEqual([]);
    const { core } = migration;
    for (const userId of [ANN.id, DORA.id]) {
      expect(await core.findMapping(userId)).toBeNull();
      expect(await core.part("getMetadata", { userId })).toMatchObject({ metadata: {} });
      expect(await core.part("rolesOfUser", { userId })).toMatchObject({ roles: [] });
      expect(await core.part("listTotpDevices", { userId })).toMatchObject({ devices: [] });
    }
    // A role that the import created stays.
    expect(await core.part("listRoles", {})).toMatchObject({ roles: ["admin", "editor"] });
    expect(readStatus(migration.checkpoint)).toMatchObject({ users: 4, pending: 4, imported: 0 });

    const again = await importAccounts(migration, [ANN, BEN, CLEO, DORA], options);
    expect(outcomes(again.summary)).toEqual({ imported: 1, created: 3 });
    const [ann] = await core.findUsers({ email: "ann@example.com" });
    expect(await core.part("listTotpDevices", { userId: ann?.userId ?? "" })).toMatchObject({
      devices: [{ verified: true }],
    });
  });

  it("leaves who was there before, also where their password was replaced", async () => {
    const migration = newMigration(newPath);
    const { core } = migration;
    const [first, second] = readers(2);
    await core.consumeCode(await core.createCode({ email: first?.email ?? "" }));
    await core.importUser({ email: second?.email ?? "", passwordHash: second?.hash ?? "" });
    const file = migration.write("users.csv", csvOf(readers(6)));
    const update = {
      policy: { onExisting: "update" },
      core: { ...core, target: ELSEWHERE },
    } as const;
    await migration.run([file], update);
    const { undone, told } = await undo(migration, VOUCHED);
    expect(undone).toMatchObject({ users: 4, existed: 1, removed: 4, left: 1 });
    expect(told).toEqual(["2 existing_password_replaced"]);
    expect((await migration.users()).map(({ email }) => email)).toEqual([
      first?.email,
      second?.email,
    ]);
    // As an undo of another checkpoint does, which brought them.
    const [other] = await core.findUsers({ email: second?.email ?? "" });
    await core.removeUser(other?.userId ?? "");
    const { undone: later } = await undo(migration, VOUCHED);
    expect(later).toMatchObject({ users: 0, existed: 1, removed: 0, gone: 1, left: 0 });
  });

  it("leaves who has signed in, and without a word of the operator's those of whom the core doesn't say", async () => {
    const { migration } = await beginMigration(newPath, readers(6));
    const { core } = migration;
    await core.consumeCode(await core.createCode({ email: "reader.1@example.com" }));
    const first = await undo(migration);
    expect(first.undone).toMatchObject({ removed: 2, left: 4 });
    expect(first.undone.skips).toEqual({ signed_in_since: 1, sign_in_unknown: 3 });
    const second = await undo(migration, VOUCHED);
    expect(second.undone).toMatchObject({ removed: 3, skips: { signed_in_since: 1 } });
    expect(await core.countUsers()).toBe(1);
  });

  it("leaves who has another contact at the core, or more ways in", async () => {
    const { migration } = await beginMigration(newPath, readers(3));
    const { core } = migration;
    const [first] = await core.findUsers({ email: "reader.1@example.com" });
    await core.updateUser({ userId: first?.userId ?? "", email: "moved@example.com" });
    const linked: Core = {
      ...core,
      async getUser(userId) {
        const user = await core.getUser(userId);
        return user?.email === "reader.2@example.com" ? { ...user, isLinked: true } : user;
      },
    };
    const { undone } = await undo(migration, { ...VOUCHED, core: linked });
    expect(undone).toMatchObject({ removed: 1, skips: { changed_since: 2 } });
  });

  it("removes who has the contact that a stopped run was giving them", async () => {
    const { migration, next } = await beginMigration(newPath, readers(3));
    const { core } = migration;
    const moved = readers(3).map((row) => ({ ...row, email: `moved.${row.id}@example.com` }));
    const losing: Core = {
      ...core,
      async updateUser(request) {
        await core.updateUser(request);
        throw new CoreFailure("refused", "the answer was lost", { reached: "unknown" });
      },
    };
    await next(moved, { core: losing });
    expect(await core.findUsers({ email: "moved.r-1@example.com" })).toHaveLength(1);
    expect((await undo(migration, VOUCHED)).undone).toMatchObject({ removed: 3, left: 0 });
    expect(await core.countUsers()).toBe(0);
  });

  it("removes nothing in a dry run, and says whom it would remove", async () => {
    const { migration } = await beginMigration(newPath, readers(6));
    const { undone } = await undo(migration, { ...VOUCHED, dryRun: true });
    expect(undone).toMatchObject({ dryRun: true, removed: 6 });
    expect(await migration.core.countUsers()).toBe(6);
    expect(readStatus(migration.checkpoint)).toMatchObject({ imported: 3, created: 3 });
  });

  it("is refused since a cut-over, also where that was revoked", async () => {
    const { migration } = await beginMigration(newPath, readers(2));
    recordCutover(migration.checkpoint);
    recordCutover(migration.checkpoint, { revoke: true });
    await expect(undo(migration, VOUCHED)).rejects.toMatchObject({ code: "usage" });
    expect(await migration.core.countUsers()).toBe(2);
  });

  it("fails for a user whose removal was refused, and no import goes on until it is finished", async () => {
    const { migration, again } = await beginMigration(newPath, readers(4));
    const broken = await undo(migration, { ...VOUCHED, core: failing(migration.core, 2) });
    expect(broken.undone).toMatchObject({ removed: 3, failed: 1 });
    expect(broken.told).toEqual(["2 core_refused"]);
    await expect(again()).rejects.toMatchObject({ code: "undo_unfinished" });
    expect((await undo(migration, VOUCHED)).undone).toMatchObject({ removed: 1, failed: 0 });
    expect(outcomes((await again()).summary)).toEqual({ imported: 2, created: 2 });
  });

  it("is for the checkpoint's core alone", async () => {
    const { migration } = await beginMigration(newPath, readers(2));
    const other = newMigration(newPath);
    const { checkpoint } = migration;
    await expect(undo(other, { checkpoint })).rejects.toMatchObject({
      code: "checkpoint_other_core",
    });
  });

  it("takes accounts off the core's queue, so that none of them comes later", async () => {
    const migration = newMigration(newPath);
    const file = migration.write("users.csv", csvOf(readers(30)));
    const stop = new AbortController();
    // The queue is told to do nothing, and the run is stopped while it waits.
    const round = async (): Promise<void> => stop.abort();
    const queue = queuedCore(migration, { round });
    const stopped = await migration.run([file], { ...queue.options, signal: stop.signal });
    expect(stopped.summary).toMatchObject({ queued: 30 });
    const { core } = queuedCore(migration);
    const behind = { ...VOUCHED, core, binding: BEHIND_URL };
    const { undone, queue: waited } = await undo(migration, behind);
    expect(waited).toEqual(["30 0", "0 0"]);
    expect(undone).toMatchObject({ queued: 30, removed: 0, gone: 30, failed: 0 });
    expect(await migration.core.part("countQueued", {})).toMatchObject({ count: 0 });
    expect(readStatus(migration.checkpoint)).toMatchObject({ queued: 0, pending: 30 });
  });

  it("that stops in the middle keeps bridged users in the vault, and one that leaves them ends it", async () => {
    const migration = newMigration(newPath);
    const { core, checkpoint } = migration;
    const vault = { path: newPath("old.vault"), key: Buffer.alloc(32, 7) };
    const rows = readers(3).map((row) => ({ ...row, hash: "5f4dcc3b5aa765d61d8327deb882cf99" }));
    const file = migration.write("users.csv", csvOf(rows));
    const bridge = { policy: { onUnusableHash: "bridge" }, vault } as const;
    await migration.run([file], bridge);
    // Sign-ins aren't told, as at most cores.
    const silent: Core = {
      ...failing(core, 1),
      async getUser(userId) {
        const user = await core.getUser(userId);
        if (user === null) return null;
        const { hasSignedIn: _, ...shown } = user;
        return shown;
      },
    };
    const broken = await undo(migration, { ...VOUCHED, vault, core: silent });
    expect(broken.undone).toMatchObject({ removed: 2, failed: 1 });
    expect(readVault(vault.path).users).toBe(1);
    expect(() => recordCutover(checkpoint)).toThrow(/has begun and isn't finished/);
    const second = await undo(migration, { vault, core: silent });
    expect(second.undone).toMatchObject({ removed: 0, skips: { sign_in_unknown: 1 } });
    expect(readVault(vault.path).users).toBe(1);
    expect(outcomes((await migration.run([file], bridge)).summary)).toEqual({
      ...{ imported: 2, unchanged: 1 },
    });
    recordCutover(checkpoint);
  });

  it("tells of users who were to get another way in when a run was stopped", async () => {
    const rows = readers(1).map((row) => ({ ...row, hash: "" }));
    const { migration, next } = await beginMigration(newPath, rows);
    const { core } = migration;
    const hash = readers(2)[1]?.hash ?? "";
    const policy = { changeKind: true, ...VOUCHED } as const;
    const withHash = rows.map((row) => ({ ...row, hash }));
    // The first call asks whether the core removes users at all.
    await next(withHash, { policy, core: { ...failing(core, 2), target: ELSEWHERE } });
    expect(await core.countUsers()).toBe(2);
    const open = await undo(migration, VOUCHED);
    expect(open.undone).toMatchObject({ removed: 0, skips: { outcome_unknown: 1 } });
    await next(withHash, { policy, core: { ...core, target: ELSEWHERE } });
    expect(await core.countUsers()).toBe(1);
    expect((await undo(migration, VOUCHED)).undone).toMatchObject({ left: 1 });
  });

  it("leaves bridged users who have signed in by the bridge, which has erased their hashes", async () => {
    const migration = newMigration(newPath);
    const vault = { path: newPath("old.vault"), key: Buffer.alloc(32, 7) };
    const hash = "5f4dcc3b5aa765d61d8327deb882cf99";
    const file = migration.write("users.csv", csvOf(readers(3).map((row) => ({ ...row, hash }))));
    await migration.run([file], { policy: { onUnusableHash: "bridge" }, vault });
    const opened = Vault.open(vault.path, { key: vault.key, binding: null, mustExist: true });
    await opened.erase("reader.2@example.com");
    opened.close();
    const expected = { removed: 2, skips: { signed_in_since: 1 } };
    const dry = await undo(migration, { ...VOUCHED, vault, dryRun: true });
    expect(dry.undone).toMatchObject(expected);
    expect((await undo(migration, { ...VOUCHED, vault })).undone).toMatchObject(expected);
    expect(await migration.users()).toMatchObject([{ email: "reader.2@example.com" }]);
  });

  it("erases what the vault has of who is removed, and asks for the vault where it isn't named", async () => {
    const migration = newMigration(newPath);
    const path = newPath("old.vault");
    const vault = { path, key: Buffer.alloc(32, 7) };
    const hash = "5f4dcc3b5aa765d61d8327deb882cf99";
    const rows = readers(3).map((row) => ({ ...row, hash }));
    const file = migration.write("users.csv", csvOf(rows));
    await migration.run([file], { policy: { onUnusableHash: "bridge" }, vault });
    expect(readVault(path).users).toBe(3);
    const { undone } = await undo(migration, { ...VOUCHED, dryRun: true });
    expect(undone).toMatchObject({ removed: 3 });
    await expect(undo(migration, VOUCHED)).rejects.toMatchObject({ code: "usage" });
    expect((await undo(migration, { ...VOUCHED, vault })).undone).toMatchObject({ removed: 3 });
    expect(readVault(path).users).toBe(0);
    Vault.open(path, { key: vault.key, binding: null, mustExist: true }).close();
  });
});
