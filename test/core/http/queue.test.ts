/** The bulk import's endpoints as a client without any library of ours meets them: SuperTokens' shapes. */

import { describe, expect, it } from "vitest";
import type { EmbeddedCore } from "../../../src/core/embedded/assemble-core.js";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../../src/core/http/server.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { serveCore } from "./served-core.js";

const newPath = temporaryPaths();
const QUEUE = "/bulk-import/users";
const { passwordHash } = KNOWN_HASHES.bcrypt;
const { ask, core } = await serveCore();
const importQueued = () => (core as EmbeddedCore).importQueued();

const byPassword = (email: string) => ({
  loginMethods: [{ recipeId: "emailpassword", email, passwordHash, hashingAlgorithm: "BCRYPT" }],
});
const whole = (email: string, externalUserId: string) => ({
  externalUserId,
  userMetadata: { first_name: "Nele" },
  userRoles: [{ role: "editor", tenantIds: ["public"] }],
  totpDevices: [{ secretKey: "JBSWY3DPEHPK3PXP", deviceName: "Phone" }],
  loginMethods: [
    {
      ...byPassword(email).loginMethods[0],
      ...{ tenantIds: ["public"], isVerified: true, timeJoinedInMSSinceEpoch: 1_500_000_000_000 },
    },
  ],
});

describe("a served core with a queue", () => {
  it("writes it by itself", async () => {
    const embedded = openEmbeddedCore({ file: newPath("core.db") });
    const email = "olga.brandt@example.com";
    await embedded.queueAccounts([{ wayIn: { recipe: "emailpassword", email, passwordHash } }]);
    const server = await startCoreServer(embedded, { host: "127.0.0.1", port: 0, apiKeys: [] });
    await expect.poll(() => embedded.findUsers({ email })).toHaveLength(1);
    await server.close();
    await embedded.close();
  });
});

describe("the bulk import over HTTP", () => {
  it("queues whole accounts, shows them, and makes users of them", async () => {
    await ask("PUT", "/recipe/role", { role: "editor", permissions: [] });
    const user = whole("nele.adler@example.com", "member-1");
    const added = await ask("POST", QUEUE, { users: [user] });
    expect(added).toMatchObject({
      status: 200,
      json: {
        status: "OK",
        users: [
          {
            userId: "member-1",
            loginMethods: [{ recipeId: "emailpassword", tenants: ["public"] }],
          },
        ],
      },
    });
    expect(added.text).not.toContain(passwordHash);
    const listed = await ask("GET", `${QUEUE}?status=NEW&limit=500`);
    const { loginMethods, ...rest } = user;
    const [method] = loginMethods;
    expect(listed.json.users).toMatchObject([
      {
        ...{ ...rest, status: "NEW", errorMessage: null },
        totpDevices: [{ ...rest.totpDevices[0], period: 30, skew: 1 }],
        loginMethods: [{ ...method, hashingAlgorithm: "bcrypt" }],
      },
    ]);
    await importQueued();
    expect((await ask("GET", `${QUEUE}/count`)).json).toEqual({ status: "OK", count: 0 });
    const shown = {
      id: "member-1",
      timeJoined: 1_500_000_000_000,
      loginMethods: [{ verified: true }],
    };
    expect((await ask("GET", "/user/id?userId=member-1")).json.user).toMatchObject(shown);
  });

  it("names the users who are refused by their places, and queues none", async () => {
    const flawed = [
      byPassword("good@example.com"),
      { loginMethods: [] },
      { ...byPassword("b@example.com"), totpDevices: [{ secretKey: 7 }] },
      { loginMethods: [{ recipeId: "webauthn" }] },
      { loginMethods: [...byPassword("c@example.com").loginMethods, { recipeId: "passwordless" }] },
      {
        loginMethods: [
          { recipeId: "emailpassword", email: "d@example.com", plainTextPassword: "pw" },
        ],
      },
      { loginMethods: [{ ...byPassword("e@example.com").loginMethods[0], tenantIds: ["t1"] }] },
      {
        loginMethods: [
          { ...byPassword("f@example.com").loginMethods[0], hashingAlgorithm: "argon2" },
        ],
      },
    ];
    const refused = await ask("POST", QUEUE, { users: flawed });
    expect(refused.status).toBe(400);
    const { error, users } = refused.json as {
      error: string;
      users: { index: number; errors: string[] }[];
    };
    expect(error).toContain("Data has missing or invalid fields");
    expect(users.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(users.flatMap(({ errors }) => errors)[3]).toContain("Account linking must be enabled");
    expect(refused.text).not.toMatch(/@example|\$2/);
    expect((await ask("GET", `${QUEUE}/count`)).json.count).toBe(0);
  });

  it("refuses more than 10,000 users, another status, and what is no list", async () => {
    const users = Array.from({ length: 10_001 }, () => ({}));
    const many = await ask("POST", QUEUE, { users });
    expect(many).toMatchObject({ status: 400, json: { error: expect.stringContaining("10000") } });
    expect((await ask("GET", `${QUEUE}?status=DONE`)).status).toBe(400);
    expect((await ask("GET", `${QUEUE}?limit=501`)).status).toBe(400);
    expect((await ask("POST", QUEUE, { users: "all" })).status).toBe(400);
    expect((await ask("POST", `${QUEUE}/remove`, { ids: Array(501).fill("x") })).status).toBe(400);
    expect((await ask("POST", QUEUE, { users: [] })).json).toEqual({ status: "OK", users: [] });
  });

  it("takes bodies that no other endpoint takes, and no larger ones", async () => {
    const users = Array.from({ length: 2000 }, (_, n) => byPassword(`many.${n}@example.com`));
    const added = await ask("POST", QUEUE, { users });
    expect(added.status).toBe(200);
    expect(Buffer.byteLength(JSON.stringify({ users }))).toBeGreaterThan(64 * 1024);
    await importQueued();
    expect((await ask("GET", `${QUEUE}/count`)).json.count).toBe(0);
    const found = await ask("GET", "/users/by-accountinfo?email=many.1999%40example.com");
    expect(found.json.users).toHaveLength(1);
    const huge = await ask("POST", QUEUE, { users: [], padding: "x".repeat(16 * 1024 * 1024) });
    expect(huge.status).toBe(413);
  });

  it("shows failed accounts with a code until they are removed", async () => {
    const email = "twice@example.com";
    const users = [byPassword(email), byPassword(email)];
    await ask("POST", QUEUE, { users });
    await importQueued();
    await importQueued();
    const failed = (await ask("GET", `${QUEUE}?status=FAILED`)).json.users as { id: string }[];
    expect(failed).toMatchObject([
      { status: "FAILED", errorMessage: expect.stringMatching(/^E003: /) },
    ]);
    const ids = failed.map(({ id }) => id);
    const removed = await ask("POST", `${QUEUE}/remove`, { ids });
    expect(removed).toMatchObject({ status: 200, json: { deletedIds: ids, invalidIds: [] } });
  });

  it("imports one account at once, and never twice", async () => {
    const user = { ...byPassword("one@example.com"), externalUserId: "member-one" };
    const first = await ask("POST", "/bulk-import/import", user);
    expect(first).toMatchObject({
      status: 200,
      json: { status: "OK", user: { id: "member-one" } },
    });
    const second = await ask("POST", "/bulk-import/import", user);
    expect(second).toMatchObject({
      status: 400,
      json: { errors: [expect.stringMatching(/^E003: /)] },
    });
    const taken = { ...byPassword("two@example.com"), externalUserId: "member-one" };
    expect(await ask("POST", "/bulk-import/import", taken)).toMatchObject({
      ...{ status: 400, json: { errors: [expect.stringMatching(/^E031: /)] } },
    });
    const cut = { loginMethods: [{ ...user.loginMethods[0], passwordHash: "$2b$08$x" }] };
    expect(await ask("POST", "/bulk-import/import", cut)).toMatchObject({
      ...{ status: 400, json: { errors: [expect.stringMatching(/passwordHash/)] } },
    });
  });
});
