import { randomInt } from "node:crypto";
import { dirname } from "node:path";
import { hash as argon2 } from "argon2";
import { describe, expect, it } from "vitest";
import type { Core, ImportRequest } from "../../src/core/core.js";
import { CoreFailure } from "../../src/core/core-failure.js";
import { DATA_FILE } from "../../src/core/embedded/sqlite/schema.js";
import { connectCore } from "../../src/core/http/client.js";
import { openDatabase } from "../../src/sqlite/database.js";
import { bcryptOf, KEY, scryptOf } from "../run/support/test-users.js";
import { type ServedProcess, startServe } from "../support/cli.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { repeated } from "../support/repeated.js";

const KILLS = repeated({ variable: "AUTH_MIGRATE_KILLS", few: 1, full: 10 });
const IMPORTS_AT_ONCE = 64;
const CONSUMES_AT_ONCE = 4;
const path = temporaryPaths();

/** A few passwords of each algorithm, so that a hash under another user's name comes to light. */
const CREDENTIALS = await makeCredentials(["tulip", "orchid", "dahlia"]);

interface Credential {
  readonly password: string;
  readonly hash: Omit<ImportRequest, "email">;
}

async function makeCredentials(words: readonly string[]): Promise<Credential[]> {
  const cheap = { memoryCost: 1024, timeCost: 2, parallelism: 1 };
  return Promise.all(
    words.flatMap((word) => {
      const { hash, salt } = scryptOf(`${word} s`);
      const scrypt = `$f_scrypt$${hash}$${salt}$m=1$r=1$s=Bw==`;
      return [
        { password: `${word} b`, hash: { passwordHash: bcryptOf(`${word} b`) } },
        argon2(`${word} a`, cheap).then((passwordHash) => ({
          password: `${word} a`,
          hash: { passwordHash },
        })),
        {
          password: `${word} s`,
          hash: { passwordHash: scrypt, hashingAlgorithm: "vendor_scrypt" as const },
        },
      ];
    }),
  );
}

/** Everything that the server said was done. */
interface Acknowledged {
  /** User ids and credentials by email. */
  readonly imported: Map<string, { readonly userId: string; readonly credential: Credential }>;
  /** Spent codes by email. */
  readonly consumed: Map<string, { readonly preAuthSessionId: string; readonly linkCode: string }>;
}

/** Asks for as much as it can get until the server is gone, which it is after `count` imports. */
async function loadUntilKilled(
  { server, core }: Serving,
  { imported, consumed }: Acknowledged,
  count: number,
): Promise<void> {
  let left = count;
  let isGone = false;
  const perhapsKill = (): void => {
    left -= 1;
    if (left === 0) void server.kill();
  };
  const untilGone = async (work: () => Promise<void>): Promise<void> => {
    while (!isGone) {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof CoreFailure) || error.kind !== "unreachable") throw error;
        isGone = true;
      }
    }
  };
  let next = imported.size * 2;
  const importOne = async (): Promise<void> => {
    next += 1;
    const email = `reader.${next}.${randomInt(2 ** 40)}@example.com`;
    const credential = CREDENTIALS[next % CREDENTIALS.length];
    if (credential === undefined) return;
    const { user } = await core.importUser({ email, ...credential.hash });
    imported.set(email, { userId: user.userId, credential });
    perhapsKill();
  };
  const consumeOne = async (): Promise<void> => {
    const email = `guest.${randomInt(2 ** 40)}@example.com`;
    const { preAuthSessionId, linkCode } = await core.createCode({ email });
    const { status } = await core.consumeCode({ preAuthSessionId, linkCode });
    expect(status).toBe("OK");
    consumed.set(email, { preAuthSessionId, linkCode });
  };
  await Promise.all([
    ...Array.from({ length: IMPORTS_AT_ONCE }, () => untilGone(importOne)),
    ...Array.from({ length: CONSUMES_AT_ONCE }, () => untilGone(consumeOne)),
  ]);
}

/** The ids of all users by recipe and email; an email that a recipe has twice fails. */
async function everyone(core: Core): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let paginationToken: string | undefined;
  do {
    const page = await core.listUsers({
      limit: 500,
      ...(paginationToken === undefined ? {} : { paginationToken }),
    });
    for (const { recipe, email, userId } of page.users) {
      expect(found.has(`${recipe} ${email}`)).toBe(false);
      found.set(`${recipe} ${email}`, userId);
    }
    paginationToken = page.nextPaginationToken;
  } while (paginationToken !== undefined);
  return found;
}

async function expectAllThere(core: Core, { imported, consumed }: Acknowledged): Promise<void> {
  const found = await everyone(core);
  const lost = [...imported].filter(([email, { userId }]) => {
    return found.get(`emailpassword ${email}`) !== userId;
  });
  expect(lost.length).toBe(0);
  const lostGuests = [...consumed.keys()].filter((email) => !found.has(`passwordless ${email}`));
  expect(lostGuests.length).toBe(0);

  // The ones that were answered last, with each algorithm.
  for (const [email, { userId, credential }] of [...imported].slice(-CREDENTIALS.length)) {
    const users = await core.findUsers({ email });
    expect(users.map((user) => user.userId)).toEqual([userId]);
    const { password } = credential;
    expect(await core.signIn({ email, password })).toMatchObject({ status: "OK" });
    const wrong = await core.signIn({ email, password: `${password}!` });
    expect(wrong).toEqual({ status: "WRONG_CREDENTIALS_ERROR" });
  }
  for (const code of [...consumed.values()].slice(-20)) {
    expect(await core.consumeCode(code)).toMatchObject({ status: "RESTART_FLOW_ERROR" });
  }
}

function expectIntegrity(file: string): void {
  const database = openDatabase(file, {
    ...DATA_FILE,
    mustExist: true,
  });
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([["ok"]]);
  database.close();
}

interface Serving {
  readonly server: ServedProcess;
  readonly core: Core;
}

async function serve(file: string): Promise<Serving> {
  const server = await startServe({
    cwd: dirname(file),
    args: ["--data", file],
    env: { VENDOR_PASSWORD_HASHING_SIGNER_KEY: KEY.toString("base64") },
  });
  const connections = IMPORTS_AT_ONCE + CONSUMES_AT_ONCE;
  const core = connectCore({ url: server.url, apiKey: server.apiKey, connections });
  return { server, core };
}

describe("auth-migrate serve, killed again and again under 64 imports at once", () => {
  it("has everything that it acknowledged, and a whole data file", async () => {
    const file = path("core.db");
    const acknowledged: Acknowledged = { imported: new Map(), consumed: new Map() };
    for (let kills = 0; kills < KILLS; kills += 1) {
      const serving = await serve(file);
      if (kills > 0) {
        await expectAllThere(serving.core, acknowledged);
        expectIntegrity(file);
      }
      await loadUntilKilled(serving, acknowledged, randomInt(1, 1200));
      await serving.core.close();
    }
    const { server, core } = await serve(file);
    await expectAllThere(core, acknowledged);
    expectIntegrity(file);
    expect(acknowledged.imported.size).toBeGreaterThanOrEqual(KILLS);
    await core.close();
    expect(await server.stop()).toMatchObject({ code: 0 });
  }, 1_200_000);
});
