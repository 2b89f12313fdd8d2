import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/events/events.js";
import { openInputs } from "../../../src/source/inputs.js";
import type { SourceItem } from "../../../src/source/source.js";
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

const isUnwritten = ({ code }: Finding): boolean => code === "input_doubtful";

describe("a user whom the queue rejects", () => {
  it("stands in the file of rejects as in the export", async () => {
    const { migration, file, options, rejectsOut } = prepare();
    const { summary, findings } = await migration.run([file], options);
    expect(outcomes(summary)).toEqual({ imported: 3, created: 5, rejected: 1 });
    expect(summary.rejectsFiles).toEqual([rejectsOut]);
    expect(linesOf(rejectsOut).slice(1)).toEqual([
      expect.stringMatching(/^r-4,reader\.4@example\.com,.*,lost_in_queue,/),
    ]);
    expect(findings.filter(isUnwritten)).toEqual([]);
  });

  it("stands there as well where an earlier run has sent the account", async () => {
    const { migration, file, options, rejectsOut } = prepare();
    const { options: waits } = queuedCore(migration, { round: async () => {} });
    await migration.run([file], waits);
    await migration.run([file], options);
    expect(linesOf(rejectsOut).slice(1)).toEqual([expect.stringMatching(/^r-4,/)]);
  });

  it("out of a pipe is told, since their row can't be read again", async () => {
    const { migration, file, options } = prepare();
    const inputs = (await openInputs([file])).map((input) => ({ ...input, readOnce: true }));
    const { summary, findings } = await migration.run([file], { ...options, inputs });
    expect(summary).toMatchObject({ rejected: 1, rejectsFiles: [] });
    expect(findings.filter(isUnwritten)).toMatchObject([{ count: 1, rows: [{ file, number: 4 }] }]);
  });

  it("is told where the export is cut off in their row meanwhile", async () => {
    let isCut = false;
    const { migration, file, options } = prepare(() => {
      isCut = true;
    });
    const inputs = (await openInputs([file])).map((input) => ({
      ...input,
      async *read(run: Parameters<typeof input.read>[0]): AsyncGenerator<readonly SourceItem[]> {
        for await (const items of input.read(run)) {
          if (!isCut) yield items;
          else yield [{ kind: "truncated", number: 4, hint: "Export it again." }];
        }
      },
    }));
    const { summary, findings } = await migration.run([], { ...options, inputs });
    expect(summary).toMatchObject({ rejected: 1, rejectsFiles: [] });
    expect(findings.filter(isUnwritten)).toMatchObject([{ count: 1, rows: [{ file, number: 4 }] }]);
  });

  it("is told where the export has changed meanwhile", async () => {
    const { migration, file, options } = prepare((path) => writeFileSync(path, csvOf(readers(8))));
    const { summary, findings } = await migration.run([file], options);
    expect(summary).toMatchObject({ rejected: 1, rejectsFiles: [] });
    expect(findings.filter(isUnwritten)).toHaveLength(1);
  });
});
