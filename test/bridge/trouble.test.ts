import { afterEach, describe, expect, it } from "vitest";
import { bridgeService } from "../../src/bridge/bridge-service.js";
import { openBridge } from "../../src/bridge/open-bridge.js";
import type { Core } from "../../src/core/core.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { connectCore } from "../../src/core/http/client.js";
import { startCoreServer, startServer } from "../../src/core/http/server.js";
import { handOn, startHttp } from "../support/canned-server.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { firstOf, keepUsers, VAULT_KEY } from "./support/bridged-users.js";

const newPath = temporaryPaths();
const LOOPBACK = { host: "127.0.0.1", port: 0 };
const KEY = "key-of-the-core-behind-it";
const KNOWN = firstOf("django_pbkdf2_sha256");
const [{ password }] = KNOWN as [(typeof KNOWN)[number]];
const EMAIL = "user.0@example.com";

/** What happens to a call that is asked. */
type Trouble = (work: () => Promise<unknown>) => Promise<unknown>;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/**
 * A core on the wire with one user for a bridge, whose calls may fail.
 *
 * @param front gives the URL by which the bridge calls it
 */
async function servedCore(front = async (url: string): Promise<string> => url) {
  const embedded = openEmbeddedCore({ file: newPath("core.db") });
  let troubles: Readonly<Record<string, Trouble>> = {};
  const troubled = <T>(call: string, work: () => Promise<T>): Promise<T> =>
    (troubles[call]?.(work) ?? work()) as Promise<T>;
  const core: Core = {
    ...embedded,
    signIn: (request) => troubled("signIn", () => embedded.signIn(request)),
    importUser: (request) => troubled("importUser", () => embedded.importUser(request)),
  };
  const { url: ownUrl, close } = await startCoreServer(core, { ...LOOPBACK, apiKeys: [KEY] });
  const url = await front(ownUrl);
  closing.push(() => embedded.close(), close);
  const path = newPath("users.vault");
  await keepUsers(path, { core: embedded, name: url, known: KNOWN });
  return {
    close,
    have: (next: typeof troubles) => {
      troubles = next;
    },
    atCore: async () => (await embedded.signIn({ email: EMAIL, password })).status,
    /** A bridge on the wire before it. */
    async bridge(timeoutMs = 60_000) {
      const client = connectCore({ url, apiKey: KEY, timeoutMs });
      const probe = () => troubled("probe", () => client.probe());
      const remote: Core = { ...client, target: client.target, probe };
      const bridge = openBridge({ vault: { path, key: VAULT_KEY }, core: remote, threads: 1 });
      const told: string[] = [];
      const service = bridgeService(bridge, (why) => told.push(why));
      const server = await startServer(service, { ...LOOPBACK, apiKeys: [] });
      const end = async (): Promise<void> => {
        await server.close();
        await bridge.close();
        await remote.close();
      };
      return {
        ...{ told, end, left: bridge.left },
        async verify(typed: string) {
          const body = JSON.stringify({ email: EMAIL, password: typed });
          const response = await fetch(`${server.url}/verify`, { method: "POST", body });
          const { status = "" } = (await response.json()) as { status?: string };
          return `${response.status} ${status}`.trim();
        },
      };
    },
  };
}

const TROUBLES: Readonly<Record<string, Trouble>> = {
  "500": () => Promise.reject(new CoreFailure("broken", "it fails", { reached: "unknown" })),
  "503 and a Retry-After": () =>
    Promise.reject(new CoreFailure("busy", "too much", { reached: "no" })),
  "an answer that comes too late": async (work) => {
    await work();
    return new Promise((resolve) => {
      closing.push(() => resolve({}));
    });
  },
  "an answer that is lost": async (work) => {
    await work();
    throw new Error("the connection broke");
  },
};

describe("a core in trouble", () => {
  const cases = Object.keys(TROUBLES).flatMap((what) =>
    ["signIn", "importUser"].map((call) => [what, call] as const),
  );

  it.each(cases)("with %s to %s tells no user wrong and has none erased", async (what, call) => {
    const { have, bridge, atCore } = await servedCore();
    have({ [call]: TROUBLES[what]! });
    const first = await bridge(what.includes("late") ? 100 : undefined);
    expect(await first.verify(password)).toBe("503");
    // A guess isn't told wrong either: its answer would tell the two apart.
    if (call === "signIn") expect(await first.verify("a guess")).toBe("503");
    expect(first.told).toHaveLength(1);
    expect(first.told.join()).not.toMatch(/user\.|example/);
    expect(first.left()).toBe(1);
    have({});
    await first.end();

    const second = await bridge();
    expect(await second.verify("a guess")).toBe("200 WRONG_CREDENTIALS_ERROR");
    expect(await second.verify(password)).toBe("200 OK");
    expect(await atCore()).toBe("OK");
    expect(second.left()).toBe(0);
    await second.end();
  });

  it("with 429 to every call tells no user wrong and has none erased", async () => {
    let isLimited = true;
    const { bridge, atCore } = await servedCore(async (url) => {
      const server = await startHttp((request, response, body) => {
        if (isLimited) response.writeHead(429, { "retry-after": "7" }).end("slow down");
        else handOn(url + request.url, request, body, response);
      });
      closing.push(server.close);
      return server.url;
    });
    const { verify, left, end } = await bridge();
    expect(await verify(password)).toBe("503");
    expect(await verify("a guess")).toBe("503");
    expect(left()).toBe(1);
    isLimited = false;
    expect(await verify("a guess")).toBe("200 WRONG_CREDENTIALS_ERROR");
    expect(await verify(password)).toBe("200 OK");
    expect(await atCore()).toBe("OK");
    await end();
  });

  it("that is away takes no attempts but the one that found it so", async () => {
    const { have, bridge } = await servedCore();
    const { verify, end } = await bridge();
    const away: Trouble = () => Promise.reject(new CoreFailure("busy", "away", { reached: "no" }));
    have({ signIn: away, probe: away });
    for (let times = 0; times < 12; times += 1) expect(await verify(password)).toBe("503");
    have({});
    expect(await verify("a guess")).toBe("200 WRONG_CREDENTIALS_ERROR");
    expect(await verify(password)).toBe("200 OK");
    await end();
  });

  it("that is away is told once, and its users are told nothing", async () => {
    const { close, bridge } = await servedCore();
    const { verify, told, left, end } = await bridge();
    await close();
    expect(await verify(password)).toBe("503");
    expect(await verify("a guess")).toBe("503");
    expect(told).toHaveLength(1);
    expect(left()).toBe(1);
    await end();
  });
});
