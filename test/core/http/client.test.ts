import { describe, expect, it, onTestFinished } from "vitest";
import type { Core } from "../../../src/core/core.js";
import type { CoreFailure } from "../../../src/core/core-failure.js";
import { connectCore } from "../../../src/core/http/client.js";
import { type CannedServer, startHttp, startRaw } from "../../support/canned-server.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";

const NOW = Date.UTC(2026, 0, 15, 12);
const EMAIL = "ana.lima@example.com";
const { passwordHash } = KNOWN_HASHES.bcrypt;
const PAGE = "<!DOCTYPE html><html><body>It works!</body></html>";

function connect(server: Pick<CannedServer, "url">, timeoutMs = 5000): Core {
  const core = connectCore({
    url: server.url,
    apiKey: "a-key-for-tests",
    connections: 2,
    timeoutMs,
    dialect: "interface",
    now: () => NOW,
  });
  onTestFinished(() => core.close());
  return core;
}

async function answering(
  status: number,
  body: string,
  headers: Record<string, string | string[]> = {},
): Promise<Core> {
  const server = await startHttp((_, response) => response.writeHead(status, headers).end(body));
  onTestFinished(() => server.close());
  return connect(server);
}

function failureOf(call: Promise<unknown>): Promise<CoreFailure> {
  return call.then(
    () => Promise.reject(new Error("the call succeeded")),
    (error: CoreFailure) => error,
  );
}

/** Those of this process that run and keep it alive. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}

function importing(core: Core): Promise<CoreFailure> {
  return failureOf(core.importUser({ email: EMAIL, passwordHash }));
}

describe("what the client sends", () => {
  it("sends interface.md's headers and bodies, and rid on updates alone", async () => {
    const seen: {
      path: string | undefined;
      rid: unknown;
      key: unknown;
      type: unknown;
      body: unknown;
    }[] = [];
    const server = await startHttp(({ url, headers }, response, body) => {
      const { rid, "api-key": key, "content-type": type } = headers;
      seen.push({ path: url, rid, key, type, body: JSON.parse(body) });
      response.end('{"status":"OK","user":{"id":"u-1"}}');
    });
    onTestFinished(() => server.close());
    const core = connect({ url: `${server.url}/auth/` });
    await core.importUser({ email: EMAIL, passwordHash });
    await core.updateUser({ userId: "u-1", phoneNumber: "+15550100001" });
    const common = { key: "a-key-for-tests", type: "application/json; charset=utf-8" };
    expect(seen).toEqual([
      {
        ...common,
        path: "/auth/recipe/user/passwordhash/import",
        rid: undefined,
        body: { email: EMAIL, passwordHash },
      },
      {
        ...common,
        path: "/auth/recipe/user",
        rid: "passwordless",
        body: { userId: "u-1", phoneNumber: "+15550100001" },
      },
    ]);
  });

  it("asks for an address by every spelling of its domain: a core may keep any", async () => {
    const server = await startHttp(({ url = "" }, response) => {
      const email = new URL(url, "http://core.example").searchParams.get("email");
      const login = { recipeId: "emailpassword", email };
      const users = email?.includes("xn--") ? [{ id: "u-1", loginMethods: [login] }] : [];
      response.end(JSON.stringify({ status: "OK", users }));
    });
    onTestFinished(() => server.close());
    const core = connect(server);
    for (const domain of ["b\u00fccher.example", "xn--bcher-kva.example"]) {
      const found = await core.findUsers({ email: `ana@${domain}` });
      expect(found.map(({ userId }) => userId)).toEqual(["u-1"]);
    }
    expect(await core.findUsers({ email: EMAIL })).toEqual([]);
    expect(server.requests).toHaveLength(5);
  });

  it("uses one connection for each call in flight and never more than allowed", async () => {
    const sockets = new Set<unknown>();
    const waiting: (() => void)[] = [];
    let together = 0;
    const server = await startHttp(({ socket }, response) => {
      sockets.add(socket);
      waiting.push(() => response.end('{"status":"OK","user":{"id":"u-1"}}'));
      together = Math.max(together, waiting.length);
      if (waiting.length === 2) for (const answer of waiting.splice(0)) answer();
    });
    onTestFinished(() => server.close());
    const core = connect(server);
    await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => core.importUser({ email: EMAIL, passwordHash })),
    );
    expect(together).toBe(2);
    expect(sockets.size).toBe(2);
  });

  it("follows no redirect", async () => {
    let followed = false;
    const server = await startHttp(({ url }, response) => {
      if (url === "/elsewhere") followed = true;
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    onTestFinished(() => server.close());
    expect(await importing(connect(server))).toMatchObject({ kind: "incompatible" });
    expect(followed).toBe(false);
  });
});

describe("what the client understands", () => {
  it("asks of a user no more than an id under either name", async () => {
    const core = await answering(
      200,
      '{"status":"OK","user":{"id":"u-7","emails":["a@example.com"]}}',
    );
    expect(await core.importUser({ email: EMAIL, passwordHash })).toEqual({
      status: "OK",
      user: { userId: "u-7", email: "a@example.com", recipe: "emailpassword" },
      didUserAlreadyExist: false,
    });
  });

  it("names every contact of accounts that are linked, and the id of the one that was brought", async () => {
    const user = {
      id: "u-7",
      emails: ["ada@example.org", EMAIL],
      loginMethods: [
        { recipeId: "thirdparty", recipeUserId: "u-7", email: "ada@example.org" },
        { recipeId: "emailpassword", recipeUserId: "u-8", email: EMAIL },
      ],
    };
    const core = await answering(200, JSON.stringify({ status: "OK", user }));
    const { user: shown } = await core.importUser({ email: EMAIL, passwordHash });
    expect(shown).toEqual({
      ...{ userId: "u-7", recipeUserId: "u-8", recipe: "emailpassword" },
      ...{ email: "ada@example.org", otherContacts: [EMAIL] },
    });
  });

  it("counts linked sign-ins of one account as what they are", async () => {
    const user = {
      id: "u-9",
      loginMethods: [
        { recipeId: "emailpassword", email: EMAIL },
        { recipeId: "thirdparty", email: EMAIL },
        { recipeId: "passwordless", phoneNumber: "+15550100002", timeJoined: 5 },
      ],
    };
    const core = await answering(200, JSON.stringify({ status: "OK", users: [user] }));
    expect(await core.findUsers({ email: EMAIL })).toEqual([
      { userId: "u-9", email: EMAIL, recipe: "emailpassword" },
      { userId: "u-9", email: EMAIL, recipe: "other" },
      { userId: "u-9", phoneNumber: "+15550100002", timeJoined: 5, recipe: "passwordless" },
    ]);
  });

  it("takes a status that it doesn't know for a refusal and names it", async () => {
    const core = await answering(200, '{"status":"TENANT_MOVED_ERROR"}');
    const update = core.updateUser({ userId: "u-1", email: EMAIL });
    expect(await failureOf(update)).toMatchObject({
      kind: "refused",
      reached: "yes",
      message: expect.stringContaining("TENANT_MOVED_ERROR"),
    });
  });
});

describe("HTTP answers that are no outcome", () => {
  it.each([
    [400, "refused", "yes"],
    [401, "key_refused", "yes"],
    [402, "disabled", "yes"],
    [403, "forbidden", "yes"],
    [404, "not_offered", "yes"],
    [405, "not_offered", "yes"],
    [408, "unreachable", "unknown"],
    [413, "refused", "yes"],
    [429, "busy", "yes"],
    [500, "broken", "yes"],
    [501, "not_offered", "yes"],
    [502, "unreachable", "unknown"],
    [503, "busy", "yes"],
    [504, "unreachable", "unknown"],
    [507, "disk", "yes"],
    [520, "unreachable", "unknown"],
    [524, "unreachable", "unknown"],
    [529, "broken", "yes"],
  ] as const)("types HTTP %d as %s, reached %s", async (status, kind, reached) => {
    const core = await answering(status, '{"message":"no"}');
    expect(await importing(core)).toMatchObject({ name: "CoreFailure", kind, reached, status });
  });

  it.each([
    ["7", 7000],
    ["0", 0],
    ["2.5", 2500],
    ["31536000", 31_536_000_000],
    ["99999999999", 99_999_999_999_000],
    ["9".repeat(400), Number.MAX_SAFE_INTEGER],
    [new Date(NOW + 90_000).toUTCString(), 90_000],
    ["Thursday, 15-Jan-26 12:01:30 GMT", 90_000],
    ["Thu Jan 15 12:01:30 2026", 90_000],
    [new Date(NOW - 90_000).toUTCString(), 0],
    [["7", "30"], 30_000],
    ["soon", undefined],
    ["Soon", undefined],
    ["-5", undefined],
    ["", undefined],
  ])("reads Retry-After %s", async (header, retryAfterMs) => {
    const date = new Date(NOW).toUTCString();
    const core = await answering(503, "", { "retry-after": header, date });
    expect(await importing(core)).toMatchObject({ kind: "busy", retryAfterMs });
  });

  it.each([
    ["an hour slow", -3_600_000],
    ["an hour fast", 3_600_000],
  ])("reads a date in Retry-After by the core's clock, which is %s", async (_, skew) => {
    const date = new Date(NOW + skew).toUTCString();
    const until = new Date(NOW + skew + 45_000).toUTCString();
    const core = await answering(429, "", { "retry-after": until, date });
    expect(await importing(core)).toMatchObject({ kind: "busy", retryAfterMs: 45_000 });
  });

  it("reads a date in Retry-After by our clock where the core tells no time", async () => {
    const until = new Date(NOW + 45_000).toUTCString();
    const server = await startRaw((socket) => {
      socket.end(`HTTP/1.1 503 Busy\r\nRetry-After: ${until}\r\nContent-Length: 0\r\n\r\n`);
    });
    onTestFinished(() => server.close());
    expect(await importing(connect(server))).toMatchObject({ retryAfterMs: 45_000 });
  });

  it.each([
    ["a refusal", 400, '{"message":"vendor_password_hashing_signer_key is not configured"}'],
    ["a failure", 500, "'vendor_password_hashing_signer_key' is null\n"],
    ["a failure that names no field", 500, "no signer key there\n"],
    ["another dialect's words", 500, "'firebase_password_hashing_signer_key' is null\n"],
  ])("recognizes a missing signer key in %s, and its field", async (_, status, text) => {
    const core = await answering(status, text, { "content-type": "text/html" });
    expect(await importing(core)).toMatchObject({
      kind: "signer_key_missing",
      reached: "yes",
      status,
      field: `${text.includes("firebase") ? "firebase" : "vendor"}_password_hashing_signer_key`,
    });
  });

  it("keeps a short explanation in the core's own words", async () => {
    const core = await answering(400, "Field name 'email' is invalid\n");
    expect((await importing(core)).message).toContain("Field name 'email' is invalid");
  });

  it.each([
    ["the request's own contents", JSON.stringify({ message: `taken: ${EMAIL.toUpperCase()}` })],
    ["somebody's contact", "exists: ana.lima@example.com, +1 555 010 0001"],
    ["a hash", `bad hash ${passwordHash} given`],
    ["a token", "session 8f14e45fceea167a5a36dedd4bea2543 is over"],
    ["control characters", "clear\u001b[2Jscreen\u202e"],
    ["a novel", "It was a dark and stormy night. ".repeat(20)],
  ])("shows nothing of %s", async (_, text) => {
    const { message } = await importing(await answering(400, text));
    expect(message).not.toMatch(/lima|0001|\$2a|8f14e45f|stormy/i);
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it.each([
    ["an HTML page", 200, PAGE, "incompatible"],
    ["an HTML page that says 400", 400, PAGE, "incompatible"],
    ["JSON without a status", 200, '{"hello":"world"}', "incompatible"],
    ["a user without an id", 200, '{"status":"OK","user":{}}', "incompatible"],
    ["a JSON list", 200, "[]", "incompatible"],
    ["half an answer", 200, '{"status":"OK","us', "unreachable"],
    ["nothing", 200, "", "unreachable"],
  ])("doesn't take %s for an outcome", async (_, status, body, kind) => {
    expect(await importing(await answering(status, body))).toMatchObject({ kind });
  });

  it("doesn't know whether a call took effect when the 2xx is unreadable", async () => {
    for (const body of [PAGE, '{"status":', "{}"]) {
      expect(await importing(await answering(200, body))).toMatchObject({ reached: "unknown" });
    }
  });
});

describe("connections that fail", () => {
  it("knows that a refused connection reached nobody", async () => {
    const gone = await startHttp(() => {});
    await gone.close();
    expect(await importing(connect(gone))).toMatchObject({ kind: "unreachable", reached: "no" });
  });

  it("knows that a name without an address reached nobody", async () => {
    const core = connect({ url: "https://core.invalid" });
    expect(await importing(core)).toMatchObject({ kind: "unreachable", reached: "no" });
  });

  it.each([
    ["is reset", (socket: { resetAndDestroy(): void }) => socket.resetAndDestroy()],
    ["ends without an answer", (socket: { end(): void }) => socket.end()],
    [
      "ends within the answer",
      (socket: { end(text: string): void }) =>
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"status":"OK"'),
    ],
    ["speaks no HTTP", (socket: { end(text: string): void }) => socket.end("220 mail ready\r\n")],
  ])("doesn't know what became of a call whose connection %s", async (_, misbehave) => {
    const server = await startRaw(misbehave);
    onTestFinished(() => server.close());
    const failure = await importing(connect(server));
    expect(failure).toMatchObject({ kind: "unreachable", reached: "unknown" });
  });

  it.each([
    ["doesn't answer", []],
    [
      "sends its headers in single bytes",
      [..."HTTP/1.1 200 OK\r\nx-a: ", ...Array(4000).fill("a")],
    ],
    [
      "sends its body in single bytes",
      ["HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n", ...Array(4000).fill(" ")],
    ],
  ])("gives up on a core that %s, however long that would go on", async (_, bytes) => {
    const server = await startRaw((socket) => {
      const left = [...bytes];
      const drip = setInterval(() => {
        const byte = left.shift();
        if (byte !== undefined) socket.write(byte);
      }, 10);
      socket.on("close", () => clearInterval(drip));
    });
    onTestFinished(() => server.close());
    const failure = await importing(connect(server, 200));
    expect(failure).toMatchObject({
      kind: "unreachable",
      reached: "unknown",
      message: expect.stringContaining("within 0.2 seconds"),
    });
  });

  it("gives the next call a connection of its own after one that took too long", async () => {
    let calls = 0;
    const server = await startHttp((_, response) => {
      calls += 1;
      if (calls > 1) response.end('{"status":"OK","count":3}');
    });
    onTestFinished(() => server.close());
    const core = connect(server, 1000);
    expect(await failureOf(core.countUsers())).toMatchObject({ kind: "unreachable" });
    expect(await core.countUsers()).toBe(3);
  });

  it("doesn't count the time in which a call waits for a connection", async () => {
    const before = timers();
    const waiting: (() => void)[] = [];
    let deadlines = 0;
    const server = await startHttp((_, response) => {
      waiting.push(() => response.end('{"status":"OK","count":3}'));
      if (waiting.length < 2) return;
      // Each is a timer. Two calls have a connection, and all others wait for one.
      deadlines = Math.max(deadlines, timers() - before);
      for (const answer of waiting.splice(0)) answer();
    });
    onTestFinished(() => server.close());
    const core = connect(server, 60_000);
    const counts = await Promise.all(Array.from({ length: 64 }, () => core.countUsers()));
    expect(counts).toEqual(Array(64).fill(3));
    expect(deadlines).toBeGreaterThanOrEqual(2);
    expect(deadlines).toBeLessThan(32);
  });
});

describe("probing", () => {
  it.each([
    ["a core that refuses the empty request as text", 400, "give one\n"],
    ["a core that refuses it as JSON", 400, '{"message":"give one"}'],
  ])("passes %s", async (_, status, body) => {
    const core = await answering(status, body, { "content-type": "text/html;charset=UTF-8" });
    await expect(core.probe()).resolves.toBeUndefined();
  });

  it.each([
    ["a page", 200, PAGE, "incompatible"],
    ["a page in place of a refusal", 400, PAGE, "incompatible"],
    ["a server without this path", 404, "{}", "incompatible"],
    ["a server without this method", 405, "", "incompatible"],
    ["something that says yes to everything", 200, '{"ok":true}', "incompatible"],
    ["a core that takes another key", 401, "no\n", "key_refused"],
    ["a core that is down", 503, "", "busy"],
  ])("says what %s is", async (_, status, body, kind) => {
    expect(await failureOf((await answering(status, body)).probe())).toMatchObject({ kind });
  });

  it("says that an HTML page answered", async () => {
    for (const status of [200, 404]) {
      const { message } = await failureOf((await answering(status, PAGE)).probe());
      expect(message).toContain("an HTML page");
    }
  });
});

describe("where a core may be", () => {
  it("is no other machine by http:, unless told that it may", () => {
    const opening = { url: "http://core.example.com", apiKey: null };
    const hint = expect.stringMatching("or say --allow-insecure where");
    expect(() => connectCore(opening)).toThrow(expect.objectContaining({ hint }));
  });

  it("takes http: to another machine when told that it may", async () => {
    const url = "http://core.example.com";
    const core = connectCore({ url, apiKey: null, connections: 1, allowInsecure: true });
    await core.close();
  });

  it.each(["", "two\nlines", "schlüssel"])("refuses a key that no header takes", (apiKey) => {
    const url = "https://core.example.com";
    expect(() => connectCore({ url, apiKey, connections: 1 })).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
  });

  it("leaves nothing behind that would keep a process alive", async () => {
    const before = timers();
    const server = await startHttp((_, response) => response.end('{"status":"OK","count":3}'));
    onTestFinished(() => server.close());
    const core = connectCore({ url: server.url, apiKey: null, connections: 8 });
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => core.countUsers()));
    await core.close();
    expect(timers() - before).toBeLessThan(8);
  });

  it("lets calls in flight end when it is closed", async () => {
    const server = await startHttp((_, response) => {
      void core.close();
      response.end('{"status":"OK","count":3}');
    });
    onTestFinished(() => server.close());
    const core = connectCore({ url: server.url, apiKey: null, connections: 1 });
    expect(await core.countUsers()).toBe(3);
  });
});
