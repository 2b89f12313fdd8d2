import { describe, expect, it } from "vitest";
import type { QueueOutcome } from "../../../src/core/account-queue.js";
import type { Core } from "../../../src/core/core.js";
import { DEFAULT_POLICY } from "../../../src/plan/policy.js";
import { reconcileUsers } from "../../../src/reconcile/reconcile-users.js";
import { openInputs } from "../../../src/source/inputs.js";
import { tried } from "../../support/repeated.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { type Account, HASH, MAP } from "../support/accounts.js";
import { outcomes, told } from "../support/run.js";
import { virtualTiming } from "../support/virtual-timing.js";
import { type SuperTokensMigration, superTokensMigration } from "./supertokens-migration.js";

const newPath = temporaryPaths();

const KEPT = { policy: { keepIds: true } } as const;
const OTHER_HASH = HASH.replace(/.{6}$/, "AAAAAA");

/** Members of a sailing club; every other one has a password, the rest come by email or by phone. */
function members(count: number): Account[] {
  return Array.from({ length: count }, (_, n): Account => {
    const email = `sailor.${n}@example.org`;
    const base = { id: `club-${n}`, plan: "crew", created_at: "2022-05-01T08:00:00Z" };
    if (n % 2 === 0) return { ...base, email, password_hash: HASH };
    return n % 4 === 1 ? { ...base, email } : { ...base, phone: `+1555010${1000 + n}` };
  });
}

const stranger = ({ core }: SuperTokensMigration, n: number) =>
  core.importUser({ email: `sailor.${n}@example.org`, passwordHash: OTHER_HASH });

async function reconciled(
  { core, binding, migration }: SuperTokensMigration,
  file: string,
  map: ReadonlyMap<string, string> = MAP,
) {
  const codes: string[] = [];
  await reconcileUsers({
    ...{ core, checkpoint: migration.checkpoint, binding, sample: "all" },
    inputs: await openInputs([file], { map }),
    fields: { ...DEFAULT_POLICY, carry: ["metadata"] },
    timing: virtualTiming(),
    onEvent: (event) => void (event.type === "difference" && codes.push(event.code)),
  });
  return codes;
}

/** The ids of an answer in another order; `whole` takes the contacts along. */
function crossed(core: Core, order: (ids: number[]) => number[], whole: boolean): Core {
  const queueAccounts: Core["queueAccounts"] = async (accounts) => {
    const answer = await core.queueAccounts(accounts);
    if (answer.status !== "OK") return answer;
    const users = order(answer.users.map((_, place) => place)).map((from, to) => {
      const { email: _, phoneNumber: __, ...ids } = answer.users[from] ?? { userId: "" };
      const { email, phoneNumber } = answer.users[whole ? from : to] ?? {};
      const contact = email === undefined ? { phoneNumber } : { email };
      return { ...ids, ...contact } as Extract<QueueOutcome, { status: "OK" }>["users"][number];
    });
    return { ...answer, users };
  };
  return { ...core, queueAccounts };
}

describe("a queue that fails rows for another's fault", () => {
  it.each([
    ["under the vendor's ids", KEPT],
    ["under the core's ids", {}],
  ])("has nobody rejected who can be brought, %s", async (_what, options) => {
    const club = await superTokensMigration(newPath, { blamesInnocents: true });
    const { summary, events, findings } = await club.run(members(40), options, (round) =>
      round === 1 ? stranger(club, 10) : undefined,
    );
    expect(events).toEqual([]);
    expect(findings.map(({ code }) => code)).not.toContain("queue_stuck");
    expect(outcomes(summary)).toEqual({ imported: 19, created: 20, existed: 1 });
    expect(club.stub.users).toHaveLength(40);
    const theirs = club.stub.users.find(({ email }) => email === "sailor.10@example.org");
    expect(theirs).toMatchObject({ passwordHash: OTHER_HASH });
    expect(theirs).not.toHaveProperty("externalId");
    expect((await club.core.part("countQueued", {})).count).toBe(0);
    // Sent once more by the queue, so that the day of joining arrives.
    expect(summary.notices).not.toHaveProperty("joined_not_migrated");
    const again = await club.run(members(40), options);
    expect(outcomes(again.summary)).toEqual({ unchanged: 40 });
  });

  it("has who fails again, since another stranger comes, sent by calls of their own", async () => {
    const club = await superTokensMigration(newPath, { blamesInnocents: true });
    const { summary, events } = await club.run(members(24), KEPT, (round) =>
      round === 1 ? stranger(club, 2) : round === 2 ? stranger(club, 4) : undefined,
    );
    expect(events.map(told)).toEqual([]);
    expect(outcomes(summary)).toEqual({ imported: 10, created: 12, existed: 2 });
    expect(club.stub.users).toHaveLength(24);
  });
});

describe("a row that stands still, since its id is somebody's at the core,", () => {
  it("is named, and its user comes by calls of their own under the core's id", async () => {
    const club = await superTokensMigration(newPath, { blamesInnocents: true, chunks: 1 });
    const { user } = await club.core.importUser({ email: "cox@example.org", passwordHash: HASH });
    await club.core.mapUserId({ userId: user.userId, externalUserId: "club-7" });
    const { summary, events, findings } = await club.run(members(12), KEPT);
    expect(events).toEqual([]);
    expect(outcomes(summary)).toEqual({ imported: 6, created: 6 });
    expect(summary.notices).toMatchObject({ id_not_kept: 1 });
    const stuck = findings.find(({ code }) => code === "queue_stuck");
    expect(stuck?.count).toBe(12);
    expect(findings.find(({ code }) => code === "id_not_kept")?.rows).toMatchObject([
      { number: 8 },
    ]);
    expect(summary).toMatchObject({ queued: 0, pending: 0 });
    expect((await club.core.part("countQueued", {})).count).toBe(0);
    expect(club.stub.users).toHaveLength(13);
  });

  it("is told by itself once others of its queue are written", async () => {
    const club = await superTokensMigration(newPath, { blamesInnocents: true, chunks: 4 });
    const { user } = await club.core.importUser({ email: "cox@example.org", passwordHash: HASH });
    await club.core.mapUserId({ userId: user.userId, externalUserId: "club-7" });
    const { summary, findings } = await club.run(members(12), KEPT);
    const stuck = findings.find(({ code }) => code === "queue_stuck");
    expect(stuck).toMatchObject({ count: 1, rows: [{ number: 8 }] });
    expect(outcomes(summary)).toEqual({ imported: 6, created: 6 });
  });
});

describe("ids in another order than the accounts", () => {
  const ORDERS = [
    ["exchanged once", ([a = 0, b = 1, ...rest]: number[]) => [b, a, ...rest]],
    ["reversed", (ids: number[]) => [...ids].reverse()],
    ["rotated", (ids: number[]) => [...ids.slice(1), ...ids.slice(0, 1)]],
  ] as const;
  const cases = ORDERS.flatMap(([name, order]) =>
    [true, false].map((whole) => [name, whole ? "with" : "without", order, whole] as const),
  );

  it.each(tried(cases, 2))(
    "%s %s their contacts end the run, and the next one maps nobody wrong",
    async (...given) => {
      const [, , order, whole] = given;
      const club = await superTokensMigration(newPath);
      const core = crossed(club.core, order, whole);
      await expect(club.run(members(12), { core })).rejects.toMatchObject({
        code: "answer_mismatch",
      });
      const { summary, events } = await club.run(members(12));
      expect(events).toEqual([]);
      expect(summary.imported + summary.created + summary.unchanged).toBe(12);
      const file = club.migration.write("again.json", JSON.stringify(members(12)));
      expect(await reconciled(club, file)).toEqual([]);
      expect(club.stub.users).toHaveLength(12);
    },
  );
});

describe("a list of the core's that gives one page for ever", () => {
  it.each(tried(["listQueued", "listUsers"] as const, 1))("ends the run: %s", async (name) => {
    const club = await superTokensMigration(newPath);
    const first = new Map<string, unknown>();
    const core = {
      ...club.core,
      async [name](request: { readonly status?: string }) {
        const key = request.status ?? "";
        const page = first.get(key) ?? (await club.core[name](request as never));
        first.set(key, page);
        return { ...(page as object), nextPaginationToken: "again" };
      },
    } as Core;
    await expect(club.run(members(12), { core })).rejects.toMatchObject({
      code: "core_incompatible",
    });
  });

  it("ends at a signal, though each of its tokens is another one", async () => {
    const club = await superTokensMigration(newPath);
    const stop = new AbortController();
    let pages = 0;
    const core: Core = {
      ...club.core,
      async listQueued() {
        pages += 1;
        if (pages === 40) stop.abort();
        const row = { id: `row-${pages}`, account: null, status: "NEW" } as const;
        const users = [{ ...row, errorMessage: null, createdAt: 0, updatedAt: 0 }];
        return { users, nextPaginationToken: `page-${pages}` };
      },
    };
    const { summary } = await club.run(members(3), { core, signal: stop.signal });
    expect(summary).toMatchObject({ interrupted: true, pending: 3 });
    expect(pages).toBeLessThan(45);
  });
});

describe("metadata that the queue would change", () => {
  it.each([
    ["always", 3],
    ["never", 4],
  ] as const)("arrives whole, and reconcile agrees: --bulk %s", async (bulk, alone) => {
    const club = await superTokensMigration(newPath);
    const map = new Map([...MAP, ["metadata.boat", "boat"]]);
    const boats = [
      { name: null, feet: 9 },
      [1, { sail: null }],
      { a: [{ b: { c: null } }] },
      [null, "x"],
    ];
    const accounts = members(4).map((one, n) => ({ ...one, boat: boats[n] }));
    const file = club.migration.write("boats.json", JSON.stringify(accounts));
    const { summary } = await club.run([], {
      ...KEPT,
      bulk,
      inputs: await openInputs([file], { map }),
    });
    expect(summary.notices).toMatchObject({ joined_not_migrated: alone });
    for (const [n, boat] of boats.entries()) {
      const answer = await club.core.part("getMetadata", { userId: `club-${n}` });
      expect(answer).toMatchObject({ metadata: { boat } });
    }
    expect(await reconciled(club, file, map)).toEqual([]);
  });
});
