import { chmodSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { passwordFromFile, passwordIn } from "../../src/cli/database.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const path = temporaryPaths();
const LOGIN = { host: "db.internal", port: 5432, database: "auth", user: "ana" };

it.each([
  ["db.internal:5432:auth:ana:moss", "moss"],
  ["*:*:*:*:moss", "moss"],
  ["# a comment\n\nother:5432:auth:ana:ivy\ndb.internal:*:auth:ana:moss\n*:*:*:*:fern", "moss"],
  [String.raw`db.internal:5432:auth:ana:mo\:ss\\`, "mo:ss\\"],
  ["db.internal:5432:auth:ana:mo\\", "mo\\"],
  ["db.internal:5433:auth:ana:moss", null],
  ["db.internal:5432:auth:ana:mo:ss", null],
  ["db.internal:5432:auth:ana", null],
  ["db.internal:5432:auth:ana:", null],
  ["", null],
])("the first line that fits has the password: %j", (text, password) => {
  expect(passwordIn(text, LOGIN)).toBe(password);
});

it("a socket goes by the name localhost", () => {
  expect(passwordIn("localhost:5432:auth:ana:moss", { ...LOGIN, host: "/var/run/pg" })).toBe(
    "moss",
  );
});

it("a file that others can read isn't used, and a note says so", () => {
  const file = path("pgpass");
  writeFileSync(file, "*:*:*:*:moss");
  chmodSync(file, 0o644);
  const notes: string[] = [];
  const read = () => passwordFromFile(LOGIN, { PGPASSFILE: file }, (line) => notes.push(line));
  expect(read()).toBeNull();
  expect(notes.join()).toContain("chmod 600");
  chmodSync(file, 0o600);
  expect(read()).toBe("moss");
  expect(notes).toHaveLength(1);
});
