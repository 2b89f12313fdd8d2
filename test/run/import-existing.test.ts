import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import type { CoreUser } from "../../src/core/user.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { BEHIND_URL, newMigration, outcomes } from "./support/run.js";
import { bcryptOf } from "./support/test-users.js";

const newPath = temporaryPaths();
const password = "a stranger's";
const passwordHash = bcryptOf(password);
const HEADER = "id,email,phone,password_hash,email_verified\n";

/** A core with users of its own, and an export. */
async function begin(rows: string, users: (core: Core) => Promise<unknown>) {
  const migration = newMigration(newPath);
  await users(migration.core);
  return { migration, file: migration.write("users.csv", `${HEADER}${rows}`) };
}

async function signUpByCode(core: Core, contact: { email: string } | { phoneNumber: string }) {
  const { preAuthSessionId, linkCode } = await core.createCode(contact);
  return core.consumeCode({ preAuthSessionId, linkCode });
}

describe("who is there already", () => {
  it("gets a second contact under on-existing update without a code, so that a pending one holds", async () => {
    const { migration, file } = await begin("v-1,ben@example.com,+15550100001,,true\n", (core) =>
      signUpByCode(core, { email: "ben@example.com" }),
    );
    const pending = await migration.core.createCode({ email: "ben@example.com" });
    const run = await migration.run([file], { policy: { onExisting: "update" } });
    expect(outcomes(run.summary)).toEqual({ existed: 1 });
    expect(run.summary.calls).toMatchObject({ code: 0, consume: 0, update: 1 });
    const [user] = await migration.core.findUsers({ email: "ben@example.com" });
    expect(user).toMatchObject({ phoneNumber: "+15550100001" });
    const { preAuthSessionId, linkCode } = pending;
    expect((await migration.core.consumeCode({ preAuthSessionId, linkCode })).status).toBe("OK");
  });
});

describe("answers that are mixed up on their way", () => {
  const rows = ["ada", "ben", "cleo", "dai"]
    .map((name, index) => `v-${index},${name}@example.com,,${passwordHash},true\n`)
    .join("");
  const nobody = async (): Promise<void> => {};

  const behindUrl = (core: Core): Core => ({ ...core, target: BEHIND_URL });

  /** A core behind a proxy, whose imports answer with another user than they should. */
  function mixingUp(core: Core, mix: (user: CoreUser, before: CoreUser | null) => CoreUser): Core {
    let before: CoreUser | null = null;
    return {
      ...behindUrl(core),
      async importUser(request) {
        const answer = await core.importUser(request);
        const user = mix(answer.user, before);
        before = answer.user;
        return { ...answer, user };
      },
    };
  }

  it.each([
    ["each with the user before", (user: CoreUser, before: CoreUser | null) => before ?? user],
    ["all with one id", (user: CoreUser) => ({ ...user, userId: "one-for-all" })],
  ])("stop the run before an id is mapped: %s", async (_what, mix) => {
    const { migration, file } = await begin(rows, nobody);
    const mapped: string[] = [];
    const mixed: Core = {
      ...mixingUp(migration.core, mix),
      async mapUserId(request) {
        mapped.push(request.externalUserId);
        return { status: "OK" };
      },
    };
    const given = { core: mixed, concurrency: 1, policy: { keepIds: true } };
    await expect(migration.run([file], given)).rejects.toMatchObject({ code: "answer_mismatch" });
    expect(mapped).toEqual(["v-0"]);
    // Nothing was believed: the next run finds everybody under their own id.
    const core = behindUrl(migration.core);
    const again = await migration.run([file], { core, policy: { keepIds: true } });
    expect(again.summary).toMatchObject({ failed: 0, existed: 0, read: 4 });
  });

  it("stop a later run as well, where the id is that of a user of an earlier one", async () => {
    const { migration, file } = await begin(rows, nobody);
    await migration.run([file], { core: behindUrl(migration.core) });
    const [ada] = await migration.core.findUsers({ email: "ada@example.com" });
    const core = mixingUp(migration.core, (user) => ({ ...user, userId: ada?.userId ?? "" }));
    const newer = migration.write(
      "newer.csv",
      `${HEADER}${rows}v-9,eve@example.com,,${passwordHash},true\n`,
    );
    await expect(migration.run([newer], { core })).rejects.toMatchObject({
      code: "answer_mismatch",
      message: expect.stringMatching(/row 5 \(line 6\): .* id of the user of .*row 1\./),
    });
  });
});
