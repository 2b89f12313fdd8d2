import { describe, expect, it } from "vitest";
import { type Checkpoint, openCheckpoint } from "../../../src/migration/checkpoint/checkpoint.js";
import { indexKeys } from "../../../src/migration/checkpoint/key-index.js";
import { openReader } from "../../../src/migration/checkpoint/reader.js";
import {
  CHECKPOINT_APPLICATION_ID,
  CHECKPOINT_MIGRATIONS,
  STATE,
} from "../../../src/migration/checkpoint/schema.js";
import { type Database, openDatabase } from "../../../src/sqlite/database.js";
import { temporaryPaths } from "../../support/temporary-folder.js";
import {
  admission,
  at,
  candidate,
  classifyOne,
  entryOf,
  type Person,
} from "../support/candidates.js";

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
  await checkpoint.ledger.admit(
    people.map((one) => admission(one, entryOf(checkpoint, one), { state: STATE.imported })),
  );
}

function open(path: string): Database {
  const migrations = CHECKPOINT_MIGRATIONS;
  return openDatabase(path, { applicationId: CHECKPOINT_APPLICATION_ID, migrations });
}

function expectAllKnown(path: string): void {
  const next = openCheckpoint(path);
  for (let number = 1; number <= USERS; number += 1) {
    const standing = classifyOne(next, person(number, "newer.csv"));
    expect(standing).toMatchObject({ kind: "entry", entry: { state: STATE.imported } });
  }
  next.close();
}

describe("the indexes of a checkpoint", () => {
  it("lead the next run to everybody, whether the run before made them or was stopped", async () => {
    for (const isStopped of [true, false]) {
      const path = newPath("checkpoint");
      const checkpoint = openCheckpoint(path);
      await admitAll(checkpoint);
      if (!isStopped) await checkpoint.index();
      checkpoint.close();
      expectAllKnown(path);
    }
  });

  it("are the same however many users are sorted at once, and wherever it was stopped", async () => {
    const contents: unknown[] = [];
    for (const [usersAtOnce, stopAfter] of [
      [USERS, 0],
      [90, 0],
      [7, 0],
      [90, 5],
      [90, 11],
    ] as const) {
      const path = newPath("checkpoint");
      const checkpoint = openCheckpoint(path);
      await admitAll(checkpoint);
      checkpoint.close();
      const database = open(path);
      let steps = 0;
      for (const _step of indexKeys(database, usersAtOnce)) {
        steps += 1;
        if (steps === stopAfter) break;
      }
      if (stopAfter > 0) for (const _step of indexKeys(database, usersAtOnce)) steps += 1;
      const users = (table: string): unknown =>
        database.prepare(`SELECT user FROM ${table} ORDER BY user`).all();
      contents.push([users("identities"), users("contacts")]);
      expect([...indexKeys(database, usersAtOnce)]).toEqual([]);
      database.close();
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
      const { identity, keyed, contacts } = candidate(person(number));
      const keys = contacts.map(({ key }) => key);
      const id = reader.entries.find({ identity, keyed, contacts: keys });
      expect(id).toBe(number);
      for (const key of keys) {
        expect(reader.entries.knows(number, key)).toBe(true);
        expect(reader.entries.holds(number, key)).toBe(true);
        expect(reader.entries.knows(number + 1, key)).toBe(false);
      }
    }
    const { identity, keyed } = candidate(person(USERS + 1));
    expect(reader.entries.find({ identity, keyed, contacts: [] })).toBeNull();
    reader.close();
    checkpoint.close();
  });
});
