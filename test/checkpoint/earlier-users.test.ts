import { expect, it } from "vitest";
import { EarlierUsers } from "../../src/checkpoint/earlier-users.js";
import { FileIds } from "../../src/checkpoint/numbered.js";
import { CHECKPOINT_FILE } from "../../src/checkpoint/schema.js";
import { NO_NOTICES_YET } from "../../src/plan/entry.js";
import { STATE } from "../../src/plan/states.js";
import { openDatabase } from "../../src/sqlite/database.js";
import { at } from "../run/support/user-keys.js";

const USERS = 25_000;

it("users who are absent are counted to the last, and named by the first", () => {
  const database = openDatabase("", CHECKPOINT_FILE);
  const files = new FileIds(database);
  files.idOf("users.csv");
  database.exec(
    `WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${USERS})
     INSERT INTO users (id, identity, keyed, plan, state, saw_nobody, file, number, source_id, scope)
     SELECT id, id, 1, x'00', ${STATE.imported}, 0, 1, id, 'r-' || id, 1 FROM n`,
  );
  const someOf = (scope: number): EarlierUsers => {
    const users = new EarlierUsers(database, files);
    users.read(scope);
    for (let id = 2; id < USERS; id += 3)
      users.meet({ id, state: STATE.created, notices: NO_NOTICES_YET });
    return users;
  };
  const users = someOf(1);
  const { count, rows, sourceIds } = users.absent().brought;
  expect(count).toBe(USERS - Math.floor(USERS / 3));
  expect(users.unmet()).toBe(count);
  expect(rows).toEqual([1, 3, 4].map((number) => at(number)));
  expect(sourceIds).toEqual(["r-1", "r-3", "r-4"]);
  expect(someOf(2).absent().brought.count).toBe(0);
  for (let id = 1; id < USERS; id += 1)
    users.meet({ id, state: STATE.rejected, notices: NO_NOTICES_YET });
  // Of twenty-five thousand the last alone, behind pages that have no other.
  const one = { count: 1, rows: [at(USERS)], sourceIds: [`r-${USERS}`] };
  expect(users.absent().brought).toEqual(one);
  database.close();
});
