import { describe, expect, it, onTestFinished } from "vitest";
import type { CoreFailure } from "../../../src/core/core-failure.js";
import { connectCore, type RemoteCore } from "../../../src/core/http/client.js";
import { startHttp } from "../../support/canned-server.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { startTenantCore } from "../../support/tenant-core.js";

const KEY = "tenants-key-0001";
const EMAIL = "noor.haddad@example.com";
const { passwordHash } = KNOWN_HASHES.bcrypt;

function connect(url: string): RemoteCore {
  const core = connectCore({ url, apiKey: KEY, connections: 2 });
  onTestFinished(() => core.close());
  return core;
}

/** Makes every call that there is; what is answered doesn't matter. */
async function callAll(core: RemoteCore): Promise<void> {
  const calls: (() => Promise<unknown>)[] = [
    () => core.dialect(),
    () => core.createCode({ email: EMAIL }),
    () => core.consumeCode({ preAuthSessionId: "s-1", linkCode: "l-1" }),
    () => core.updateUser({ userId: "u-1", email: EMAIL }),
    () => core.importUser({ email: EMAIL, passwordHash }),
    () => core.signIn({ email: EMAIL, password: "none" }),
    () => core.mapUserId({ userId: "u-1", externalUserId: "x-1" }),
    () => core.findMapping("u-1"),
    () => core.getUser("u-1"),
    () => core.removeUser("u-1"),
    () => core.findUsers({ email: EMAIL }),
    () => core.listUsers({}),
    () => core.countUsers(),
  ];
  for (const call of calls) await call().catch(() => {});
}

const OF_APP = [
  ...["GET /apiversion", "PUT /recipe/user", "POST /recipe/userid/map"],
  ...["GET /recipe/userid/map", "GET /user/id", "POST /user/remove"],
];
const OF_TENANT = [
  ...["POST /recipe/signinup/code", "POST /recipe/signinup/code/consume"],
  ...["POST /recipe/user/passwordhash/import", "POST /recipe/signin"],
  ...["GET /users/by-accountinfo", "GET /users", "GET /users/count"],
];

describe("a tenant of a core", () => {
  it.each([
    ["of the public app", "/appid-public/t1", ["", "/appid-public/t1"]],
    ["of an app, the public one", "/appid-shop", ["/appid-shop", "/appid-shop"]],
    ["in capitals, with a slash", "/AppId-Shop/T1/", ["/appid-shop", "/appid-shop/t1"]],
    ["behind a gateway", "/auth/appid-public/t1", ["/auth", "/auth/appid-public/t1"]],
    ["behind a gateway, the public one", "/auth/appid-public", ["/auth", "/auth"]],
    ["the public one by its name", "/appid-public/public", ["", ""]],
    ["none: a lone last segment is a path", "/t1", ["/t1", "/t1"]],
  ])("gets what is its own, and the app the rest: %s", async (_, path, prefixes) => {
    const [ofApp = "", ofTenant = ""] = prefixes;
    const server = await startHttp((_, response) => response.writeHead(400).end("no\n"));
    onTestFinished(() => server.close());
    const core = connect(`${server.url}${path}`);
    expect(core.target).toEqual({ kind: "remote", url: `${server.url}${ofTenant}` });
    await callAll(core);
    const asked = server.requests.map(({ method, url }) => `${method} ${url?.replace(/\?.*/, "")}`);
    const expected = (lines: string[], prefix: string): string[] =>
      lines.map((line) => line.replace(" ", ` ${prefix}`));
    expect(new Set(asked)).toEqual(
      new Set([...expected(OF_APP, ofApp), ...expected(OF_TENANT, ofTenant)]),
    );
  });

  it.each([
    ["a path behind it", "/appid-shop/t1/auth", "a tenant"],
    ["a second app", "/appid-shop/appid-store", "a tenant"],
    ["a name that paths begin with", "/appid-shop/Users", "a tenant"],
    ["a name with other characters", "/appid-shop/t_1", "a tenant"],
    ["an app with other characters", "/appid-shop%20one/t1", "an app"],
    ["an app without a name", "/appid-/t1", "an app"],
  ])("isn't taken by %s: the users could go elsewhere", (_, path, what) => {
    expect(() => connect(`https://core.example.com${path}`)).toThrow(
      expect.objectContaining({
        code: "config_invalid",
        message: `no core has ${what} of the name in the core's URL`,
        hint: expect.stringContaining("https://core.example.com/appid-shop/t1"),
      }),
    );
  });

  it("is asked whether it is there before anything is sent", async () => {
    const { url, users } = await startTenantCore(KEY);
    await expect(connect(`${url}/appid-public/t1`).probe()).resolves.toBeUndefined();
    await expect(connect(`${url}/appid-shop/t1`).probe()).resolves.toBeUndefined();
    for (const scope of ["appid-public/ghost", "appid-ghost"]) {
      await expect(connect(`${url}/${scope}`).probe()).rejects.toMatchObject({
        kind: "tenant_unknown",
        status: 400,
        message: expect.stringContaining("AppId or tenantId not found"),
      });
    }
    expect(users).toEqual([]);
  });

  it("in the URL as a path is told from a key that is refused", async () => {
    const { url } = await startTenantCore(KEY);
    await expect(connect(`${url}/t1`).probe()).rejects.toMatchObject({
      kind: "tenant_unknown",
      status: 403,
      message: expect.stringContaining("Only public tenantId can call"),
    });
  });
});

describe("a 403", () => {
  it.each([
    ["nothing", "", "key_refused"],
    ["its own name", '{"message":"Forbidden"}', "key_refused"],
    ["its own name as text", "403 Forbidden\n", "key_refused"],
    ["a key", '{"message":"Invalid API key"}', "key_refused"],
    ["credentials", "unauthorised: bad credentials", "key_refused"],
    ["a token", '{"message":"Missing Authentication Token"}', "key_refused"],
    ["an address", "not from this address", "forbidden"],
    ["a page, as of a firewall", "<html><h1>Attention required</h1></html>", "forbidden"],
    ["a recipe's switch", "Sign-in by code is not enabled for this tenant", "disabled"],
    ["a license's", '{"message":"account linking is disabled here"}', "disabled"],
  ])("that speaks of %s is what it says", async (_, text, kind) => {
    const server = await startHttp((_, response) => response.writeHead(403).end(text));
    onTestFinished(() => server.close());
    const failure = await connect(server.url)
      .countUsers()
      .catch((error: CoreFailure) => error);
    expect(failure).toMatchObject({ name: "CoreFailure", kind, reached: "yes", status: 403 });
  });
});
