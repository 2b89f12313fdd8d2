import { mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openInputs } from "../../src/source/inputs.js";
import { splitUsers } from "../../src/shards/split-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { argon2Of } from "../run/support/hashes.js";
import { csvOf, newMigration } from "../run/support/run.js";

const newPath = temporaryPaths();

function newFolder(): string {
  const folder = newPath("parts");
  mkdirSync(folder);
  return folder;
}

describe("an export that is split", () => {
  it("isn't split where its hash column was cut off: a part wouldn't show which hashes are whole by chance", async () => {
    const migration = newMigration(newPath);
    const rows = Array.from({ length: 40 }, (_, at) => ({
      id: `u-${at}`,
      email: `reader.${at}@example.com`,
      hash: JSON.stringify(argon2Of(at).slice(0, 76)),
    }));
    const inputs = await openInputs([migration.write("users.csv", csvOf(rows))]);
    const directory = newFolder();
    await expect(splitUsers({ inputs, shards: 2, directory })).rejects.toMatchObject({
      code: "input_damaged",
      hint: expect.stringContaining("one process"),
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  it("leaves no parts where it is stopped, and takes no folder that isn't empty", async () => {
    const migration = newMigration(newPath);
    const path = migration.write("users.csv", csvOf([{ id: "1", email: "ada@example.com" }]));
    const directory = newFolder();
    const stopped = { signal: AbortSignal.abort(), inputs: await openInputs([path]) };
    await expect(splitUsers({ ...stopped, shards: 2, directory })).rejects.toMatchObject({
      code: "interrupted",
    });
    expect(readdirSync(directory)).toEqual([]);
    const inputs = await openInputs([path]);
    await splitUsers({ inputs, shards: 2, directory });
    await expect(splitUsers({ inputs, shards: 2, directory })).rejects.toMatchObject({
      code: "usage",
    });
  });

  it("has the files of one input open at a time, however many inputs there are", async () => {
    const migration = newMigration(newPath);
    const files = Array.from({ length: 12 }, (_, at) => {
      const rows = Array.from({ length: 30 }, (_row, row) => ({
        id: `u-${at}-${row}`,
        email: `reader.${at}.${row}@example.com`,
      }));
      return migration.write(`users-${at}.csv`, csvOf(rows));
    });
    const directory = newFolder();
    let most = 0;
    const inputs = (await openInputs(files)).map((input) => ({
      ...input,
      async *read(run: Parameters<typeof input.read>[0]) {
        for await (const items of input.read(run)) {
          const open = readdirSync("/proc/self/fd").flatMap((handle) => {
            try {
              return readlinkSync(`/proc/self/fd/${handle}`);
            } catch {
              return [];
            }
          });
          most = Math.max(most, open.filter((path) => path.endsWith(".part")).length);
          yield items;
        }
      },
    }));
    const { parts } = await splitUsers({ inputs, shards: 3, directory });
    expect(parts.flatMap(({ files: written }) => written)).toHaveLength(36);
    expect(most).toBe(3);
  });
});
