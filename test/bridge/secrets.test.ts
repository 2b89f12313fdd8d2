import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Bridge, type Credentials } from "../../src/bridge/bridge.js";
import { bridgeService } from "../../src/bridge/bridge-service.js";
import { startServer } from "../../src/core/http/server.js";
import { openEmbeddedCore } from "../../src/core/embedded/embedded-core.js";
import { hashPassword } from "../../src/hash/verify.js";
import { Vault } from "../../src/vault/vault.js";
import { inFull } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { fitsHere, STAND_IN_SALT } from "./support/bridged-users.js";

const newPath = temporaryPaths();
const OPTIONS = { key: Buffer.alloc(32, 7), binding: { migration: "m", core: "c" } };
const HASH = { kind: "text", text: "{SSHA}Q2FuYXJ5RGlnZXN0T2ZUaGVUZXN0c2VhbHNhbHQ=" } as const;
const CONTEXT = { vendor: null, pepper: null, userNames: [] };
const EMAIL = "canary.of.the.mine@example.com";

describe("what the bridge is told and keeps", () => {
  it("stands in no file, answer, log or error", async () => {
    const path = newPath("users.vault");
    const vault = Vault.open(path, OPTIONS);
    const standIn = await vault.standIn(EMAIL, HASH, STAND_IN_SALT);
    await vault.put(EMAIL, { hash: HASH, context: CONTEXT, standIns: [standIn] });
    const core = openEmbeddedCore({ file: newPath("core.db") });
    const said: string[] = [];
    const failing = {
      ...core,
      signIn: (request: { password: string }) => {
        const error = new Error(`the core repeats ${request.password} of ${EMAIL}`);
        return Promise.reject(error);
      },
    };
    for (const each of [core, failing]) {
      const bridge = new Bridge({ fits: fitsHere, vault, core: each });
      const { unguarded } = bridge;
      const verify = (given: Credentials) => bridge.verify(given);
      const counts = { unguarded, left: () => 1, unmatched: () => 0 };
      const service = bridgeService({ verify, ...counts }, (why) => said.push(why));
      const options = { host: "127.0.0.1", port: 0, apiKeys: [] };
      const server = await startServer(service, options);
      for (const password of ["canary-password-1", "canary-password-2"]) {
        for (const body of [
          { email: EMAIL, password },
          { email: EMAIL, pass: password },
        ]) {
          const init = { method: "POST", body: JSON.stringify(body) };
          const response = await fetch(`${server.url}/verify?email=${EMAIL}`, init);
          said.push(await response.text(), JSON.stringify([...response.headers]));
        }
      }
      said.push(await (await fetch(`${server.url}/metrics`)).text(), inspect(bridge, { depth: 9 }));
      await server.close();
    }
    const names = readdirSync(dirname(path)).filter((name) => name.startsWith("users.vault"));
    for (const name of names) said.push(readFileSync(join(dirname(path), name), "latin1"));
    vault.close();
    await core.close();
    said.push(readFileSync(path, "latin1"));
    for (const secret of [EMAIL, "canary", "mine@", HASH.text.slice(6, 20), standIn.password]) {
      expect(said.join("\n").includes(secret), secret.slice(0, 4)).toBe(false);
    }
  });
});

describe("guessing", () => {
  const guesses = inFull ? 10_000 : 300;

  it.each([
    ["one user", () => EMAIL, 10],
    ["many users", (guess: number) => `user.${guess % 20}@example.com`, 200],
  ])("gets ten attempts a quarter of an hour at %s, over restarts", async (_who, email, most) => {
    const path = newPath("users.vault");
    const core = openEmbeddedCore({ file: newPath("core.db") });
    // Unknown emails cost the verification of this one.
    const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
    const passwordHash = await hashPassword("another user's", { cost });
    await core.importUser({ email: "ines@example.com", passwordHash });
    let now = 1_700_000_000_000;
    let looked = 0;
    for (let guess = 0; guess < guesses; ) {
      const vault = Vault.open(path, OPTIONS);
      const bridge = new Bridge({ fits: fitsHere, vault, core, now: () => now });
      for (let times = 0; times < guesses / 4; times += 1, guess += 1) {
        now += 10;
        const { status } = await bridge.verify({ email: email(guess), password: `guess ${guess}` });
        if (status !== "TOO_MANY_ATTEMPTS") looked += 1;
      }
      vault.close();
    }
    expect(looked).toBe(most);
    await core.close();
  });
});
