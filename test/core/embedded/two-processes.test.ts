import { describe, expect, it } from "vitest";
import { openEmbeddedCore } from "../../../src/core/embedded/embedded-core.js";
import { DATA_FILE } from "../../../src/core/embedded/sqlite/schema.js";
import { openDatabase } from "../../../src/sqlite/database.js";
import { startCoreProcess } from "../../support/core-process.js";
import { KNOWN_HASHES } from "../../support/known-hashes.js";
import { temporaryPaths } from "../../support/temporary-folder.js";

const path = temporaryPaths();
const { password, passwordHash } = KNOWN_HASHES.bcrypt;

describe("two processes on one data file", () => {
  it("make one user of each email that both import at once, and one of each code", async () => {
    const file = path("core.db");
    const there = await startCoreProcess({ file });
    const here = openEmbeddedCore({ file });
    const emails = Array.from({ length: 500 }, (_, index) => `user.${index}@example.com`);

    const imports = await Promise.all(
      emails.flatMap((email) => [
        here.importUser({ email, passwordHash }),
        there.call("importUser", { email, passwordHash }),
      ]),
    );
    expect(imports.filter(({ didUserAlreadyExist }) => !didUserAlreadyExist)).toHaveLength(500);
    expect(new Set(imports.map(({ user }) => user.userId)).size).toBe(500);

    const codes = await Promise.all(emails.slice(0, 50).map((email) => here.createCode({ email })));
    const consumed = await Promise.all(
      codes.flatMap(({ preAuthSessionId, deviceId, userInputCode, linkCode }) => [
        here.consumeCode({ preAuthSessionId, linkCode }),
        there.call("consumeCode", { preAuthSessionId, deviceId, userInputCode }),
        here.consumeCode({ preAuthSessionId, deviceId, userInputCode }),
        there.call("consumeCode", { preAuthSessionId, linkCode }),
      ]),
    );
    const statuses = consumed.map(({ status }) => status);
    expect(statuses.filter((status) => status === "OK")).toHaveLength(50);
    expect(statuses.filter((status) => status === "RESTART_FLOW_ERROR")).toHaveLength(150);

    expect(await here.countUsers()).toBe(550);
    expect(await there.call("countUsers", undefined)).toBe(550);
    await there.call("close", undefined);
    await here.close();
  });
});

describe("a data file that another process is writing to", () => {
  /** Holds the file's lock as another process would, until it is let go. */
  function holdLock(file: string) {
    const database = openDatabase(file, DATA_FILE);
    database.exec("BEGIN IMMEDIATE");
    return {
      letGo() {
        database.exec("ROLLBACK");
        database.close();
      },
    };
  }

  it("can be read meanwhile; a write is busy when it waited long enough, and works afterwards", async () => {
    const file = path("core.db");
    const core = await startCoreProcess({ file, lockWaitMs: 200 });
    const email = "ana@example.com";
    const { user } = await core.call("importUser", { email, passwordHash });
    const lock = holdLock(file);
    const writes = [
      core.call("importUser", { email: "ben@example.com", passwordHash }),
      core.call("createCode", { email }),
      core.call("updateUser", { userId: user.userId, email }),
      core.call("mapUserId", { userId: user.userId, externalUserId: "ana-1" }),
    ];
    const settled = Promise.allSettled(writes);
    // These don't wait behind the writes.
    expect(await core.call("getUser", user.userId)).toEqual(user);
    expect(await core.call("signIn", { email, password })).toMatchObject({ status: "OK" });
    for (const result of await settled) {
      expect(result).toMatchObject({ status: "rejected", reason: { kind: "busy", reached: "no" } });
    }
    lock.letGo();
    expect(await core.call("importUser", { email: "ben@example.com", passwordHash })).toMatchObject(
      { didUserAlreadyExist: false },
    );
    await core.call("close", undefined);
  });

  it("is waited for by writes, which then happen in their order", async () => {
    const file = path("core.db");
    const core = openEmbeddedCore({ file });
    const lock = holdLock(file);
    const names = ["cleo", "dirk", "edda"];
    const imports = names.map((name) =>
      core.importUser({ email: `${name}@example.com`, passwordHash }),
    );
    // A turn of the event loop in which they find the file locked.
    await new Promise((resolve) => setTimeout(resolve));
    lock.letGo();
    await Promise.all(imports);
    const { users } = await core.listUsers({});
    expect(users.map(({ email }) => email)).toEqual(names.map((name) => `${name}@example.com`));
    await core.close();
  });

  it("is no reason for a core that closes to leave a call without an answer", async () => {
    const file = path("core.db");
    const core = openEmbeddedCore({ file, lockWaitMs: 50 });
    const lock = holdLock(file);
    const waiting = core.importUser({ email: "fritz@example.com", passwordHash });
    const refused = expect(waiting).rejects.toMatchObject({ kind: "busy" });
    await core.close();
    await refused;
    lock.letGo();
    const reopened = openEmbeddedCore({ file });
    expect(await reopened.countUsers()).toBe(0);
    await reopened.close();
  });
});
