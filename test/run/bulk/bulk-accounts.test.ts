import { describe, expect, it, onTestFinished } from "vitest";
import { readStatus } from "../../../src/checkpoint/status.js";
import type { Core } from "../../../src/core/core.js";
import { connectCore } from "../../../src/core/http/client.js";
import { DEFAULT_POLICY } from "../../../src/plan/policy.js";
import { reconcileUsers } from "../../../src/reconcile/reconcile-users.js";
import { openInputs } from "../../../src/source/inputs.js";
import { SIGNER_KEY } from "../../support/known-hashes.js";
import { startSuperTokensStub } from "../../support/supertokens-stub.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import {
  type Account,
  ANN,
  accountAt,
  BEN,
  CLEO,
  HASH,
  importAccounts,
  JOINED,
} from "../support/accounts.js";
import { BEHIND_URL, newMigration, outcomes, type RunOptions, told } from "../support/run.js";
import { virtualTiming } from "../support/virtual-timing.js";
import { queuedCore } from "./queued-core.js";

const newPath = temporaryPaths();

const DORA: Account = { id: "u-dora", email: "dora@example.com", phone: "+15550100004" };
const EMIL: Account = { id: "u-emil", phone: "+15550100005", name: "Emil Roth" };
const FAY: Account = {
  ...{ id: "u-fay", email: "fay@example.com", email_verified: false },
  ...{ password_hash: HASH, rights: ["editor"] },
};
const EVERYBODY = [ANN, BEN, CLEO, DORA, EMIL, FAY];
const POLICY = { roles: "create", keepIds: true } as const;

/** What a core has of each of them, but for when they joined. */
async function all(core: Core): Promise<unknown[]> {
  return Promise.all(
    EVERYBODY.map(async ({ id, email }) => {
      const user = await core.getUser(id);
      const { joined: _, ...account } =
        email === undefined
          ? { joined: null }
          : { joined: null, ...(await accountAt(core, email)) };
      return { ...user, timeJoined: 0, hasSignedIn: undefined, recipeUserId: undefined, account };
    }),
  );
}

describe("accounts", () => {
  it("are the same at the core by its queue as by calls of their own, but for when they joined", async () => {
    const [alone, together] = [newMigration(newPath), newMigration(newPath)];
    const single = queuedCore(alone);
    const singly = { ...single.options, bulk: "never", policy: POLICY } as const;
    const first = await importAccounts(alone, EVERYBODY, singly);
    const queue = queuedCore(together);
    const second = await importAccounts(together, EVERYBODY, { ...queue.options, policy: POLICY });
    expect(queue.batches).toEqual([6]);
    expect(outcomes(second.summary)).toEqual(outcomes(first.summary));
    expect(await all(together.core)).toEqual(await all(alone.core));
    expect((await together.core.getUser("u-ann"))?.timeJoined).toBe(JOINED);
    expect(first.summary.notices).toHaveProperty("joined_not_migrated");
    expect(second.summary.notices).not.toHaveProperty("joined_not_migrated");
    expect(second.summary.mapped).toBe(6);
  });

  it.each([
    ["by the queue", "always", "never", false],
    ["by calls of their own", "never", "always", true],
  ] as const)("that came %s keep what was told of their day of joining", async (...given) => {
    const [, bulk, later, isLost] = given;
    const migration = newMigration(newPath);
    const { options } = queuedCore(migration);
    const told: boolean[] = [];
    for (const mode of [bulk, later, bulk, later]) {
      const run = { ...options, bulk: mode, policy: POLICY };
      const { summary } = await importAccounts(migration, [ANN, BEN], run);
      told.push("joined_not_migrated" in summary.notices);
    }
    expect(told).toEqual([isLost, isLost, isLost, isLost]);
  });

  it("that came by the queue are changed by a newer export part by part", async () => {
    const migration = newMigration(newPath);
    const { options } = queuedCore(migration);
    const given: RunOptions = { ...options, policy: POLICY };
    await importAccounts(migration, EVERYBODY, given);
    const again = await importAccounts(migration, EVERYBODY, given);
    expect(outcomes(again.summary)).toEqual({ unchanged: 6 });
    expect(again.summary.calls.part).toBe(0);
    const newer = [{ ...ANN, rights: ["editor"] }, { ...BEN, email_verified: true }, CLEO];
    const { summary } = await importAccounts(migration, newer, given);
    expect(outcomes(summary)).toEqual({ imported: 1, created: 1, unchanged: 1 });
    expect(await accountAt(migration.core, "ann@example.com")).toMatchObject({ roles: ["editor"] });
    expect(await accountAt(migration.core, "ben@example.com")).toMatchObject({ verified: true });
  });

  it("show to reconcile when they joined, of whom the import hasn't told that it stays behind", async () => {
    const told = await Promise.all(
      (["never", "always"] as const).map(async (bulk) => {
        const migration = newMigration(newPath);
        const { core, options } = queuedCore(migration);
        await importAccounts(migration, [ANN], { ...options, bulk });
        const later = { ...ANN, created_at: "2024-09-01T10:00:00Z" };
        const codes = new Set<string>();
        await reconcileUsers({
          core,
          checkpoint: migration.checkpoint,
          binding: BEHIND_URL,
          inputs: await openInputs([migration.write("accounts.json", JSON.stringify([later]))]),
          fields: DEFAULT_POLICY,
          timing: virtualTiming(),
          onEvent: (event) => void (event.type === "difference" && codes.add(event.code)),
        });
        return [...codes];
      }),
    );
    expect(told).toEqual([[], ["joined_differs"]]);
  });

  it("agree in a comparison of fields where no email of theirs is verified", async () => {
    const migration = newMigration(newPath);
    const { core, options } = queuedCore(migration);
    const policy = { include: ["unverified"], carry: ["verified"] } as const;
    const { password_hash: _, rights: __, ...gus } = { ...FAY, id: "u-gus" };
    const { summary } = await importAccounts(migration, [gus], {
      ...options,
      policy,
      bulk: "always",
    });
    expect(summary).toMatchObject({ created: 1 });
    const { differences } = await reconcileUsers({
      core,
      checkpoint: migration.checkpoint,
      binding: BEHIND_URL,
      inputs: await openInputs([migration.write("accounts.json", JSON.stringify([gus]))]),
      fields: { ...DEFAULT_POLICY, ...policy },
      timing: virtualTiming(),
    });
    expect(differences).toEqual({});
  });

  it("that were lost with an answer get what a newer export says of them", async () => {
    const migration = newMigration(newPath);
    const stop = new AbortController();
    const round = async () => stop.abort();
    const lost = queuedCore(migration, { loses: () => "after", round });
    const given = { policy: POLICY, signal: stop.signal };
    await importAccounts(migration, [BEN, CLEO, FAY], { ...lost.options, ...given });
    const { options } = queuedCore(migration);
    const newer = [{ ...BEN, plan: "gold" }, { ...CLEO, rights: ["editor"] }, FAY];
    const { summary } = await importAccounts(migration, newer, { ...options, policy: POLICY });
    expect(outcomes(summary)).toEqual({ created: 2, imported: 1 });
    expect(await accountAt(migration.core, "ben@example.com")).toMatchObject({
      metadata: { name: "Ben Adler", plan: "gold" },
    });
    expect(await accountAt(migration.core, "cleo@example.com")).toMatchObject({
      roles: ["editor"],
    });
  });

  it.each([
    ["say something else", { plan: "free" }, {}, { metadata: { name: "Ann Blum", plan: "free" } }],
    ["are to have their roles", {}, { roles: "create" }, { roles: ["admin", "editor"] }],
  ] as const)(
    "that %s by now than those in the queue are told, and the next run sends that",
    async (_what, changes, policy, then) => {
      const migration = newMigration(newPath);
      const stop = new AbortController();
      const { options } = queuedCore(migration, { round: async () => stop.abort() });
      await importAccounts(migration, [ANN, CLEO], { ...options, signal: stop.signal });
      const newer = [{ ...ANN, ...changes }, CLEO];
      const given = { ...queuedCore(migration).options, policy };
      const second = await importAccounts(migration, newer, given);
      expect(outcomes(second.summary)).toEqual({ created: 1, failed: 1 });
      expect(second.events.map(told)).toEqual(["1 failure changed_while_queued"]);
      const third = await importAccounts(migration, newer, given);
      expect(outcomes(third.summary)).toEqual({ imported: 1, unchanged: 1 });
      expect(await accountAt(migration.core, "ann@example.com")).toMatchObject(then);
    },
  );

  it("that are to keep their ids by now, and in the queue aren't, are told", async () => {
    const migration = newMigration(newPath);
    const stop = new AbortController();
    const { options } = queuedCore(migration, { round: async () => stop.abort() });
    await importAccounts(migration, [ANN, CLEO], { ...options, signal: stop.signal });
    const given = { ...queuedCore(migration).options, policy: { keepIds: true } };
    const second = await importAccounts(migration, [ANN, CLEO], given);
    expect(outcomes(second.summary)).toEqual({ failed: 2 });
    // Parts are kept under the core's own ids by now.
    const third = await importAccounts(migration, [ANN, CLEO], given);
    expect(third.summary).toMatchObject({ unchanged: 2, notices: { id_not_kept: 2 } });
  });

  it.each([
    ["sent once", () => null],
    ["sent again, since an answer was lost", (call: number) => (call === 1 ? "before" : null)],
  ] as const)(
    "with two contacts, of which a stranger has one by now, are told, %s",
    async (_how, loses) => {
      const migration = newMigration(newPath);
      const { options } = queuedCore(migration, {
        loses,
        async round(core) {
          const wayIn = { recipe: "passwordless", phoneNumber: DORA.phone } as const;
          const hasCome = (await core.part("countQueued", {})).count > 0;
          if (hasCome) await core.importAccount({ wayIn });
          await core.importQueued();
        },
      });
      const player = { ...DORA, hobby: "chess" };
      const { summary } = await importAccounts(migration, [CLEO, player], options);
      expect(outcomes(summary)).toEqual({ created: 1, existed: 1 });
      expect(summary.notices).toMatchObject({ contact_conflict: 1 });
      const { notices } = readStatus(migration.checkpoint);
      expect(notices).toMatchObject({ contact_conflict: 1 });
      // What the row says isn't true of a user who was there before.
      expect(notices).not.toHaveProperty("fields_not_migrated");
    },
  );

  it("tell who went alone that their day of joining stays behind", async () => {
    const migration = newMigration(newPath);
    const { options } = queuedCore(migration);
    const { summary } = await importAccounts(migration, [ANN], { ...options, bulk: "auto" });
    expect(summary.notices).toMatchObject({ joined_not_migrated: 1 });
  });
});

describe("at a stand-in of SuperTokens", () => {
  it("a taken email holds its chunk up for a round, and everybody ends as they are to", async () => {
    const stub = await startSuperTokensStub({
      ...{ apiKey: "bulk-key-0001", signerKey: SIGNER_KEY, queue: { chunks: 2 } },
    });
    const core = connectCore({ url: stub.url, apiKey: "bulk-key-0001" });
    onTestFinished(async () => {
      await core.close();
      await stub.close();
    });
    const migration = newMigration(newPath);
    const people = Array.from({ length: 12 }, (_, n): Account => {
      const hash = n % 2 === 0 ? { password_hash: HASH } : {};
      return { id: `m-${n}`, email: `member.${n}@example.com`, plan: "pro", ...hash };
    });
    const virtual = virtualTiming();
    let rounds = 0;
    const timing = {
      ...virtual,
      async sleep(ms: number, signal?: AbortSignal) {
        await virtual.sleep(ms, signal);
        rounds += 1;
        if (rounds === 1) {
          await core.importUser({ email: "member.4@example.com", passwordHash: HASH });
        }
        stub.round();
      },
    };
    const { summary, events } = await importAccounts(migration, people, {
      ...{ core, timing, bulk: "always", policy: { keepIds: true } },
      binding: { kind: "remote", url: stub.url },
    });
    expect(events).toEqual([]);
    expect(outcomes(summary)).toEqual({ imported: 5, created: 6, existed: 1 });
    expect(rounds).toBeGreaterThanOrEqual(2);
    expect(stub.users).toHaveLength(12);
    expect(await core.part("getMetadata", { userId: "m-3" })).toMatchObject({
      metadata: { plan: "pro" },
    });
    expect((await core.part("countQueued", {})).count).toBe(0);
    expect(stub.calls.filter(({ path }) => path === "/bulk-import/users/remove")).toHaveLength(1);
  });
});
