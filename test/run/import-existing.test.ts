import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import type { CoreUser } from "../../src/core/user.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { BEHIND_URL, newMigration, outcomes, type Run } from "./support/run.js";
import { bcryptOf } from "./support/test-users.js";

const newPath = temporaryPaths();
const password = "a stranger's";
const passwordHash = bcryptOf(password);
const THEIRS = KNOWN_HASHES.argon2;
const HEADER = "id,email,phone,password_hash,email_verified\n";

function told({ findings }: Run): string[] {
  return findings
    .filter(({ code }) => code !== "prehash_possible" && code !== "no_hash_column")
    .map(({ code, rows }) => `${code} ${rows.map(({ number }) => number).join(",")}`);
}

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

describe("an unverified email with a password", () => {
  it("is imported, told as a notice, and as a finding before the first call", async () => {
    const { migration, file } = await begin(
      `v-1,ada@example.com,,${passwordHash},false\n`,
      async () => {},
    );
    const run = await migration.run([file]);
    expect(outcomes(run.summary)).toEqual({ imported: 1 });
    expect(run.summary.notices).toMatchObject({ unverified_email_with_password: 1 });
    expect(told(run)).toEqual(["unverified_email_with_password 1"]);
  });

  it.each(["skip", "update"] as const)(
    "replaces the hash of no user who was there, on-existing %s",
    async (onExisting) => {
      const { migration, file } = await begin(
        `v-1,ada@example.com,,${passwordHash},false\n`,
        (core) => core.importUser({ email: "ada@example.com", passwordHash: THEIRS.passwordHash }),
      );
      const run = await migration.run([file], { policy: { onExisting } });
      expect(outcomes(run.summary)).toEqual({ existed: 1 });
      const email = "ada@example.com";
      const { core } = migration;
      expect(await core.signIn({ email, password: THEIRS.password })).toMatchObject({
        status: "OK",
      });
      expect(await core.signIn({ email, password })).not.toMatchObject({ status: "OK" });
      const told = run.summary.notices.unverified_not_replaced;
      expect(told).toBe(onExisting === "update" ? 1 : undefined);
    },
  );
});

describe("who is there already", () => {
  it("by another way in is told with the rows, beside the user who is brought", async () => {
    const { migration, file } = await begin(
      `v-1,ada@example.com,,${passwordHash},true\nv-2,ben@example.com,,,true\n`,
      async (core) => {
        await signUpByCode(core, { email: "ada@example.com" });
        await core.importUser({ email: "ben@example.com", passwordHash });
      },
    );
    const run = await migration.run([file]);
    expect(outcomes(run.summary)).toEqual({ imported: 1, created: 1 });
    expect(run.summary.notices).toMatchObject({ other_way_in: 2 });
    // The second one takes fewer calls.
    expect(told(run)).toEqual(["other_way_in 2,1"]);
  });

  it("with one of two contacts is existed and told with the rows", async () => {
    const { migration, file } = await begin(
      "v-1,brand.new@example.com,+15550100001,,true\n",
      (core) => signUpByCode(core, { phoneNumber: "+15550100001" }),
    );
    const run = await migration.run([file]);
    expect(outcomes(run.summary)).toEqual({ existed: 1 });
    expect(told(run)).toEqual(["contact_conflict 1"]);
  });

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
