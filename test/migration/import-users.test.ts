import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import type { ProgressEvent } from "../../src/migration/events.js";
import { importUsers } from "../../src/migration/import-users.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { csvOf, type Migration, newMigration, outcomes, type Row, told } from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;

/** One of each kind, in file order. */
const PEOPLE: readonly Row[] = [
  { id: "1", email: "Ada@Example.com", hash: HASH },
  { id: "2", email: "ben@example.com", emailVerified: "true" },
  { id: "3", phone: "+15550100003" },
  { id: "4", email: "dora@example.com", phone: "+15550100004" },
  { id: "5", email: "emil@example.com", hash: HASH, disabled: "true" },
  { id: "6", email: "fay@example.com", hash: HASH.slice(0, -3) },
  { id: "7", email: "gus@example.com", emailVerified: "false" },
  { id: "8" },
  { id: "9", email: "not-an-address" },
  { id: "1", email: "ada.two@example.com", hash: HASH },
  { id: "11", email: "ada@example.com", hash: HASH },
];

const ENDS = { imported: 1, created: 3, skipped: 1, rejected: 6 };
const TOLD = [
  "5 skip disabled",
  "6 reject bcrypt_length",
  "7 reject contact_unverified",
  "8 reject no_contact",
  "9 reject email_invalid",
  "10 reject duplicate",
  "11 reject duplicate_contact",
];

function people(count: number, from = 1): Row[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index;
    const hash = number % 2 === 0 ? HASH : "";
    return { id: `r-${number}`, email: `reader.${number}@example.com`, hash };
  });
}

function prepare(rows: readonly Row[] = PEOPLE): { migration: Migration; file: string } {
  const migration = newMigration(newPath);
  return { migration, file: migration.write("users.csv", csvOf(rows)) };
}

describe("an import", () => {
  it("leaves every row in exactly one outcome and says which", async () => {
    const { migration, file } = prepare();
    const { summary, events } = await migration.run([file]);
    expect(summary.read).toBe(PEOPLE.length);
    expect(outcomes(summary)).toEqual(ENDS);
    expect(events.map(told).sort(byRow)).toEqual(TOLD);
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

  it("counts its calls", async () => {
    const { migration, file } = prepare();
    const { summary } = await migration.run([file]);
    expect(summary.calls).toEqual({ code: 3, consume: 3, update: 1, import: 1, lookup: 5 });
  });

  it("says nothing of whom it tells but row, id and code", async () => {
    const { migration, file } = prepare([
      { id: "ada@example.com", email: "ada@example.com", hash: "plain" },
      { id: "r-2", email: "ben@example.com", hash: HASH.slice(0, -1) },
    ]);
    const { events } = await migration.run([file]);
    expect(events.map(({ sourceId }) => sourceId)).toEqual([null, "r-2"]);
    const said = JSON.stringify(events);
    for (const secret of ["ada@", "ben@", "plain", HASH.slice(8, 30)]) {
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
    const { migration, file } = prepare(people(40));
    const timing = virtualTiming();
    const progress: ProgressEvent[] = [];
    let now = 0;
    const { summary } = await migration.run([file], {
      timing: { ...timing, now: () => (now += 50) },
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

describe("the same import again", () => {
  it("changes nothing: finished users are unchanged, the rest is told again", async () => {
    const { migration, file } = prepare();
    await migration.run([file]);
    const before = await migration.users();
    const { summary, events } = await migration.run([file]);
    expect(outcomes(summary)).toEqual({ unchanged: 4, skipped: 1, rejected: 6 });
    expect(summary.calls).toEqual({ code: 0, consume: 0, update: 0, import: 0, lookup: 0 });
    expect(events.map(told).sort(byRow)).toEqual(TOLD);
    expect(await migration.users()).toEqual(before);
  });

  it("is the same under another file name and in another order", async () => {
    const { migration, file } = prepare(people(20));
    await migration.run([file]);
    const renamed = migration.write("newer.csv", csvOf(people(20).reverse()));
    const { summary } = await migration.run([renamed]);
    expect(outcomes(summary)).toEqual({ unchanged: 20 });
  });

  it("sends only who is new", async () => {
    const { migration, file } = prepare(people(20));
    await migration.run([file]);
    const newer = migration.write("newer.csv", csvOf(people(23)));
    const { summary } = await migration.run([newer]);
    expect(outcomes(summary)).toEqual({ unchanged: 20, imported: 1, created: 2 });
  });

  it("rejects a finished user whose row has changed, and sends nothing of it", async () => {
    const { migration, file } = prepare([{ id: "1", email: "ada@example.com", hash: HASH }]);
    await migration.run([file]);
    const newer = csvOf([{ id: "1", email: "ada@example.org", hash: HASH }]);
    const { summary } = await migration.run([migration.write("newer.csv", newer)]);
    expect(summary.rejects).toEqual({ changed_since_import: 1 });
    expect((await migration.users()).map(({ email }) => email)).toEqual(["ada@example.com"]);
  });

  it("keeps a user finished whom the vendor has disabled since", async () => {
    const row: Row = { id: "1", email: "ada@example.com", hash: HASH };
    const { migration, file } = prepare([row]);
    await migration.run([file]);
    const disabled = migration.write("newer.csv", csvOf([{ ...row, disabled: "true" }]));
    expect(outcomes((await migration.run([disabled])).summary)).toEqual({ skipped: 1 });
    expect(outcomes((await migration.run([file])).summary)).toEqual({ unchanged: 1 });
  });

  it("tries those again who failed, and those who were rejected and are mended", async () => {
    const { migration, file } = prepare([
      { id: "1", email: "ada@example.com", hash: HASH },
      { id: "2", email: "ben@example.com", hash: HASH.slice(0, -1) },
      { id: "3", email: "cleo@example.com", hash: HASH },
    ]);
    const core: Core = {
      ...migration.core,
      importUser: (request) =>
        request.email.startsWith("ada")
          ? Promise.reject(new CoreFailure("broken", "HTTP 500", { reached: "yes" }))
          : migration.core.importUser(request),
    };
    const first = await migration.run([file], { core, timing: virtualTiming() });
    expect(outcomes(first.summary)).toEqual({ imported: 1, rejected: 1, failed: 1 });
    expect(first.events.map(told).sort(byRow)).toEqual([
      "1 failure core_broken",
      "2 reject bcrypt_length",
    ]);
    const mended = readFileSync(file, "utf8").replace(`${HASH.slice(0, -1)},`, `${HASH},`);
    const second = await migration.run([migration.write("users.csv", mended)]);
    expect(outcomes(second.summary)).toEqual({ unchanged: 1, imported: 2 });
  });
});

describe("users who are at the core already", () => {
  async function withStranger(): Promise<{ migration: Migration; file: string; before: unknown }> {
    const { migration, file } = prepare([
      { id: "1", email: "ada@example.com", phone: "+15550100001" },
      { id: "2", email: "ben@example.com", hash: HASH },
      { id: "3", email: "cleo@example.com", hash: HASH },
    ]);
    const code = await migration.core.createCode({ email: "ada@example.com" });
    await migration.core.consumeCode(code);
    const { passwordHash } = KNOWN_HASHES.argon2;
    await migration.core.importUser({ email: "ben@example.com", passwordHash });
    return { migration, file, before: await migration.users() };
  }

  it("are left as they are and counted", async () => {
    const { migration, file, before } = await withStranger();
    expect(outcomes((await migration.run([file])).summary)).toEqual({ existed: 2, imported: 1 });
    expect((await migration.users()).slice(0, 2)).toEqual(before);
    const { password } = KNOWN_HASHES.argon2;
    const signedIn = await migration.core.signIn({ email: "ben@example.com", password });
    expect(signedIn.status).toBe("OK");
  });

  it("stop the run under on-existing fail; nothing is lost, and the next run says the same or finishes", async () => {
    const { migration, file } = await withStranger();
    await expect(migration.run([file], { policy: { onExisting: "fail" } })).rejects.toMatchObject({
      code: "user_exists",
    });
    expect(outcomes((await migration.run([file])).summary)).toEqual({ existed: 2, imported: 1 });
  });

  it("stop the run under assume-empty, and a stranger stays a stranger in the next", async () => {
    const { migration, file } = await withStranger();
    const assumeEmpty = { policy: { assumeEmpty: true }, concurrency: 1 };
    await expect(migration.run([file], assumeEmpty)).rejects.toMatchObject({
      code: "core_not_empty",
      message: expect.stringContaining("row 1"),
    });
    const { summary } = await migration.run([file]);
    expect(outcomes(summary)).toEqual({ unchanged: 1, existed: 1, imported: 1 });
    const [ada] = await migration.core.findUsers({ email: "ada@example.com" });
    expect(ada).not.toHaveProperty("phoneNumber");
  });

  it("have their hash replaced only where the operator asks for updates", async () => {
    const { migration, file } = await withStranger();
    const { summary } = await migration.run([file], { policy: { onExisting: "update" } });
    expect(outcomes(summary)).toEqual({ existed: 1, imported: 2 });
    expect(summary.notices).toMatchObject({ existing_password_replaced: 1 });
    const [ada] = await migration.core.findUsers({ phoneNumber: "+15550100001" });
    expect(ada?.email).toBe("ada@example.com");
  });
});

describe("a run that is stopped", () => {
  /** Hands on to the core; `onCall` is told before every import and code. */
  function watched(core: Core, onCall: (calls: number) => unknown): Core {
    let calls = 0;
    return {
      ...core,
      async importUser(request) {
        await onCall(++calls);
        return core.importUser(request);
      },
      async createCode(request) {
        await onCall(++calls);
        return core.createCode(request);
      },
    };
  }

  async function expectTheRest(migration: Migration, file: string, count: number): Promise<void> {
    const { summary } = await migration.run([file]);
    expect(summary.read).toBe(count);
    expect(summary.pending + summary.failed + summary.rejected + summary.existed).toBe(0);
    const users = await migration.users();
    expect(users).toHaveLength(count);
    expect(new Set(users.map(({ email }) => email)).size).toBe(count);
  }

  it("says what is pending, and the next run finishes it", async () => {
    const { migration, file } = prepare(people(300));
    const stop = new AbortController();
    const core = watched(migration.core, (calls) => calls === 20 && stop.abort());
    const { summary } = await migration.run([file], { core, signal: stop.signal, concurrency: 8 });
    expect(summary.interrupted).toBe(true);
    expect(summary.pending).toBeGreaterThan(0);
    expect(summary.imported + summary.created).toBeGreaterThanOrEqual(20);
    expect(summary.imported + summary.created + summary.pending).toBe(summary.read);
    await expectTheRest(migration, file, 300);
  });

  it("before it has begun sends nothing and reads nothing", async () => {
    const { migration, file } = prepare(people(3));
    const { summary } = await migration.run([file], { signal: AbortSignal.abort() });
    expect(summary).toMatchObject({ interrupted: true, read: 0 });
    expect(summary.calls.import + summary.calls.code).toBe(0);
    await expectTheRest(migration, file, 3);
  });

  it("in the middle of the lookups sends nobody whom it hasn't looked up", async () => {
    const { migration, file } = prepare(people(50));
    const stop = new AbortController();
    let lookups = 0;
    const core: Core = {
      ...migration.core,
      findUsers(contact) {
        lookups += 1;
        if (lookups === 5) stop.abort();
        return migration.core.findUsers(contact);
      },
    };
    const { summary } = await migration.run([file], { core, signal: stop.signal, concurrency: 1 });
    expect(outcomes(summary)).toEqual({ pending: 50 });
    expect(await migration.core.countUsers()).toBe(0);
    await expectTheRest(migration, file, 50);
  });

  it("tells the refusals of a batch that has nothing else", async () => {
    const { migration, file } = prepare([{ id: "1" }, { id: "2" }]);
    const stop = new AbortController();
    const { summary } = await migration.run([file], {
      signal: stop.signal,
      onEvent: () => stop.abort(),
    });
    expect(summary).toMatchObject({ interrupted: true, read: 2, rejected: 2, pending: 0 });
  });

  it.each(["key_refused", "disk", "incompatible"] as const)(
    "by an error in the middle (%s) is finished by the next",
    async (kind) => {
      const { migration, file } = prepare(people(300));
      const core = watched(migration.core, (calls) => {
        if (calls > 30) throw new CoreFailure(kind, "scripted", { reached: "yes" });
      });
      const run = migration.run([file], { core, concurrency: 8 });
      await expect(run).rejects.toMatchObject({ name: "RunError" });
      expect(await migration.core.countUsers()).toBeLessThan(300);
      await expectTheRest(migration, file, 300);
    },
  );

  it("by an outage is finished by the next, whatever the core had done with the calls that broke", async () => {
    const { migration, file } = prepare(people(60));
    let answered = 0;
    const lostAfter = async <T>(answer: Promise<T>): Promise<T> => {
      await answer;
      answered += 1;
      if (answered <= 25) return answer;
      throw new CoreFailure("unreachable", "connection lost", { reached: "unknown" });
    };
    const core: Core = {
      ...migration.core,
      importUser: (request) => lostAfter(migration.core.importUser(request)),
      consumeCode: (request) => lostAfter(migration.core.consumeCode(request)),
    };
    const first = await migration
      .run([file], { core, timing: virtualTiming(), concurrency: 4 })
      .catch((error: unknown) => error);
    expect(first).toBeDefined();
    await expectTheRest(migration, file, 60);
  });

  it("by a listener that throws ends with that error, and the next run finishes", async () => {
    const { migration, file } = prepare([...people(10), { id: "x" }]);
    const onEvent = (): never => {
      throw new Error("the listener is broken");
    };
    await expect(migration.run([file], { onEvent })).rejects.toThrow("the listener is broken");
    const { summary } = await migration.run([file]);
    expect(summary).toMatchObject({ read: 11, rejected: 1, pending: 0, failed: 0, existed: 0 });
    expect(await migration.core.countUsers()).toBe(10);
  });
});

describe("a run that can't start", () => {
  it("is refused on the checkpoint of another core, before anything is sent", async () => {
    const { migration, file } = prepare();
    await migration.run([file]);
    const other = newMigration(newPath);
    const run = other.run([file], { checkpoint: migration.checkpoint });
    await expect(run).rejects.toMatchObject({ code: "checkpoint_other_core" });
    expect(await other.core.countUsers()).toBe(0);
  });

  it("is refused while another run holds the checkpoint", async () => {
    const { migration, file } = prepare(people(5));
    const options = await migration.options([file]);
    const [first, second] = await Promise.allSettled([importUsers(options), importUsers(options)]);
    expect(first).toMatchObject({ status: "fulfilled" });
    expect(second).toMatchObject({ status: "rejected", reason: { code: "checkpoint_locked" } });
  });

  it("says so where the checkpoint can't be written, and leaves nothing there", async () => {
    const { migration, file } = prepare();
    const checkpoint = join(newPath("nowhere"), "checkpoint");
    await expect(migration.run([file], { checkpoint })).rejects.toMatchObject({ code: "disk" });
    expect(existsSync(checkpoint)).toBe(false);
    expect(await migration.core.countUsers()).toBe(0);
  });

  it("gives the lock back", async () => {
    const { migration, file } = prepare(people(2));
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

function byRow(one: string, other: string): number {
  return Number.parseInt(one, 10) - Number.parseInt(other, 10);
}
