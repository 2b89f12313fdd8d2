import fc from "fast-check";
import { expect, it } from "vitest";
import { RowPlaces, rowColumns } from "../../src/checkpoint/row-places.js";
import { CHECKPOINT_APPLICATION_ID, CHECKPOINT_MIGRATIONS } from "../../src/checkpoint/schema.js";
import { type Database, openDatabase } from "../../src/sqlite/database.js";

const USERS = 40;

function newCheckpoint(users = USERS): Database {
  const applicationId = CHECKPOINT_APPLICATION_ID;
  const database = openDatabase("", { applicationId, migrations: CHECKPOINT_MIGRATIONS });
  database.exec(
    `WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${users})
     INSERT INTO users (id, identity, keyed, plan, state, saw_nobody, file, number)
     SELECT id, id, 1, x'00', 0, 0, 1, id FROM n`,
  );
  return database;
}

/** All users' rows, as a query tells them. */
function rowsIn(database: Database): unknown[] {
  const { file, number } = rowColumns(database, "users");
  return database.prepare(`SELECT id, ${file}, ${number} FROM users ORDER BY id`).all();
}

const stretch = fc.record({
  user: fc.integer({ min: 1, max: USERS }),
  rows: fc.integer({ min: 1, max: USERS }),
  file: fc.integer({ min: 1, max: 3 }),
  number: fc.integer({ min: 1, max: 1000 }),
  isAlone: fc.boolean(),
});

it("the row of each user is the one that was written last, of the user alone or of many at once", () => {
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 12 }), (written) => {
      const database = newCheckpoint();
      const places = new RowPlaces(database);
      const alone = database.prepare("UPDATE users SET file = ?, number = ? WHERE id = ?");
      const model = Array.from({ length: USERS }, (_, index) => [index + 1, 1, index + 1]);
      for (const { user, rows: most, file, number, isAlone } of written) {
        const rows = isAlone ? 1 : Math.min(most, USERS + 1 - user);
        if (isAlone) alone.run(file, number, user);
        else places.put(user, rows, file, number);
        for (let row = 0; row < rows; row += 1) {
          model[user - 1 + row] = [user + row, file, number + row];
        }
      }
      expect(rowsIn(database)).toEqual(model);
      database.close();
    }),
  );
});

it("users who stand side by side share a row of the table, however often they have moved", () => {
  const database = newCheckpoint();
  const places = new RowPlaces(database);
  for (let run = 1; run <= 5; run += 1) {
    places.put(1, 30, run, 100);
    places.put(31, 10, run, 130 + run);
  }
  // The last one is of users behind them, of whom there are none.
  expect(database.prepare("SELECT user, file, ahead FROM places").all()).toEqual([
    [1, 5, 99],
    [31, 5, 104],
    [41, 1, 99],
  ]);
  database.close();
});

it("more users than one statement changes are moved to the last one", () => {
  const most = 25_000;
  const database = newCheckpoint(most);
  new RowPlaces(database).put(2, most - 1, 7, 50);
  const { file, number } = rowColumns(database, "users");
  const moved = database
    .prepare(`SELECT count(*), max(${number}) FROM users WHERE file = 0 AND ${file} = 7`)
    .get();
  expect(moved).toEqual([most - 1, most + 48]);
  database.close();
});

it("users who stand together move together, without a look at each of them", () => {
  const database = newCheckpoint();
  const places = new RowPlaces(database);
  places.put(1, 30, 2, 100);
  places.put(5, 20, 3, 200, true);
  const moved = Array.from({ length: USERS }, (_, index) => {
    const user = index + 1;
    if (user > 30) return [user, 1, user];
    return user >= 5 && user < 25 ? [user, 3, 195 + user] : [user, 2, 99 + user];
  });
  expect(rowsIn(database)).toEqual(moved);
  database.close();
});
