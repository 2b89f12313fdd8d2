import { describe, expect, it, onTestFinished } from "vitest";
import type { CoreFailure } from "../../../src/core/core-failure.js";
import { connectCore, type RemoteCore } from "../../../src/core/http/client.js";
import type { Worded } from "../../../src/errors/option-words.js";
import type { EndpointOptions } from "../../../src/core/http/endpoint.js";
import { startHttp } from "../../support/canned-server.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { startTenantCore } from "../../support/tenant-core.js";

const KEY = "tenants-key-0001";
const EMAIL = "noor.haddad@example.com";
const { passwordHash } = KNOWN_HASHES.bcrypt;

function connect(url: string, options: EndpointOptions & Worded = {}): RemoteCore {
  const core = connectCore({ url, apiKey: KEY, connections: 2, ...options });
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
    ["by --tenant", "", { tenant: "t1" }, ["", "/appid-public/t1"]],
    ["by --app", "", { app: "shop" }, ["/appid-shop", "/appid-shop"]],
    ["by both, in capitals", "/", { app: "Shop", tenant: "T1" }, ["/appid-shop", "/appid-shop/t1"]],
    ["by a pasted URL", "/appid-shop/t1/", {}, ["/appid-shop", "/appid-shop/t1"]],
    ["by a pasted app", "/appid-shop", { tenant: "t1" }, ["/appid-shop", "/appid-shop/t1"]],
    ["by both ways alike", "/appid-shop/t1", { tenant: "t1" }, ["/appid-shop", "/appid-shop/t1"]],
    ["behind a gateway", "/auth", { tenant: "t1" }, ["/auth", "/auth/appid-public/t1"]],
    ["as the public one", "/auth", { app: "public", tenant: "public" }, ["/auth", "/auth"]],
    ["as the public one in a URL", "/appid-public/public", {}, ["", ""]],
  ])("gets what is its own, and the app the rest: %s", async (_, path, options, prefixes) => {
    const [ofApp = "", ofTenant = ""] = prefixes;
    const server = await startHttp((_, response) => response.writeHead(400).end("no\n"));
    onTestFinished(() => server.close());
    const core = connect(`${server.url}${path}`, options);
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
    ["two names", "/appid-shop/t1", { tenant: "t2" }, /names another tenant than --tenant/],
    ["two apps", "/appid-shop", { app: "store" }, /names another app than --app/],
    ["a name with a slash", "", { tenant: "t1/users" }, /a tenant of the name given/],
    ["a name that paths begin with", "", { tenant: "Users" }, /a tenant of the name given/],
    ["an app's prefix", "", { app: "appid-shop" }, /an app of the name given/],
    ["no name", "", { tenant: "" }, /a tenant of the name given/],
    ["an app without a name", "/appid-/t1", {}, /an app of the name given/],
  ])("isn't taken by %s: the users could go elsewhere", (_, path, options, says) => {
    expect(() =>
      connect(`https://core.example.com${path}`, { ...options, hints: "flags" }),
    ).toThrow(
      expect.objectContaining({
        code: "config_invalid",
        message: expect.stringMatching(says),
        hint: expect.stringMatching(/--tenant|--app/),
      }),
    );
  });

  it("is asked whether it is there before anything is sent", async () => {
    const { url, users } = await startTenantCore(KEY);
    await expect(connect(url, { tenant: "t1" }).probe()).resolves.toBeUndefined();
    await expect(connect(url, { app: "shop", tenant: "t1" }).probe()).resolves.toBeUndefined();
    for (const options of [{ tenant: "ghost" }, { app: "ghost" }]) {
      await expect(connect(url, options).probe()).rejects.toMatchObject({
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
