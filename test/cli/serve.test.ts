import { chmodSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { startHttp } from "../support/canned-server.js";
import { type CliOptions, type RunningCli, runCli, startCli, startServe } from "../support/cli.js";
import { KNOWN_HASHES, SIGNER_KEY } from "../support/known-hashes.js";
import { callCore, expectFailure, jsonLines, workFolders, writeInto } from "./support.js";

const workFolder = workFolders();
const KEY = "garnet-lantern-quay-0001";
const env = { AUTH_MIGRATE_API_KEY: KEY };

interface Serving extends RunningCli {
  readonly url: string;
  readonly apiKey: string;
}

async function serve(args: readonly string[], options: CliOptions): Promise<Serving> {
  const cli = startCli(["serve", "--json", "--port", "0", ...args], { env, ...options });
  const { url }: { url: string } = JSON.parse(await cli.firstLine());
  return { ...cli, url, apiKey: KEY };
}

/** Of any process of the machine the inspector would get the next free port. */
const INSPECTOR = { NODE_OPTIONS: "--inspect-port=0" };

describe("serve that gets SIGUSR1", () => {
  it("goes on and opens no inspector, by which others could read keys and hashes", async () => {
    const core = await serve([], { cwd: workFolder(), env: { ...env, ...INSPECTOR } });
    core.kill("SIGUSR1");
    const asked = { email: "ada@example.com", password: "wrong" };
    // A thread of its own verifies it.
    expect(await callCore(core, "/recipe/signin", asked)).toEqual({
      status: "WRONG_CREDENTIALS_ERROR",
    });
    core.kill("SIGUSR1");
    expect((await fetch(`${core.url}/hello`)).status).toBe(200);
    core.kill("SIGTERM");
    const { code, stderr } = await core.ended;
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/debugger/i);
  });
});

describe.concurrent("serve that is told to stop", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "by %s folds the log in and exits with 0",
    async (signal) => {
      const cwd = workFolder();
      const core = await serve([], { cwd });
      expect(
        await callCore(core, "/recipe/signinup/code", { email: "ada@example.com" }),
      ).toHaveProperty("linkCode");
      expect(existsSync(join(cwd, "auth-core.db-wal"))).toBe(true);
      core.kill(signal);
      const { code, stdout, stderr } = await core.ended;
      expect(code).toBe(0);
      expect(jsonLines(stdout).map(({ type }) => type)).toEqual(["listening"]);
      expect(stderr).toBe("Stopping: calls in flight end.\n");
      expect(existsSync(join(cwd, "auth-core.db-wal"))).toBe(false);
    },
  );

  it("while it starts ends as well as later, and leaves nothing open", async () => {
    const cwd = workFolder();
    // The note that others may read the file comes right after signals are watched, and before the core is open.
    const config = writeInto(cwd, "auth-core.yaml", "api_keys: quay\n");
    chmodSync(join(cwd, config), 0o644);
    const cli = startCli(["serve", "--port", "0"], { cwd, env: { AUTH_MIGRATE_API_KEY: "" } });
    await cli.says("holds a secret");
    cli.kill("SIGTERM");
    expect((await cli.ended).code).toBe(0);
    expect(existsSync(join(cwd, "auth-core.db-wal"))).toBe(false);
  });

  it("lets a call in flight end, and leaves at once when told again", async () => {
    const cwd = workFolder();
    const core = await serve([], { cwd });
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    const answer = fetch(`${core.url}/recipe/signinup/code`, {
      method: "POST",
      headers: { "api-key": KEY },
      body: body.readable,
      duplex: "half",
    });
    await writer.write(Buffer.from('{"email":"ada'));
    // Answered behind the call that has begun, so that one is in flight by now.
    await callCore(core, "/users/count");
    core.kill("SIGTERM");
    await core.says("Stopping");
    await writer.write(Buffer.from('@example.com"}'));
    await writer.close();
    expect((await answer).status).toBe(200);
    expect((await core.ended).code).toBe(0);

    const hanging = await serve([], { cwd });
    const opened = fetch(`${hanging.url}/recipe/signinup/code`, {
      method: "POST",
      headers: { "api-key": KEY },
      body: new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from("{")) }),
      duplex: "half",
    }).catch(() => "cut off");
    await callCore(hanging, "/users/count");
    hanging.kill("SIGTERM");
    await hanging.says("Stopping");
    hanging.kill("SIGTERM");
    // Ended by the signal itself, which a shell shows as 143.
    expect((await hanging.ended).code).toBeNull();
    expect(await opened).toBe("cut off");
  });
});

describe.concurrent("serve without readers", () => {
  it("goes on where its output is closed", async () => {
    const cwd = workFolder();
    const core = await serve([], { cwd });
    core.closeOutput();
    for (let call = 0; call < 3; call += 1) {
      expect(await callCore(core, "/users/count")).toMatchObject({ status: "OK" });
    }
    core.kill("SIGTERM");
    expect((await core.ended).code).toBe(0);
  });
});

describe.concurrent("serve can't start", () => {
  it("on a port that is taken", async () => {
    const cwd = workFolder();
    const taken = await startHttp((_request, response) => void response.end());
    const { port } = new URL(taken.url);
    const failure = {
      code: "port_unusable",
      says: new RegExp(`127\\.0\\.0\\.1:${port} \\(EADDRINUSE\\)`),
      next: /another/,
    };
    await expectFailure(["serve", "--port", port], { cwd, env }, failure);
    expect(readdirSync(cwd)).toEqual([]);
    // A terminal is shown a key that nobody can use.
    const shown = await runCli(["serve", "--port", port], { cwd, screen: 80 });
    expect([shown.code, shown.stderr]).toEqual([69, expect.stringContaining("EADDRINUSE")]);
    expect(shown.stderr).not.toContain("API key");
    expect(readdirSync(cwd)).toEqual([]);
    await taken.close();
  });
});

it("a short key is noted where only this machine can reach the core", async () => {
  const core = await startServe({ cwd: workFolder(), apiKey: "quay-lantern-1" });
  expect((await core.stop()).stderr).toMatch(/^An API key has fewer than 20 characters/);
});

it.each([
  ["nobody", null, false],
  ["a user with another hash", "bcrypt", false],
  ["a user with a vendor scrypt hash", "vendor_scrypt", true],
] as const)("a missing signer key is told of where it keeps somebody out: %s", async (...given) => {
  const [, kind, isTold] = given;
  const cwd = workFolder();
  const file = join(cwd, "auth-core.db");
  const core = openEmbeddedCore({ file, signerKey: SIGNER_KEY });
  const email = "ada@example.com";
  if (kind === null) await core.createCode({ email });
  else await core.importUser({ email, passwordHash: KNOWN_HASHES[kind].passwordHash });
  await core.close();
  const { stderr } = await (await startServe({ cwd })).stop();
  expect(stderr.includes("Without a signer key")).toBe(isTold);
});
