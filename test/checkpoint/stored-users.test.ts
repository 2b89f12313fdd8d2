import { expect, it } from "vitest";
import { openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { createUserFinder } from "../../src/checkpoint/stored-users.js";
import { STATE } from "../../src/plan/states.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  at,
  bring,
  contactKey,
  entryOf,
  intent,
  outcome,
  type Person,
  userKeys,
} from "../run/support/user-keys.js";

const newPath = temporaryPaths();

/** Every third has no id, every fifth a phone as well. */
function person(number: number): Person {
  return {
    ...(number % 3 === 0 ? {} : { id: `r-${number}` }),
    emails: [`reader.${number}@example.com`],
    ...(number % 5 === 0 ? { phone: `+1555010${String(number).padStart(4, "0")}` } : {}),
    row: at(number),
  };
}

it("users are found as they are when one is looked for first", async () => {
  const path = newPath("checkpoint");
  const checkpoint = openCheckpoint(path);
  const users = createUserFinder(checkpoint.ledger.database);
  const people = Array.from({ length: 20 }, (_, index) => person(index + 1));
  await checkpoint.ledger.writeIntents(
    people.map((one) => intent(one, entryOf(checkpoint, one), { state: STATE.imported })),
  );
  for (const [index, one] of people.entries()) {
    const { identity, keyed, contacts } = userKeys(one);
    const keys = contacts.map(({ key }) => key);
    expect(users.find({ identity, keyed, contacts: keys })).toBe(index + 1);
    expect(users.find({ identity: "", keyed: false, contacts: keys })).toBe(index + 1);
    expect(users.heldBy(index + 1)).toEqual(keys);
    for (const key of keys) expect(users.holderOf(key)).toBe(index + 1);
  }
  const { identity, keyed } = userKeys(person(21));
  expect(users.find({ identity, keyed, contacts: [] })).toBeNull();
  checkpoint.close();
});

it("a contact that comes to a user is theirs, but not held, until the core has it", async () => {
  const path = newPath("checkpoint");
  const ada: Person = { id: "1", emails: ["ada@example.com"], kind: "passwordless" };
  const changed: Person = { ...ada, emails: ["ada@example.org"], plan: "newer" };
  const [before, after] = ["ada@example.com", "ada@example.org"].map(
    (email) => contactKey("email", email).key,
  ) as [string, string];
  const first = openCheckpoint(path);
  await bring(first, ada, STATE.created);
  first.close();
  const run = openCheckpoint(path);
  const entry = entryOf(run, changed);
  await run.ledger.writeIntents([intent(changed, entry, { state: STATE.created })]);
  const during = createUserFinder(run.ledger.database);
  expect(during.heldBy(1)).toEqual([before]);
  expect(during.contactsOf(1).map(({ key }) => key)).toContain(after);
  expect(during.holderOf(after)).toBeNull();
  const updated = { came: [after], left: [before] };
  await run.ledger.settle([outcome(entry, { state: STATE.created, updated })]);
  run.close();
  const next = openCheckpoint(path);
  const users = createUserFinder(next.ledger.database);
  expect(users.heldBy(1)).toEqual([after]);
  expect(users.holderOf(before)).toBeNull();
  expect(users.holderOf(after)).toBe(1);
  next.close();
});
