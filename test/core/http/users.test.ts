import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../../src/core/core.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { CODE, CONSUME, IMPORT, KEY, MAP, serveCore, UPDATE } from "./served-core.js";

const { ask } = await serveCore();

interface WireUser {
  readonly id: string;
  readonly userId: string;
  readonly timeJoined: number;
  readonly loginMethods: readonly { readonly recipeUserId: string }[];
}

async function imported(email: string): Promise<WireUser> {
  const { passwordHash } = KNOWN_HASHES.bcrypt;
  const { json } = await ask("POST", IMPORT, { email, passwordHash });
  return json.user as WireUser;
}

async function passwordless(contact: object): Promise<WireUser> {
  const { preAuthSessionId, linkCode } = (await ask("POST", CODE, contact)).json;
  const { json } = await ask("POST", CONSUME, { preAuthSessionId, linkCode });
  return json.user as WireUser;
}

/** Ids of the users in an answer, in their order. */
async function idsAt(target: string): Promise<string[]> {
  const { status, json } = await ask("GET", target);
  expect(status).toBe(200);
  return (json.users as WireUser[]).map(({ id }) => id);
}

describe("a user", () => {
  it("is shown as interface.md and as SuperTokens' clients read it", async () => {
    const email = "fritz@example.com";
    const { passwordHash } = KNOWN_HASHES.bcrypt;
    const { json } = await ask("POST", IMPORT, { email, passwordHash });
    const user = json.user as WireUser;
    expect(json).toEqual({ status: "OK", user, didUserAlreadyExist: false });
    const { userId, timeJoined } = user;
    const tenantIds = ["public"];
    expect(user).toEqual({
      userId,
      id: userId,
      email,
      timeJoined,
      isPrimaryUser: false,
      tenantIds,
      emails: [email],
      phoneNumbers: [],
      thirdParty: [],
      webauthn: { credentialIds: [] },
      loginMethods: [
        {
          recipeUserId: userId,
          recipeId: "emailpassword",
          tenantIds,
          verified: false,
          timeJoined,
          email,
        },
      ],
    });
  });

  it("who signed in or consumed a code is named at the top level, too", async () => {
    const { password, ...hash } = KNOWN_HASHES.argon2;
    const email = "gabi@example.com";
    await ask("POST", IMPORT, { email, ...hash });
    const { json } = await ask("POST", "/recipe/signin", { email, password });
    expect(json).toMatchObject({ status: "OK", recipeUserId: (json.user as WireUser).id });
    const { preAuthSessionId, linkCode } = (await ask("POST", CODE, { email })).json;
    const consumed = (await ask("POST", CONSUME, { preAuthSessionId, linkCode })).json;
    expect(consumed).toMatchObject({
      status: "OK",
      createdNewUser: true,
      recipeUserId: (consumed.user as WireUser).id,
      consumedDevice: { preAuthSessionId, failedCodeInputAttemptCount: 0, email },
    });
  });
});

describe("external ids", () => {
  it("stand in place of the core's own wherever a user is shown, and both are understood", async () => {
    const { id: own } = await passwordless({ phoneNumber: "+15550101701" });
    const externalUserId = "auth0|5f7c8ec7";
    expect((await ask("POST", MAP, { superTokensUserId: own, externalUserId })).json).toEqual({
      status: "OK",
    });
    for (const id of [own, externalUserId]) {
      const { json } = await ask("GET", `/user/id?userId=${encodeURIComponent(id)}`);
      const user = json.user as WireUser;
      expect([user.id, user.userId, user.loginMethods[0]?.recipeUserId]).toEqual(
        Array(3).fill(externalUserId),
      );
      const headers = { "api-key": KEY, rid: "passwordless" };
      const body = { recipeUserId: id, email: "heike@example.com" };
      expect((await ask("PUT", UPDATE, body, headers)).json).toEqual({ status: "OK" });
    }
  });

  it("are looked up by either id, of the type that was asked for", async () => {
    const { id: superTokensUserId } = await imported("karl@example.com");
    const externalUserId = "karl 1+1";
    await ask("POST", MAP, { superTokensUserId, externalUserId });
    const found = { status: "OK", superTokensUserId, externalUserId };
    const unknown = { status: "UNKNOWN_MAPPING_ERROR" };
    const ask1 = async (userId: string, type?: string) => {
      const userIdType = type === undefined ? "" : `&userIdType=${type}`;
      return (await ask("GET", `${MAP}?userId=${encodeURIComponent(userId)}${userIdType}`)).json;
    };
    expect(await ask1(superTokensUserId)).toEqual(found);
    expect(await ask1(externalUserId, "ANY")).toEqual(found);
    expect(await ask1(superTokensUserId, "SUPERTOKENS")).toEqual(found);
    expect(await ask1(externalUserId, "SUPERTOKENS")).toEqual(unknown);
    expect(await ask1(externalUserId, "EXTERNAL")).toEqual(found);
    expect(await ask1(superTokensUserId, "EXTERNAL")).toEqual(unknown);
    expect(await ask1("nobody")).toEqual(unknown);
  });
});

describe("lists and counts", () => {
  it("show each user beside the recipe in versions before 4.0", async () => {
    await imported("quirin@example.com");
    for (const version of ["2.16", "3.1"]) {
      const headers = { "api-key": KEY, "cdi-version": version };
      const { json } = await ask("GET", "/users?limit=1", undefined, headers);
      expect(json.users).toEqual([
        { recipeId: expect.any(String), user: expect.objectContaining({ id: expect.any(String) }) },
      ]);
    }
    for (const version of ["4.0", "5.4"]) {
      const headers = { "api-key": KEY, "cdi-version": version };
      const { json } = await ask("GET", "/users?limit=1", undefined, headers);
      expect(json.users).toEqual([expect.objectContaining({ id: expect.any(String) })]);
    }
  });
});

describe("look-ups by contacts", () => {
  const email = "rita@example.com";
  const phoneNumber = "+15550101801";
  let byPassword: string;
  let byCode: string;
  let byPhone: string;
  beforeAll(async () => {
    byPassword = (await imported(email)).id;
    byCode = (await passwordless({ email })).id;
    byPhone = (await passwordless({ phoneNumber })).id;
  });
  const at = (query: Record<string, string>) =>
    idsAt(`/users/by-accountinfo?${new URLSearchParams(query)}`);

  it("find the users of either recipe, oldest first", async () => {
    expect(await at({ email })).toEqual([byPassword, byCode]);
    expect(await at({ email: " RITA@example.com", doUnionOfAccountInfo: "true" })).toEqual([
      byPassword,
      byCode,
    ]);
    expect(await at({ phoneNumber, doUnionOfAccountInfo: "false" })).toEqual([byPhone]);
    expect(await at({ email: "nobody@example.com" })).toEqual([]);
  });

  it("find who has both contacts, or either one where that is asked for", async () => {
    expect(await at({ email, phoneNumber })).toEqual([]);
    expect(await at({ email, phoneNumber, doUnionOfAccountInfo: "false" })).toEqual([]);
    expect(await at({ email, phoneNumber, doUnionOfAccountInfo: "true" })).toEqual([
      byPassword,
      byCode,
      byPhone,
    ]);
    const both = { email: "sven@example.com", phoneNumber: "+15550101802" };
    const { id } = await passwordless({ email: both.email });
    const headers = { "api-key": KEY, rid: "passwordless" };
    await ask("PUT", UPDATE, { userId: id, phoneNumber: both.phoneNumber }, headers);
    expect(await at(both)).toEqual([id]);
    expect(await at({ ...both, doUnionOfAccountInfo: "true" })).toEqual([id]);
  });

  it("find nobody by an identity elsewhere", async () => {
    const google = { thirdPartyId: "google", thirdPartyUserId: "1045" };
    expect(await at(google)).toEqual([]);
    expect(await at({ ...google, email })).toEqual([]);
    expect(await at({ ...google, email, doUnionOfAccountInfo: "true" })).toEqual([
      byPassword,
      byCode,
    ]);
    expect(await at({ webauthnCredentialId: "abc", email })).toEqual([]);
  });
});

describe("a query", () => {
  it.each([
    ["/user/id", "userId"],
    ["/user/id?userid=1", "userId"],
    ["/user/id?userId=", "userId"],
    ["/user/id?userId", "userId"],
    ["/user/id?userId=1&userId=1", "userId"],
    ["/user/id?userId=%", "userId"],
    ["/user/id?userId=%zz", "userId"],
    ["/user/id?userId=%C3%28", "userId"],
    ["/user/id?userId=%ED%A0%80", "userId"],
    ["/user/id?userId=a%00b", "userId"],
    ["/user/id?%zz=1&userId=1", "query"],
    ["/users?limit=few", "limit"],
    ["/users?limit=", "limit"],
    ["/users?limit=-1", "limit"],
    ["/users?limit=1.5", "limit"],
    ["/users?limit=1e2", "limit"],
    ["/users?limit=0", "limit"],
    ["/users?limit=501", "limit"],
    ["/users?limit=9999999999", "limit"],
    ["/users?limit=1&limit=1", "limit"],
    ["/users?paginationToken=abc", "paginationToken"],
    ["/users?timeJoinedOrder=desc", "timeJoinedOrder"],
    ["/users?includeRecipeIds=session", "includeRecipeIds"],
    ["/users?includeRecipeIds=passwordless,,emailpassword", "includeRecipeIds"],
    ["/users?email=tom%40example.com", "email"],
    ["/users?phone=%2B1", "phone"],
    ["/users?provider=google", "provider"],
    ["/users/count?includeRecipeIds=", "includeRecipeIds"],
    ["/users/count?includeAllTenants=yes", "includeAllTenants"],
    ["/users/by-accountinfo", "email and phoneNumber"],
    ["/users/by-accountinfo?doUnionOfAccountInfo=true", "email and phoneNumber"],
    ["/users/by-accountinfo?email=tom", "email"],
    ["/users/by-accountinfo?phoneNumber=5550100001", "phoneNumber"],
    [
      "/users/by-accountinfo?email=tom%40example.com&doUnionOfAccountInfo=1",
      "doUnionOfAccountInfo",
    ],
    ["/users/by-accountinfo?thirdPartyId=google", "thirdPartyUserId"],
    ["/users/by-accountinfo?thirdPartyUserId=1045", "thirdPartyId"],
    [`${MAP}`, "userId"],
    [`${MAP}?userId=1&userIdType=BOTH`, "userIdType"],
  ])("is refused at GET %s, and the parameter is named", async (target, parameter) => {
    const { status, json } = await ask("GET", target);
    expect(status).toBe(400);
    expect(json.message).toContain(parameter);
    expect(json.message).not.toMatch(/tom|1045|few/);
  });

  it.each([
    "/users/count?",
    "/users/count?&&",
    "/users/count?apiDomain=&websiteDomain=x&apiDomain=y",
    "/users/count?__proto__=1&constructor=2&constructor=3&toString",
    "/apiversion?apiDomain=https%3A%2F%2Fapi.example.com&websiteDomain=%zz",
  ])("may hold what nobody asked for: %s", async (target) => {
    expect((await ask("GET", target)).status).toBe(200);
  });

  it("brings every text to the core as it was", async () => {
    const asked: string[] = [];
    const listening = await serveCore(
      (core): Core => ({
        ...core,
        async getUser(userId) {
          asked.push(userId);
          return null;
        },
      }),
    );
    const text = fc
      .string({ unit: "grapheme", minLength: 1 })
      .filter((value) => !/[\0\p{Surrogate}]/u.test(value));
    await fc.assert(
      fc.asyncProperty(text, fc.boolean(), async (userId, asForm) => {
        const query = asForm
          ? String(new URLSearchParams({ userId }))
          : `userId=${encodeURIComponent(userId)}`;
        expect((await listening.ask("GET", `/user/id?${query}`)).json).toEqual({
          status: "UNKNOWN_USER_ID_ERROR",
        });
        expect(asked.at(-1)).toBe(userId);
      }),
      { numRuns: 100 },
    );
  });
});
