import { rmSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Database, type OpenOptions, openDatabase } from "../../src/sqlite/database.js";
import { createRecorder } from "../../src/sqlite/threaded/recorder.js";
import { ThreadedCommit } from "../../src/sqlite/threaded/threaded-commit.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { repeated } from "../support/repeated.js";

const OPTIONS: OpenOptions = {
  applicationId: 7,
  schema: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, bytes BLOB)",
  version: 1,
};

const path = temporaryPaths();

interface Notebook {
  readonly database: Database;
  readonly commit: ThreadedCommit;
  add(text: string, bytes?: Uint8Array | null): Promise<void>;
  /** As another process would see it. */
  texts(): string[];
}

function openNotebook(): Notebook {
  const file = path("notes.db");
  const database = openDatabase(file, OPTIONS);
  const recorder = createRecorder(database);
  const commit = new ThreadedCommit(file, OPTIONS, recorder);
  const insert = recorder.database.prepare("INSERT INTO note (text, bytes) VALUES (?, ?)");
  onTestFinished(() => {
    commit.close();
    database.close();
  });
  return {
    ...{ database, commit },
    add: (text, bytes = null) => commit.run(() => void insert.run(text, bytes)),
    texts() {
      const other = openDatabase(file, OPTIONS);
      try {
        const rows = other.prepare<[string]>("SELECT text FROM note ORDER BY id").all();
        return rows.map(([text]) => text);
      } finally {
        other.close();
      }
    },
  };
}

describe("a commit on a thread of its own", () => {
  it("answers when what it was asked for is durable", async () => {
    const { add, texts } = openNotebook();
    await add("first");
    expect(texts()).toEqual(["first"]);
    await Promise.all([add("second"), add("third")]);
    expect(texts()).toEqual(["first", "second", "third"]);
  });

  it("keeps the order in which it was asked, whatever is asked while it writes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 12 }),
        async (groups) => {
          const { add, texts, commit } = openNotebook();
          const asked: string[] = [];
          const answers: Promise<void>[] = [];
          for (const size of groups) {
            for (let each = 0; each < size; each += 1) {
              const text = `note ${asked.length}`;
              asked.push(text);
              answers.push(add(text));
            }
            await new Promise(setImmediate);
          }
          await Promise.all(answers);
          expect(texts()).toEqual(asked);
          commit.close();
        },
      ),
      { numRuns: repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 5, full: 15 }) },
    );
  });

  it("hands over bytes as they are", async () => {
    const { add, database } = openNotebook();
    const bytes = Buffer.from("00ff10800a0d", "hex");
    await add("bytes", bytes);
    expect(database.prepare<[Buffer]>("SELECT bytes FROM note").all()).toEqual([[bytes]]);
  });

  it("fails what breaks a rule alone, and writes what shares its group", async () => {
    const { add, texts } = openNotebook();
    await add("taken");
    const answers = await Promise.allSettled([add("before"), add("taken"), add("behind")]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(answers[1]).toMatchObject({
      reason: { name: "SqliteFailure", kind: "constraint", cause: { code: expect.any(String) } },
    });
    expect(texts()).toEqual(["taken", "before", "behind"]);
  });

  it("fails work that throws, and writes nothing of it", async () => {
    const { commit, add, texts } = openNotebook();
    const bug = new Error("a bug");
    const work = () => {
      throw bug;
    };
    const answers = await Promise.allSettled([add("before"), commit.run(work), add("behind")]);
    expect(answers[1]).toEqual({ status: "rejected", reason: bug });
    expect(texts()).toEqual(["before", "behind"]);
  });

  it("writes what still waits when it is closed, and takes no more", async () => {
    const { commit, add, texts } = openNotebook();
    const answers = [add("first"), add("second")];
    await new Promise(setImmediate);
    answers.push(add("third"));
    commit.close();
    await Promise.all(answers);
    expect(texts()).toEqual(["first", "second", "third"]);
    await expect(add("late")).rejects.toMatchObject({ kind: "bug" });
  });

  it("fails everything where the file can't be opened", async () => {
    const file = path("lost.db");
    const database = openDatabase(file, OPTIONS);
    const recorder = createRecorder(database);
    const insert = recorder.database.prepare("INSERT INTO note (text) VALUES (?)");
    database.close();
    rmSync(file);
    const commit = new ThreadedCommit(file, { ...OPTIONS, mustExist: true }, recorder);
    const answers = await Promise.allSettled(
      ["first", "second"].map((text) => commit.run(() => void insert.run(text))),
    );
    expect(answers).toMatchObject([
      { status: "rejected", reason: { kind: "missing" } },
      { status: "rejected", reason: { kind: "missing" } },
    ]);
    commit.close();
  });
});

describe("a recorded database", () => {
  it("reads at once, and writes at once what nobody records", async () => {
    const { database, commit } = openNotebook();
    const recorder = createRecorder(database);
    const insert = recorder.database.prepare("INSERT INTO note (text) VALUES (?)");
    const count = recorder.database.prepare<[number]>("SELECT count(*) FROM note");
    insert.run("at once");
    expect(count.all()).toEqual([[1]]);
    const operations = recorder.record(() => {
      insert.run("later");
      expect(count.all()).toEqual([[1]]);
    });
    expect(operations).toEqual([[0, ["later"]]]);
    expect(recorder.newStatements()).toHaveLength(2);
    expect(recorder.newStatements()).toEqual([]);
    commit.close();
  });
});
