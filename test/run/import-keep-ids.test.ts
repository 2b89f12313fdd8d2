import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { CodeRequest, Core } from "../../src/core/core.js";
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
  told,
} from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;
const KEEP = { policy: { keepIds: true } } as const;
/** No user is without the vendor's id. */
const ALL_KEPT = expect.not.objectContaining({ id_not_kept: expect.anything() });
const TIMING = { timing: virtualTiming() };

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

/** The core, but that some calls fail or are stopped first. */
function meddling(core: Core, mapUserId: Core["mapUserId"]): Core {
  return { ...core, mapUserId };
}

const BROKEN = async (): Promise<never> => {
  throw new CoreFailure("broken", "HTTP 500", { reached: "yes" });
};

describe("an import that keeps ids", () => {
  it("leaves everybody whom it brings known by the vendor's id, at the price of one call", async () => {
    const { migration, file } = prepare();
    const { summary } = await migration.run([file], KEEP);
    expect(outcomes(summary)).toEqual({ imported: 1, created: 1 });
    expect(summary).toMatchObject({ mapped: 2, calls: { map: 2, import: 1, update: 1 } });
    expect(await idsOf(migration)).toEqual({
      "ada@example.com": "u-ada",
      "ben@example.com": "u-ben",
    });
    const { password } = KNOWN_HASHES.bcrypt;
    const signedIn = await migration.core.signIn({ email: "ada@example.com", password });
    expect(signedIn).toMatchObject({ status: "OK", user: { userId: "u-ada" } });
  });

  it("calls nobody again in the next run, and neither does one that doesn't keep ids", async () => {
    const { migration, file } = prepare();
    await migration.run([file], KEEP);
    const before = await idsOf(migration);
    for (const options of [KEEP, {}]) {
      const { summary } = await migration.run([file], options);
      expect(outcomes(summary)).toEqual({ unchanged: 2 });
      expect(summary).toMatchObject({ mapped: 0, notices: ALL_KEPT });
      expect(Object.values(summary.calls)).toEqual(Array(7).fill(0));
    }
    expect(await idsOf(migration)).toEqual(before);
  });

  it("costs a run without it no call", async () => {
    const { migration, file } = prepare();
    const core = meddling(migration.core, BROKEN);
    const { summary } = await migration.run([file], { core });
    expect(outcomes(summary)).toEqual({ imported: 1, created: 1 });
    expect(summary).toMatchObject({ mapped: 0, calls: { map: 0 } });
  });

  it("maps who was imported without it, sends them nothing else, and does it once", async () => {
    const { migration, file } = prepare(readers(40));
    await migration.run([file]);
    const second = await migration.run([file], KEEP);
    expect(outcomes(second.summary)).toEqual({ unchanged: 40 });
    expect(second.summary.mapped).toBe(40);
    expect(second.summary.calls).toEqual({
      ...{ code: 0, consume: 0, update: 0, import: 0, lookup: 0, part: 0 },
      map: 40,
    });
    const ids = readers(40).map(({ email, id }) => [email, id]);
    expect(await idsOf(migration)).toEqual(Object.fromEntries(ids));
    const third = await migration.run([file], KEEP);
    expect(third.summary).toMatchObject({ unchanged: 40, mapped: 0, calls: { map: 0 } });
  });

  it("maps an id that only a newer export has", async () => {
    const { migration, file } = prepare([{ ...ADA, id: "" }]);
    await migration.run([file]);
    const newer = migration.write("newer.csv", csvOf([ADA]));
    const { summary } = await migration.run([newer], KEEP);
    expect(summary).toMatchObject({ unchanged: 1, mapped: 1 });
    expect(await idsOf(migration)).toEqual({ "ada@example.com": "u-ada" });
  });

  it("maps who was imported without it also where their row has changed since, and rejects the row", async () => {
    const { migration, file } = prepare([ADA]);
    await migration.run([file]);
    const changed = csvOf([{ ...ADA, email: "ada@example.org" }]);
    const newer = migration.write("newer.csv", changed);
    const { summary, events } = await migration.run([newer], KEEP);
    expect(events.map(told)).toEqual(["1 reject email_changed"]);
    expect(outcomes(summary)).toEqual({ rejected: 1 });
    expect(summary).toMatchObject({ mapped: 1, calls: { map: 1, import: 0 } });
    expect(await idsOf(migration)).toEqual({ "ada@example.com": "u-ada" });
    const again = await migration.run([newer], KEEP);
    expect(again.summary).toMatchObject({ rejected: 1, mapped: 0, calls: { map: 0 } });
  });

  it("rejects who has no id, or one that no core takes, before anything is sent for them", async () => {
    const { migration, file } = prepare([
      { ...ADA, id: "" },
      { ...BEN, id: "x".repeat(129) },
      { id: "y".repeat(128), phone: "+15550100003" },
    ]);
    const { summary, events } = await migration.run([file], KEEP);
    expect(events.map(told)).toEqual(["1 reject id_missing", "2 reject id_not_mappable"]);
    expect(outcomes(summary)).toEqual({ rejected: 2, created: 1 });
    expect(Object.values(await idsOf(migration))).toEqual(["y".repeat(128)]);
  });

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
  it("leaves the user as they are, is counted, and the rows are named at the end", async () => {
    const { migration, file } = prepare([ADA, BEN]);
    const { userId } = await passwordlessUser(migration, { email: "zoe@example.com" });
    await migration.core.mapUserId({ userId, externalUserId: "u-ben" });
    const { summary, findings } = await migration.run([file], KEEP);
    expect(outcomes(summary)).toEqual({ imported: 1, created: 1 });
    expect(summary).toMatchObject({ mapped: 1, notices: { id_not_kept: 1 } });
    expect(findings.at(-1)).toMatchObject({
      code: "id_not_kept",
      count: 1,
      rows: [{ file, number: 2 }],
    });
    expect(await idsOf(migration)).toMatchObject({ "zoe@example.com": "u-ben" });
  });

  it("is one that the core has for a user of its own", async () => {
    const { migration } = prepare();
    const { userId } = await passwordlessUser(migration, { email: "zoe@example.com" });
    const file = migration.write("users.csv", csvOf([{ ...ADA, id: userId }]));
    const { summary } = await migration.run([file], KEEP);
    expect(summary).toMatchObject({ imported: 1, mapped: 0, notices: { id_not_kept: 1 } });
  });

  it("is tried again in the next run, where the way may be free", async () => {
    const { migration, file } = prepare([ADA]);
    const core = meddling(migration.core, async () => {
      throw new CoreFailure("refused", "in use", { reached: "yes" });
    });
    const first = await migration.run([file], { core, ...KEEP });
    expect(first.summary).toMatchObject({ imported: 1, mapped: 0, notices: { id_not_kept: 1 } });
    const second = await migration.run([file], { core, ...KEEP });
    expect(second.summary).toMatchObject({ unchanged: 1, mapped: 0, notices: { id_not_kept: 1 } });
    const third = await migration.run([file], KEEP);
    expect(third.summary).toMatchObject({ unchanged: 1, mapped: 1, notices: ALL_KEPT });
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

  it("is told of a finished user who was removed at the core, without a failure", async () => {
    const { migration, file } = prepare([ADA]);
    await migration.run([file]);
    const core = meddling(migration.core, async () => ({ status: "UNKNOWN_USER_ID_ERROR" }));
    const { summary } = await migration.run([file], { core, ...KEEP });
    expect(outcomes(summary)).toEqual({ unchanged: 1 });
    expect(summary.notices).toMatchObject({ id_not_kept: 1 });
  });
});

describe("a mapping that isn't reached", () => {
  it("fails the user; the next run maps and imports nobody again", async () => {
    const { migration, file } = prepare();
    const first = await migration.run([file], {
      core: meddling(migration.core, BROKEN),
      ...KEEP,
      ...TIMING,
    });
    expect(outcomes(first.summary)).toEqual({ failed: 2 });
    expect(first.events.map(told)).toEqual(
      expect.arrayContaining(["1 failure core_broken", "2 failure core_broken"]),
    );
    const second = await migration.run([file], KEEP);
    expect(outcomes(second.summary)).toEqual({ unchanged: 2 });
    expect(second.summary).toMatchObject({ mapped: 2, calls: { map: 2, import: 0, lookup: 0 } });
  });

  it("hides no notice of the users whom it fails", async () => {
    const { migration, file } = prepare([BEN]);
    await passwordlessUser(migration, { phoneNumber: "+15550100002" });
    const onExisting = "update" as const;
    const options = { core: meddling(migration.core, BROKEN), ...TIMING };
    // Ben's phone is somebody else's: he is created with his email alone.
    const { summary } = await migration.run([file], {
      ...options,
      policy: { keepIds: true, assumeEmpty: true, onExisting },
    });
    expect(summary).toMatchObject({ failed: 1, notices: { contact_conflict: 1 } });
  });

  it("fails a finished user in the same way", async () => {
    const { migration, file } = prepare([ADA]);
    await migration.run([file]);
    const core = meddling(migration.core, BROKEN);
    const failed = await migration.run([file], { core, ...KEEP, ...TIMING });
    expect(outcomes(failed.summary)).toEqual({ failed: 1 });
    expect((await migration.run([file], KEEP)).summary).toMatchObject({ unchanged: 1, mapped: 1 });
  });

  it("whose answer was lost is found to be in force", async () => {
    const { migration, file } = prepare();
    let calls = 0;
    const core = meddling(migration.core, async (request) => {
      calls += 1;
      const answer = await migration.core.mapUserId(request);
      if (calls % 2 === 0) return answer;
      throw new CoreFailure("unreachable", "connection lost", { reached: "unknown" });
    });
    const { summary } = await migration.run([file], { core, ...KEEP, ...TIMING });
    expect(summary).toMatchObject({ mapped: 2, failed: 0, notices: ALL_KEPT, calls: { map: 4 } });
  });

  it.each([
    ["before the mapping", false],
    ["after it", true],
  ])("because the run died %s is made up for", async (_when, isMapped) => {
    const { migration, file } = prepare();
    // What a kill leaves: the intent is durable, and nothing after it.
    const core = meddling(migration.core, async (request) => {
      if (isMapped) await migration.core.mapUserId(request);
      throw new Error("killed");
    });
    await expect(migration.run([file], { core, ...KEEP })).rejects.toThrow("killed");
    const { summary } = await migration.run([file], KEEP);
    expect(outcomes(summary)).toEqual({ imported: 1, created: 1 });
    expect(summary).toMatchObject({
      mapped: 2,
      notices: ALL_KEPT,
      calls: { import: 0, code: 0, map: isMapped ? 0 : 2 },
    });
    expect(Object.values(await idsOf(migration)).sort()).toEqual(["u-ada", "u-ben"]);
    expect((await migration.run([file], KEEP)).summary.unchanged).toBe(2);
  });

  it("because the run was stopped is pending, and done by the next", async () => {
    const { migration, file } = prepare(readers(50));
    await migration.run([file]);
    const stop = new AbortController();
    const core = meddling(migration.core, async (request) => {
      stop.abort();
      return migration.core.mapUserId(request);
    });
    const options = { core, signal: stop.signal, concurrency: 4, ...KEEP };
    const { summary } = await migration.run([file], options);
    expect(summary.interrupted).toBe(true);
    expect(summary.unchanged).toBe(summary.mapped);
    expect(summary.unchanged + summary.pending).toBe(50);
    expect(summary.pending).toBeGreaterThan(0);
    const rest = await migration.run([file], KEEP);
    expect(rest.summary).toMatchObject({ unchanged: 50, mapped: summary.pending });
  });
});

describe("users who are at the core already", () => {
  /** Ada signed up there with a password of her own, Ben with his email. */
  async function withStrangers(): Promise<Prepared & { readonly before: Record<string, string> }> {
    const prepared = prepare();
    const { core } = prepared.migration;
    const { passwordHash } = KNOWN_HASHES.argon2;
    await core.importUser({ email: "ada@example.com", passwordHash });
    await passwordlessUser(prepared.migration, { email: "ben@example.com" });
    return { ...prepared, before: await idsOf(prepared.migration) };
  }

  it.each(["skip", "update"] as const)(
    "get no id under on-existing %s, in this run or a later one, and it is said each time",
    async (onExisting) => {
      const { migration, file, before } = await withStrangers();
      const policy = { keepIds: true, onExisting };
      const first = await migration.run([file], { policy });
      expect(first.summary).toMatchObject({
        ...(onExisting === "skip" ? { existed: 2 } : { imported: 1, existed: 1 }),
        mapped: 0,
        notices: { id_not_kept: 2 },
        calls: { map: 0 },
      });
      const again = await migration.run([file], { policy });
      expect(outcomes(again.summary)).toEqual({ unchanged: 2 });
      expect(again.summary).toMatchObject({ notices: { id_not_kept: 2 }, calls: { map: 0 } });
      expect(await idsOf(migration)).toEqual(before);
    },
  );

  it("get none after a run without it replaced their password either", async () => {
    const { migration, file, before } = await withStrangers();
    await migration.run([file], { policy: { onExisting: "update" } });
    const { summary } = await migration.run([file], KEEP);
    expect(summary).toMatchObject({ unchanged: 2, mapped: 0, notices: { id_not_kept: 2 } });
    expect(await idsOf(migration)).toEqual(before);
  });

  it("get none where the answer to the replacing of their password was lost", async () => {
    const { migration, file, before } = await withStrangers();
    const lostOnce = new Set<unknown>();
    const core: Core = {
      ...migration.core,
      async importUser(request) {
        const answer = await migration.core.importUser(request);
        if (lostOnce.has(request.email)) return answer;
        lostOnce.add(request.email);
        throw new CoreFailure("unreachable", "connection lost", { reached: "unknown" });
      },
    };
    const policy = { keepIds: true, onExisting: "update" } as const;
    const { summary } = await migration.run([file], { core, policy, ...TIMING });
    expect(summary).toMatchObject({ mapped: 0, notices: { existing_password_replaced: 1 } });
    expect(await idsOf(migration)).toEqual(before);
  });

  it("are told from users of a run that died, also under on-existing update", async () => {
    const { migration, file } = prepare(readers(6));
    const policy = { keepIds: true, onExisting: "update" } as const;
    const core = meddling(migration.core, async () => {
      throw new Error("killed");
    });
    await expect(migration.run([file], { core, policy })).rejects.toThrow("killed");
    const { summary } = await migration.run([file], { policy });
    expect(outcomes(summary)).toEqual({ imported: 3, created: 3 });
    expect(summary).toMatchObject({ mapped: 6, notices: ALL_KEPT });
  });

  it("are fine where an earlier migration gave them the id", async () => {
    const { migration, file } = prepare();
    await migration.run([file], KEEP);
    const checkpoint = `${migration.checkpoint}-lost-and-begun-anew`;
    const { summary } = await migration.run([file], { ...KEEP, checkpoint });
    expect(summary).toMatchObject({ existed: 2, mapped: 2, notices: ALL_KEPT, calls: { map: 0 } });
  });
});

it("keeps ids of two databases apart: the second user of one id keeps their outcome alone", async () => {
  const migration = newMigration(newPath);
  const shop = migration.write("shop.csv", csvOf([{ ...ADA, id: "1" }]));
  const forum = migration.write("forum.csv", csvOf([{ ...BEN, id: "1" }]));
  await migration.run([shop], { ...KEEP, namespace: "shop" });
  const { summary } = await migration.run([forum], { ...KEEP, namespace: "forum" });
  expect(summary).toMatchObject({ created: 1, mapped: 0, notices: { id_not_kept: 1 } });
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
