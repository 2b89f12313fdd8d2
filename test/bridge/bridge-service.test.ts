import { afterEach, describe, expect, it } from "vitest";
import type { BridgeAnswer } from "../../src/bridge/bridge.js";
import { bridgeService } from "../../src/bridge/bridge-service.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import { type CoreServer, startServer } from "../../src/core/http/server.js";

const KEY = "bridge-key-of-the-test";
const ANN = { email: "ann@example.com", password: "Tr0mbone" };

let server: CoreServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** A bridge on the wire that answers so. */
async function serve(
  answer: BridgeAnswer | Error,
  { apiKeys = [KEY], left = 3 }: { apiKeys?: string[]; left?: number } = {},
) {
  const told: string[] = [];
  const bridge = {
    left: () => left,
    unmatched: () => 1,
    unguarded: { times: 2, ms: 14, mostMs: 9 },
    verify: async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  server = await startServer(
    bridgeService(bridge, (why) => told.push(why)),
    { host: "127.0.0.1", port: 0, apiKeys },
  );
  const { url } = server;
  const ask = async (
    path: string,
    { headers = { "api-key": KEY }, body = JSON.stringify(ANN), method = "POST" } = {},
  ) => {
    const init = method === "GET" ? { method, headers } : { method, headers, body };
    const response = await fetch(url + path, init as RequestInit);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { ask, told };
}

describe("POST /verify", () => {
  it.each([
    [{ status: "OK" }, 200, '{"status":"OK"}'],
    [{ status: "WRONG_CREDENTIALS_ERROR" }, 200, '{"status":"WRONG_CREDENTIALS_ERROR"}'],
  ] as const)("answers %j", async (answer, status, text) => {
    const { ask } = await serve(answer);
    expect(await ask("/verify")).toMatchObject({ status, text });
  });

  it("says when to come again after too many attempts", async () => {
    const { ask } = await serve({ status: "TOO_MANY_ATTEMPTS", retryAfterMs: 61_500 });
    const { status, headers } = await ask("/verify");
    expect([status, headers.get("retry-after")]).toEqual([429, "62"]);
  });

  it("never says wrong where it can't tell", async () => {
    const { ask, told } = await serve(new Error("the core is away, and ann@example.com waits"));
    const { status, headers, text } = await ask("/verify");
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    expect(text).not.toContain("ann");
    expect(told).toEqual(["internal"]);
  });

  it("tells the operator why once, and asks users to wait as long as the core does", async () => {
    const options = { reached: "no", retryAfterMs: 30_000 } as const;
    const { ask, told } = await serve(new CoreFailure("busy", "too many calls", options));
    for (const _time of [1, 2]) {
      expect((await ask("/verify")).headers.get("retry-after")).toBe("30");
    }
    expect(told).toEqual(["the core: too many calls (busy)"]);
  });

  it.each([
    ["no key", {}, 401],
    ["another key", { "api-key": "guessed" }, 401],
  ])("refuses %s", async (_what, headers, status) => {
    const { ask } = await serve({ status: "OK" });
    expect((await ask("/verify", { headers: headers as { "api-key": string } })).status).toBe(
      status,
    );
  });

  it.each([
    ["no JSON", "email=ann"],
    ["no password", '{"email":"ann@example.com"}'],
    ["an empty email", '{"email":" ","password":"x"}'],
  ])("refuses %s", async (_what, body) => {
    const { ask } = await serve({ status: "OK" });
    expect((await ask("/verify", { body })).status).toBe(400);
  });

  it("without a key takes calls of this machine, and none of a web page", async () => {
    const { ask } = await serve({ status: "OK" }, { apiKeys: [] });
    expect((await ask("/verify", { headers: {} as never })).status).toBe(200);
    const headers = { origin: "https://shop.example.com" } as never;
    expect((await ask("/verify", { headers })).status).toBe(403);
  });
});

describe("what an operator's monitoring asks", () => {
  it("GET /health wants no key, and says nothing of any user", async () => {
    const { ask } = await serve({ status: "OK" });
    expect(await ask("/health", { method: "GET", headers: {} as never })).toMatchObject({
      status: 200,
      text: '{"status":"OK"}',
    });
  });

  it("GET /metrics counts the answers, and who is left", async () => {
    const { ask } = await serve({ status: "WRONG_CREDENTIALS_ERROR" }, { left: 41 });
    await ask("/verify");
    const { text } = await ask("/metrics", { method: "GET" });
    expect(text).toContain('auth_migrate_bridge_sign_ins{answer="wrong"} 1\n');
    expect(text).toContain("auth_migrate_bridge_users_left 41\n");
    expect(text).toContain("auth_migrate_bridge_unguarded_seconds_sum 0.014\n");
    expect(text).toContain("auth_migrate_bridge_unguarded_seconds_max 0.009\n");
    expect((await ask("/metrics", { method: "GET", headers: {} as never })).status).toBe(401);
  });
});
