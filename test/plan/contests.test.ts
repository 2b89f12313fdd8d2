import { describe, expect, it } from "vitest";
import type { UserRecord } from "../../src/account/user-record.js";
import { validateUsers } from "../../src/run/validate-users.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { csvOf, newMigration, outcomes, type Row, told } from "../run/support/run.js";
import { inputOf } from "../run/support/batches.js";
import { email, phone, record } from "../run/support/records.js";
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

describe("a row without an id that is rejected as unverified", () => {
  const { id: _id, ...withoutId } = owner;
  const { id: _other, ...typed } = { ...stranger, hash: "" };

  it("yields to its user's verified row, whichever comes first", async () => {
    for (const [files, lost] of [
      [[[typed, withoutId]], 1],
      [[[withoutId, typed]], 2],
      [[[typed, { ...typed }, withoutId]], 1],
      [[[typed], [withoutId]], 1],
    ] as const) {
      const { migration, paths, rows } = await importing(...files);
      expect(rows[0]).toBe(`${lost} reject duplicate`);
      expect(await migration.core.signIn({ email: CEO, password: "the owner's" })).toMatchObject({
        status: "OK",
      });
      const again = await migration.run(paths);
      expect(again.events.map(told)).toEqual(rows);
      expect(outcomes(again.summary)).toMatchObject({ unchanged: 1 });
    }
  });

  it("yields in the run that brings the verified row, too", async () => {
    const { migration } = await importing([typed]);
    const newer = migration.write("newer.csv", csvOf([typed, withoutId]));
    const run = await migration.run([newer]);
    expect(run.events.map(told)).toEqual(["1 reject duplicate"]);
    expect(await migration.users()).toHaveLength(1);
  });

  it("yields to its user's verified row that is kept out, which then says so", async () => {
    const { rows } = await importing([typed, { ...withoutId, disabled: "true" }]);
    expect(rows).toEqual(["1 reject duplicate", "2 skip disabled"]);
  });

  it("is told as it is where the better row is another user's", async () => {
    const { rows } = await importing([typed, owner]);
    expect(rows).toEqual(["1 reject contact_unverified"]);
  });
});

describe("a row without an id that is kept out and reserves nothing", () => {
  const { id: _id, ...live } = owner;
  const closed: Row = { ...live, emailVerified: "", disabled: "true" };

  it("makes room for the live row of its contact, whichever comes first", async () => {
    for (const [files, kept] of [
      [[[closed, live]], [1]],
      [[[live, closed]], [2]],
      [[[closed, closed, { ...live, emailVerified: "" }]], [1, 2]],
      [[[closed], [{ ...live, emailVerified: "false" }]], [1]],
      [[[closed, owner]], [1]],
      [[[owner, closed]], [2]],
    ] as const) {
      const { migration, paths, run, rows } = await importing(...files);
      expect(rows).toEqual(kept.map((number) => `${number} skip disabled`));
      expect(run.events[0]?.hint).toMatch(/csv, row \d has the same contact and counts/);
      expect(await migration.users()).toHaveLength(1);
      const again = await migration.run(paths);
      expect(again.events).toEqual(run.events);
      expect(outcomes(again.summary)).toEqual({ unchanged: 1, skipped: kept.length });
    }
  });

  it("makes room for a deleted user's address that signed up again", async () => {
    const { email: _email, ...others } = record({ sourceId: null });
    const gone = { ...others, email: email(CEO, true), exclusions: ["deleted"] } as const;
    const { migration, rows } = await importingRecords(gone, { ...owners, sourceId: null });
    expect(rows).toEqual(["1 skip deleted"]);
    expect(await migration.users()).toHaveLength(1);
  });

  it.each([
    ["who was brought before", [owner], [closed, owner]],
    ["who was brought without an id", [live], [closed, live]],
    ["who was brought, before a row with an id", [live], [closed, owner]],
    ["who is new, behind the row of a run before", [closed], [closed, live]],
  ] as const)("makes room for a user %s", async (_who, before, newer) => {
    const { migration } = await importing(before);
    const run = await migration.run([migration.write("newer.csv", csvOf(newer))]);
    expect(run.events.map(told)).toEqual(["1 skip disabled"]);
    expect(run.findings.map(({ code }) => code)).not.toContain("still_there");
    expect(await migration.users()).toHaveLength(1);
  });

  it("still says of a user whom no other row names that they are at the core", async () => {
    const { migration } = await importing([live]);
    const run = await migration.run([migration.write("newer.csv", csvOf([closed]))]);
    expect(run.events.map(told)).toEqual(["1 skip disabled"]);
    expect(run.findings.map(({ code }) => code)).toContain("still_there");
  });

  it("keeps the option in sight that lets in a row behind it", async () => {
    const typed = { ...live, emailVerified: "false", hash: "" };
    const { migration, paths, run } = await importing([closed, typed]);
    expect(run.events.map(told)).toEqual(["1 skip disabled", "2 reject duplicate"]);
    expect(run.events[1]?.hint).toContain("That row isn't migrated in this run");
    expect(run.events[1]?.hint).toContain("--include unverified");
    const again = await migration.run(paths, { policy: { include: ["unverified"] } });
    expect(again.events.map(told)).toEqual(["1 skip disabled"]);
    expect(outcomes(again.summary)).toMatchObject({ created: 1 });
  });
});

it("a live row behind one that is kept out and verified is told what tells the two apart", async () => {
  const { id: _id, ...live } = owner;
  const files = [[{ ...live, disabled: "true" }, live]];
  const { migration, run, rows } = await importing(...files);
  expect(rows).toEqual(["1 skip disabled", "2 reject duplicate"]);
  const hint = run.events[1]?.hint ?? "";
  expect(hint).toContain("That row isn't migrated in this run, so that it keeps this one out");
  expect(hint).toContain("--map id=NAME");
  const ids = files[0]?.map((one, at) => ({ ...one, id: `${at}` })) ?? [];
  const again = await migration.run([migration.write("ids.csv", csvOf(ids))], {
    checkpoint: newPath("other"),
  });
  expect(again.events.map(told)).toEqual(["1 skip disabled"]);
});

describe("a user of an earlier run", () => {
  it.each([
    ["before", [0, 1, 2]],
    ["behind", [1, 2, 0]],
    ["between", [2, 0, 1]],
  ] as const)(
    "takes no other contact for the one that they keep, %s the rows of its owners",
    async (_where, order) => {
      const migration = newMigration(newPath);
      const ada = { sourceId: "a", email: email("ada@example.com", null) };
      const first = record({ ...ada });
      await migration.run([], { inputs: [inputOf("users.csv", [first], [1])] });
      const newer = [
        record({
          ...ada,
          email: email("ada@example.com", false),
          phone: phone("+15550100001", false),
        }),
        record({ sourceId: "b", email: email("ada@example.com", true) }),
        record({ sourceId: "c", phone: phone("+15550100001", true) }),
      ];
      const inputs = [
        inputOf(
          "newer.csv",
          order.map((at) => newer[at] ?? first),
          [1],
        ),
      ];
      const run = await migration.run([], { inputs, policy: { include: ["unverified"] } });
      const rejected = order.flatMap((at, index) =>
        at === 2 ? [] : [`${index + 1} reject duplicate_contact`],
      );
      expect(run.events.map(told)).toEqual(rejected);
      const users = await migration.users();
      expect(users).toMatchObject([{ email: "ada@example.com" }, { phoneNumber: "+15550100001" }]);
      expect(users[0]).not.toHaveProperty("phoneNumber", "+15550100001");
    },
  );
});

it("a user's second row gets the contact that the first has won and lost with its other one", async () => {
  const ann = { sourceId: "ann" };
  const { migration, rows } = await importingRecords(
    record({ sourceId: "cem", phone: phone("+15550100002", true) }),
    record({ ...ann, email: email(CEO, true), phone: phone("+15550100002", true) }),
    record({ ...ann, email: email(CEO, false), hash: text(OWNER) }),
  );
  expect(rows).toEqual(["2 reject duplicate_contact"]);
  expect(await migration.core.signIn({ email: CEO, password: "the owner's" })).toMatchObject({
    status: "OK",
  });
});

it("a contact that a user's second row has verified goes to no row of a lesser right", async () => {
  const { id: _id, ...withoutId } = owner;
  const keptOut = { ...withoutId, disabled: "true" };
  const { migration, rows } = await importing(
    [
      { id: "6", disabled: "true", hash: OWNER },
      { ...keptOut, id: "6" },
    ],
    [{ ...withoutId, emailVerified: "" }, keptOut],
  );
  expect(rows).toEqual([
    "1 skip disabled",
    "2 reject duplicate",
    "1 reject duplicate",
    "2 skip disabled",
  ]);
  expect(await migration.users()).toEqual([]);
});

it("of rows with equal rights the first that isn't a duplicate itself gets the contact", async () => {
  const { id: _id, ...withoutId } = owner;
  const { migration, rows } = await importing([
    { id: "2", disabled: "true", hash: OWNER },
    owner,
    withoutId,
    unsaid,
  ]);
  expect(rows).toEqual(["1 skip disabled", "2 reject duplicate", "4 reject duplicate_contact"]);
  expect(await migration.users()).toHaveLength(1);
});

/** Rows as a source hands them on. */
async function importingRecords(...records: readonly UserRecord[]) {
  const migration = newMigration(newPath);
  const run = await migration.run([], { inputs: [inputOf("users.csv", records, [1])] });
  return { migration, run, rows: run.events.map(told) };
}

const text = (hash: string) => ({ kind: "text", text: hash }) as const;
const strangers = record({ sourceId: "1", email: email(CEO, false), hash: text(STRANGER) });
const owners = record({ sourceId: "2", email: email(CEO, true), hash: text(OWNER) });

it.each([
  ["is disabled", { exclusions: ["disabled"] }, "skip disabled"],
  ["has a second factor", { notices: ["mfa_not_migrated"] }, "reject factor_lost"],
  ["has a hash that can't be used", { hash: text("?") }, "reject unknown"],
] as const)(
  "a verified owner who %s keeps the contact from an unverified row, whichever comes first",
  async (_what, fields, ending) => {
    const refused = { ...owners, ...fields };
    const before = await importingRecords(strangers, refused);
    expect(before.rows).toEqual(["1 reject duplicate_contact", `2 ${ending}`]);
    const after = await importingRecords(refused, strangers);
    expect(after.rows).toEqual([`1 ${ending}`, "2 reject duplicate_contact"]);
    for (const { migration, run } of [before, after]) {
      expect(await migration.users()).toEqual([]);
      const lost = run.events.find(({ code }) => code === "duplicate_contact");
      expect(lost?.hint).toContain("isn't migrated in this run and keeps its contact");
    }
  },
);

it("a verified owner who is disabled gets the contact in the run that includes them", async () => {
  const { migration, paths } = await importing([stranger, { ...owner, disabled: "true" }]);
  const again = await migration.run(paths, { policy: { include: ["disabled"] } });
  expect(again.events.map(told)).toEqual(["1 reject duplicate_contact"]);
  expect(await migration.core.signIn({ email: CEO, password: "the owner's" })).toMatchObject({
    status: "OK",
  });
});

it("a user who is left out yields a contact to a row with as good a right", async () => {
  const { rows } = await importing([
    { ...owner, disabled: "true" },
    { ...owner, id: "4" },
  ]);
  expect(rows).toEqual(["1 skip disabled"]);
});

it("a deleted user's address, or one that isn't known to be verified, goes to any other row", async () => {
  const deleted = await importingRecords(strangers, { ...owners, exclusions: ["deleted"] });
  expect(deleted.rows).toEqual(["2 skip deleted"]);
  const notSaid = await importing([stranger, { ...unsaid, disabled: "true" }]);
  expect(notSaid.rows).toEqual(["2 skip disabled"]);
});

it("a user who was brought keeps a contact that a newer export's disabled owner has verified, and both rows are named", async () => {
  const { migration } = await importing([stranger]);
  const newer = migration.write("newer.csv", csvOf([stranger, { ...owner, disabled: "true" }]));
  const run = await migration.run([newer]);
  expect(run.events.map(told)).toEqual(["2 skip disabled"]);
  const found = run.findings.find(({ code }) => code === "contact_claimed_unverified");
  expect(found).toMatchObject({ count: 1, rows: [{ number: 2 }, { number: 1 }] });
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

it.each([
  ["", owner, ["1 reject duplicate_contact"]],
  [
    " who is disabled",
    { ...owner, disabled: "true" },
    ["1 reject duplicate_contact", "2 skip disabled"],
  ],
])(
  "in what can be read but once as well a verified owner%s who comes later keeps the contact",
  async (_who, second, endings) => {
    const migration = newMigration(newPath);
    const path = migration.write("users.csv", csvOf([stranger, second]));
    const { inputs } = await migration.options([path]);
    const once = inputs.map((input) => ({ ...input, readOnce: true }));
    const { events, findings } = await migration.run([], { inputs: once });
    expect(events.map(told)).toEqual(endings);
    expect(findings.map(({ code }) => code)).not.toContain("contact_claimed_unverified");
  },
);
