import { expect, it } from "vitest";
import { validateUsers } from "../../src/run/validate-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { csvOf, newMigration, outcomes, type Row, told } from "../run/support/run.js";
import { bcryptOf } from "../run/support/test-users.js";

const newPath = temporaryPaths();
const STRANGER = bcryptOf("a stranger's");
const OWNER = bcryptOf("the owner's");
const CEO = "ceo@example.com";

const stranger: Row = { id: "1", email: CEO, emailVerified: "false", hash: STRANGER };
const owner: Row = { id: "2", email: CEO, emailVerified: "true", hash: OWNER };
const unsaid: Row = { id: "3", email: CEO, emailVerified: "", hash: bcryptOf("another's") };

/** Imports files one behind the other, and says who has the address in the end. */
async function importing(...files: readonly (readonly Row[])[]) {
  const migration = newMigration(newPath);
  const paths = files.map((rows, at) => migration.write(`${at}.csv`, csvOf(rows)));
  const run = await migration.run(paths);
  return { migration, paths, run, rows: run.events.map(told) };
}

it.each([
  ["comes first", [[stranger, owner]], ["1 reject duplicate_contact"]],
  ["comes last", [[owner, stranger]], ["2 reject duplicate_contact"]],
  ["stands in another file", [[stranger], [owner]], ["1 reject duplicate_contact"]],
  [
    "has a rival",
    [[stranger, unsaid, owner]],
    ["1 reject duplicate_contact", "2 reject duplicate_contact"],
  ],
  [
    "is to be told from one who comes after an equal one",
    [[owner, stranger, { ...owner, id: "4" }]],
    ["2 reject duplicate_contact", "3 reject duplicate_contact"],
  ],
] as const)(
  "a contact is its verified owner's, also where an unverified row %s",
  async (_where, files, expected) => {
    const { migration, rows } = await importing(...files);
    expect(rows).toEqual(expected);
    expect(await migration.core.signIn({ email: CEO, password: "the owner's" })).toMatchObject({
      status: "OK",
    });
  },
);

it("a contact is a verified owner's who has no password, and whose rival has one", async () => {
  const { migration, run, rows } = await importing([stranger, { ...owner, hash: "" }]);
  expect(rows).toEqual(["1 reject duplicate_contact"]);
  expect(outcomes(run.summary)).toEqual({ created: 1, rejected: 1 });
  expect(await migration.users()).toMatchObject([{ recipe: "passwordless" }]);
});

it("of rows without ids the better one counts", async () => {
  const { id: _one, ...first } = stranger;
  const { id: _two, ...second } = owner;
  const { migration, paths, rows } = await importing([first, second]);
  expect(rows).toEqual(["1 reject duplicate"]);
  const again = await migration.run(paths);
  expect(outcomes(again.summary)).toEqual({ unchanged: 1, rejected: 1 });
});

it("a row that isn't planned claims nothing", async () => {
  const { rows } = await importing([stranger, { ...owner, disabled: "true" }]);
  expect(rows).toEqual(["2 skip disabled"]);
});

it("ends the same in the next run, and says the same in a dry one", async () => {
  const { migration, paths, rows } = await importing([stranger, unsaid, owner]);
  const again = await migration.run(paths);
  expect(again.events.map(told)).toEqual(rows);
  const dry: string[] = [];
  await validateUsers({
    ...(await migration.options(paths)),
    onEvent: (event) => {
      if ("row" in event) dry.push(told(event));
    },
  });
  expect(dry).toEqual(rows);
});

it("a user who was brought keeps a contact that a newer export's row has verified, and both rows are named", async () => {
  const { migration } = await importing([stranger]);
  const newer = migration.write("newer.csv", csvOf([stranger, owner]));
  const run = await migration.run([newer]);
  expect(run.events.map(told)).toEqual(["2 reject duplicate_contact"]);
  expect(outcomes(run.summary)).toEqual({ unchanged: 1, rejected: 1 });
  const found = run.findings.find(({ code }) => code === "contact_claimed_unverified");
  expect(found).toMatchObject({ count: 1, rows: [{ number: 2 }, { number: 1 }] });
});

it("in what can be read but once the first row gets a contact, and both are named", async () => {
  const migration = newMigration(newPath);
  const path = migration.write("users.csv", csvOf([stranger, owner]));
  const { inputs } = await migration.options([path]);
  const once = inputs.map((input) => ({ ...input, readOnce: true }));
  const run = await migration.run([], { inputs: once });
  expect(run.events.map(told)).toEqual(["2 reject duplicate_contact"]);
  const found = run.findings.find(({ code }) => code === "contact_claimed_unverified");
  expect(found).toMatchObject({ count: 1, rows: [{ number: 2 }, { number: 1 }] });
});
