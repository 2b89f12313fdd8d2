import {
  chmodSync,
  chownSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { openDatabase, type OpenOptions } from "../../src/sqlite/database.js";
import { isOpenToOthers } from "../../src/files/own-file.js";
import { claimFile } from "../../src/sqlite/private-file.js";
import { isRoot } from "../support/other-user.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();
const NOTES: OpenOptions = {
  applicationId: 0x6e6f7465,
  schema: "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)",
  version: 1,
};
const NOT_PRIVATE = expect.objectContaining({ name: "RunError", code: "file_not_private" });
const MODE = 0o777;
const NOBODY = 65_534;

/** A file that its owner made by hand, or with a careless mask. */
function readableFile(name: string, mode = 0o666): string {
  const file = path(name);
  writeFileSync(file, "");
  chmodSync(file, mode);
  return file;
}

describe("a file that is there before SQLite opens it", () => {
  it.each([0o644, 0o640, 0o666, 0o602])(
    "is taken from others where it is the user's own: mode %o",
    (mode) => {
      const file = readableFile("notes.db", mode);
      expect(isOpenToOthers(file)).toBe(true);
      const database = openDatabase(file, NOTES);
      for (const each of [file, `${file}-wal`, `${file}-shm`]) {
        expect(statSync(each).mode & MODE, each).toBe(0o600);
      }
      database.close();
      expect(isOpenToOthers(file)).toBe(false);
    },
  );

  it("is taken from others behind a link, too", () => {
    const file = readableFile("notes.db");
    const link = path("link.db");
    symlinkSync(file, link);
    openDatabase(link, NOTES).close();
    expect(statSync(file).mode & MODE).toBe(0o600);
  });

  it("keeps its permissions where it is another application's", () => {
    const file = path("other.db");
    openDatabase(file, { ...NOTES, applicationId: 1 }).close();
    chmodSync(file, 0o644);
    expect(() => openDatabase(file, NOTES)).toThrow(expect.objectContaining({ kind: "foreign" }));
    expect(statSync(file).mode & MODE).toBe(0o644);
  });

  it("is refused where another one has taken its place since", () => {
    const file = path("notes.db");
    const keepPrivate = claimFile(file, false);
    const other = readableFile("other.db");
    renameSync(other, file);
    expect(keepPrivate).toThrow(NOT_PRIVATE);
  });

  it("keeps the lock that this process has on it", () => {
    const file = path("lock.db");
    const holder = openDatabase(file, { ...NOTES, journal: "none" });
    holder.exec("BEGIN EXCLUSIVE");
    claimFile(file, true)();
    expect(() => openDatabase(file, { ...NOTES, busyTimeoutMs: 0 })).toThrow(
      expect.objectContaining({ kind: "busy" }),
    );
    holder.exec("ROLLBACK");
    holder.close();
  });
});

// Only root may give files to other users.
describe.skipIf(!isRoot)("a file of another user's", () => {
  it.each(["", "-wal", "-shm", "-journal"])(
    "is refused and left as it was: notes.db%s",
    (suffix) => {
      const file = path("notes.db");
      if (suffix !== "") openDatabase(file, NOTES).close();
      const planted = `${file}${suffix}`;
      writeFileSync(planted, "");
      chmodSync(planted, 0o666);
      chownSync(planted, NOBODY, NOBODY);
      expect(() => openDatabase(file, NOTES)).toThrow(NOT_PRIVATE);
      expect(readFileSync(planted, "utf8")).toBe("");
      expect(statSync(planted).uid).toBe(NOBODY);
    },
  );

  it("is refused behind a link of the user's own", () => {
    const file = readableFile("theirs.db");
    chownSync(file, NOBODY, NOBODY);
    const link = path("link.db");
    symlinkSync(file, link);
    expect(() => openDatabase(link, NOTES)).toThrow(NOT_PRIVATE);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});
