import { describe, expect, it } from "vitest";
import { type Checkpoint, openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { indexKeys } from "../../src/checkpoint/key-index.js";
import { openReader } from "../../src/checkpoint/reader.js";
import { CHECKPOINT_FILE } from "../../src/checkpoint/schema.js";
import { STATE } from "../../src/plan/states.js";
import { type Database, openDatabase } from "../../src/sqlite/database.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  intent,
  at,
  bring,
  userKeys,
  classifyOne,
  entryOf,
  type Person,
} from "../run/support/user-keys.js";

const newPath = temporaryPaths();
const USERS = 500;

/** Every third has no id, every fifth a phone as well. */
function person(number: number, file = "users.csv"): Person {
  return {
    ...(number % 3 === 0 ? {} : { id: `r-${number}` }),
    emails: [`reader.${number}@example.com`],
    ...(number % 5 === 0 ? { phone: `+1555010${String(number).padStart(4, "0")}` } : {}),
    row: at(number, file),
  };
}

async function admitAll(checkpoint: Checkpoint): Promise<void> {
  const people = Array.from({ length: USERS }, (_, index) => person(index + 1));
  await checkpoint.ledger.writeIntents(
    people.map((one) => intent(one, entryOf(checkpoint, one), { state: STATE.imported })),
  );
}

/** A checkpoint of everybody, written by a run that has ended. */
async function writeEverybody(): Promise<string> {
  const path = newPath("checkpoint");
  const checkpoint = openCheckpoint(path);
  await admitAll(checkpoint);
  checkpoint.close();
  return path;
}

function open(path: string): Database {
  return openDatabase(path, CHECKPOINT_FILE);
}

/** Whom the two indexes lead to. */
function contentsOf(path: string): unknown[] {
  const database = open(path);
  const contents = ["identities", "contacts"].map((table) =>
    database.prepare(`SELECT user FROM ${table} ORDER BY user`).all(),
  );
  database.close();
  return contents;
}

function expectAllKnown(path: string): void {
  const next = openCheckpoint(path);
  for (let number = 1; number <= USERS; number += 1) {
    const match = classifyOne(next, person(number, "newer.csv"));
    expect(match).toMatchObject({ kind: "entry", entry: { state: STATE.imported } });
  }
  next.close();
}

describe("the indexes of a checkpoint", () => {
  it("lead the next run to everybody, and are made when somebody is first looked for", async () => {
    const path = await writeEverybody();
    expect(contentsOf(path)).toEqual([[], []]);
    expectAllKnown(path);
    expect(contentsOf(path)).toMatchObject([{ length: USERS }, { length: USERS + USERS / 5 }]);
  });

  it("don't hold the users of the run that makes them, whom the next one adds", async () => {
    const path = newPath("checkpoint");
    const checkpoint = openCheckpoint(path);
    await bring(checkpoint, person(1), STATE.imported);
    checkpoint.close();
    const second = openCheckpoint(path);
    await bring(second, person(USERS), STATE.imported);
    second.close();
    expect(contentsOf(path)).toEqual([[[1]], [[1]]]);
    const third = openCheckpoint(path);
    expect(entryOf(third, { ...person(USERS), row: at(1, "newer.csv") }).id).toBe(2);
    third.close();
    expect(contentsOf(path)).toMatchObject([{ length: 2 }, { length: 3 }]);
  });

  it("are the same however many users are sorted at once, and after one that was killed", async () => {
    const contents: unknown[] = [];
    for (const [usersAtOnce, isKilled] of [
      [USERS, false],
      [90, false],
      [7, false],
      [90, true],
    ] as const) {
      const path = await writeEverybody();
      const database = open(path);
      if (isKilled) {
        indexKeys(database, USERS, usersAtOnce);
        // As a kill leaves it: some of the ranges are there, and nothing says so.
        database.exec("DELETE FROM meta WHERE name = 'indexed'");
        database.exec("DELETE FROM contacts WHERE user > 100");
      }
      indexKeys(database, USERS, usersAtOnce);
      database.close();
      contents.push(contentsOf(path));
      expectAllKnown(path);
    }
    expect(contents[0]).toMatchObject([{ length: USERS }, { length: USERS + USERS / 5 }]);
    for (const content of contents) expect(content).toEqual(contents[0]);
  });

  it("aren't needed to find a user of a run that goes on", async () => {
    const path = newPath("checkpoint");
    const checkpoint = openCheckpoint(path);
    const reader = openReader(path);
    await admitAll(checkpoint);
    for (const number of [1, 3, 5, 15, USERS]) {
      const { identity, keyed, contacts } = userKeys(person(number));
      const keys = contacts.map(({ key }) => key);
      const id = reader.entries.find({ identity, keyed, contacts: keys });
      expect(id).toBe(number);
      for (const key of keys) {
        expect(reader.entries.knows(number, key)).toBe(true);
        expect(reader.entries.holds(number, key)).toBe(true);
        expect(reader.entries.knows(number + 1, key)).toBe(false);
      }
    }
    const { identity, keyed } = userKeys(person(USERS + 1));
    expect(reader.entries.find({ identity, keyed, contacts: [] })).toBeNull();
    reader.close();
    checkpoint.close();
  });
});
