import { expect, it } from "vitest";
import { openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { selectCounts } from "../../src/checkpoint/state-counts.js";
import { STATE } from "../../src/plan/states.js";
import { at, entryOf, intent } from "../run/support/user-keys.js";
import { temporaryPaths } from "../support/temporary-folder.js";

const newPath = temporaryPaths();

it("users are counted in pieces as they are all at once", async () => {
  const checkpoint = openCheckpoint(newPath("checkpoint"));
  const { database } = checkpoint.ledger;
  expect(selectCounts(database, 1).users).toBe(0);
  const states = [STATE.imported, STATE.created, STATE.imported, STATE.planned, STATE.created];
  await checkpoint.ledger.writeIntents(
    states.map((state, index) => {
      const person = {
        id: `r-${index}`,
        emails: [`reader.${index}@example.com`],
        row: at(index + 1),
      };
      return intent(person, entryOf(checkpoint, person), { state });
    }),
  );
  const counts = selectCounts(database);
  expect(counts).toMatchObject({ users: 5, imported: 2, created: 2, pending: 1 });
  for (const usersAtOnce of [1, 2, 3, 5]) {
    expect(selectCounts(database, usersAtOnce)).toEqual(counts);
  }
  checkpoint.close();
});
