import { connect } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import type { Core } from "../../../src/core/core.js";
import { CoreFailure } from "../../../src/core/core-failure.js";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import type { ServedCall } from "../../../src/core/http/app.js";
import { startCoreServer } from "../../../src/core/http/server.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const path = temporaryPaths();
const KEY = "server-suite-key-0001";
const OTHER_KEY = "server-suite-key-0002";
const LOOPBACK = { host: "127.0.0.1", port: 0 };
const calls: ServedCall[] = [];
const core = openEmbeddedCore({ file: path("core.db"), signerKey: SIGNER_KEY });
const server = await startCoreServer(core, {
  ...LOOPBACK,
  apiKeys: [OTHER_KEY, KEY],
  onCall: (call) => calls.push(call),
});
afterAll(async () => {
  await server.close();
  await core.close();
});

interface Answered {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

async function ask(
  method: string,
  target: string,
  body?: unknown,
  headers: Record<string, string> = { "api-key": KEY },
  url = server.url,
): Promise<Answered> {
  const response = await fetch(url + target, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    headers: response.headers,
    json: text.startsWith("{") ? JSON.parse(text) : {},
  };
}

const CODE = "/recipe/signinup/code";
const CONSUME = "/recipe/signinup/code/consume";
const UPDATE = "/recipe/user";
const IMPORT = "/recipe/user/passwordhash/import";

describe("the key", () => {
  it.each([
    ["no key", {}],
    ["a wrong key", { "api-key": "server-suite-key-0003" }],
    ["an empty key", { "api-key": "" }],
    ["another scheme", { authorization: `Basic ${KEY}` }],
  ])("answers %s with the same 401", async (_, headers) => {
    const { status, type, json } = await ask("POST", CODE, {}, headers as Record<string, string>);
    expect({ status, json }).toEqual({
      status: 401,
      json: { message: "the API key is missing or wrong" },
    });
    expect(type).toMatch(/^application\/json/);
  });

  it.each([
    ["in api-key", { "api-key": KEY }],
    ["in api-key with spaces around it", { "api-key": `  ${KEY} ` }],
    ["as a bearer token", { authorization: `Bearer ${KEY}` }],
    ["of several configured ones", { "api-key": OTHER_KEY }],
  ])("is taken %s", async (_, headers) => {
    const { status } = await ask(
      "GET",
      "/users/count",
      undefined,
      headers as Record<string, string>,
    );
    expect(status).toBe(200);
  });

  it.each(["/", "/hello", "/Hello/"])("isn't needed for %s", async (target) => {
    expect((await ask("GET", target, undefined, {})).status).toBe(200);
  });

  it("isn't asked for when none is configured", async () => {
    const open = await startCoreServer(core, { ...LOOPBACK, apiKeys: [] });
    expect((await ask("GET", "/users/count", undefined, {}, open.url)).status).toBe(200);
    await open.close();
  });

  it("is required to serve other machines", async () => {
    await expect(
      startCoreServer(core, { host: "0.0.0.0", port: 0, apiKeys: [] }),
    ).rejects.toMatchObject({ name: "RunError", code: "key_missing" });
  });
});

describe("paths and methods", () => {
  it.each(["/Recipe/SignInUp/Code", "/recipe/signinup/code/", "/RECIPE/SIGNINUP/CODE/"])(
    "finds %s",
    async (target) => {
      const { status, json } = await ask("POST", target, { email: "ana@example.com" });
      expect({ status, outcome: json.status }).toEqual({ status: 200, outcome: "OK" });
    },
  );

  it.each(["/nope", "/recipe/signinup/code//", "/recipe", "/users/count/more"])(
    "doesn't know %s, with or without a key",
    async (target) => {
      for (const headers of [{ "api-key": KEY }, {}] as Record<string, string>[]) {
        const { status, json } = await ask("POST", target, {}, headers);
        expect(status).toBe(404);
        expect(json.message).toEqual(expect.any(String));
      }
    },
  );

  it.each([
    ["GET", CODE, "POST"],
    ["PUT", CODE, "POST"],
    ["PATCH", IMPORT, "POST"],
    ["OPTIONS", CONSUME, "POST"],
    ["POST", UPDATE, "PUT"],
    ["DELETE", "/users", "GET, HEAD"],
    ["POST", "/hello", "GET"],
  ])("answers %s %s with 405 and what is allowed", async (method, target, allow) => {
    const { status, headers } = await ask(method, target);
    expect(status).toBe(405);
    expect(headers.get("allow")).toContain(allow);
  });

  it("answers HEAD like GET without a body", async () => {
    expect((await ask("HEAD", "/users/count")).status).toBe(200);
    expect((await ask("HEAD", CODE)).status).toBe(405);
  });
});

describe("bodies", () => {
  it.each([
    ["an empty body", ""],
    ["half a body", '{"email":'],
    ["trailing garbage", '{"email":"ana@example.com"} x'],
    ["a list", "[]"],
    ["a text", '"email"'],
    ["null", "null"],
    ["deep nesting", "[".repeat(30_000)],
  ])("refuses %s", async (_, body) => {
    const { status, json } = await ask("POST", CODE, body);
    expect(status).toBe(400);
    expect(json.message).toContain("JSON");
  });

  it.each([
    [CODE, { email: 1 }, "email"],
    [CODE, { email: null }, "email"],
    [CODE, { email: ["ana@example.com"] }, "email"],
    [CODE, { email: "ana@example.com", phoneNumber: null }, "phoneNumber"],
    [CODE, { email: "ana@example.com", phoneNumber: "+15550100001" }, "email and phoneNumber"],
    [CODE, {}, "email and phoneNumber"],
    [CODE, { phoneNumber: "5550100001" }, "phoneNumber"],
    [CONSUME, {}, "preAuthSessionId"],
    [CONSUME, { preAuthSessionId: "abc" }, "linkCode"],
    [CONSUME, { preAuthSessionId: "abc", deviceId: "abc" }, "userInputCode"],
    [CONSUME, { preAuthSessionId: "abc", linkCode: "abc", userInputCode: "1" }, "linkCode"],
    [IMPORT, { passwordHash: "x" }, "email"],
    [IMPORT, { email: "ana@example.com" }, "passwordHash"],
    [
      IMPORT,
      { email: "ana@example.com", passwordHash: "x", hashingAlgorithm: "md5" },
      "hashingAlgorithm",
    ],
    [IMPORT, { email: "ana@example.com", passwordHash: "$2a$10$tooshort" }, "passwordHash"],
    ["/recipe/signin", { email: "ana@example.com" }, "password"],
  ])("refuses a wrong field of %s and names it (%#)", async (target, body, field) => {
    const { status, json } = await ask("POST", target, body);
    expect(status).toBe(400);
    expect(json.message).toContain(field);
    expect(json.message).not.toMatch(/ana@|tooshort/);
  });

  it("ignores unknown fields and the content type", async () => {
    const body = {
      email: "ben@example.com",
      shouldTryLinkingWithSessionUser: false,
      __proto__x: 1,
    };
    const headers = { "api-key": KEY, "content-type": "text/plain" };
    expect((await ask("POST", CODE, body, headers)).status).toBe(200);
  });

  it("takes 64 KiB and not a byte more", async () => {
    const filled = (size: number) => {
      const start = '{"email":"cleo@example.com","filler":"';
      return `${start}${"x".repeat(size - start.length - 2)}"}`;
    };
    expect((await ask("POST", CODE, filled(65_536))).status).toBe(200);
    const { status, json } = await ask("POST", CODE, filled(65_537));
    expect(status).toBe(413);
    expect(json.message).toContain("65536");
  });

  it("measures bodies without a length, too", async () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let part = 0; part < 80; part += 1) controller.enqueue(Buffer.alloc(1024, 120));
        controller.close();
      },
    });
    const init = { method: "POST", headers: { "api-key": KEY }, body, duplex: "half" } as const;
    expect((await fetch(server.url + CODE, init)).status).toBe(413);
  });

  it("refuses bytes that aren't UTF-8", async () => {
    const body = Buffer.from([
      ...Buffer.from('{"email":"'),
      0xff,
      ...Buffer.from('@example.com"}'),
    ]);
    const init = { method: "POST", headers: { "api-key": KEY }, body };
    expect((await fetch(server.url + CODE, init)).status).toBe(400);
  });
});

describe("updates", () => {
  it("insist on rid: passwordless", async () => {
    const body = { userId: "u-1", email: "dora@example.com" };
    for (const rid of [undefined, "emailpassword", "Passwordless"]) {
      const headers = { "api-key": KEY, ...(rid === undefined ? {} : { rid }) };
      const { status, json } = await ask("PUT", UPDATE, body, headers);
      expect({ status, message: json.message }).toMatchObject({
        status: 400,
        message: expect.stringContaining("rid"),
      });
    }
  });

  it("take recipeUserId for userId, and refuse neither", async () => {
    const headers = { "api-key": KEY, rid: "passwordless" };
    const body = { email: "edda@example.com" };
    const named = await ask("PUT", UPDATE, { ...body, recipeUserId: "u-1" }, headers);
    expect(named.json).toEqual({ status: "UNKNOWN_USER_ID_ERROR" });
    expect((await ask("PUT", UPDATE, body, headers)).status).toBe(400);
  });
});

describe("answers", () => {
  it("show a user as interface.md and as the public counterpart's clients read it", async () => {
    const email = "fritz@example.com";
    const { passwordHash } = KNOWN_HASHES.bcrypt;
    const { type, json } = await ask("POST", IMPORT, { email, passwordHash });
    expect(type).toMatch(/^application\/json/);
    const user = json.user as Record<string, unknown>;
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

  it("name the user that signed in or consumed at the top level, too", async () => {
    const { password, ...hash } = KNOWN_HASHES.argon2;
    const email = "gabi@example.com";
    await ask("POST", IMPORT, { email, ...hash });
    const { json } = await ask("POST", "/recipe/signin", { email, password });
    expect(json).toMatchObject({ status: "OK", recipeUserId: (json.user as { id: string }).id });
  });

  it("list the interface versions", async () => {
    const { json } = await ask("GET", "/apiversion");
    expect(json).toEqual({ versions: expect.arrayContaining([expect.any(String)]) });
  });

  it.each([
    ["/user/id", "userId"],
    ["/users?limit=few", "limit"],
    ["/users?limit=0", "limit"],
    ["/users?limit=501", "limit"],
    ["/users?paginationToken=abc", "paginationToken"],
    ["/users?timeJoinedOrder=DESC", "timeJoinedOrder"],
    ["/users/count?includeRecipeIds=passwordless", "includeRecipeIds"],
    ["/users/by-accountinfo", "email and phoneNumber"],
  ])("refuse GET %s and name the parameter", async (target, parameter) => {
    const { status, json } = await ask("GET", target);
    expect(status).toBe(400);
    expect(json.message).toContain(parameter);
  });
});

describe("failures of the core behind the server", () => {
  it.each([
    [new CoreFailure("disk", "/secret/core.db is full", { reached: "unknown" }), 507],
    [new CoreFailure("busy", "/secret/core.db is locked", { reached: "no" }), 503],
    [new CoreFailure("broken", "at secret line 7", { reached: "unknown" }), 500],
    [new CoreFailure("unreachable", "http://secret", { reached: "no" }), 502],
    [new TypeError("secret is not a function"), 500],
  ])("become an HTTP error without internals (%#)", async (error, expected) => {
    const failing: Core = { ...core, countUsers: () => Promise.reject(error) };
    const own = await startCoreServer(failing, { ...LOOPBACK, apiKeys: [] });
    const { status, json, headers } = await ask("GET", "/users/count", undefined, {}, own.url);
    expect(status).toBe(expected);
    expect(json.message).not.toContain("secret");
    expect(headers.get("retry-after")).toBe(expected === 503 ? "1" : null);
    await own.close();
  });
});

describe("the access log", () => {
  it("holds method, endpoint, status and time, and nothing personal", async () => {
    calls.length = 0;
    await ask("GET", "/Users/By-AccountInfo?email=hans%40example.com");
    await ask("GET", "/users/hans@example.com");
    await ask("POST", CODE, {}, {});
    expect(calls.map(({ elapsedMs: _, ...call }) => call)).toEqual([
      { method: "GET", path: "/users/by-accountinfo", status: 200 },
      { method: "GET", path: "(unknown)", status: 404 },
      { method: "POST", path: CODE, status: 401 },
    ]);
    expect(calls.every(({ elapsedMs }) => elapsedMs >= 0)).toBe(true);
  });
});

describe("starting and closing", () => {
  it("says that a port is in use", async () => {
    const port = Number(new URL(server.url).port);
    await expect(
      startCoreServer(core, { host: "127.0.0.1", port, apiKeys: [] }),
    ).rejects.toMatchObject({ name: "RunError", code: "port_unusable" });
  });

  it("lets a call in flight end, then stops at once", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = () => {};
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const slow: Core = {
      ...core,
      async countUsers() {
        arrived();
        await held;
        return 42;
      },
    };
    const own = await startCoreServer(slow, { ...LOOPBACK, apiKeys: [] });
    const answer = ask("GET", "/users/count", undefined, {}, own.url);
    await asked;
    const closed = own.close();
    await expect(ask("GET", "/hello", undefined, {}, own.url)).rejects.toThrow();
    release();
    expect((await answer).json).toEqual({ status: "OK", count: 42 });
    await closed;
  });

  it("doesn't wait forever for a client that never finishes its request", async () => {
    const own = await startCoreServer(core, { ...LOOPBACK, apiKeys: [], closeGraceMs: 50 });
    const socket = connect(Number(new URL(own.url).port), "127.0.0.1");
    socket.on("error", () => {});
    const cut = new Promise((resolve) => socket.once("close", resolve));
    await new Promise<void>((resolve) => {
      socket.write(`POST ${CODE} HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{`, () =>
        resolve(),
      );
    });
    await own.close();
    await cut;
  });
});
