/** How the client finds out a core's dialect, and what it sends in it. */

import { describe, expect, it, onTestFinished } from "vitest";
import type { DialectName } from "../../../src/core/dialect.js";
import { connectCore, type RemoteCore } from "../../../src/core/http/client.js";
import { type CannedServer, startHttp } from "../../support/canned-server.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";

const { password: _, ...SCRYPT } = KNOWN_HASHES.vendor_scrypt;
const { passwordHash } = KNOWN_HASHES.bcrypt;
const EMAIL = "ana.lima@example.com";
const OK = '{"status":"OK","user":{"id":"u-1"}}';

interface Versions {
  readonly status: number;
  readonly body: string;
}

interface Asked {
  readonly core: RemoteCore;
  /** Bodies of calls other than for the versions. */
  readonly sent: readonly Record<string, unknown>[];
  readonly versionCalls: () => number;
}

/** @param versions what `GET /apiversion` answers, the last one again and again */
async function asking(versions: readonly Versions[], dialect?: DialectName): Promise<Asked> {
  const sent: Record<string, unknown>[] = [];
  let versionCalls = 0;
  const server = await startHttp(({ method, url }, response, body) => {
    if (url === "/apiversion") {
      const { status, body: text } = versions[versionCalls] ?? versions.at(-1) ?? MISSING;
      versionCalls += 1;
      response.writeHead(status).end(text);
      return;
    }
    if (body === "{}") {
      response.writeHead(400).end("give one\n");
      return;
    }
    if (method !== "GET") sent.push(JSON.parse(body));
    response.end(OK);
  });
  onTestFinished(() => server.close());
  return { core: connect(server, dialect), sent, versionCalls: () => versionCalls };
}

function connect({ url }: Pick<CannedServer, "url">, dialect?: DialectName): RemoteCore {
  const core = connectCore({ url, apiKey: null, connections: 4, dialect });
  onTestFinished(() => core.close());
  return core;
}

const MISSING = { status: 404, body: "Not found\n" };
const SUPERTOKENS = { status: 200, body: '{"versions":["2.21","5.4"]}\n' };
const BUSY = { status: 503, body: "" };

describe("a core's dialect", () => {
  it.each<readonly [string, Versions, DialectName]>([
    ["has no such endpoint", MISSING, "interface"],
    ["takes no GET there", { status: 405, body: "" }, "interface"],
    ["has no such method", { status: 501, body: "" }, "interface"],
    ["refuses to say", { status: 400, body: '{"message":"what?"}' }, "interface"],
    ["has a page there", { status: 200, body: "<!doctype html><p>Hello</p>" }, "interface"],
    ["has other JSON there", { status: 200, body: '{"version":"7.1"}' }, "interface"],
    ["has versions that are no list", { status: 200, body: '{"versions":"5.4"}' }, "interface"],
    [
      "understands both",
      { status: 200, body: '{"versions":["5.4"],"dialects":["supertokens","interface"]}' },
      "interface",
    ],
    ["lists its versions", SUPERTOKENS, "supertokens"],
    [
      "names another dialect alone",
      { status: 200, body: '{"versions":["5.4"],"dialects":["supertokens"]}' },
      "supertokens",
    ],
    [
      "says of dialects what is no list",
      { status: 200, body: '{"versions":["5.4"],"dialects":7}' },
      "supertokens",
    ],
  ])("of one that %s is recognized", async (_title, versions, dialect) => {
    const { core } = await asking([versions]);
    expect((await core.dialect()).name).toBe(dialect);
  });

  it("is asked for once, at the probe", async () => {
    const { core, versionCalls } = await asking([SUPERTOKENS]);
    await core.probe();
    await core.importUser({ email: EMAIL, ...SCRYPT });
    await core.updateUser({ userId: "u-1", email: EMAIL });
    await core.dialect();
    expect(versionCalls()).toBe(1);
  });

  it("is asked for once by calls that come together", async () => {
    const { core, sent, versionCalls } = await asking([SUPERTOKENS]);
    await Promise.all([1, 2, 3, 4].map(() => core.importUser({ email: EMAIL, ...SCRYPT })));
    expect(versionCalls()).toBe(1);
    expect(sent.map(({ hashingAlgorithm }) => hashingAlgorithm)).toEqual(
      Array(4).fill("firebase_scrypt"),
    );
  });

  it("isn't asked for by calls that are the same in all of them", async () => {
    const { core, versionCalls } = await asking([SUPERTOKENS]);
    await core.importUser({ email: EMAIL, passwordHash });
    await core.getUser("u-1");
    expect(versionCalls()).toBe(0);
    expect(core.target).not.toHaveProperty("dialect");
  });

  it("isn't asked for where it is named", async () => {
    const { core, sent, versionCalls } = await asking([MISSING], "supertokens");
    await core.probe();
    await core.importUser({ email: EMAIL, ...SCRYPT });
    expect(versionCalls()).toBe(0);
    expect(sent).toMatchObject([{ hashingAlgorithm: "firebase_scrypt" }]);
    expect(core.target).toMatchObject({ dialect: "supertokens" });
  });

  it("that couldn't be asked for fails the call, which may be tried again", async () => {
    const { core, sent } = await asking([BUSY, SUPERTOKENS]);
    const first = core.importUser({ email: EMAIL, ...SCRYPT });
    await expect(first).rejects.toMatchObject({ kind: "busy", status: 503 });
    expect(sent).toEqual([]);
    await core.importUser({ email: EMAIL, ...SCRYPT });
    expect(sent).toMatchObject([{ hashingAlgorithm: "firebase_scrypt" }]);
  });

  it.each([401, 403])("isn't told to somebody with a key that is refused: %d", async (status) => {
    const { core } = await asking([{ status, body: "bad key\n" }]);
    await expect(core.dialect()).rejects.toMatchObject({ kind: "key_refused" });
  });

  it("is a part of the target once it is known", async () => {
    const { core } = await asking([MISSING]);
    await core.probe();
    expect(core.target).toMatchObject({ kind: "remote", dialect: "interface" });
  });
});

describe("what is sent", () => {
  it("in the dialect interface is interface.md, word for word", async () => {
    const { core, sent } = await asking([MISSING]);
    await core.importUser({ email: EMAIL, ...SCRYPT });
    await core.updateUser({ userId: "u-1", phoneNumber: null });
    expect(sent).toEqual([
      { email: EMAIL, passwordHash: SCRYPT.passwordHash, hashingAlgorithm: "vendor_scrypt" },
      { userId: "u-1", phoneNumber: null },
    ]);
  });

  it("in the dialect supertokens has its names, and the user's id under both", async () => {
    const { core, sent } = await asking([SUPERTOKENS]);
    await core.importUser({ email: EMAIL, ...SCRYPT });
    await core.importUser({ email: EMAIL, passwordHash });
    await core.updateUser({ userId: "u-1", phoneNumber: null });
    expect(sent).toEqual([
      { email: EMAIL, passwordHash: SCRYPT.passwordHash, hashingAlgorithm: "firebase_scrypt" },
      { email: EMAIL, passwordHash },
      { userId: "u-1", recipeUserId: "u-1", phoneNumber: null },
    ]);
  });
});
