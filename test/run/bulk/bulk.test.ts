import { describe, expect, it } from "vitest";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { readers } from "../support/people.js";
import { csvOf, newMigration, outcomes } from "../support/run.js";
import { queuedCore } from "./queued-core.js";

const newPath = temporaryPaths();

describe("users who go by the core's queue", () => {
  it("are imported when the core shows them, and unchanged from then on", async () => {
    const migration = newMigration(newPath);
    const file = migration.write("users.csv", csvOf(readers(30)));
    const queue = queuedCore(migration);
    const first = await migration.run([file], queue.options);
    expect(outcomes(first.summary)).toEqual({ imported: 15, created: 15 });
    expect(queue.batches).toEqual([30]);
    expect(first.summary.calls).toMatchObject({ import: 1, code: 0, consume: 0 });
    expect(await migration.users()).toHaveLength(30);
    const again = await migration.run([file], queue.options);
    expect(outcomes(again.summary)).toEqual({ unchanged: 30 });
    expect(queue.batches).toEqual([30]);
  });
});
