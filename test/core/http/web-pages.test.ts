import { networkInterfaces } from "node:os";
import { afterAll, describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { startCoreServer } from "../../../src/core/http/server.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { sendRequest } from "./send-request.js";

const path = temporaryPaths();
const KEY = "web-pages-key-0001";
const core = openEmbeddedCore({ file: path("core.db") });
const keyless = await startCoreServer(core, { host: "127.0.0.1", port: 0, apiKeys: [] });
const keyed = await startCoreServer(core, { host: "127.0.0.1", port: 0, apiKeys: [KEY] });
afterAll(async () => {
  await keyless.close();
  await keyed.close();
  await core.close();
});

const CODE = "/recipe/signinup/code";
const BODY = JSON.stringify({ email: "page@example.com" });

describe("a core without a key", () => {
  it.each([
    ["a page of another site", { origin: "https://evil.example" }],
    ["a page without an origin", { origin: "null" }],
    ["a page of another port of this machine", { origin: "http://localhost:3000" }],
    ["a page's image of another site", { "sec-fetch-site": "cross-site" }],
    ["a page's image of another port of this machine", { "sec-fetch-site": "same-site" }],
    ["a name that was pointed at this machine", { host: "evil.example" }],
    ["a name that begins like an address of it", { host: "127.0.0.1.evil.example:3567" }],
    ["something that is no name", { host: "[::1" }],
  ])("refuses what comes from %s", async (_, headers: Record<string, string>) => {
    for (const [method, target, body] of [
      ["POST", CODE, BODY],
      ["GET", "/users", undefined],
    ] as const) {
      const { status, text } = await sendRequest(keyless.url, method, target, headers, body);
      expect(status).toBe(403);
      expect(JSON.parse(text)).toEqual({ message: expect.stringContaining("no API key") });
    }
  });

  it("answers a person who types its address into a browser", async () => {
    const headers = { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" };
    expect((await sendRequest(keyless.url, "GET", "/users", headers)).status).toBe(200);
  });

  it.each(["127.0.0.1:3567", "127.0.0.53", "localhost:8080", "LOCALHOST", "[::1]:3567"])(
    "answers programs that know it as %s",
    async (host) => {
      const { status } = await sendRequest(keyless.url, "POST", CODE, { host }, BODY);
      expect(status).toBe(200);
    },
  );

  it("listens on no address that others reach, however it is named", async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .flatMap((one) => (one === undefined || one.internal ? [] : [one.address]));
    for (const host of ["0.0.0.0", "::", "[::]", "::ffff:0.0.0.0", ...outside]) {
      await expect(startCoreServer(core, { host, port: 0, apiKeys: [] })).rejects.toMatchObject({
        code: "config_invalid",
      });
    }
  });

  const hasV6 = Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === "::1");
  it.each(["localhost", "127.0.0.1", ...(hasV6 ? ["::1", "[::1]"] : [])])(
    "listens on %s",
    async (host) => {
      const server = await startCoreServer(core, { host, port: 0, apiKeys: [] });
      expect((await fetch(`${server.url}/hello`)).status).toBe(200);
      await server.close();
    },
  );
});

describe("a core with a key", () => {
  it("answers whoever has the key, under any name", async () => {
    const headers = { "api-key": KEY, host: "core.internal", origin: "https://shop.example" };
    expect((await sendRequest(keyed.url, "POST", CODE, headers, BODY)).status).toBe(200);
  });

  it("never allows a page to read an answer", async () => {
    const origin = "https://evil.example";
    const asked = { origin, "access-control-request-method": "POST" };
    for (const url of [keyed.url, keyless.url]) {
      const preflight = await sendRequest(url, "OPTIONS", CODE, asked);
      expect(preflight.status).toBeGreaterThanOrEqual(400);
      const answer = await sendRequest(url, "GET", "/hello", { origin, "api-key": KEY });
      for (const { headers } of [preflight, answer]) {
        expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual(
          [],
        );
      }
    }
  });
});

describe("an address that isn't there", () => {
  it("is told with what to do", async () => {
    for (const host of ["192.0.2.1", "no-such-host.invalid"]) {
      await expect(startCoreServer(core, { host, port: 0, apiKeys: [KEY] })).rejects.toMatchObject({
        code: "port_unusable",
        hint: expect.stringMatching(/address/),
      });
    }
  });
});
