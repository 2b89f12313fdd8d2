import { describe, expect, it } from "vitest";
import type { Core } from "../../src/core/core.js";
import { KNOWN_HASHES } from "../support/known-hashes.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { byRow, prepareMigration } from "./support/people.js";
import { csvOf, outcomes, type Row, told } from "./support/run.js";

const newPath = temporaryPaths();
const HASH = KNOWN_HASHES.bcrypt.passwordHash;
const ADA: Row = { id: "1", email: "ada@example.com", hash: HASH };
const BEN: Row = { id: "2", email: "ben@example.com", phone: "+15550100002" };

/** Lets calls for who comes later in the file end first. */
function backwards(core: Core): Core {
  let turns = 60;
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    turns -= 3;
    for (let left = turns; left > 0; left -= 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return work();
  };
  return {
    ...core,
    findUsers: (contact) => later(() => core.findUsers(contact)),
    importUser: (request) => later(() => core.importUser(request)),
    consumeCode: (request) => later(() => core.consumeCode(request)),
  };
}

describe("the second row of somebody", () => {
  it.each<[string, readonly Row[], readonly string[]]>([
    ["by the id", [ADA, { ...ADA, email: "other@example.com" }], ["2 reject duplicate"]],
    [
      "by an email in another case",
      [ADA, { ...ADA, id: "9", email: "Ada@Example.COM" }],
      ["2 reject duplicate_contact"],
    ],
    [
      "by an email in another case, without ids",
      [
        { ...ADA, id: "" },
        { email: "ADA@example.com", hash: HASH },
      ],
      ["2 reject duplicate"],
    ],
    [
      "by an email with its accent apart",
      [
        { ...ADA, email: "z\u00e9@example.com" },
        { id: "9", email: "ze\u0301@example.com", hash: HASH },
      ],
      ["2 reject duplicate_contact"],
    ],
    [
      "by an email with its domain in Punycode",
      [
        { ...ADA, email: "ada@xn--bcher-kva.example" },
        { id: "9", email: "ada@b\u00fccher.example", hash: HASH },
      ],
      ["2 reject duplicate_contact"],
    ],
    ["by one phone", [BEN, { id: "3", phone: "+15550100002" }], ["2 reject duplicate_contact"]],
    [
      "by a phone that comes second",
      [{ id: "3", phone: "+15550100002" }, BEN],
      ["2 reject duplicate_contact"],
    ],
    ["with an id on one side", [ADA, { ...ADA, id: "" }], ["2 reject duplicate"]],
    [
      "where the first one's contact can't be read",
      [{ id: "1", email: "nobody" }, ADA],
      ["1 reject email_invalid", "2 reject duplicate"],
    ],
    [
      "where the first one is rejected",
      [{ ...ADA, hash: "$2a$" }, ADA],
      ["1 reject bcrypt_length", "2 reject duplicate"],
    ],
  ])("is rejected: %s", async (_what, rows, expected) => {
    const { migration, file } = prepareMigration(newPath, rows);
    const core = backwards(migration.core);
    const { events } = await migration.run([file], { core });
    const tellings = events.map(told).map((text) => text.replace(/bcrypt_\w+/, "bcrypt_length"));
    expect(tellings.sort(byRow)).toEqual(expected);
    // And so it is in every run that follows.
    const again = await migration.run([file], { core });
    expect(again.events.map(told).sort(byRow)).toEqual(events.map(told).sort(byRow));
    expect(await migration.core.countUsers()).toBe(
      expected.some((text) => text.startsWith("1 ")) ? 0 : 1,
    );
  });

  it("isn't its first one, whose domain the core writes in its own letters", async () => {
    const rows = [{ ...ADA, email: "ada@xn--bcher-kva.example" }];
    const { migration, file } = prepareMigration(newPath, rows);
    expect((await migration.run([file])).summary).toMatchObject({ imported: 1, rejected: 0 });
    expect((await migration.run([file])).summary).toMatchObject({ unchanged: 1 });
  });

  it("names the first one by file and row, in the order of the arguments", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, BEN]);
    const rows = [
      { ...BEN, phone: "+15550100009" },
      { ...ADA, email: "a@example.com" },
    ];
    const other = migration.write("other.csv", csvOf(rows));
    const { events } = await migration.run([other, file], { core: backwards(migration.core) });
    expect(events.map(({ row, hint }) => [row, hint.split(";")[0]])).toEqual([
      [{ file, number: 1, line: 2 }, `By its id the same user as in ${other}, row 2`],
      [{ file, number: 2, line: 3 }, `By its id the same user as in ${other}, row 1`],
    ]);
  });

  it("is told to be kept out by the vendor, where the first one isn't", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, { ...ADA, disabled: "true" }, ADA]);
    const first = await migration.run([file]);
    expect(first.events.map(told)).toEqual(["2 reject duplicate", "3 skip same_user"]);
    expect(first.events.map(({ hint }) => hint.includes("the vendor keeps the user out"))).toEqual([
      true,
      false,
    ]);
    expect((await migration.run([file])).events).toEqual(first.events);
  });

  it("is found in a newer export of users who are at the core", async () => {
    const { migration, file } = prepareMigration(newPath, [ADA, BEN]);
    await migration.run([file]);
    const newer = [ADA, BEN, { ...ADA, hash: "" }, { id: "7", email: "ben@example.com" }];
    const { events, summary } = await migration.run([migration.write("newer.csv", csvOf(newer))]);
    expect(outcomes(summary)).toEqual({ unchanged: 2, rejected: 2 });
    expect(events.map(told)).toEqual(["3 reject duplicate", "4 reject duplicate_contact"]);
  });

  it.each([
    ["an address verified since", [{ emailVerified: "false" }, { emailVerified: "true" }], 0],
    ["one of whom more is said since", [{ hash: "" }, { hash: "", emailVerified: "true" }], 0],
    ["one verified once", [{ emailVerified: "true" }, { emailVerified: "false" }], 1],
    ["one whose hash is refused since", [{ emailVerified: "false" }, { hash: "{SHA}x" }], 1],
  ])("claims %s by what the latest export says", async (_what, [first, latest], claims) => {
    const { migration } = prepareMigration(newPath);
    const stranger = { id: "9", emailVerified: "true" };
    const told: string[] = [];
    for (const row of [first, latest, stranger]) {
      const file = migration.write("users.csv", csvOf([{ ...ADA, ...row }]));
      // Where verification isn't carried, nothing is sent for it.
      const { findings } = await migration.run([file], { policy: { carry: [] } });
      told.push(...findings.map(({ code }) => code));
    }
    expect(told.filter((code) => code === "contact_claimed_unverified")).toHaveLength(claims);
  });

  it("is told as the same by the next run, which knows its id by another row", async () => {
    const { id: _id, ...withoutId } = ADA;
    const { migration, file } = prepareMigration(newPath, [
      withoutId,
      ADA,
      { ...ADA, email: "", phone: "", disabled: "true" },
    ]);
    const first = await migration.run([file]);
    expect(first.events.map(told)).toEqual(["2 reject duplicate", "3 skip disabled"]);
    expect((await migration.run([file])).events).toEqual(first.events);
  });

  it("is told of the user who got the contact by the next run, too, not of one who is left out", async () => {
    const verified = { ...ADA, emailVerified: "true" };
    const { migration, file } = prepareMigration(newPath, [
      { ...verified, id: "", disabled: "true" },
      { ...verified, id: "2" },
      { ...ADA, id: "3", emailVerified: "false" },
    ]);
    const first = await migration.run([file]);
    expect(first.events.map(told)).toEqual(["1 skip disabled", "3 reject duplicate_contact"]);
    expect((await migration.run([file])).events).toEqual(first.events);
  });

  it("is told of the same first row by the next run, where another contact went to a later row", async () => {
    const { migration, file } = prepareMigration(newPath, [
      { id: "", phone: "+15550100003" },
      { id: "6", email: "cy@example.com", emailVerified: "true", phone: "+15550100003" },
      { id: "", email: "cy@example.com", emailVerified: "true", hash: HASH },
      { id: "6", email: "other@example.com", hash: HASH },
    ]);
    const first = await migration.run([file]);
    expect(first.events.map(told)).toEqual(["2 reject duplicate"]);
    expect((await migration.run([file])).events).toEqual(first.events);
  });

  it("has the vendor's id in what is told of a contact that can't be read", async () => {
    const { migration, file } = prepareMigration(newPath, [{ id: "r-1", email: "nobody" }]);
    const { events } = await migration.run([file]);
    expect(events).toMatchObject([{ code: "email_invalid", sourceId: "r-1" }]);
  });
});

describe("a user whose id is missing in one export", () => {
  const withoutIds = [ADA, BEN].map(({ id: _id, ...row }) => row);

  it.each([
    ["the first", withoutIds, [ADA, BEN]],
    ["the newer", [ADA, BEN], withoutIds],
  ])("is the same user: missing in %s", async (_which, first, newer) => {
    const { migration, file } = prepareMigration(newPath, first);
    await migration.run([file]);
    const { summary } = await migration.run([migration.write("newer.csv", csvOf(newer))]);
    expect(outcomes(summary)).toEqual({ unchanged: 2 });
  });
});
