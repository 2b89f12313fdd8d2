import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildRecord } from "../../src/account/build-record.js";
import type { Exclusion, UserRecord } from "../../src/account/user-record.js";
import { mailboxOf } from "../../src/contact/email.js";
import type { Finding, RowRef } from "../../src/events/events.js";
import type { RawHash } from "../../src/hash/hash.js";
import { argon2Of, bcryptOf, scryptOf } from "../run/support/hashes.js";
import { at } from "../run/support/user-keys.js";
import { repeated } from "../support/repeated.js";
import { fileName, inspected, isBrought } from "./support/inspected.js";

interface Row {
  readonly id?: string | null;
  readonly email?: string | null;
  readonly hash?: RawHash | string | null;
  readonly exclusions?: readonly Exclusion[];
}

/** The record of row 1, 2, …: another user's than all before, but for what is given. */
function recordOf(row: Row, index: number): UserRecord {
  const { id = `u-${index}`, email = `reader.${index}@example.net`, hash = null } = row;
  const record = buildRecord({
    ...{ sourceId: id ?? "", email: email ?? "", emailVerified: null },
    ...{ phone: "", phoneVerified: null, exclusions: row.exclusions ?? [], notices: [] },
    hash: typeof hash === "string" ? { kind: "text", text: hash } : hash,
  });
  if ("code" in record) throw new Error(record.code);
  return record;
}

/** What is found of rows as they stand behind each other in one file. */
async function findingsOf(code: string, rows: readonly Row[]): Promise<readonly Finding[]> {
  const { findings } = await inspected([rows.map(recordOf)]);
  return findings.filter((finding) => finding.code === code);
}

const hashed = (...hashes: readonly string[]): Row[] => hashes.map((hash) => ({ hash }));
const sharing = (rows: readonly Row[]) => findingsOf("hash_shared", rows);
const different = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => bcryptOf(index));

describe("a hash that several users have", () => {
  it("is told with the first three of them, and its number", async () => {
    const found = await sharing(hashed(...different(50), bcryptOf("seed"), bcryptOf("seed")));
    expect(found).toMatchObject([{ count: 2, rows: [at(51), at(52)] }]);
    expect(found[0]?.hint).toMatch(/^One hash is shared by 2 users\. /);
  });

  it("is told beside others as their sum, with rows of the most frequent one", async () => {
    const hashes = [...Array(3).fill(bcryptOf("a")), ...Array(1500).fill(bcryptOf("b"))];
    const found = await sharing(hashed(...hashes));
    expect(found).toMatchObject([{ count: 1503, rows: [at(4), at(5), at(6)] }]);
    expect(found[0]?.hint).toMatch(
      /^2 hashes are each .*, one of them by 1,500 users, whose first rows are named\. /,
    );
  });

  it("is counted exactly among ever so many, and so is a pair with all of them between", async () => {
    const hashes = different(3000);
    for (let index = 0; index < 3000; index += 100) hashes[index] = bcryptOf("default");
    expect(await sharing(hashed(...hashes))).toMatchObject([
      { count: 30, rows: [at(1), at(101), at(201)] },
    ]);
    const pair = [bcryptOf("pair"), ...different(3000), bcryptOf("pair")];
    expect(await sharing(hashed(...pair))).toMatchObject([{ count: 2, rows: [at(1), at(3002)] }]);
  });

  it("isn't one that a user's two rows have", async () => {
    const hash = bcryptOf(1);
    const ann = { id: "u-ann", email: "ann@example.com", hash };
    expect(await sharing([ann, { ...ann, email: "new.address@example.com" }])).toEqual([]);
    expect(await sharing([ann, { ...ann, id: null }])).toEqual([]);
    const [found] = await sharing([ann, { hash }, { hash, id: "u-1" }, ann]);
    expect(found).toMatchObject({ count: 2, rows: [at(1), at(2)] });
  });

  it("isn't one that users have of whom all but one stay behind", async () => {
    const hash = bcryptOf("default");
    const gone = { hash, exclusions: ["disabled"] } as const;
    expect(await sharing([{ hash }, gone, gone, { hash, email: "" }])).toEqual([]);
    expect(await sharing([gone, { hash }, gone, { hash }])).toMatchObject([
      { count: 2, rows: [at(2), at(4)] },
    ]);
  });
});

const EMAILS = [
  ...["ann@example.com", "Ann@example.com", "ANN@example.com ", "\u0430nn@example.com"],
  ...["ben@example.com", "Ben@example.com", "b\u0435n@example.com", "B\u0435n@example.com"],
  ...["zoe\u0308@example.com", "zo\u00eb@example.com", "Zo\u00eb@example.com"],
  ...["jo@m\u00fcnchen.example", "jo@xn--mnchen-3ya.example", "Jo@m\u00fcnchen.example"],
];

const HASHES: readonly (RawHash | string | null)[] = [
  ...[null, "not a hash", bcryptOf(1), bcryptOf(2), argon2Of(1), argon2Of(2)],
  ...[1, 2, 3].flatMap((hash) =>
    [1, 2].map((salt): RawHash => {
      const { hash: text } = scryptOf(hash);
      return { kind: "vendor_scrypt", hash: text, salt: scryptOf(salt).salt };
    }),
  ),
];

const exports = fc.array(
  fc.array(
    fc.option(
      fc.record({
        id: fc.constantFrom(null, "u-1", "u-2", "u-3", "u-4", "u-5"),
        email: fc.constantFrom(null, ...EMAILS),
        hash: fc.constantFrom(...HASHES),
        exclusions: fc.constantFrom<Exclusion[]>([], [], [], ["deleted"], ["disabled"]),
      }),
    ),
    { maxLength: 12 },
  ),
  { minLength: 1, maxLength: 3 },
);

interface Placed {
  readonly record: UserRecord;
  readonly row: RowRef;
}

const mailbox = ({ email }: UserRecord): string | null => email && mailboxOf(email.value);

function grouped(rows: readonly Placed[], by: (record: UserRecord) => string | null): Placed[][] {
  const groups = new Map<string, Placed[]>();
  for (const placed of rows) {
    const key = by(placed.record);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), placed]);
  }
  return [...groups.values()];
}

function isSameUser(one: UserRecord, other: UserRecord): boolean {
  if (one.sourceId !== null && one.sourceId === other.sourceId) return true;
  return one.email !== null && mailbox(one) === mailbox(other);
}

/** What plain code says that users share, as a finding tells it. */
function sharedBy(
  rows: readonly Placed[],
  what: readonly [one: string, several: string],
  by: (record: UserRecord) => string | null,
) {
  const isFirst = ({ record }: Placed, index: number, group: readonly Placed[]): boolean =>
    !group.slice(0, index).some((earlier) => isSameUser(earlier.record, record));
  const users = grouped(rows, by)
    .map((group) => group.filter(isFirst))
    .filter(({ length }) => length > 1)
    .sort((a, b) => b.length - a.length);
  const [most = []] = users;
  const says =
    users.length === 1
      ? `One ${what[0]} is shared by ${most.length} users.`
      : `${users.length} ${what[1]} are each shared by several users, one of them by ${most.length} users, whose first rows are named.`;
  return { count: users.flat().length, rows: most.slice(0, 3).map(({ row }) => row), says };
}

function expected(rows: readonly Placed[]) {
  const brought = rows.filter(({ record }) => isBrought(record));
  const hashOf = ({ hash }: UserRecord): string | null => hash && JSON.stringify(hash);
  const saltOf = ({ hash }: UserRecord) => (hash?.kind === "vendor_scrypt" ? hash.salt : null);
  return [
    sharedBy(brought, ["hash", "hashes"], hashOf),
    sharedBy(brought, ["salt", "salts"], saltOf),
  ]
    .filter(({ count }) => count > 0)
    .map(({ says, ...found }) => ({ ...found, hint: expect.stringContaining(says) }));
}

it("the facts of any export say what plain code says of its rows", {
  timeout: 600_000,
}, async () => {
  const numRuns = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 40, full: 4000 });
  await fc.assert(
    fc.asyncProperty(exports, async (files) => {
      const records = files.map((of) => of.map((row, index) => row && recordOf(row, index)));
      const { findings } = await inspected(records);
      const about = /^(One|\d+) (hash|salt)/;
      const rows = records.flatMap((of, file) =>
        of.flatMap((record, index) =>
          record === null ? [] : [{ record, row: { file: fileName(file), number: index + 1 } }],
        ),
      );
      expect(findings.filter(({ hint }) => about.test(hint))).toMatchObject(expected(rows));
    }),
    { numRuns },
  );
});
