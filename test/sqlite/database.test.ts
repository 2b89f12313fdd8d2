import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import {
  openDatabase,
  type OpenOptions,
  openScratch,
  type Statement,
} from "../../src/sqlite/database.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();
const NOTES: OpenOptions = {
  applicationId: 0x6e6f7465,
  schema: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT UNIQUE, body BLOB)",
  version: 1,
};

describe("opening a SQLite file", () => {
  it("creates it for its owner alone, with every commit synced", () => {
    const file = path("notes.db");
    const database = openDatabase(file, NOTES);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(database.prepare("PRAGMA journal_mode").get()).toEqual(["wal"]);
    expect(database.prepare("PRAGMA synchronous").get()).toEqual([2]);
    database.close();
  });

  it("refuses to create one that must exist", () => {
    const file = path("gone.db");
    expect(() => openDatabase(file, { ...NOTES, mustExist: true })).toThrow(
      expect.objectContaining({ name: "SqliteFailure", kind: "missing" }),
    );
    expect(existsSync(file)).toBe(false);
  });

  it("makes no file behind a link that leads nowhere: it couldn't be its owner's alone", () => {
    const file = path("notes.db");
    const link = path("link.db");
    symlinkSync(file, link);
    expect(() => openDatabase(link, NOTES)).toThrow(expect.objectContaining({ kind: "disk" }));
    expect(existsSync(file)).toBe(false);
    openDatabase(file, NOTES).close();
    openDatabase(link, NOTES).close();
  });

  it("leaves another application's file as it was", () => {
    const file = path("other.db");
    const other = openDatabase(file, { ...NOTES, applicationId: 1 });
    other.close();
    const before = readFileSync(file);
    expect(() => openDatabase(file, NOTES)).toThrow(expect.objectContaining({ kind: "foreign" }));
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it("leaves a file that isn't SQLite as it was", () => {
    const file = path("letter.txt");
    const letter = "Dear Ana, thank you for the cucumbers. ".repeat(50);
    writeFileSync(file, letter);
    expect(() => openDatabase(file, NOTES)).toThrow(expect.objectContaining({ kind: "foreign" }));
    expect(readFileSync(file, "utf8")).toBe(letter);
  });

  it.each([0, 2])("refuses a file of another version (%i)", (version) => {
    const file = path("other.db");
    openDatabase(file, { ...NOTES, version }).close();
    expect(() => openDatabase(file, NOTES)).toThrow(
      expect.objectContaining({
        kind: "foreign",
        message: expect.stringContaining("another version"),
      }),
    );
  });

  it("folds the write-ahead log into the file when it closes", () => {
    const file = path("notes.db");
    const database = openDatabase(file, NOTES);
    database.prepare("INSERT INTO note (text) VALUES (?)").run("butter");
    expect(existsSync(`${file}-wal`)).toBe(true);
    database.close();
    expect([`${file}-wal`, `${file}-shm`].some((beside) => existsSync(beside))).toBe(false);
    const again = openDatabase(file, NOTES);
    expect(again.prepare("SELECT text FROM note").all()).toEqual([["butter"]]);
    again.close();
  });

  it("doesn't disturb another one that has the file open when it closes", () => {
    const file = path("shared.db");
    const [one, two] = [openDatabase(file, NOTES), openDatabase(file, NOTES)];
    one.prepare("INSERT INTO note (text) VALUES (?)").run("cheese");
    one.close();
    two.prepare("INSERT INTO note (text) VALUES (?)").run("olives");
    expect(two.prepare("SELECT text FROM note").all()).toEqual([["cheese"], ["olives"]]);
    two.close();
  });

  it("keeps a temporary database out of everybody's sight", () => {
    const [one, two] = [openDatabase("", NOTES), openDatabase("", NOTES)];
    one.prepare("INSERT INTO note (text) VALUES (?)").run("secret");
    expect(two.prepare("SELECT count(*) FROM note").get()).toEqual([0]);
    one.close();
    two.close();
  });
});

describe.skipIf(process.platform !== "linux")(
  "a connection for what doesn't fit into memory",
  () => {
    it("has its tables in files of the folder, which have no name and are their owner's alone", () => {
      const folder = path("spilling");
      mkdirSync(folder);
      const database = openScratch(folder);
      database.exec(`CREATE TEMP TABLE spilled (body BLOB);
      WITH RECURSIVE up (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM up WHERE i < 9000)
        INSERT INTO spilled SELECT randomblob(1000) FROM up`);
      const open = readdirSync("/proc/self/fd").flatMap((handle) => {
        try {
          const own = `/proc/self/fd/${handle}`;
          return { target: readlinkSync(own), handle: own };
        } catch {
          return [];
        }
      });
      const own = open.filter(({ target }) => target.startsWith(folder));
      expect(own).toHaveLength(1);
      for (const { target, handle } of own) {
        expect(target).toMatch(/ \(deleted\)$/);
        expect(statSync(handle).mode & 0o777).toBe(0o600);
      }
      expect(readdirSync(folder)).toEqual([]);
      database.close();
    });

    it("says that a folder can't be written to", () => {
      expect(() => openScratch(path("nowhere"))).toThrow(
        expect.objectContaining({ name: "SqliteFailure", kind: "disk" }),
      );
    });
  },
);

describe("statements", () => {
  it("give back text, numbers, null and bytes as they went in", () => {
    const database = openDatabase("", NOTES);
    const bytes = Buffer.from([0, 1, 255, 128]);
    const insert = database.prepare("INSERT INTO note (id, text, body) VALUES (?, ?, ?)");
    expect(insert.run(2 ** 40, "jalapeño 🌶", bytes)).toEqual({
      changes: 1,
      lastInsertRowid: 2 ** 40,
    });
    insert.run(2, null, null);
    const rows = database.prepare("SELECT id, text, body FROM note ORDER BY id").all();
    expect(rows).toEqual([
      [2, null, null],
      [2 ** 40, "jalapeño 🌶", bytes],
    ]);
    expect(database.prepare("SELECT id FROM note WHERE body = ?").get(bytes)).toEqual([2 ** 40]);
    database.close();
  });

  it("answer for the values they are given, whatever they were asked for before", () => {
    const database = openDatabase("", NOTES);
    for (const text of ["bread", "butter"]) {
      database.prepare("INSERT INTO note (text) VALUES (?)").run(text);
    }
    const ways = {
      get: (select: Statement, text: string) => select.get(text),
      all: (select: Statement, text: string) => select.all(text)[0],
      run: (select: Statement, text: string) => void select.run(text),
    };
    for (const [first, askFirst] of Object.entries(ways)) {
      for (const second of ["get", "all"] as const) {
        const select = database.prepare("SELECT text FROM note WHERE text = ?");
        askFirst(select, "bread");
        const butter = ways[second](select, "butter");
        expect([first, second, butter]).toEqual([first, second, ["butter"]]);
        askFirst(select, "bread");
        expect([first, second, ways[second](select, "salt")]).toEqual([first, second, undefined]);
      }
    }
    database.close();
  });

  it("answer for the values they are given after a failure, too", () => {
    const database = openDatabase("", NOTES);
    const parse = database.prepare("SELECT json(?)");
    for (const fail of [() => parse.get("{bread"), () => parse.all("{bread")]) {
      expect(fail).toThrow("malformed");
      expect(parse.get("[1]")).toEqual(["[1]"]);
      expect(fail).toThrow("malformed");
      expect(parse.all("[2]")).toEqual([["[2]"]]);
    }
    database.close();
  });

  it("tell a broken constraint from a wrong statement, without the values", () => {
    const database = openDatabase("", NOTES);
    const insert = database.prepare("INSERT INTO note (text) VALUES (?)");
    insert.run("only once");
    expect(() => insert.run("only once")).toThrow(
      expect.objectContaining({
        kind: "constraint",
        message: expect.not.stringContaining("only once"),
      }),
    );
    // It is compiled when it is first used.
    const wrong = database.prepare("SELECT nothing FROM nowhere");
    expect(() => wrong.all()).toThrow(expect.objectContaining({ kind: "bug" }));
    database.close();
  });
});
