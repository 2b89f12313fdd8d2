import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../../src/source/inputs.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import { readers } from "../support/people.js";
import { csvOf, newMigration, outcomes } from "../support/run.js";
import { queuedCore } from "./queued-core.js";

const newPath = temporaryPaths();

/** Nine readers, of whom the queue loses the fourth; `meanwhile` is called at every round of it. */
function prepare(meanwhile: (file: string) => void = () => {}) {
  const migration = newMigration(newPath);
  const file = migration.write("users.csv", csvOf(readers(9)));
  const { options } = queuedCore(migration, {
    async round(core) {
      meanwhile(file);
      await core.importQueued();
      const [user] = await core.findUsers({ email: "reader.4@example.com" });
      if (user !== undefined) await core.removeUser(user.userId);
    },
  });
  const rejectsOut = join(dirname(migration.checkpoint), "rejects.csv");
  return { migration, file, options: { ...options, rejectsOut }, rejectsOut };
}

const linesOf = (path: string): string[] => readFileSync(path, "utf8").trimEnd().split("\n");

describe("a user whom the queue rejects", () => {
  it("stands in the file of rejects as in the export", async () => {
    const { migration, file, options, rejectsOut } = prepare();
    const { summary } = await migration.run([file], options);
    expect(outcomes(summary)).toEqual({ imported: 3, created: 5, rejected: 1 });
    expect(summary.rejectsFiles).toEqual([rejectsOut]);
    expect(linesOf(rejectsOut).slice(1)).toEqual([
      expect.stringMatching(/^r-4,reader\.4@example\.com,.*,lost_in_queue,/),
    ]);
  });

  it("stands there as well where an earlier run has sent the account", async () => {
    const { migration, file, options, rejectsOut } = prepare();
    const { options: waits } = queuedCore(migration, { round: async () => {} });
    await migration.run([file], waits);
    await migration.run([file], options);
    expect(linesOf(rejectsOut).slice(1)).toEqual([expect.stringMatching(/^r-4,/)]);
  });

  it("stands there as well where the export comes out of a pipe", async () => {
    const { migration, file, options, rejectsOut } = prepare();
    const inputs = (await openInputs([file])).map((input) => ({ ...input, readOnce: true }));
    await migration.run([file], { ...options, inputs });
    expect(linesOf(rejectsOut).slice(1)).toEqual([expect.stringMatching(/^r-4,/)]);
  });

  it("stands there as it was read, whatever has become of the file meanwhile", async () => {
    const { migration, file, options, rejectsOut } = prepare((path) =>
      writeFileSync(path, csvOf(readers(2))),
    );
    await migration.run([file], options);
    expect(linesOf(rejectsOut).slice(1)).toEqual([expect.stringMatching(/^r-4,/)]);
  });
});
