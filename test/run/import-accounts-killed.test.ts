import { readFileSync } from "node:fs";
import { serialize } from "node:v8";
import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  type Account,
  ANN,
  accountAt,
  BEN,
  CLEO,
  DORA,
  importAccounts,
  killing,
  SECRET,
} from "./support/accounts.js";
import { newMigration, outcomes, type RunOptions, singly } from "./support/run.js";

const newPath = temporaryPaths();
/** A core as it is, which takes accounts whole. */
const whole = <Given>(core: Given): Given => core;

const EVERYBODY = [ANN, BEN, CLEO, DORA];
const { otp: _otp, ...WITHOUT_FACTOR } = ANN;
/** The same people in a newer export, of whom each has another part. */
const NEWER: readonly Account[] = [
  { ...WITHOUT_FACTOR, rights: ["editor", "viewer"] },
  { ...BEN, email_verified: true },
  { ...CLEO, plan: "gold" },
  { ...DORA, plan: "free" },
];
const OPTIONS: RunOptions = { concurrency: 1, policy: { roles: "create", keepIds: true } };

type Ways = readonly (readonly [string, (core: Core) => Core, RunOptions])[];
/** How users come: whole, or part by part; under the vendor's ids, or the core's own. */
const WAYS: Ways = [
  ["whole", whole, OPTIONS],
  ["whole, under own ids", whole, { ...OPTIONS, policy: { roles: "create" } }],
  ["part by part", singly, OPTIONS],
];
const KILLS = WAYS.flatMap((way) =>
  (["before", "after"] as const).map((when) => [when, ...way] as const),
);

async function everybodyAt(core: Core): Promise<unknown[]> {
  const all = await Promise.all(EVERYBODY.map(({ email = "" }) => accountAt(core, email)));
  return [await core.countUsers(), ...all];
}

/** What is at the core after imports that nothing stops, and how many calls each takes. */
async function undisturbed(as: (core: Core) => Core, options: RunOptions) {
  const migration = newMigration(newPath, whole);
  const first = killing(as(migration.core), -1, "before");
  await importAccounts(migration, EVERYBODY, { ...options, core: first.core });
  const then = await everybodyAt(migration.core);
  const second = killing(as(migration.core), -1, "before");
  await importAccounts(migration, NEWER, { ...options, core: second.core });
  const now = await everybodyAt(migration.core);
  return { then, now, calls: [first.calls(), second.calls()] as const };
}

describe("an import of accounts that is killed", () => {
  it.each(KILLS)(
    "%s any call (%s) ends as one that isn't, with every part there once",
    async (when, _way, as, options) => {
      const { then, calls } = await undisturbed(as, options);
      for (let call = 1; call <= calls[0]; call += 1) {
        const migration = newMigration(newPath, whole);
        const { core } = killing(as(migration.core), call, when);
        await expect(importAccounts(migration, EVERYBODY, { ...options, core })).rejects.toThrow(
          "killed",
        );
        await importAccounts(migration, EVERYBODY, options);
        expect(await everybodyAt(migration.core)).toEqual(then);
        const last = await importAccounts(migration, EVERYBODY, options);
        expect(outcomes(last.summary)).toEqual({ unchanged: 4 });
        expect(Object.values(last.summary.calls)).toEqual(Array(7).fill(0));
        await migration.close();
      }
    },
  );

  it.each(["before", "after"] as const)(
    "%s any call of a newer export leaves nothing of the older one, whichever comes next",
    async (when) => {
      const { then, now, calls } = await undisturbed(whole, OPTIONS);
      for (let call = 1; call <= calls[1]; call += 1) {
        const migration = newMigration(newPath, whole);
        await importAccounts(migration, EVERYBODY, OPTIONS);
        const { core } = killing(migration.core, call, when);
        await expect(importAccounts(migration, NEWER, { ...OPTIONS, core })).rejects.toThrow(
          "killed",
        );
        // The older one once more, which undoes what was begun.
        await importAccounts(migration, EVERYBODY, OPTIONS);
        expect(await everybodyAt(migration.core)).toEqual(then);
        await importAccounts(migration, NEWER, OPTIONS);
        expect(await everybodyAt(migration.core)).toEqual(now);
        await migration.close();
      }
    },
  );
});

describe("the secrets of an account", () => {
  it("are in no event, no summary and no checkpoint, whatever the core answers", async () => {
    const migration = newMigration(newPath, whole);
    const tokens: string[] = [];
    const core: Core = {
      ...singly(migration.core),
      part: async (name, request) => {
        const answer = await migration.core.part(name, request);
        if ("token" in answer) tokens.push(answer.token);
        return answer;
      },
    };
    const told: unknown[] = [];
    const onEvent = (event: unknown): void => void told.push(event);
    const run = await importAccounts(migration, EVERYBODY, { ...OPTIONS, core, onEvent });
    const kept = readFileSync(migration.checkpoint).toString("latin1");
    const all = kept + serialize([told, run.summary]).toString("latin1");
    expect(tokens.length).toBeGreaterThan(0);
    for (const secret of [SECRET, ...tokens, "Ann Blum", "gold"]) expect(all).not.toContain(secret);
  });
});
