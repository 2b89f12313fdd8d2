/** What the client makes of SuperTokens' bulk import, whose queue says little and not always in its own words. */

import { describe, expect, it, onTestFinished } from "vitest";
import type { AccountRequest } from "../../../src/core/account-import.js";
import { connectCore } from "../../../src/core/http/client.js";
import { type SuperTokensOptions, startSuperTokensStub } from "../../support/supertokens-stub.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../../support/known-hashes.js";

const KEY = "supertokens-queue-key-0001";
const { passwordHash } = KNOWN_HASHES.bcrypt;

async function superTokens(options: Partial<SuperTokensOptions> = {}) {
  const stub = await startSuperTokensStub({
    ...{ apiKey: KEY, signerKey: SIGNER_KEY, queue: { chunks: 2 }, ...options },
  });
  const core = connectCore({ url: stub.url, apiKey: KEY, connections: 2 });
  onTestFinished(() => stub.close());
  onTestFinished(() => core.close());
  return { stub, core };
}

const account = (number: number): AccountRequest => ({
  wayIn: { recipe: "emailpassword", email: `user.${number}@example.com`, passwordHash },
  externalUserId: `member-${number}`,
});
const accounts = (count: number) => Array.from({ length: count }, (_, n) => account(n));

describe("SuperTokens' queue", () => {
  it("makes users of accounts, with every part that it has a licence for", async () => {
    const { stub, core } = await superTokens();
    const joined = Date.UTC(2017, 5, 1);
    expect((await core.capabilities()).bulkImport).toBe(true);
    await core.part("putRole", { role: "editor", permissions: [] });
    const { passwordHash: hash } = KNOWN_HASHES.vendor_scrypt;
    const request: AccountRequest = {
      wayIn: { recipe: "emailpassword", email: "ida@example.com", passwordHash: hash },
      ...{ externalUserId: "member-ida", timeJoined: joined, isEmailVerified: true },
      ...{ metadata: { plan: "pro" }, roles: ["editor"] },
    };
    const outcome = await core.queueAccounts([request, account(1)]);
    expect(outcome).toMatchObject({ status: "OK", users: [{ userId: "member-ida" }, {}] });
    expect(stub.calls.at(-1)?.body).toMatchObject({
      users: [
        { loginMethods: [{ hashingAlgorithm: "firebase_scrypt", tenantIds: ["public"] }] },
        {},
      ],
    });
    expect(await core.part("countQueued", {})).toEqual({ status: "OK", count: 2 });
    stub.round();
    expect((await core.part("countQueued", {})).count).toBe(0);
    const user = { email: "ida@example.com", timeJoined: joined, isEmailVerified: true };
    expect(await core.getUser("member-ida")).toMatchObject(user);
    const userId = "member-ida";
    expect((await core.part("rolesOfUser", { userId })).roles).toEqual(["editor"]);
    expect((await core.part("getMetadata", { userId })).metadata).toEqual({ plan: "pro" });
  });

  it("holds half of a round up for one user who is there, who is told without the email", async () => {
    const { stub, core } = await superTokens();
    await core.importUser({ email: "user.5@example.com", passwordHash });
    await core.queueAccounts(accounts(6));
    stub.round();
    expect((await core.part("countQueued", { status: "PROCESSING" })).count).toBe(2);
    const { users } = await core.listQueued({ status: "FAILED" });
    expect(users).toMatchObject([{ errorMessage: expect.stringMatching(/^E003: /) }]);
    expect(users[0]?.errorMessage).not.toContain("@");
    expect(users[0]?.account).toMatchObject({ externalUserId: "member-5" });
    stub.round();
    expect((await core.part("countQueued", { status: "PROCESSING" })).count).toBe(0);
    const ids = users.map(({ id }) => id);
    expect(await core.part("removeQueued", { ids })).toEqual({ deletedIds: ids, invalidIds: [] });
    expect(stub.users).toHaveLength(6);
  });

  it("may fail in the words of its database, which are no code", async () => {
    const { stub, core } = await superTokens();
    await core.queueAccounts([account(1)]);
    stub.round();
    const other = { ...account(2), externalUserId: "member-1" };
    await core.queueAccounts([other]);
    stub.round();
    const { users } = await core.listQueued({ status: "FAILED" });
    expect(users[0]?.errorMessage).toMatch(/^ERROR: duplicate key/);
    expect(users[0]?.errorMessage).not.toMatch(/E0\d\d/);
  });

  it("names what it refuses by its place, in answers that call themselves a text", async () => {
    const { core } = await superTokens();
    const device = { secretKey: "JBSWY3DPEHPK3PXP", period: 30, skew: 1 };
    const refused = await core.queueAccounts([
      ...[
        account(1),
        { ...account(2), roles: ["ghost"] },
        { ...account(3), totpDevices: [device] },
      ],
    ]);
    expect(refused).toEqual({
      status: "INVALID_USERS_ERROR",
      users: [
        { index: 1, errors: ["Role ghost does not exist."] },
        { index: 2, errors: ["MFA must be enabled to import totp devices."] },
      ],
    });
    expect((await core.part("countQueued", {})).count).toBe(0);
  });

  it("queues twice what is sent again after a lost answer, and fails the second one", async () => {
    let isLost = true;
    const { stub, core } = await superTokens({
      losesAnswer: ({ method }) => method === "POST" && isLost,
    });
    const lost = { kind: "unreachable", reached: "unknown" };
    await expect(core.queueAccounts([account(1)])).rejects.toMatchObject(lost);
    isLost = false;
    await core.queueAccounts([account(1)]);
    expect((await core.part("countQueued", {})).count).toBe(2);
    stub.round();
    stub.round();
    expect(stub.users).toHaveLength(1);
    expect((await core.listQueued({})).users).toMatchObject([{ status: "FAILED" }]);
  });

  it("may keep rows in processing for ever, or lose them without a word", async () => {
    const { stub, core } = await superTokens({
      queue: { isStuck: (id) => id === "member-0", isLost: (id) => id === "member-1" },
    });
    await core.queueAccounts(accounts(3));
    for (let round = 0; round < 3; round += 1) stub.round();
    const { users } = await core.listQueued({});
    expect(users.map(({ status, account: kept }) => [status, kept?.externalUserId])).toEqual([
      ["PROCESSING", "member-0"],
    ]);
    expect(stub.users.map(({ externalId }) => externalId)).toEqual(["member-2"]);
  });

  it("may lack its licence, or take no body of that size", async () => {
    for (const [status, kind] of [
      [402, "disabled"],
      [413, "refused"],
    ] as const) {
      const { core } = await superTokens({
        disturb: ({ path }) => (path === "/bulk-import/users" ? { status, body: "no" } : null),
      });
      await expect(core.queueAccounts([account(1)])).rejects.toMatchObject({ kind, status });
    }
  });

  it("isn't there in older versions, and the capabilities say so", async () => {
    const { core } = await superTokens({ queue: undefined as never });
    expect((await core.capabilities()).bulkImport).toBe(false);
    await expect(core.queueAccounts([account(1)])).rejects.toMatchObject({ kind: "not_offered" });
  });

  it.each([
    ["5.4", true],
    ["5.10", true],
    ["5.3", null],
    ["5.2", false],
  ] as const)(
    "of a core whose newest interface is %s is relied on: %s",
    async (newest, isReliable) => {
      const body = JSON.stringify({ versions: ["2.21", newest, "3.0"] });
      const { core } = await superTokens({
        disturb: ({ path }) => (path === "/apiversion" ? { status: 200, body } : null),
      });
      expect((await core.capabilities()).bulkImport).toBe(isReliable);
    },
  );
});
