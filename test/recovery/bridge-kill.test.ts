import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { type EmbeddedCore, openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { type CoreServer, startCoreServer } from "../../src/core/http/server.js";
import { firstOf, keepUsers, VAULT_KEY } from "../bridge/support/bridged-users.js";
import { workFolders } from "../cli/support.js";
import { type RunningCli, startCli } from "../support/cli.js";
import { tried } from "../support/repeated.js";

const workFolder = workFolders();
const KEY = "key-of-the-core-behind-it";
const [DJANGO] = firstOf("django_pbkdf2_sha256");
/** Where the bridge is killed in a first sign-in. */
const STEPS = tried(
  [
    "the import is done, and not answered",
    "the import is answered",
    "the check is asked",
    "the check is answered",
    "the import is asked",
    "the password is verified",
  ],
  2,
);
const emailOf = (n: number): string => `user.${n}@example.com`;

describe("a bridge that is killed in a user's first sign-in", () => {
  const cwd = workFolder();
  let embedded: EmbeddedCore;
  let behind: CoreServer;
  let running: RunningCli | null = null;
  /** Which moment is waited for. */
  let killAt = "";
  const pass = (moment: string): void => {
    if (moment === killAt) running?.kill("SIGKILL");
  };
  const answered = (message: unknown): void => {
    const { url } = (message as { readonly request: IncomingMessage }).request;
    if (url === "/recipe/signin") pass("the check is answered");
    if (url === "/recipe/user/passwordhash/import") pass("the import is answered");
  };

  beforeAll(async () => {
    embedded = openEmbeddedCore({ file: join(cwd, "core.db") });
    const step = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
      pass(`the ${what} is asked`);
      const done = await work();
      pass(`the ${what} is done, and not answered`);
      return done;
    };
    const core: Core = {
      ...embedded,
      signIn: (request) => step("check", () => embedded.signIn(request)),
      importUser: (request) => step("import", () => embedded.importUser(request)),
    };
    behind = await startCoreServer(core, { host: "127.0.0.1", port: 0, apiKeys: [KEY] });
    subscribe("http.server.response.finish", answered);
    const known = STEPS.map(() => DJANGO!);
    await keepUsers(join(cwd, "users.vault"), { core: embedded, name: behind.url, known });
    writeFileSync(join(cwd, "vault.key"), VAULT_KEY.toString("base64"));
    writeFileSync(join(cwd, "core.key"), KEY);
  });
  afterAll(async () => {
    unsubscribe("http.server.response.finish", answered);
    await behind.close();
    await embedded.close();
  });

  async function start() {
    const vault = ["--vault", "users.vault", "--vault-key-file", "vault.key"];
    const target = ["--core", behind.url, "--api-key-file", "core.key"];
    running = startCli(["bridge", ...vault, ...target, "--port", "0", "--json"], { cwd });
    const { ended } = running;
    const { url } = JSON.parse(await running.firstLine()) as { url: string };
    const verify = async (n: number, password: string): Promise<string> => {
      const body = JSON.stringify({ email: emailOf(n), password });
      const response = await fetch(`${url}/verify`, { method: "POST", body });
      return ((await response.json()) as { status: string }).status;
    };
    return { url, verify, ended };
  }

  it("has told no user wrong, erased no user who wasn't moved, and goes on", async () => {
    const { password } = DJANGO!;
    for (const [n, step] of STEPS.entries()) {
      const { verify, ended } = await start();
      killAt = step;
      const answer = verify(n, password).catch(() => "no answer");
      if (step === "the password is verified") running?.kill("SIGKILL");
      expect(["no answer", "OK"], step).toContain(await answer);
      await ended;
      killAt = "";
    }
    const { url, verify, ended } = await start();
    for (const n of STEPS.keys()) {
      expect(await verify(n, `!${password}`), STEPS[n]).toBe("WRONG_CREDENTIALS_ERROR");
      expect(await verify(n, password), STEPS[n]).toBe("OK");
      const { status } = await embedded.signIn({ email: emailOf(n), password });
      expect(status, STEPS[n]).toBe("OK");
    }
    expect(await (await fetch(`${url}/metrics`)).text()).toContain("users_left 0\n");
    running?.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });
});
