import fc from "fast-check";
import { expect, test } from "vitest";
import { openReport } from "../../src/checkpoint/report-source.js";
import { readStatus } from "../../src/checkpoint/status.js";
import { makeReport, reportJson } from "../../src/report/report.js";
import { dryRows, importRows, type ResultRow, statusRows } from "../../src/report/results.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { openInputs } from "../../src/source/inputs.js";
import { repeated } from "../support/repeated.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Account, HASH, importAccounts, MAP } from "./support/accounts.js";
import { newMigration } from "./support/run.js";

const newPath = temporaryPaths();
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 8, full: 100 });

const WAYS = ["password", "code", "social"] as const;
const LABELS = ["imported", "created", "  social"];

function accountOf(way: (typeof WAYS)[number], at: number): Account {
  const email = `user.${at}@example.com`;
  const known = way === "password" ? { password_hash: HASH } : { email_verified: true };
  return {
    id: `u-${at}`,
    email,
    ...known,
    ...(way === "social" ? { google: `${1000 + at}` } : {}),
  };
}

/** How many are said to sign in by what. */
function told(rows: readonly ResultRow[]): number[] {
  return LABELS.map((label) => rows.find(([named]) => named === label)?.[1] ?? -1);
}

test("by what users sign in is the same number in a dry run, an import, status and the report", async () => {
  const ways = fc.array(fc.constantFrom(...WAYS), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(ways, ways, async (first, more) => {
      const migration = newMigration(newPath);
      const { core, checkpoint } = migration;
      const binding = { kind: "embedded", coreId: core.coreId } as const;
      const all: Account[] = [];
      for (const [run, chosen] of [first, more].entries()) {
        all.push(...chosen.map((way, at) => accountOf(way, all.length + at)));
        const of = (users: readonly (typeof WAYS)[number][]) =>
          WAYS.map((way) => users.filter((one) => one === way).length);
        const [imported = 0, byCode = 0, social = 0] = of(chosen);
        const expected = [imported, byCode + social, social];
        const file = migration.write(`${run}.json`, JSON.stringify(all));
        const inputs = () => openInputs([file], { map: MAP });
        const asks = { core, binding, concurrency: 4, targetMoved: false, checkExisting: 1e6 };
        const predicted = await validateUsers({
          inputs: await inputs(),
          asks: { ...asks, checkpoint },
        });
        expect(told(dryRows(predicted))).toEqual(expected);
        const { summary } = await importAccounts(migration, all, {}, `${run}.json`);
        expect(told(importRows(summary))).toEqual(expected);
        const [, , socials = 0] = of([...first, ...(run === 0 ? [] : more)]);
        const alone = await validateUsers({ inputs: await inputs() });
        const status = readStatus(checkpoint);
        const source = openReport(checkpoint);
        const report = makeReport(source);
        source.close();
        expect(told(statusRows(status))).toEqual(told(dryRows(alone)));
        expect([alone, status, reportJson(report)].map((one) => one.social)).toEqual(
          Array(3).fill(socials),
        );
        expect([predicted, summary].map((one) => one.social)).toEqual([social, social]);
      }
      await migration.close();
    }),
    { numRuns: RUNS },
  );
});
