import { describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/sqlite/database.js";
import { GroupCommit } from "../../src/sqlite/group-commit.js";
import { SqliteFailure } from "../../src/sqlite/sqlite-failure.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();

interface Counted {
  readonly database: Database;
  readonly commits: () => number;
  /** Answers with the text. */
  readonly insert: (text: string) => string;
  readonly texts: () => unknown[];
}

function openCounted(): Counted {
  const database = openDatabase(path("notes.db"), {
    applicationId: 0x6e6f7465,
    schema: "CREATE TABLE note (text TEXT UNIQUE)",
    version: 1,
  });
  let commits = 0;
  const statement = database.prepare("INSERT INTO note VALUES (?)");
  const select = database.prepare("SELECT text FROM note ORDER BY rowid");
  const counting: Database = {
    ...database,
    exec(sql) {
      if (sql === "COMMIT") commits += 1;
      database.exec(sql);
    },
  };
  return {
    database: counting,
    commits: () => commits,
    insert(text) {
      statement.run(text);
      return text;
    },
    texts: () => select.all().map(([text]) => text),
  };
}

describe("group commit", () => {
  it("writes what is asked for together in one transaction, in order", async () => {
    const { database, commits, insert, texts } = openCounted();
    const group = new GroupCommit(database);
    const names = Array.from({ length: 100 }, (_, index) => `note ${index}`);
    const answers = await Promise.all(names.map((name) => group.run(() => insert(name))));
    expect(answers).toEqual(names);
    expect(texts()).toEqual(names);
    expect(commits()).toBe(1);
    database.close();
  });

  it("answers nobody before the commit", async () => {
    const { database, commits, insert } = openCounted();
    const group = new GroupCommit(database);
    const answered = group.run(() => insert("bread")).then(commits);
    expect(commits()).toBe(0);
    expect(await answered).toBe(1);
    database.close();
  });

  it("splits what is more than one transaction may hold", async () => {
    const { database, commits, insert, texts } = openCounted();
    const group = new GroupCommit(database, { maxGroup: 10 });
    const names = Array.from({ length: 25 }, (_, index) => `note ${index}`);
    await Promise.all(names.map((name) => group.run(() => insert(name))));
    expect(texts()).toEqual(names);
    expect(commits()).toBe(3);
    database.close();
  });

  it("fails only the poisoned piece of a group", async () => {
    const { database, insert, texts } = openCounted();
    const group = new GroupCommit(database);
    const settled = await Promise.allSettled([
      group.run(() => insert("bread")),
      group.run(() => {
        insert("half done");
        throw new Error("poison");
      }),
      group.run(() => insert("bread")),
      group.run(() => insert("butter")),
    ]);
    expect(settled.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(settled[1]).toMatchObject({ reason: { message: "poison" } });
    expect(settled[2]).toMatchObject({ reason: { kind: "constraint" } });
    expect(texts()).toEqual(["bread", "butter"]);
    database.close();
  });

  it("fails the whole group at once where the disk fails", async () => {
    const { database } = openCounted();
    const group = new GroupCommit(database);
    let asked = 0;
    const work = () => {
      asked += 1;
      throw new SqliteFailure("disk", "no space left");
    };
    const settled = await Promise.allSettled([group.run(work), group.run(work), group.run(work)]);
    expect(settled.map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    expect(asked).toBe(1);
    database.close();
  });

  it("waits for another's lock as long as it was told, then refuses, and waits anew", async () => {
    const { database, insert, texts } = openCounted();
    const other = openDatabase(database.path, {
      applicationId: 0x6e6f7465,
      schema: "",
      version: 1,
    });
    const group = new GroupCommit(database, { lockWaitMs: 50 });
    for (const round of ["first", "second"]) {
      other.exec("BEGIN IMMEDIATE");
      const refused = group.run(() => insert(`${round} note`));
      await expect(refused).rejects.toMatchObject({ kind: "busy" });
      const patient = group.run(() => insert(`${round} letter`));
      setImmediate(() => other.exec("ROLLBACK"));
      await patient;
    }
    expect(texts()).toEqual(["first letter", "second letter"]);
    group.close();
    other.close();
    database.close();
  });

  it("writes what is waiting when it closes, and takes no more", async () => {
    const { database, insert, texts } = openCounted();
    const group = new GroupCommit(database, { maxGroup: 2 });
    const words = ["these", "are", "the", "last", "words"];
    const waiting = words.map((word) => group.run(() => insert(word)));
    group.close();
    expect(texts()).toEqual(words);
    await Promise.all(waiting);
    await expect(group.run(() => insert("too late"))).rejects.toMatchObject({
      name: "SqliteFailure",
    });
    database.close();
  });
});
