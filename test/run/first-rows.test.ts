import { expect, it } from "vitest";
import { temporaryPaths } from "../support/temporary-folder.js";
import { type Account, HASH, importAccounts } from "./support/accounts.js";
import { BEHIND_URL, newMigration } from "./support/run.js";
import { shuffled } from "./support/shuffled.js";

const newPath = temporaryPaths();

it("a finding names the export's first rows, before its users are sent and once their calls have ended", async () => {
  const accounts = Array.from({ length: 12 }, (_, at): Account => {
    const email = `reader.${at}@example.com`;
    return { id: `r-${at}`, email, password_hash: HASH, created_at: "2021-03-04T05:06:07Z" };
  });
  const migration = newMigration(newPath);
  const slowest = [60, 50, 40, 30, 20, 10, 5];
  const core = { ...shuffled(migration.core, slowest), target: BEHIND_URL };
  const { findings } = await importAccounts(migration, accounts, {
    ...{ core, binding: BEHIND_URL, concurrency: 8 },
  });
  const told = findings.filter(({ code }) => code === "joined_not_migrated");
  const rows = told.map((finding) => finding.rows.map(({ number }) => number));
  expect(rows).toEqual([
    [1, 2, 3],
    [1, 2, 3],
  ]);
});
