import fc from "fast-check";
import { expect, it } from "vitest";
import { RowsAhead } from "../../src/checkpoint/rows-ahead.js";
import { openDatabase } from "../../src/sqlite/database.js";

it("finds the row with a number or the first one behind it, in whatever order it is asked", () => {
  const number = fc.integer({ min: 1, max: 400 });
  const stretch = fc
    .tuple(number, fc.integer({ min: 1, max: 150 }))
    .map(([first, count]) => Array.from({ length: count }, (_, index) => first + index));
  const inOrder = fc.array(stretch, { maxLength: 6 }).map((stretches) => stretches.flat());
  fc.assert(
    fc.property(fc.uniqueArray(number), inOrder, fc.array(number), (there, asked, anyhow) => {
      const database = openDatabase("", { migrations: [TABLE], applicationId: 1 });
      const insert = database.prepare("INSERT INTO songs VALUES (?, ?)");
      for (const id of there) insert.run(id, `song ${id}`);
      const songs = new RowsAhead<[number, string]>(database, "SELECT id, name FROM songs");
      const sorted = there.toSorted((one, other) => one - other);
      for (const id of [...asked, ...anyhow, ...asked]) {
        const first = sorted.find((one) => one >= id);
        expect(songs.from(id)).toEqual(first === undefined ? undefined : [first, `song ${first}`]);
      }
      database.close();
    }),
    { numRuns: 60 },
  );
});

const TABLE = "CREATE TABLE songs (id INTEGER PRIMARY KEY, name TEXT NOT NULL);";
