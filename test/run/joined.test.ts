import { describe, expect, test } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import { readStatus } from "../../src/checkpoint/status.js";
import type { Core } from "../../src/core/core.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { FindingEvent, MigrationEvent } from "../../src/events/events.js";
import { DEFAULT_POLICY, type Policy } from "../../src/plan/policy.js";
import { reconcileUsers } from "../../src/reconcile/reconcile-users.js";
import type { BulkMode } from "../../src/run/bulk/mode.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { queuedCore } from "./bulk/queued-core.js";
import { type Account, HASH, importAccounts, MAP } from "./support/accounts.js";
import { BEHIND_URL, newMigration, type RunOptions, singly } from "./support/run.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
const PBKDF2 = "pbkdf2_sha256$1000$c2FsdHNhbHQ$YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE=";
const DAY = "2021-03-04T05:06:07Z";
const KEY = new Uint8Array(32).fill(7);

const member = (name: string, more: Partial<Account> = {}): Account => {
  return { id: `u-${name}`, email: `${name}@example.com`, email_verified: true, ...more };
};

/** One for each way in, with and without a day of joining. */
const MEMBERS: readonly Account[] = [
  member("ann", { password_hash: HASH, created_at: DAY, plan: "gold" }),
  member("bo", { password_hash: PBKDF2, created_at: DAY }),
  member("cleo", { created_at: DAY, plan: "free" }),
  member("di", { google: "1077", created_at: DAY }),
  member("ed", { password_hash: HASH }),
  member("flo", { password_hash: HASH, created_at: "31/31/2021" }),
  member("gus", { created_at: DAY }),
  member("there", { password_hash: HASH, created_at: DAY }),
];

/** The same later: hashes and metadata have changed, and who had no password has one. */
const LATER = MEMBERS.map((account): Account => {
  if (account.id === "u-cleo") return { ...account, plan: "gold" };
  const hasHash = account.password_hash !== undefined || account.id === "u-gus";
  return hasHash ? { ...account, password_hash: KNOWN_HASHES.argon2.passwordHash } : account;
});

/** How a core takes users. */
interface Way {
  readonly as?: "whole" | "behind" | "without queue";
  readonly bulk?: BulkMode;
  readonly policy?: Partial<Policy>;
  /** Who joins on the vendor's day. */
  readonly keeps: readonly string[];
  /** The same once the later export is imported. */
  readonly later?: readonly string[];
  /** Nobody is there before. */
  readonly isEmpty?: true;
  /** No later export follows. */
  readonly isOnce?: true;
  /** Of others who would by `--bulk always`. */
  readonly byBulk?: number;
}

const ALL = ["ann", "bo", "cleo", "di", "gus"];
const QUEUED = ["ann", "cleo", "gus"];

const WAYS: Readonly<Record<string, Way>> = {
  "the embedded core, by one call each": { as: "whole", keeps: ALL },
  "the embedded core, by a call for each part": { keeps: ALL },
  "the embedded core, whose own users get the vendor's passwords": {
    ...{ policy: { onExisting: "update" }, keeps: ALL, isOnce: true },
  },
  "a core behind a URL that has no queue": { as: "without queue", keeps: [], isEmpty: true },
  "a core behind a URL, past its queue": { as: "behind", bulk: "never", keeps: [], isEmpty: true },
  "a core behind a URL, too few for its queue": {
    as: "behind",
    bulk: "auto",
    keeps: [],
    byBulk: 3,
  },
  "a core behind a URL that nobody is looked up at": {
    ...{
      as: "behind",
      policy: { assumeEmpty: true },
      keeps: [],
      byBulk: 3,
      isEmpty: true,
      isOnce: true,
    },
  },
  // Who gets another way in is made anew, by calls of their own.
  "a core behind a URL, by its queue": {
    ...{ as: "behind", bulk: "always", keeps: QUEUED, later: ["ann", "cleo"] },
  },
  "a core behind a URL, into which no day is to go": {
    ...{
      as: "behind",
      bulk: "always",
      policy: { carry: ["verified", "metadata"] },
      keeps: [],
      isEmpty: true,
    },
  },
};

/** Where the members go, and the options of their import. */
function destination({ as, bulk = "auto", policy = {} }: Way) {
  const migration = newMigration(newPath, as === "whole" ? (core) => core : singly);
  const { checkpoint } = migration;
  const behind = queuedCore(migration);
  const capabilities = async () => ({ ...(await behind.core.capabilities()), bulkImport: false });
  const remote = as === "without queue" ? { ...behind.core, capabilities } : behind.core;
  const isHere = as === undefined || as === "whole";
  const core: Core = isHere ? migration.core : remote;
  const options = {
    ...(isHere ? {} : { ...behind.options, core, bulk }),
    policy: { ...policy, onUnusableHash: "bridge", changeKind: true, assumeNeverSignedIn: true },
    vault: { path: `${checkpoint}.vault`, key: KEY },
  } as const satisfies RunOptions;
  const reading = async (accounts: readonly Account[]) =>
    openInputs([migration.write("accounts.json", JSON.stringify(accounts))], { map: MAP });
  return { migration, core, isHere, options, reading };
}

type Destination = ReturnType<typeof destination>;

/** Whom the core shows as joining on the vendor's day. */
async function keptAt({ migration }: Destination): Promise<string[]> {
  const users = await migration.users();
  const kept = users.filter(({ timeJoined }) => timeJoined === Date.parse(DAY));
  return kept.map(({ email = "" }) => email.split("@")[0] ?? "").sort();
}

const isJoined = (event: MigrationEvent): event is FindingEvent =>
  event.type === "finding" && event.code === "joined_not_migrated";

/** What a dry run and the import after it say. */
async function imported(to: Destination, accounts: readonly Account[]) {
  const { migration, core, options, isHere, reading } = to;
  const binding = isHere
    ? ({ kind: "embedded", coreId: migration.core.coreId } as const)
    : BEHIND_URL;
  const dry: FindingEvent[] = [];
  const foreseen = await validateUsers({
    inputs: await reading(accounts),
    policy: options.policy,
    onEvent: (event) => void (isJoined(event) && dry.push(event)),
    asks: {
      ...{ core, binding, bulk: "bulk" in options ? options.bulk : "auto" },
      ...{ checkpoint: await known(migration.checkpoint), concurrency: 8 },
      ...{ targetMoved: false, checkExisting: 1000 },
    },
  });
  const told: FindingEvent[] = [];
  const { summary } = await migration.run([], {
    ...options,
    inputs: await reading(accounts),
    onEvent: (event) => void (isJoined(event) && told.push(event)),
  });
  return { foreseen, dry, summary, told };
}

async function known(checkpoint: string): Promise<string | null> {
  const { existsSync } = await import("node:fs");
  return existsSync(checkpoint) ? checkpoint : null;
}

/** What comparing fields comes to. */
async function reconciled(
  { migration, core, isHere, reading }: Destination,
  accounts: readonly Account[],
  carry: Policy["carry"] = null,
) {
  const { differences } = await reconcileUsers({
    ...{ core, checkpoint: migration.checkpoint, sample: "all" },
    ...(isHere ? {} : { binding: BEHIND_URL }),
    inputs: await reading(accounts),
    fields: { ...DEFAULT_POLICY, carry },
    timing: virtualTiming(),
  });
  return differences;
}

/** What all runs have carried along. */
function carriedByAll(checkpoint: string): number {
  const report = openReport(checkpoint);
  const { carriedUsers } = report.sums;
  report.close();
  return carriedUsers.joined ?? 0;
}

describe("the day on which users joined is told as the core has it", () => {
  test.each(Object.entries(WAYS))("at %s", async (_where, way) => {
    const to = destination(way);
    const { migration, isHere } = to;
    const isEmpty = way.isEmpty === true;
    const [members, newer] = [MEMBERS, LATER].map((all) => (isEmpty ? all.slice(0, -1) : all));
    if (members === undefined || newer === undefined) throw new Error("no members");
    if (!isEmpty) {
      await migration.core.importUser({ email: "there@example.com", passwordHash: HASH });
    }
    const first = await imported(to, members);
    expect(await keptAt(to)).toEqual(way.keeps);
    // All but who was there, and who has none; one isn't readable.
    const left = 6 - way.keeps.length;
    for (const { carriedUsers, notices } of [first.foreseen, first.summary]) {
      expect(carriedUsers.joined ?? 0).toBe(way.keeps.length);
      expect(notices.joined_not_migrated).toBe(left);
    }
    const isTold = !isHere && way.policy?.carry === undefined;
    expect(first.dry.map(({ count }) => count)).toEqual(isTold ? [left] : []);
    // Nobody is looked up before: who is there may be among them.
    const toldOf = first.told.map(({ count, foreseen = false }) => [foreseen, count]);
    const before = left + (way.keeps === QUEUED || isEmpty ? 0 : 1);
    expect(toldOf).toEqual(
      isTold
        ? [
            [true, before],
            [false, left],
          ]
        : [],
    );
    expect(first.foreseen.prediction?.joinedByBulk).toBe(way.byBulk ?? 0);
    expect(await reconciled(to, members, way.policy?.carry)).toEqual({});
    expect(carriedByAll(migration.checkpoint)).toBe(way.keeps.length);
    expect(readStatus(migration.checkpoint).notices.joined_not_migrated).toBe(left);

    if (way.isOnce === true) return;
    const later = await imported(to, newer);
    const keeps = way.later ?? way.keeps;
    expect(await keptAt(to)).toEqual(keeps);
    // Of all whom it changes it makes one user anew.
    const anew = Number(keeps.includes("gus"));
    expect(later.summary).toMatchObject({ imported: 5, created: 1 });
    for (const { carriedUsers } of [later.foreseen, later.summary]) {
      expect(carriedUsers).toEqual({
        ...{ metadata: 1, verified: 1 },
        ...(anew === 0 ? {} : { joined: 1 }),
      });
    }
    expect(readStatus(migration.checkpoint).notices.joined_not_migrated).toBe(6 - keeps.length);
    expect(await reconciled(to, newer, way.policy?.carry)).toEqual({});
    expect(carriedByAll(migration.checkpoint)).toBe(way.keeps.length + anew);
  });

  test.each([
    ["the queue has made them", "always", QUEUED],
    ["calls of their own have", "auto", []],
  ] as const)("of users whom a later run finds: %s", async (_by, bulk, keeps) => {
    const migration = newMigration(newPath);
    const members = MEMBERS.filter(({ id }) => QUEUED.some((name) => id === `u-${name}`));
    const killed = (method: string): void => {
      const isLast = method === (bulk === "always" ? "queueAccounts" : "consumeCode");
      if (isLast) throw new Error("killed");
    };
    const first = queuedCore(migration, { after: killed });
    const run = { ...first.options, bulk, concurrency: 1 };
    await expect(importAccounts(migration, members, run)).rejects.toThrow("killed");
    await migration.core.importQueued();
    const { options } = queuedCore(migration);
    await importAccounts(migration, members, { ...options, bulk: "auto" });
    const users = await migration.users();
    const kept = users.filter(({ timeJoined }) => timeJoined === Date.parse(DAY));
    expect([users.length, kept.length]).toEqual([3, keeps.length]);
    const left = readStatus(migration.checkpoint).notices.joined_not_migrated ?? 0;
    expect(left).toBe(3 - keeps.length);
    expect(carriedByAll(migration.checkpoint)).toBe(keeps.length);
  });

  test.each([
    ["was killed before its first call", { before: "importUser" }, 3],
    ["was killed after a call", { after: "consumeCode" }, 2],
    ["was killed before its last user", { before: "createCode", most: 2 }, 1],
    ["got no answer", { fails: "createCode" }, 2],
    ["brought all", {}, 0],
  ] as const)("beforehand, of whom an earlier run has left: it %s", async (...given) => {
    const [, how, left] = given;
    const { before = "", after = "", fails = "", most = 1 } = { ...NO_FAULT, ...how };
    const migration = newMigration(newPath);
    const members = MEMBERS.filter(({ id }) => QUEUED.some((name) => id === `u-${name}`));
    let calls = 0;
    const kill = (at: string) => (method: string) => {
      if (method === at) calls += 1;
      if (method === at && calls >= most) throw new Error("killed");
    };
    const first = queuedCore(migration, {
      after: kill(after),
      before(method) {
        if (method === fails) throw new CoreFailure("refused", "no", { reached: "yes" });
        kill(before)(method);
      },
    });
    const once = importAccounts(migration, members, {
      ...first.options,
      bulk: "auto",
      concurrency: 1,
    });
    await (before === after ? once : expect(once).rejects.toThrow("killed"));
    const told: number[] = [];
    await importAccounts(migration, members, {
      ...queuedCore(migration).options,
      bulk: "auto",
      onEvent: (event) => void (isJoined(event) && event.foreseen && told.push(event.count)),
    });
    expect(told).toEqual(left === 0 ? [] : [left]);
  });
});

const NO_FAULT: { before?: string; after?: string; fails?: string; most?: number } = {};
