import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CoreFailure } from "../../src/core/core-failure.js";
import type { Core } from "../../src/core/core.js";
import { type Input, openInputs } from "../../src/source/inputs.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  byRow,
  EVERY_KIND_TOLD,
  type Prepared,
  prepareMigration,
  readers,
} from "./support/people.js";
import { ELSEWHERE, csvOf, type Migration, outcomes, type Row, told } from "./support/run.js";
import { bcryptOf } from "./support/hashes.js";
import { virtualTiming } from "./support/virtual-timing.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;

function prepare(rows?: readonly Row[]): Prepared {
  return prepareMigration(newPath, rows);
}

/** Hands on the users with a password alone. */
function everySecondRow(input: Input): Input {
  return {
    ...input,
    async *read(run) {
      for await (const items of input.read(run)) {
        yield items.filter(({ number }) => number % 2 === 0);
      }
    },
  };
}

describe("the same import again", () => {
  it("changes nothing: finished users are unchanged, the rest is told again", async () => {
    const { migration, file } = prepare();
    const first = await migration.run([file]);
    const before = await migration.users();
    const { summary, events } = await migration.run([file]);
    expect(outcomes(summary)).toEqual({ unchanged: 4, skipped: 1, rejected: 6 });
    const { algorithms, notices } = first.summary;
    expect(algorithms).not.toEqual({});
    expect(summary).toMatchObject({ algorithms, notices });
    expect(Object.values(summary.calls)).toEqual(Array(7).fill(0));
    expect(events.map(told).sort(byRow)).toEqual(EVERY_KIND_TOLD);
    expect(await migration.users()).toEqual(before);
  });

  it("reads each row that an input of the caller's own hands on, and it hands on some alone", async () => {
    const { migration, file } = prepare(readers(400));
    const again = async () => {
      const inputs = (await openInputs([file])).map(everySecondRow);
      const { summary } = await migration.run([], { inputs });
      return outcomes(summary);
    };
    expect(await again()).toEqual({ imported: 200 });
    const changed = readers(400);
    for (const number of [300, 350, 396])
      changed[number - 1] = { ...changed[number - 1], hash: bcryptOf(2) };
    writeFileSync(file, csvOf(changed));
    expect(await again()).toEqual({ unchanged: 197, imported: 3 });
  });
});

it("a user who signs up while a busy core keeps the run waiting keeps their password", async () => {
  const { migration, file } = prepare([{ id: "1", email: "ada@example.com", hash: HASH }]);
  const { passwordHash, password } = KNOWN_HASHES.argon2;
  let attempts = 0;
  const core: Core = {
    ...migration.core,
    target: ELSEWHERE,
    async importUser(request) {
      attempts += 1;
      if (attempts > 1) return migration.core.importUser(request);
      await migration.core.importUser({ email: "ada@example.com", passwordHash });
      throw new CoreFailure("unreachable", "ECONNREFUSED", { reached: "no" });
    },
  };
  const { summary } = await migration.run([file], { core, timing: virtualTiming() });
  expect(outcomes(summary)).toEqual({ existed: 1 });
  expect(summary.calls).toMatchObject({ lookup: 2, import: 2 });
  const signedIn = await migration.core.signIn({ email: "ada@example.com", password });
  expect(signedIn.status).toBe("OK");
});

describe("users who are at the core already", () => {
  async function withStranger(): Promise<{ migration: Migration; file: string; before: unknown }> {
    const { migration, file } = prepare([
      { id: "1", email: "ada@example.com", phone: "+15550100001" },
      { id: "2", email: "ben@example.com", hash: HASH },
      { id: "3", email: "cleo@example.com", hash: HASH },
    ]);
    const code = await migration.core.createCode({ email: "ada@example.com" });
    await migration.core.consumeCode(code);
    const { passwordHash } = KNOWN_HASHES.argon2;
    await migration.core.importUser({ email: "ben@example.com", passwordHash });
    return { migration, file, before: await migration.users() };
  }

  it("stop the run only after every lookup under way has ended", async () => {
    const { migration, file } = await withStranger();
    let underWay = 0;
    const core: Core = {
      ...migration.core,
      async findUsers(contact) {
        underWay += 1;
        // Whoever is new takes longer to look up than the two who are there.
        for (let turn = contact.email?.startsWith("cleo") ? 20 : 0; turn > 0; turn -= 1) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        return migration.core.findUsers(contact).finally(() => (underWay -= 1));
      },
    };
    const run = migration.run([file], { core, policy: { onExisting: "fail" } });
    await expect(run).rejects.toMatchObject({ code: "user_exists" });
    expect(underWay).toBe(0);
  });
});
