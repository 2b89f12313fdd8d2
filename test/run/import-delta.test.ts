import { describe, expect, it } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import { recordCutover } from "../../src/run/cutover.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { beginMigration, prepareMigration, readers } from "./support/people.js";
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
const CLEO: Row = { id: "3", email: "cleo@example.com" };

const begin = (rows: readonly Row[]) => beginMigration(newPath, rows);

async function signsIn({ core }: Migration, email: string, password: string): Promise<boolean> {
  return (await core.signIn({ email, password })).status === "OK";
}

/** Everybody's contacts, in the order in which they came. */
async function contacts({ users }: Migration): Promise<string[]> {
  const all = await users();
  return all.map(({ email = "", phoneNumber = "" }) => `${email} ${phoneNumber}`.trim());
}

function callsOf({ summary }: Run): Record<string, number> {
  return Object.fromEntries(Object.entries(summary.calls).filter(([, count]) => count > 0));
}

describe("a newer export of a user with a password", () => {
  it("sends a changed hash to a user whom this checkpoint brought, and calls for nobody else", async () => {
    const { migration, next } = await begin([ADA, ...readers(40)]);
    const run = await next([{ ...ADA, hash: NEW_HASH }, ...readers(40)]);
    expect(outcomes(run.summary)).toEqual({ imported: 1, unchanged: 40 });
    expect(run.summary.notices).toMatchObject({ hash_updated: 1 });
    expect(callsOf(run)).toEqual({ lookup: 1, import: 1 });
    expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
    expect(await signsIn(migration, "ada@example.com", OLD.password)).toBe(false);
    expect(await migration.core.countUsers()).toBe(41);
  });

  it("sends nothing of an older export whose hash a newer one has replaced", async () => {
    const { migration, next, again } = await begin([ADA]);
    await next([{ ...ADA, hash: NEW_HASH }]);
    const run = await again();
    expect(run.events.map(told)).toEqual(["1 skip older_export"]);
    expect(callsOf(run)).toEqual({});
    expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
  });

  it("rejects a changed email, and the address stays free for somebody else", async () => {
    const { migration, next } = await begin([ADA]);
    const moved = { ...ADA, email: "ada@example.org" };
    const run = await next([moved, { ...ADA, id: "9", email: "ada@example.org" }]);
    expect(run.events.map(told)).toEqual(["1 reject email_changed"]);
    expect(outcomes(run.summary)).toEqual({ rejected: 1, imported: 1 });
    expect(await contacts(migration)).toEqual(["ada@example.com", "ada@example.org"]);
  });

  it("brings nobody again who was removed at the core, and says so each time", async () => {
    const { migration, next } = await begin([ADA]);
    const core: Core = { ...migration.core, getUser: async () => null };
    for (let times = 0; times < 2; times += 1) {
      const run = await next([{ ...ADA, hash: NEW_HASH }], { core });
      expect(run.events.map(told)).toEqual(["1 reject removed_at_core"]);
      expect(callsOf(run)).toEqual({ lookup: 1 });
    }
  });

  it.each([
    ["passwordless", ADA, { ...ADA, hash: NEW_HASH }],
    ["emailpassword", CLEO, { ...CLEO, email: "cleo@example.org" }],
  ] as const)("leaves alone whoever is %s at the core by now", async (recipe, then, now) => {
    const { migration, next } = await begin([then]);
    const core: Core = {
      ...migration.core,
      getUser: async (userId) => ({ userId, email: then.email ?? "", recipe }),
    };
    const run = await next([now], { core });
    expect(run.events.map(told)).toEqual(["1 reject changed_at_core"]);
    expect(callsOf(run)).toEqual({ lookup: 1 });
  });

  it("is sent without a look-up under assume-empty", async () => {
    const { migration, next } = await begin([ADA]);
    const run = await next([{ ...ADA, hash: NEW_HASH }], { policy: { assumeEmpty: true } });
    expect(outcomes(run.summary)).toEqual({ imported: 1 });
    expect(callsOf(run)).toEqual({ import: 1 });
    expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
  });
});

describe("a newer export of a passwordless user", () => {
  it.each<[string, Row, Row, string, Record<string, number>?]>([
    ["a changed email", CLEO, { ...CLEO, email: "cleo@example.org" }, "cleo@example.org"],
    ["a changed phone", BEN, { ...BEN, phone: "+15550100009" }, "ben@example.com +15550100009"],
    [
      "a phone that has come",
      CLEO,
      { ...CLEO, phone: "+15550100003" },
      "cleo@example.com +15550100003",
    ],
    ["a phone that is gone", BEN, { ...BEN, phone: "" }, "ben@example.com"],
    ["an email that is gone", BEN, { ...BEN, email: "" }, "+15550100002"],
    [
      "both changed",
      BEN,
      { ...BEN, email: "ben@example.org", phone: "+15550100009" },
      "ben@example.org +15550100009",
    ],
    [
      "an email in place of a phone",
      { id: "4", phone: "+15550100004" },
      { id: "4", email: "dora@example.com" },
      "dora@example.com +15550100004",
      // That nobody has verified it is said once.
      { part: 1 },
    ],
    [
      "a changed email and a phone that is gone",
      BEN,
      { ...BEN, email: "ben@example.org", phone: "" },
      "ben@example.org +15550100002",
    ],
  ])(
    "sets what has changed in one call, once: %s",
    async (_what, then, now, expected, more = {}) => {
      const { migration, next } = await begin([then]);
      const run = await next([now]);
      expect(outcomes(run.summary)).toEqual({ created: 1 });
      expect(run.summary.notices).toMatchObject({ account_updated: 1 });
      expect(callsOf(run)).toEqual({ lookup: 1, update: 1, ...more });
      expect(await contacts(migration)).toEqual([expected]);
      const again = await next([now]);
      expect(outcomes(again.summary)).toEqual({ unchanged: 1 });
    },
  );

  it.each<[string, string, Record<string, number>]>([
    ["verified", "true", { account_updated: 1, verification_not_migrated: 1 }],
    ["not said to be", "", { account_updated: 1 }],
  ])("tells that the core won't call a new email verified: %s", async (_what, said, expected) => {
    const { next } = await begin([{ ...CLEO, emailVerified: "true" }]);
    const moved = { ...CLEO, email: "cleo@example.org", emailVerified: said };
    expect((await next([moved])).summary.notices).toEqual(expected);
    // Beside the email that was told, a phone is nothing to tell.
    const run = await next([{ ...moved, phone: "+15550100003" }]);
    expect(run.summary.notices).toEqual({ account_updated: 1 });
  });

  it("makes no new email a way in that the vendor never verified, unless that is asked for", async () => {
    const { migration, next } = await begin([CLEO, BEN]);
    const rows = [
      { ...CLEO, email: "cleo@example.org", emailVerified: "false" },
      { ...BEN, email: "ben@example.org", emailVerified: "false" },
    ];
    const run = await next(rows);
    expect(run.events).toEqual([]);
    expect(run.summary.notices).toMatchObject({
      finished_otherwise: 1,
      other_contacts_not_migrated: 1,
    });
    expect((await contacts(migration)).sort()).toEqual(["+15550100002", "cleo@example.com"]);
    await next(rows, { policy: { include: ["unverified"] } });
    const all = (await contacts(migration)).sort();
    expect(all).toEqual(["ben@example.org +15550100002", "cleo@example.org"]);
  });

  it("tells of a contact that vanished and stays, because no other one does", async () => {
    const { next } = await begin([BEN]);
    const run = await next([{ ...BEN, email: "ben@example.org", phone: "" }]);
    expect(run.summary.notices).toMatchObject({ contact_kept: 1 });
  });

  it("gives the contact that a user has left to somebody else from the next run on", async () => {
    const { migration, next } = await begin([CLEO]);
    const newer = [
      { ...CLEO, email: "cleo@example.org" },
      { id: "9", email: "cleo@example.com" },
    ];
    const run = await next(newer);
    expect(run.events.map(told)).toEqual(["2 reject duplicate_contact"]);
    const after = await next(newer);
    expect(outcomes(after.summary)).toEqual({ unchanged: 1, created: 1 });
    expect(await contacts(migration)).toEqual(["cleo@example.org", "cleo@example.com"]);
  });

  it("has its new contact to itself at once", async () => {
    const { migration, next } = await begin([CLEO]);
    const newer = [
      { ...CLEO, email: "cleo@example.org" },
      { id: "9", email: "cleo@example.org" },
    ];
    const run = await next(newer);
    expect(run.events.map(told)).toEqual(["2 reject duplicate_contact"]);
    expect(await contacts(migration)).toEqual(["cleo@example.org"]);
  });

  it("leaves a contact that somebody else has at the core, sets the other one, and tries again", async () => {
    const { migration, next } = await begin([BEN]);
    const stranger = await migration.core.consumeCode(
      await migration.core.createCode({ email: "ben@example.org" }),
    );
    const newer = [{ ...BEN, email: "ben@example.org", phone: "+15550100009" }];
    const run = await next(newer);
    expect(outcomes(run.summary)).toEqual({ created: 1 });
    expect(run.summary.notices).toEqual({ contact_conflict: 1 });
    expect(await contacts(migration)).toEqual(["ben@example.com +15550100009", "ben@example.org"]);
    if (stranger.status !== "OK") throw new Error(stranger.status);
    const { userId } = stranger.user;
    await migration.core.updateUser({ userId, email: "other@example.org" });
    const after = await next(newer);
    expect(after.summary.notices).toEqual({ account_updated: 1 });
    expect(await contacts(migration)).toEqual([
      "ben@example.org +15550100009",
      "other@example.org",
    ]);
    expect(outcomes((await next(newer)).summary)).toEqual({ unchanged: 1 });
  });
});

describe("a newer export under --keep-ids", () => {
  const KEEP = { policy: { keepIds: true } } as const;
  const changed = [{ ...ADA, hash: NEW_HASH }];

  it("maps nobody again whom it updates", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA]);
    await migration.run([file], KEEP);
    const run = await migration.run([migration.write("newer.csv", csvOf(changed))], KEEP);
    expect(outcomes(run.summary)).toEqual({ imported: 1 });
    expect(run.summary.mapped).toBe(0);
    expect(callsOf(run)).toEqual({ lookup: 1, import: 1 });
    // The checkpoint still knows the core's own id, by which the next update finds them.
    const third = csvOf([{ ...ADA, hash: bcryptOf("a third password") }]);
    const last = await migration.run([migration.write("third.csv", third)]);
    expect(outcomes(last.summary)).toEqual({ imported: 1 });
    expect(await signsIn(migration, "ada@example.com", "a third password")).toBe(true);
  });

  it("maps whom it updates and whom a run without it brought", async () => {
    const { migration, next } = await begin([ADA]);
    const run = await next(changed, KEEP);
    expect(run.summary).toMatchObject({ imported: 1, mapped: 1 });
    expect(callsOf(run)).toEqual({ lookup: 1, import: 1, map: 1 });
    expect((await migration.users()).map(({ userId }) => userId)).toEqual(["1"]);
  });
});

describe("an update that doesn't get through", () => {
  const CHANGED = [
    { ...ADA, hash: NEW_HASH },
    { ...CLEO, email: "cleo@example.org" },
  ];

  it("fails for now; the user stays finished, and the next run sends it", async () => {
    const { migration, next } = await begin([ADA, CLEO]);
    const broken = async (): Promise<never> => {
      throw new CoreFailure("broken", "HTTP 500", { reached: "yes" });
    };
    const core: Core = { ...migration.core, importUser: broken, updateUser: broken };
    const failed = await next(CHANGED, { core, timing: virtualTiming() });
    expect(outcomes(failed.summary)).toEqual({ failed: 2 });
    expect(failed.events.map(told).sort()).toEqual([
      "1 failure core_broken",
      "2 failure core_broken",
    ]);
    expect(outcomes((await next(CHANGED)).summary)).toEqual({ imported: 1, created: 1 });
    expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
    expect(await migration.core.countUsers()).toBe(2);
  });

  it.each([false, true])(
    "because the run was killed is made again (committed: %s)",
    async (committed) => {
      const { migration, next } = await begin([ADA, CLEO]);
      const killed = async (answer: () => Promise<unknown>): Promise<never> => {
        if (committed) await answer();
        throw new Error("killed");
      };
      const core: Core = {
        ...migration.core,
        importUser: (request) => killed(() => migration.core.importUser(request)),
        updateUser: (request) => killed(() => migration.core.updateUser(request)),
      };
      await expect(next(CHANGED, { core })).rejects.toThrow("killed");
      const run = await next(CHANGED);
      expect(outcomes(run.summary)).toEqual({ imported: 1, created: 1 });
      expect(await contacts(migration)).toEqual(["ada@example.com", "cleo@example.org"]);
      expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
      expect(outcomes((await next(CHANGED)).summary)).toEqual({ unchanged: 2 });
    },
  );

  it("and whose contacts are then as they were before is made all the same, as the core may have either; a hash is not", async () => {
    const { migration, next, again } = await begin([ADA, CLEO]);
    const core: Core = {
      ...migration.core,
      importUser: async (request) => {
        await migration.core.importUser(request);
        throw new Error("killed");
      },
      updateUser: async (request) => {
        await migration.core.updateUser(request);
        throw new Error("killed");
      },
    };
    await expect(next(CHANGED, { core })).rejects.toThrow("killed");
    const run = await again();
    expect(run.events.map(told)).toEqual(["1 skip older_export"]);
    expect(outcomes(run.summary)).toEqual({ skipped: 1, created: 1 });
    expect(await contacts(migration)).toEqual(["ada@example.com", "cleo@example.com"]);
    expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
  });

  it("because the run was stopped is pending, and sent by the next", async () => {
    const { migration, next } = await begin([ADA, CLEO]);
    const stop = new AbortController();
    const core: Core = {
      ...migration.core,
      getUser(userId) {
        stop.abort();
        return migration.core.getUser(userId);
      },
    };
    const options = { core, signal: stop.signal, concurrency: 1 };
    expect(outcomes((await next(CHANGED, options)).summary)).toEqual({ pending: 2 });
    expect(outcomes((await next(CHANGED)).summary)).toEqual({ imported: 1, created: 1 });
  });
});

describe("users who were at the core before", () => {
  /** Ada signed up with a password of her own. */
  async function withStranger(policy = {}) {
    const { migration, file } = prepareMigration(newPath, [ADA]);
    const { passwordHash } = KNOWN_HASHES.argon2;
    await migration.core.importUser({ email: "ada@example.com", passwordHash });
    await migration.run([file], { policy });
    const next = (row: Row, options = {}): Promise<Run> =>
      migration.run([migration.write("newer.csv", csvOf([row]))], options);
    return { migration, next };
  }

  it.each(["skip", "update"] as const)(
    "are left as they are when their row changes, on-existing %s",
    async (onExisting) => {
      const { migration, next } = await withStranger();
      const run = await next({ ...ADA, hash: NEW_HASH }, { policy: { onExisting } });
      expect(outcomes(run.summary)).toEqual({ existed: 1 });
      expect(callsOf(run)).toEqual({});
      expect(await signsIn(migration, "ada@example.com", KNOWN_HASHES.argon2.password)).toBe(true);
    },
  );

  it("and whose password was replaced on demand get a newer one only on demand", async () => {
    const { migration, next } = await withStranger({ onExisting: "update" });
    expect(outcomes((await next({ ...ADA, hash: NEW_HASH })).summary)).toEqual({ existed: 1 });
    expect(await signsIn(migration, "ada@example.com", OLD.password)).toBe(true);
    const policy = { onExisting: "update" } as const;
    const run = await next({ ...ADA, hash: NEW_HASH }, { policy });
    expect(outcomes(run.summary)).toEqual({ imported: 1 });
    expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
  });

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

describe("after the cut-over", () => {
  it("nothing of a user who was brought is overwritten", async () => {
    const { migration, next } = await begin([ADA, CLEO]);
    recordCutover(migration.checkpoint);
    const run = await next([
      { ...ADA, hash: NEW_HASH },
      { ...CLEO, email: "cleo@example.org" },
    ]);
    expect(run.events.map(told)).toEqual([
      "1 skip changed_after_cutover",
      "2 skip changed_after_cutover",
    ]);
    expect(callsOf(run)).toEqual({});
    expect(await contacts(migration)).toEqual(["ada@example.com", "cleo@example.com"]);
    expect(await signsIn(migration, "ada@example.com", OLD.password)).toBe(true);
  });

  it("new users are brought, each of them looked up", async () => {
    const { migration, next } = await begin([ADA]);
    recordCutover(migration.checkpoint);
    const run = await next([ADA, CLEO]);
    expect(outcomes(run.summary)).toEqual({ unchanged: 1, created: 1 });
    expect(callsOf(run)).toMatchObject({ lookup: 1, code: 1 });
  });

  it.each([
    ["--assume-empty", { assumeEmpty: true }],
    ["--on-existing update", { onExisting: "update" }],
  ] as const)("%s is refused before anything is asked", async (option, policy) => {
    const { migration, next } = await begin([ADA]);
    recordCutover(migration.checkpoint);
    // A person who has signed up at the core since, and whom no run has brought.
    const { passwordHash, password } = KNOWN_HASHES.argon2;
    await migration.core.importUser({ email: "ben@example.com", passwordHash });
    const refused = { code: "usage", message: expect.stringContaining(option) };
    await expect(next([ADA, BEN], { policy })).rejects.toMatchObject(refused);
    expect(await signsIn(migration, "ben@example.com", password)).toBe(true);
    expect(await migration.core.countUsers()).toBe(2);
  });

  it.each(["skip", "fail"] as const)(
    "a user whom a killed run may have brought keeps their password, on-existing %s",
    async (onExisting) => {
      const { migration, file } = prepareMigration(newPath, [ADA]);
      const core: Core = {
        ...migration.core,
        async importUser(request) {
          await migration.core.importUser(request);
          throw new Error("killed");
        },
      };
      await expect(migration.run([file], { core })).rejects.toThrow("killed");
      recordCutover(migration.checkpoint);
      // She has set a new one at the core, and the vendor's export has yet another one.
      const { passwordHash, password } = KNOWN_HASHES.argon2;
      await migration.core.importUser({ email: "ada@example.com", passwordHash });
      const changed = migration.write("newer.csv", csvOf([{ ...ADA, hash: NEW_HASH }]));
      for (const path of [changed, changed]) {
        const run = await migration.run([path], { policy: { onExisting } });
        expect(run.events.map(told)).toEqual(["1 skip changed_after_cutover"]);
      }
      expect(outcomes((await migration.run([file])).summary)).toEqual({ unchanged: 1 });
      expect(await signsIn(migration, "ada@example.com", password)).toBe(true);
    },
  );

  it.each([
    ["was killed", new Error("killed")],
    ["got no answer", new CoreFailure("broken", "HTTP 500", { reached: "yes" })],
  ])(
    "a user whom a run without look-ups may have brought keeps their password as well: it %s",
    async (_what, end) => {
      const { migration, file } = prepareMigration(newPath, [ADA]);
      const core: Core = {
        ...migration.core,
        async importUser(request) {
          await migration.core.importUser(request);
          throw end;
        },
      };
      const policy = { assumeEmpty: true } as const;
      const options = { core, policy, timing: virtualTiming() };
      await migration.run([file], options).catch((error: unknown) => expect(error).toBe(end));
      recordCutover(migration.checkpoint);
      const { passwordHash, password } = KNOWN_HASHES.argon2;
      await migration.core.importUser({ email: "ada@example.com", passwordHash });
      const { summary } = await migration.run([file]);
      expect(outcomes(summary)).toEqual({ imported: 1 });
      expect(await signsIn(migration, "ada@example.com", password)).toBe(true);
    },
  );

  it("and only then: before it a stranger is replaced by the run that goes on, as was asked for", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA]);
    const { passwordHash } = KNOWN_HASHES.argon2;
    await migration.core.importUser({ email: "ada@example.com", passwordHash });
    const importUser = async (): Promise<never> => Promise.reject(new Error("killed"));
    // Ids that are kept are what users are looked up for under this policy.
    const policy = { onExisting: "update", keepIds: true } as const;
    const killed = migration.run([file], { core: { ...migration.core, importUser }, policy });
    await expect(killed).rejects.toThrow("killed");
    expect(outcomes((await migration.run([file], { policy })).summary)).toEqual({ imported: 1 });
    expect(await signsIn(migration, "ada@example.com", OLD.password)).toBe(true);
  });

  it("a fresh checkpoint with the default policy overwrites nobody either", async () => {
    const { migration, next } = await begin([ADA]);
    const { passwordHash, password } = KNOWN_HASHES.argon2;
    await migration.core.importUser({ email: "ada@example.com", passwordHash });
    const run = await next([{ ...ADA, hash: NEW_HASH }], { checkpoint: newPath("fresh") });
    expect(outcomes(run.summary)).toEqual({ existed: 1 });
    expect(await signsIn(migration, "ada@example.com", password)).toBe(true);
  });

  it("an export is sent again when the cut-over is taken back", async () => {
    const { migration, next } = await begin([ADA]);
    recordCutover(migration.checkpoint);
    recordCutover(migration.checkpoint, { revoke: true });
    expect(outcomes((await next([{ ...ADA, hash: NEW_HASH }])).summary)).toEqual({ imported: 1 });
    expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
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

  it.each([false, true])("gets the newest hash (committed: %s)", async (committed) => {
    const { migration, next } = await killed([ADA], committed);
    const run = await next([{ ...ADA, hash: NEW_HASH }]);
    expect(outcomes(run.summary)).toEqual({ imported: 1 });
    expect(run.summary.notices).not.toHaveProperty("existing_password_replaced");
    expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
    expect(await migration.core.countUsers()).toBe(1);
  });

  it.each([false, true])(
    "never gets the older hash again, whatever came of the newer one (finished: %s)",
    async (finished) => {
      const { migration, next, killedAgain } = await killed([ADA], true);
      const newer = [{ ...ADA, hash: NEW_HASH }];
      if (finished) expect(outcomes((await next(newer)).summary)).toEqual({ imported: 1 });
      else await killedAgain(newer);
      const stale = await next([ADA]);
      expect(stale.events.map(told)).toEqual(["1 skip older_export"]);
      expect(callsOf(stale)).toEqual({});
      expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
      const outcome = finished ? { unchanged: 1 } : { imported: 1 };
      expect(outcomes((await next(newer)).summary)).toEqual(outcome);
      expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
    },
  );

  it("gets the older hash where the core refused the newer one, and is asked for the newer one again", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA]);
    const newer = migration.write("newer.csv", csvOf([{ ...ADA, hash: NEW_HASH }]));
    const core: Core = {
      ...migration.core,
      importUser: async () => {
        throw new CoreFailure("refused", "not today", { reached: "yes" });
      },
    };
    await migration.run([file], { core });
    await migration.run([newer], { core });
    expect(outcomes((await migration.run([file])).summary)).toEqual({ imported: 1 });
    expect(await signsIn(migration, "ada@example.com", OLD.password)).toBe(true);
    expect(outcomes((await migration.run([newer])).summary)).toEqual({ imported: 1 });
    expect(await signsIn(migration, "ada@example.com", NEW_PASSWORD)).toBe(true);
  });

  it("may have an email again that an export in between didn't have", async () => {
    const { migration, next, killedAgain } = await killed([ADA], false);
    const moved = [{ ...ADA, email: "ada@example.org" }];
    await killedAgain(moved);
    await killedAgain([ADA]);
    expect(outcomes((await next(moved)).summary)).toEqual({ imported: 1 });
    expect(await signsIn(migration, "ada@example.org", OLD.password)).toBe(true);
  });

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

  it("isn't taken for a stranger who has the new address", async () => {
    const { migration, next } = await killed([ADA], false);
    const { passwordHash, password } = KNOWN_HASHES.argon2;
    await migration.core.importUser({ email: "ada@example.org", passwordHash });
    const run = await next([{ ...ADA, email: "ada@example.org" }]);
    expect(outcomes(run.summary)).toEqual({ existed: 1 });
    // The run that was killed may have brought her under the other one.
    expect(run.summary.notices).toMatchObject({ earlier_contact_open: 1 });
    expect(await signsIn(migration, "ada@example.org", password)).toBe(true);
    const again = await next([{ ...ADA, email: "ada@example.org" }]);
    expect(again.summary.notices).not.toHaveProperty("earlier_contact_open");
  });

  it("keeps the phone that they have chosen at the core since the cut-over", async () => {
    const { migration, next } = await killed([BEN], true);
    recordCutover(migration.checkpoint);
    const [{ userId = "" } = {}] = await migration.users();
    await migration.core.updateUser({ userId, phoneNumber: "+15550100055" });
    expect(outcomes((await next([BEN])).summary)).toEqual({ created: 1 });
    expect(await contacts(migration)).toEqual(["ben@example.com +15550100055"]);
  });

  it.each([
    // The code has verified the email, which the run that was killed didn't take back.
    ["a password has come", CLEO, { ...CLEO, hash: NEW_HASH }, { created: 1 }],
    ["the password is gone", ADA, { ...ADA, hash: "" }, { unchanged: 1 }],
  ])("isn't brought twice, in two ways, where the core has them: %s", async (...row) => {
    const [, then, now, ended] = row;
    const { migration, next } = await killed([then], true);
    for (let times = 0; times < 2; times += 1) {
      const run = await next([now]);
      expect(run.events.map(told)).toEqual(["1 reject plan_kind_changed"]);
    }
    expect(await migration.core.countUsers()).toBe(1);
    expect(outcomes((await next([then])).summary)).toEqual(ended);
  });

  it("is brought in the new way where the core hasn't got them", async () => {
    const { migration, next } = await killed([CLEO], false);
    const run = await next([{ ...CLEO, hash: NEW_HASH }]);
    expect(outcomes(run.summary)).toEqual({ imported: 1 });
    expect(await signsIn(migration, "cleo@example.com", NEW_PASSWORD)).toBe(true);
    expect(await migration.core.countUsers()).toBe(1);
  });

  it("lets go of an address at which nothing can have been sent", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA]);
    const core: Core = {
      ...migration.core,
      importUser: async () => {
        throw new CoreFailure("refused", "not today", { reached: "yes" });
      },
    };
    await migration.run([file], { core });
    const rows = [
      { ...ADA, email: "ada@example.org" },
      { ...ADA, id: "9" },
    ];
    const run = await migration.run([migration.write("newer.csv", csvOf(rows))]);
    expect(outcomes(run.summary)).toEqual({ imported: 2 });
    expect(await contacts(migration)).toEqual(["ada@example.org", "ada@example.com"]);
  });
});
