import { expect, it } from "vitest";
import { FileIds } from "../../src/checkpoint/numbered.js";
import { broughtUsers } from "../../src/checkpoint/finished-users.js";
import { CHECKPOINT_FILE } from "../../src/checkpoint/schema.js";
import { STATE } from "../../src/plan/states.js";
import { openDatabase } from "../../src/sqlite/database.js";

const UUID = "018f6a3c-7d20-7c11-9f3e-5b1d2a4c6e80";

it("whom this migration brought are told with their ids, those who were there before aren't", () => {
  const database = openDatabase("", CHECKPOINT_FILE);
  const file = new FileIds(database).idOf("users.csv");
  const insert = database.prepare(
    `INSERT INTO users (id, identity, keyed, plan, state, saw_nobody, file, number, core_id)
     VALUES (?1, ?1, 1, x'00', ?2, 0, ?3, ?1, ?4)`,
  );
  // Several rows may lead to a user who was there before, so that no id is held against them.
  const states = [STATE.imported, STATE.existed, STATE.created, STATE.imported, STATE.failed];
  const ids = [UUID, "core-2", 'an id with a "quotation mark"', null, "core-5"];
  for (const [index, id] of ids.entries()) {
    insert.run(index + 1, states[index] ?? 0, file, id);
  }
  // Beyond a page of them.
  for (let id = 6; id <= 1200; id += 1) insert.run(id, STATE.imported, file, `core-${id}`);

  const brought = [...broughtUsers(database)];
  expect(brought.slice(0, 2)).toEqual([
    { id: 1, coreId: UUID },
    { id: 3, coreId: 'an id with a "quotation mark"' },
  ]);
  expect(brought).toHaveLength(2 + 1195);
  expect(brought.at(-1)).toEqual({ id: 1200, coreId: "core-1200" });
  database.close();
});
