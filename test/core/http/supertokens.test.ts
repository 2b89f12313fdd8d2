/** What the client makes of answers that SuperTokens gives and interface.md doesn't show. */

import { describe, expect, it, onTestFinished } from "vitest";
import { connectCore, type RemoteCore } from "../../../src/core/http/client.js";
import { startHttp } from "../../support/canned-server.js";
import { type SuperTokensOptions, startSuperTokensStub } from "../../support/supertokens-stub.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../../support/known-hashes.js";

const KEY = "supertokens-client-key-0001";
const EMAIL = "noor.haddad@example.com";
const { password: _, ...SCRYPT } = KNOWN_HASHES.vendor_scrypt;
const { passwordHash } = KNOWN_HASHES.bcrypt;

function connect(url: string): RemoteCore {
  const core = connectCore({ url, apiKey: KEY, connections: 2 });
  onTestFinished(() => core.close());
  return core;
}

async function superTokens(options: Partial<SuperTokensOptions> = {}) {
  const stub = await startSuperTokensStub({ apiKey: KEY, signerKey: SIGNER_KEY, ...options });
  onTestFinished(() => stub.close());
  return { stub, core: connect(stub.url) };
}

/** A core whose answer to each path is this JSON, in whatever content type. */
async function canned(answers: Readonly<Record<string, object>>, type = "application/json") {
  const server = await startHttp(({ url = "" }, response) => {
    const answer = answers[url.replace(/\?.*/, "")];
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": type });
    response.end(answer === undefined ? "Not found\n" : `${JSON.stringify(answer)}\n`);
  });
  onTestFinished(() => server.close());
  return connect(server.url);
}

describe("SuperTokens", () => {
  it.each([9, 12] as const)(
    "of version %d fails without a signer key, and the field is named",
    async (version) => {
      const { core, stub } = await superTokens({ signerKey: null, version });
      await expect(core.importUser({ email: EMAIL, ...SCRYPT })).rejects.toMatchObject({
        kind: "signer_key_missing",
        status: 500,
        field: "firebase_password_hashing_signer_key",
      });
      expect(stub.users).toEqual([]);
    },
  );

  it.each([
    ["no licence for second factors", [], false],
    ["a licence for them", ["account_linking", "mfa"], true],
    ["nothing of licences", undefined, null],
  ])("that tells of %s is taken at its word", async (_title, features, totp) => {
    const { core } = await superTokens({ totp: "unlicensed", ...(features && { features }) });
    expect((await core.capabilities()).totp).toBe(totp);
  });

  it("may say that without naming the field", async () => {
    const reply = { status: 500, body: "the signer key is missing" };
    const disturb: SuperTokensOptions["disturb"] = ({ path }) =>
      path === "/apiversion" ? null : reply;
    const { core } = await superTokens({ disturb });
    await expect(core.importUser({ email: EMAIL, ...SCRYPT })).rejects.toMatchObject({
      kind: "signer_key_missing",
      field: "firebase_password_hashing_signer_key",
    });
  });

  it("gets codes back as it gave them, padded or not", async () => {
    for (const padded of [false, true]) {
      const { core, stub } = await superTokens({ padded });
      const { preAuthSessionId, linkCode } = await core.createCode({ email: EMAIL });
      expect(linkCode.endsWith("=")).toBe(padded);
      const outcome = await core.consumeCode({ preAuthSessionId, linkCode });
      expect(outcome).toMatchObject({ status: "OK", createdNewUser: true, user: { email: EMAIL } });
      expect(stub.calls.at(-1)?.body).toEqual({ preAuthSessionId, linkCode });
    }
  });

  it("that fails under load may be asked again", async () => {
    let failures = 1;
    const disturb = () => {
      failures -= 1;
      return failures < 0 ? null : { status: 500, body: "Internal Error" };
    };
    const { core } = await superTokens({ disturb });
    const request = { email: EMAIL, passwordHash };
    await expect(core.importUser(request)).rejects.toMatchObject({
      kind: "broken",
      reached: "yes",
    });
    expect(await core.importUser(request)).toMatchObject({ didUserAlreadyExist: false });
  });

  it.each([
    ["a page of its servlet container", 500, "<!doctype html><h1>HTTP Status 500</h1>", "broken"],
    ["a page that says it is overloaded", 503, "<html><h1>Service Unavailable</h1></html>", "busy"],
    ["a license that lacks a feature", 402, "This needs a license key", "disabled"],
    ["a recipe that its tenant lacks", 403, "Passwords are not enabled here", "disabled"],
    ["a permission", 403, "this app is none of yours", "forbidden"],
  ] as const)("answers with %s", async (_title, status, body, kind) => {
    const reply = { status, body, headers: { "retry-after": "3" } };
    const { core } = await superTokens({ disturb: () => reply });
    const failure = { kind, status, retryAfterMs: 3000 };
    const imported = core.importUser({ email: EMAIL, passwordHash });
    await expect(imported).rejects.toMatchObject(failure);
    await expect(imported).rejects.not.toMatchObject({ message: expect.stringContaining("<") });
  });
});

describe("an update that linked accounts don't allow", () => {
  it.each([
    ["EMAIL_CHANGE_NOT_ALLOWED_ERROR", "EMAIL_ALREADY_EXISTS_ERROR"],
    ["PHONE_NUMBER_CHANGE_NOT_ALLOWED_ERROR", "PHONE_NUMBER_ALREADY_EXISTS_ERROR"],
  ])("is one to a contact of somebody else: %s", async (said, status) => {
    const answer = { status: said, reason: "taken by a primary user" };
    const core = await canned({ "/recipe/user": answer, "/apiversion": { versions: [] } });
    expect(await core.updateUser({ userId: "u-1", email: EMAIL })).toEqual({ status });
  });

  it("is made of the account that signs in without a password, whose id is another one", async () => {
    const linked = {
      id: "primary-1",
      loginMethods: [
        { recipeId: "emailpassword", recipeUserId: "primary-1", email: EMAIL },
        { recipeId: "passwordless", recipeUserId: "linked-2", email: EMAIL },
      ],
    };
    const updates: unknown[] = [];
    const server = await startHttp(({ url = "" }, response, body) => {
      if (url === "/apiversion") return response.end('{"versions":["5.4"]}');
      if (url.startsWith("/user/id")) {
        return response.end(JSON.stringify({ status: "OK", user: linked }));
      }
      const { recipeUserId } = JSON.parse(body);
      updates.push(recipeUserId);
      const status = recipeUserId === "linked-2" ? "OK" : "UNKNOWN_USER_ID_ERROR";
      return response.end(JSON.stringify({ status }));
    });
    onTestFinished(() => server.close());
    const update = { userId: "primary-1", phoneNumber: "+15552013344" };
    expect(await connect(server.url).updateUser(update)).toEqual({ status: "OK" });
    expect(updates).toEqual(["primary-1", "linked-2"]);
  });
});

describe("shapes of users", () => {
  it("may be JSON that calls itself text, with fields that nobody knows", async () => {
    const answer = {
      status: "OK",
      user: { id: "u-1", tenantIds: ["public"] },
      didUserAlreadyExist: true,
      extra: [7],
    };
    const core = await canned({ "/recipe/user/passwordhash/import": answer }, "text/html");
    expect(await core.importUser({ email: EMAIL, passwordHash })).toEqual({
      status: "OK",
      user: { userId: "u-1", recipe: "emailpassword" },
      didUserAlreadyExist: true,
    });
  });

  it("may be those of an older version, which lists them beside their recipes", async () => {
    const users = [
      { recipeId: "passwordless", user: { id: "u-1", phoneNumber: "+15552013344", timeJoined: 5 } },
      { recipeId: "thirdparty", user: { id: "u-2", email: EMAIL, timeJoined: 6 } },
      { recipeId: "emailpassword", user: { id: "u-3", email: EMAIL, timeJoined: 7 } },
    ];
    const core = await canned({ "/users": { status: "OK", users } });
    expect(await core.listUsers({})).toEqual({
      users: [
        { userId: "u-1", phoneNumber: "+15552013344", timeJoined: 5, recipe: "passwordless" },
        { userId: "u-3", email: EMAIL, timeJoined: 7, recipe: "emailpassword" },
      ],
    });
  });

  it("of linked accounts are listed as what was asked for", async () => {
    const user = {
      id: "u-9",
      loginMethods: [
        { recipeId: "emailpassword", recipeUserId: "u-9", email: EMAIL },
        { recipeId: "passwordless", recipeUserId: "u-10", email: EMAIL },
      ],
    };
    const core = await canned({ "/users": { status: "OK", users: [user] } });
    const { users } = await core.listUsers({ recipes: ["passwordless"] });
    const linked = { userId: "u-9", recipeUserId: "u-10", email: EMAIL, recipe: "passwordless" };
    expect(users).toEqual([linked]);
    expect((await core.listUsers({})).users).toHaveLength(2);
  });

  it("have an external id in every answer once they have one", async () => {
    const { core, stub } = await superTokens();
    const { user } = await core.importUser({ email: EMAIL, passwordHash });
    const externalUserId = "customer-20481";
    await core.mapUserId({ userId: user.userId, externalUserId });
    expect(stub.calls.at(-1)?.body).toEqual({ superTokensUserId: user.userId, externalUserId });
    expect((await core.findUsers({ email: EMAIL }))[0]?.userId).toBe(externalUserId);
  });
});
