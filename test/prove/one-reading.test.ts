import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rowKey } from "../../src/errors/place.js";
import type { MigrationEvent } from "../../src/events/events.js";
import { importUsers } from "../../src/run/import-users.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { type Input, openInputs } from "../../src/source/inputs.js";
import { DEFAULT_POLICY } from "../../src/plan/policy.js";
import { UserSearch } from "../../src/prove/find-users.js";
import { KeptRows } from "../../src/prove/kept-rows.js";
import type { RowWatch } from "../../src/stage/read-inputs.js";
import { type LocalProof, proveFound, proveTestUsers } from "../../src/prove/prove-test-users.js";
import { proveAtCore, provedUsers, signInsOf } from "../../src/prove/sign-ins.js";
import type { BeforeBulk } from "../../src/run/options.js";
import type { TestUser } from "../../src/source/passwords-file.js";
import { type Random, randomFrom } from "../support/random.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  hashNamed,
  passwordLines,
  piped,
  userLines,
  withFiles,
} from "../password-export/support.js";
import { opened, WAYS, withoutPlaces } from "../run/support/opened-once.js";
import { ELSEWHERE, newMigration } from "../run/support/run.js";
import {
  bcryptOf,
  csvUsers,
  type ExportedUser,
  hashConfigOf,
  scryptOf,
} from "../run/support/test-users.js";
import { SIGNER_KEY } from "../support/known-hashes.js";

const EXPORTS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 2, full: 25 });
const newPath = temporaryPaths();
const KEY = Buffer.from(SIGNER_KEY, "base64");
const hashConfig = hashConfigOf(KEY);

/** Files of users, the passwords of some, and a few that no user has. */
interface Export {
  readonly files: Readonly<Record<string, string>>;
  readonly tests: readonly TestUser[];
}

function exportOf(random: Random): Export {
  const count = 5 + random.below(30);
  const users = Array.from({ length: count }, (_, index): ExportedUser => {
    const user = { id: `m-${index}`, email: `m.${index}@example.com` };
    if (random.chance(1, 4)) return { ...user, ...scryptOf(`Tuba ${index}`, { key: KEY }) };
    return random.chance(1, 2) ? { ...user, hash: bcryptOf(`Tuba ${index}`) } : user;
  });
  const tests = Array.from({ length: 1 + random.below(4) }, () => {
    const at = random.below(count);
    const user = random.pick([`m-${at}`, `M.${at}@Example.com`, `nobody-${at}`]);
    return { user, password: `Tuba ${random.pick([at, at, at, at, at, at + 1])}` };
  });
  // A row that the import leaves out, before and behind the one that counts.
  for (let doubles = random.below(4); doubles > 0; doubles -= 1) {
    users.splice(random.below(count), 0, { ...random.pick(users), disabled: true });
  }
  const cut = random.pick([count, random.below(count)]);
  const [first, rest] = [users.slice(0, cut), users.slice(cut)];
  const files = { "users.csv": csvUsers(first), "more-users.csv": csvUsers(rest) };
  return { files: random.pick([files, { "users.csv": csvUsers(users) }]), tests };
}

/** What is told of a proof: of which rows it was made, and what came of it. */
function toldOf({ found, proofs }: LocalProof) {
  const rows = found.map((one) => one?.row ?? null);
  return { rows, proofs };
}

/** A run with test users, by its one reading. */
function proving(tests: readonly TestUser[]) {
  const search = new UserSearch(
    tests.map(({ user }) => user),
    DEFAULT_POLICY,
  );
  const made: LocalProof[] = [];
  const beforeBulk: BeforeBulk = async () => {
    const local = await proveFound(tests, search.found(), { hashConfig });
    made.push(local);
    const users = provedUsers(tests, local);
    const judge = () => ({ proved: true, findings: [] });
    const fitted = users.map(({ proof }) => proof);
    return { fitted, signIns: users.length > 0 ? signInsOf(users, judge) : undefined };
  };
  return { made, run: { watch: search, beforeBulk, hashConfig } };
}

describe("a proof", () => {
  it("says of a run that reads its inputs once what it says of files, and so out of a pipe", async () => {
    for (let seed = 0; seed < EXPORTS; seed += 1) {
      const { files, tests } = exportOf(randomFrom(seed));
      const folder = newPath("export");
      mkdirSync(folder);
      const plain: Input[] = await openInputs(
        Object.entries(files).map(([name, text]) => {
          writeFileSync(join(folder, name), text);
          return join(folder, name);
        }),
      );
      const bare = (told: object) => withoutPlaces(told, [folder]);
      const expected = bare(toldOf(await proveTestUsers(tests, { inputs: plain, hashConfig })));
      for (const way of WAYS) {
        const dry = proving(tests);
        await validateUsers({ inputs: await opened(files, folder, way), ...dry.run });
        expect(
          dry.made.map((one) => bare(toldOf(one))),
          `${seed} ${way}`,
        ).toEqual([expected]);
        const migration = newMigration(newPath);
        const run = proving(tests);
        const inputs = await opened(files, folder, way);
        const core = { ...migration.core, target: ELSEWHERE };
        const options = await migration.options([], { inputs, core, ...run.run });
        const rejected = new Set<string>();
        const onEvent = (event: MigrationEvent): void => {
          if (event.type === "reject") rejected.add(rowKey(event.row));
        };
        const { signIns } = await importUsers({ ...options, onEvent });
        expect(
          run.made.map((one) => bare(toldOf(one))),
          `${seed} ${way}`,
        ).toEqual([expected]);
        // A row of theirs before that one, which is left out, counts in its place.
        const proved = provedUsers(tests, run.made[0]!);
        const taken = proved.filter(({ found }) => !rejected.has(rowKey(found.row)));
        expect(signIns ?? { signedIn: 0 }).toMatchObject({ signedIn: taken.length });
        await migration.close();
      }
    }
  });

  it("says the same of users who are named once all rows were read, whatever the input is", async () => {
    for (let seed = 0; seed < EXPORTS; seed += 1) {
      const { files, tests } = exportOf(randomFrom(seed));
      const folder = newPath("export");
      mkdirSync(folder);
      const told = new Set<string>();
      for (const way of WAYS) {
        const kept = new KeptRows(folder);
        const given = proving(tests);
        const beforeBulk: BeforeBulk = async (...barrier) => {
          const names = tests.map(({ user }) => user);
          const later = await proveFound(tests, kept.find(names, DEFAULT_POLICY), { hashConfig });
          const result = await given.run.beforeBulk(...barrier);
          expect(toldOf(later), `${seed} ${way}`).toEqual(toldOf(given.made[0]!));
          told.add(JSON.stringify(toldOf(later)));
          return result;
        };
        const watch: RowWatch = {
          take(input, items) {
            given.run.watch.take(input, items);
            kept.take(input, items);
          },
          settle: (answered) => kept.settle(answered),
        };
        const inputs = await opened(files, folder, way);
        await validateUsers({ inputs, hashConfig, watch, beforeBulk });
        kept.close();
      }
      expect(told.size).toBe(1);
    }
  });

  it("at a core imports the rows that were found, without another reading", async () => {
    const users = Array.from({ length: 12 }, (_, index) => {
      return {
        id: `m-${index}`,
        email: `m.${index}@example.com`,
        hash: bcryptOf(`Tuba ${index}`),
      };
    });
    const files = {
      "users.csv": csvUsers(users.slice(0, 7)),
      "more.csv": csvUsers(users.slice(7)),
    };
    const folder = newPath("export");
    mkdirSync(folder);
    const inputs = await opened(files, folder, "pipe");
    const tests = [9, 2, 9, 1].map((at) => ({ user: `m-${at}`, password: `Tuba ${at}` }));
    const local = await proveTestUsers(tests, { inputs });
    const migration = newMigration(newPath);
    const options = await migration.options([], { inputs });
    const { proofs, summary } = await proveAtCore(provedUsers(tests, local), options);
    expect(proofs.map(({ ok, signedIn }) => ok && signedIn)).toEqual([true, true, true, true]);
    expect(summary).toMatchObject({ read: 3, imported: 3 });
    // A later import finds them as it left them.
    const whole = await opened(files, folder, "pipe");
    expect(await importUsers(await migration.options([], { inputs: whole }))).toMatchObject({
      unchanged: 3,
      imported: 9,
    });
  });

  it("has the hash of a password export, also where that is found by email at the end", async () => {
    const users = userLines([{ id: "u-1", email: "ann@example.com", connection: "Users" }]);
    const lines = passwordLines([{ email: "ann@example.com", connection: "Users", hash: "own" }]);
    await withFiles(newPath, { users, lines }, async (_files, passwordExport) => {
      const { made, run } = proving([{ user: "ann@example.com", password: "Tuba" }]);
      await validateUsers({ inputs: await piped(users), passwordExport, ...run });
      expect(made[0]?.found[0]?.record.hash).toMatchObject({ text: hashNamed("own") });
      expect(made[0]?.proofs).toMatchObject([{ ok: false, code: "wrong_password" }]);
    });
  });
});
