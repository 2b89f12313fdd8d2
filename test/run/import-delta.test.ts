import { describe, expect, it } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { prepareMigration } from "./support/people.js";
import { csvOf, type Migration, outcomes, type Row, type Run, told } from "./support/run.js";
import { bcryptOf } from "./support/test-users.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
const OLD = KNOWN_HASHES.bcrypt;
/** What people set at the vendor after the first export. */
const NEW_PASSWORD = "a newer password";
const NEW_HASH = bcryptOf(NEW_PASSWORD);

const ADA: Row = { id: "1", email: "ada@example.com", hash: OLD.passwordHash };
const BEN: Row = { id: "2", email: "ben@example.com", phone: "+15550100002" };

async function signsIn({ core }: Migration, email: string, password: string): Promise<boolean> {
  return (await core.signIn({ email, password })).status === "OK";
}

/** Everybody's contacts, in the order in which they came. */
async function contacts({ users }: Migration): Promise<string[]> {
  const all = await users();
  return all.map(({ email = "", phoneNumber = "" }) => `${email} ${phoneNumber}`.trim());
}

describe("users who were at the core before", () => {
  it("keep a passwordless user's phone and codes, whatever the export says", async () => {
    const { migration, file } = prepareMigration(newPath, [BEN]);
    const user = await migration.core.consumeCode(
      await migration.core.createCode({ email: "ben@example.com" }),
    );
    if (user.status !== "OK") throw new Error(user.status);
    await migration.core.updateUser({ userId: user.user.userId, phoneNumber: "+15550100077" });
    const pending = await migration.core.createCode({ email: "ben@example.com" });
    expect(outcomes((await migration.run([file])).summary)).toEqual({ existed: 1 });
    const newer = migration.write("newer.csv", csvOf([{ ...BEN, phone: "+15550100078" }]));
    expect(outcomes((await migration.run([newer])).summary)).toEqual({ existed: 1 });
    expect(await contacts(migration)).toEqual(["ben@example.com +15550100077"]);
    const { preAuthSessionId, linkCode } = pending;
    expect((await migration.core.consumeCode({ preAuthSessionId, linkCode })).status).toBe("OK");
  });
});

describe("an unfinished user whose row has changed", () => {
  /** An import that dies behind the call for everybody, or before it. */
  async function killed(rows: readonly Row[], committed: boolean) {
    const { migration, file } = prepareMigration(newPath, rows);
    const die = async (answer: () => Promise<unknown>): Promise<never> => {
      if (committed) await answer();
      throw new Error("killed");
    };
    const core: Core = {
      ...migration.core,
      importUser: (request) => die(() => migration.core.importUser(request)),
      consumeCode: (request) => die(() => migration.core.consumeCode(request)),
    };
    await expect(migration.run([file], { core })).rejects.toThrow("killed");
    const next = (newer: readonly Row[], options = {}): Promise<Run> =>
      migration.run([migration.write("newer.csv", csvOf(newer))], options);
    const killedAgain = (newer: readonly Row[]): Promise<void> =>
      expect(next(newer, { core })).rejects.toThrow("killed");
    return { migration, next, killedAgain };
  }

  it("gets the older hash where the newer one was never sent", async () => {
    const { migration, next } = await killed([ADA], false);
    const findUsers = async (): Promise<never> => {
      throw new CoreFailure("broken", "HTTP 500", { reached: "yes" });
    };
    let asked = 0;
    const core: Core = {
      ...migration.core,
      findUsers: (contact) => {
        asked += 1;
        return asked === 1 ? migration.core.findUsers(contact) : findUsers();
      },
    };
    const options = { core, timing: virtualTiming() };
    const newer = await next([{ ...ADA, hash: NEW_HASH }], options);
    expect(newer.events.map(told)).toEqual(["1 failure core_broken"]);
    expect(outcomes((await next([ADA])).summary)).toEqual({ imported: 1 });
    expect(await signsIn(migration, "ada@example.com", OLD.password)).toBe(true);
  });
});
