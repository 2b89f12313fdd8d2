/** The core contract of undoing: what an import has brought is taken away again, and nobody else. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { CoreFailure } from "../../../src/core/core-failure.js";
import type { Core } from "../../../src/core/core.js";
import type { GivenImport } from "../../../src/run/defaults.js";
import { importUsers } from "../../../src/run/import-users.js";
import { openInputs } from "../../../src/source/inputs.js";
import { type GivenUndo, undoUsers } from "../../../src/undo/undo-users.js";
import { BEHIND_URL, csvOf, type Row } from "../../run/support/run.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { newEmail, newExternalId, newPhone, type Scene } from "./scene.js";

const VOUCHED = { assumeNeverSignedIn: true } as const;

/** One by a password, one by each contact, and one by both. */
function people(): Row[] {
  const { passwordHash: hash } = KNOWN_HASHES.bcrypt;
  const person = (row: Row): Row => ({
    id: newExternalId("undone"),
    emailVerified: "true",
    ...row,
  });
  return [
    person({ email: newEmail("ulla"), hash }),
    person({ email: newEmail("udo") }),
    person({ phone: newPhone() }),
    person({ email: newEmail("ute"), phone: newPhone() }),
  ];
}

/** An import of some rows, and its undo. */
function migrationTo(newPath: (name: string) => string, core: () => Core, rows: readonly Row[]) {
  const folder = newPath("undone");
  mkdirSync(folder);
  const [file, checkpoint] = [join(folder, "users.csv"), join(folder, "checkpoint")];
  writeFileSync(file, csvOf(rows));
  return {
    import: async (changes: Partial<GivenImport> = {}) =>
      importUsers({
        ...{ inputs: await openInputs([file]), core: core(), checkpoint },
        ...{ bulk: "never", ...changes },
      }),
    undo: (changes: Partial<GivenUndo> = {}) =>
      undoUsers({ core: core(), checkpoint, ...VOUCHED, ...changes }),
    async atCore(): Promise<number> {
      const contacts = rows.map(({ email, phone = "" }) =>
        email === undefined ? { phoneNumber: phone } : { email },
      );
      const found = await Promise.all(contacts.map((contact) => core().findUsers(contact)));
      return found.flat().length;
    },
  };
}

export function describeUndo(scene: Scene): void {
  const { passwordless, needing } = scene;
  const core = (): Core => scene.core;
  const test = needing("removal", "lookups");

  describe("undoing", () => {
    // Removed behind these tests, and not behind the first file that loads this one.
    const newPath = temporaryPaths();
    test("removes whom an import brought, as its dry run says, and the same import brings them anew", async () => {
      const { import: run, undo, atCore } = migrationTo(newPath, core, people());
      await run();
      expect(await atCore()).toBe(4);
      const dry = await undo({ dryRun: true });
      expect(await atCore()).toBe(4);
      const undone = await undo();
      expect({ ...dry, dryRun: false, elapsedMs: 0, calls: 0 }).toEqual({
        ...{ ...undone, elapsedMs: 0, calls: 0 },
      });
      expect(undone).toMatchObject({ users: 4, removed: 4, left: 0, failed: 0 });
      expect(await atCore()).toBe(0);
      expect(await undo()).toMatchObject({ users: 0, removed: 0 });
      expect(await run()).toMatchObject({ imported: 1, created: 3 });
      expect(await atCore()).toBe(4);
    });

    needing(
      "removal",
      "lookups",
      "mapping",
    )("frees the ids that the users had kept", async () => {
      const rows = people();
      const { import: run, undo } = migrationTo(newPath, core, rows);
      const policy = { keepIds: true };
      await run({ policy });
      expect(await core().findMapping(rows[0]?.id ?? "")).not.toBeNull();
      expect(await undo()).toMatchObject({ removed: 4 });
      expect(await core().findMapping(rows[0]?.id ?? "")).toBeNull();
      expect(await run({ policy })).toMatchObject({ imported: 1, created: 3 });
    });

    test("leaves who was there before", async () => {
      const rows = people();
      await passwordless({ email: rows[1]?.email ?? "" });
      const { import: run, undo, atCore } = migrationTo(newPath, core, rows);
      await run();
      expect(await undo()).toMatchObject({ users: 3, existed: 1, removed: 3 });
      expect(await atCore()).toBe(1);
    });

    test("leaves everybody of whom neither the core nor the operator says that they never signed in", async () => {
      const rows = people();
      const { import: run, undo, atCore } = migrationTo(newPath, core, rows);
      await run();
      const says = scene.lacks.signInMark === undefined;
      if (says) await passwordless({ email: rows[1]?.email ?? "" });
      const { removed, skips } = await undo({ assumeNeverSignedIn: false });
      expect(removed).toBe(says ? 2 : 0);
      expect(skips).toEqual(
        says ? { signed_in_since: 1, sign_in_unknown: 1 } : { sign_in_unknown: 4 },
      );
      expect(await atCore()).toBe(says ? 2 : 4);
      expect(await undo()).toMatchObject(says ? { removed: 1, left: 1 } : { removed: 4 });
    });

    test("leaves who has another contact since, or may be somebody else", async () => {
      const rows = people();
      const { import: run, undo, atCore } = migrationTo(newPath, core, rows);
      await run();
      const [moved] = await core().findUsers({ email: rows[1]?.email ?? "" });
      const email = newEmail("moved");
      await core().updateUser({ userId: moved?.userId ?? "", email });
      expect(await undo()).toMatchObject({ removed: 3, skips: { changed_since: 1 } });
      expect(await core().findUsers({ email })).toMatchObject([{ userId: moved?.userId }]);
      expect(await atCore()).toBe(0);
    });

    test("goes on where the answer to a removal was lost", async () => {
      const { import: run, undo, atCore } = migrationTo(newPath, core, people());
      await run();
      let calls = 0;
      const losing: Core = {
        ...core(),
        target: core().target,
        async removeUser(userId) {
          await core().removeUser(userId);
          calls += 1;
          if (calls === 2) throw new CoreFailure("refused", "lost", { reached: "unknown" });
        },
      };
      expect(await undo({ core: losing })).toMatchObject({ removed: 3, failed: 1 });
      await expect(run()).rejects.toMatchObject({ code: "undo_unfinished" });
      expect(await undo()).toMatchObject({ removed: 0, gone: 1, failed: 0 });
      expect(await atCore()).toBe(0);
      expect(await run()).toMatchObject({ imported: 1, created: 3 });
    });

    needing(
      "removal",
      "lookups",
      "queue",
    )(
      "takes accounts off the core's queue, and removes those whom its job has written",
      async () => {
        const { import: run, undo, atCore } = migrationTo(newPath, core, people());
        const stop = new AbortController();
        const queueing: Core = {
          ...core(),
          target: BEHIND_URL,
          async queueAccounts(accounts) {
            const outcome = await core().queueAccounts(accounts);
            stop.abort();
            return outcome;
          },
        };
        const behind = { core: queueing, binding: BEHIND_URL };
        await run({ ...behind, bulk: "always", signal: stop.signal });
        expect(await undo(behind)).toMatchObject({ queued: 4, removed: 0, gone: 4, failed: 0 });
        expect(await core().part("countQueued", {})).toMatchObject({ count: 0 });
        await scene.importQueued();
        expect(await atCore()).toBe(0);
      },
    );

    if (scene.lacks.lookups !== undefined) {
      needing()("is refused at a core that finds nobody, before anything is removed", async () => {
        const { import: run, undo } = migrationTo(newPath, core, people());
        await run({ policy: { onExisting: "update" } });
        await expect(undo()).rejects.toMatchObject({ code: "core_without_lookups" });
      });
    }
  });
}
