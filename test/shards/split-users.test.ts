import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { partOf } from "../../src/events/shard.js";
import { openInputs } from "../../src/source/inputs.js";
import { PartFiles } from "../../src/shards/part-files.js";
import { splitUsers } from "../../src/shards/split-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { argon2Of } from "../run/support/hashes.js";
import { BCRYPT } from "../run/support/records.js";
import { csvOf, newMigration, type Row } from "../run/support/run.js";
import { codes, splitFiles } from "./support/parts.js";

const newPath = temporaryPaths();

function newFolder(): string {
  const folder = newPath("parts");
  mkdirSync(folder);
  return folder;
}

/** Something happens after each row that is put into a part. */
function eachRow(act: () => void) {
  const put = PartFiles.prototype.put;
  return vi.spyOn(PartFiles.prototype, "put").mockImplementation(function (
    this: PartFiles,
    ...row
  ) {
    put.apply(this, row);
    act();
  });
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

  it("clears away what a split left that was killed at any moment, and is as one that wasn't", async () => {
    const migration = newMigration(newPath);
    const rows = Array.from({ length: 60 }, (_, at) => ({
      ...{ id: `u-${at}`, email: `reader.${at % 50}@example.com`, hash: BCRYPT },
      emailVerified: `${at >= 50}`,
    }));
    const path = migration.write("users.csv", csvOf(rows));
    const split = async (directory: string, shards: number): Promise<unknown> => {
      await splitUsers({ inputs: await openInputs([path]), shards, directory });
      return Object.fromEntries(
        readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), "utf8")]),
      );
    };
    const left: string[] = [];
    const whole = newFolder();
    const writing = eachRow(() => {
      if (left.length > 5) return;
      const killed = newPath("killed");
      cpSync(whole, killed, { recursive: true });
      left.push(killed);
    });
    const calm = await split(whole, 3);
    writing.mockRestore();
    // While its parts were written nothing stood in the folder itself.
    expect(left.length).toBeGreaterThan(2);
    for (const killed of left) expect(readdirSync(killed)).toEqual([".unfinished"]);
    const late = newPath("late");
    cpSync(whole, late, { recursive: true });
    unlinkSync(join(late, "manifest.json"));
    mkdirSync(join(late, ".unfinished"));
    for (const killed of left) expect(await split(killed, 3)).toEqual(calm);
    expect(await split(late, 2)).toEqual(await split(newFolder(), 2));
  });

  it("removes nothing that no split has written, and waits for one that goes on", async () => {
    const migration = newMigration(newPath);
    const path = migration.write("users.csv", csvOf([{ id: "1", email: "ada@example.com" }]));
    const directory = newFolder();
    const inputs = await openInputs([path]);
    const again = () => splitUsers({ inputs, shards: 2, directory });
    const others: unknown[] = [];
    const watched = inputs.map((input) => ({
      ...input,
      async *read(run: Parameters<typeof input.read>[0]) {
        yield* input.read(run);
        others.push(await again().catch((error: unknown) => error));
      },
    }));
    await splitUsers({ inputs: watched, shards: 2, directory });
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) expect(other).toMatchObject({ code: "in_use" });
    const parts = readdirSync(directory);
    await expect(again()).rejects.toMatchObject({ code: "usage" });
    unlinkSync(join(directory, "manifest.json"));
    await expect(again()).rejects.toMatchObject({ code: "usage" });
    mkdirSync(join(directory, ".unfinished"));
    renameSync(path, join(directory, "users.csv"));
    await expect(again()).rejects.toMatchObject({ code: "usage" });
    expect(readdirSync(directory)).toEqual(
      expect.arrayContaining([...parts.slice(1), "users.csv"]),
    );
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
    const writing = eachRow(() => {
      const open = readdirSync("/proc/self/fd").flatMap((handle) => {
        try {
          return readlinkSync(`/proc/self/fd/${handle}`);
        } catch {
          return [];
        }
      });
      most = Math.max(most, open.filter((path) => /\/part-[\d-]+$/.test(path)).length);
    });
    const { parts } = await splitUsers({ inputs: await openInputs(files), shards: 3, directory });
    writing.mockRestore();
    expect(parts.flatMap(({ files: written }) => written)).toHaveLength(36);
    expect(most).toBe(3);
  });
});

describe("users who sign in by social accounts", () => {
  it("come to the same ends by parts as by the whole, where rows name one account, and one email", async () => {
    const people = Array.from({ length: 12 }, (_, at) => [
      { id: `u-${at}`, email: `reader.${at}@example.com`, google: `g-${at}` },
      { id: `v-${at}`, email: `other.${at}@example.com`, google: `g-${at}` },
      { id: `w-${at}`, email: `reader.${at}@example.com`, email_verified: true },
    ]).flat();
    const whole = newMigration(newPath);
    const text = JSON.stringify(people);
    const calm = await whole.run([], { inputs: await openSocial(whole.write("users.json", text)) });
    const migration = newMigration(newPath);
    const directory = newFolder();
    const given = { inputs: await openSocial(migration.write("users.json", text)), directory };
    const manifest = await splitUsers({ ...given, shards: 3 });
    const runs = [];
    for (const { shard, files } of manifest.parts) {
      const [file = ""] = files.map(({ name }) => join(directory, name));
      const options = { inputs: await openSocial(file), part: partOf(manifest, shard) };
      const checkpoint = `${migration.checkpoint}-${shard}`;
      runs.push(await migration.run([], { ...options, checkpoint }));
    }
    expect(calm.events).toHaveLength(12);
    expect(codes(runs)).toEqual(codes([calm]));
    expect(await migration.core.countUsers()).toBe(await whole.core.countUsers());
  });
});

function openSocial(path: string) {
  return openInputs([path], { map: new Map([["social.google", "google"]]) });
}

const ADA: Row = { id: "u-7", email: "reader.4@example.com", hash: BCRYPT };
const VERIFIED = { emailVerified: "true", disabled: "true" };

it.each<[string, readonly Row[]]>([
  [
    "takes another's contact by a second row",
    [
      { id: "u-4", email: "reader.8@example.com", hash: BCRYPT },
      ADA,
      { email: "reader.4@example.com" },
      { ...VERIFIED, id: "u-7", email: "reader.8@example.com" },
    ],
  ],
  [
    "loses a contact after another has lost one to them",
    [
      { id: "u-3", email: "reader.7@example.com", hash: BCRYPT },
      { id: "u-1", email: "reader.3@example.com", hash: BCRYPT },
      { ...VERIFIED, id: "u-1", email: "reader.7@example.com" },
      { ...VERIFIED, email: "reader.3@example.com" },
    ],
  ],
])("parts bring the same users as the whole where one %s", async (_what, rows) => {
  const calm = newMigration(newPath);
  const whole = await calm.run([calm.write("users.csv", csvOf(rows))]);
  for (const count of [2, 3, 4, 5]) {
    const migration = newMigration(newPath);
    const files = [migration.write("users.csv", csvOf(rows))];
    const parts = await splitFiles(migration, files, count, newPath("parts"));
    const runs = [];
    for (const { shard } of parts.manifest.parts) runs.push(await parts.run(shard));
    expect([count, codes(runs)]).toEqual([count, codes([whole])]);
    expect(await migration.core.countUsers()).toBe(await calm.core.countUsers());
  }
});
