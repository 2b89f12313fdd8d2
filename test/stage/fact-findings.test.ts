import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildRecord } from "../../src/account/build-record.js";
import type { Exclusion, UserRecord } from "../../src/account/user-record.js";
import type { Finding, RowRef } from "../../src/events/events.js";
import type { RawHash } from "../../src/hash/hash.js";
import { argon2Of, bcryptOf, bytesOf, scryptOf } from "../run/support/hashes.js";
import { at } from "../run/support/user-keys.js";
import { repeated } from "../support/repeated.js";
import { fileName, inspected } from "./support/inspected.js";

interface Row {
  readonly id?: string | null;
  readonly email?: string | null;
  readonly hash?: RawHash | string | null;
  readonly exclusions?: readonly Exclusion[];
  readonly verified?: boolean | null;
  readonly notices?: readonly string[];
}

/** The record of row 1, 2, …: another user's than all before, but for what is given. */
function recordOf(row: Row, index: number): UserRecord {
  const { id = `u-${index}`, email = `reader.${index}@example.net`, hash = null } = row;
  const { exclusions = [], verified: emailVerified = null, notices = [] } = row;
  const record = buildRecord({
    ...{ sourceId: id ?? "", email: email ?? "", emailVerified },
    ...{ phone: "", phoneVerified: null, exclusions, notices },
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

  it("isn't one that a user has and rows that lose their contact to another's", async () => {
    const [hash, email] = [bcryptOf("default"), "ann@example.com"];
    const rows = [
      { hash, email },
      { email, verified: true },
    ];
    expect(await sharing([{ hash }, ...rows])).toEqual([]);
    expect(await sharing([{ hash }, ...rows, { hash }])).toMatchObject([{ rows: [at(1), at(4)] }]);
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

/** Each with what is found of a user who has it. */
const HASHES: readonly (readonly [RawHash | string | null, ...string[]])[] = [
  ...[null, "not a hash"].map((hash) => [hash] as const),
  ...[bcryptOf(1), bcryptOf(2), argon2Of(1), argon2Of(2)].map(
    (hash) => [hash, "prehash_possible"] as const,
  ),
  [bcryptOf(3, "16"), "prehash_possible", "hash_costly"],
  [bcryptOf(4).replace("$2a", "$2x"), "prehash_possible", "proof_needed CVE"],
  [withSalt(17), "prehash_possible", "proof_needed argon2"],
  ...[1, 2, 3].flatMap((hash) =>
    [1, 2].map((salt) => {
      const { hash: text } = scryptOf(hash);
      const raw = { kind: "vendor_scrypt", hash: text, salt: scryptOf(salt).salt } as const;
      return [raw, "scrypt_non_ascii_passwords"] as const;
    }),
  ),
];

function withSalt(bytes: number): string {
  const salt = bytesOf("salt", bytes).toString("base64").replaceAll("=", "");
  return argon2Of(3).replace(/\$[^$]{22}\$/, `$${salt}$`);
}

const SOCIAL = "social_identity_dropped";
const BANS = "bans_not_exported";

const exports = fc.array(
  fc.array(
    fc.option(
      fc.record({
        id: fc.constantFrom(null, "u-1", "u-2", "u-3", "u-4", "u-5"),
        email: fc.constantFrom(null, ...EMAILS),
        hash: fc.constantFrom(...HASHES.map(([hash]) => hash)),
        verified: fc.constantFrom(null, true, false),
        notices: fc.subarray([SOCIAL, BANS]),
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

function grouped(rows: readonly Placed[], by: (record: UserRecord) => string | null): Placed[][] {
  const groups = new Map<string, Placed[]>();
  for (const placed of rows) {
    const key = by(placed.record);
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), placed]);
  }
  return [...groups.values()];
}

/** What plain code says that users share, as a finding tells it. */
function sharedBy(
  rows: readonly Placed[],
  what: readonly [one: string, several: string],
  by: (record: UserRecord) => string | null,
) {
  const users = grouped(rows, by)
    .filter(({ length }) => length > 1)
    .sort((a, b) => b.length - a.length);
  const [most = []] = users;
  const says =
    users.length === 1
      ? `One ${what[0]} is shared by ${most.length} users.`
      : `${users.length} ${what[1]} are each shared by several users, one of them by ${most.length} users, whose first rows are named.`;
  return { count: users.flat().length, rows: most.slice(0, 3).map(({ row }) => row), says };
}

function expected(brought: readonly Placed[]) {
  const hashOf = ({ hash }: UserRecord): string | null => hash && JSON.stringify(hash);
  const saltOf = ({ hash }: UserRecord) => (hash?.kind === "vendor_scrypt" ? hash.salt : null);
  return [
    sharedBy(brought, ["hash", "hashes"], hashOf),
    sharedBy(brought, ["salt", "salts"], saltOf),
  ]
    .filter(({ count }) => count > 0)
    .map(({ says, ...found }) => ({ ...found, hint: expect.stringContaining(says) }));
}

/** What is found of a user, by the record alone: a code, and a word of the hint where one code has several. */
function foundOf({ hash, email, notices }: UserRecord): string[] {
  const raw = hash?.kind === "text" ? hash.text : hash;
  const [, ...codes] = HASHES.find(([one]) => JSON.stringify(one) === JSON.stringify(raw)) ?? [];
  const found: string[] = [...codes];
  if (hash !== null && email?.verified === false) found.push("unverified_email_with_password");
  if (hash === null && notices.includes(SOCIAL)) found.push(SOCIAL);
  if (notices.includes(BANS)) found.push(BANS);
  if (hash === null && email !== null && !email.verified) found.push("way_in_not_verified");
  return found;
}

const OF_USERS = [...new Set(HASHES.flatMap(([, ...found]) => found))].concat(
  ...["unverified_email_with_password", SOCIAL, BANS, "way_in_not_verified"],
);

/** A file without users, and texts of which the hint says that none is sent. */
const OF_NO_USER = ["input_doubtful", "plain_text"];

function told(brought: readonly Placed[]) {
  return OF_USERS.flatMap((found) => {
    const rows = brought.filter(({ record }) => foundOf(record).includes(found));
    const [code, word = ""] = found.split(" ");
    const first = rows.slice(0, 3).map(({ row }) => row);
    return rows.length === 0
      ? []
      : [{ code, count: rows.length, rows: first, hint: expect.stringContaining(word) }];
  });
}

it("the findings of any export say what plain code says of the users who are brought", {
  timeout: 600_000,
}, async () => {
  const numRuns = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 40, full: 4000 });
  let left = 0;
  await fc.assert(
    fc.asyncProperty(exports, async (files) => {
      const records = files.map((of) => of.map((row, index) => row && recordOf(row, index)));
      const { findings, brought, joined } = await inspected(records);
      const about = /^(One|\d+) (hash|salt)/;
      const recordAt = ({ file, number }: RowRef) =>
        records[records.findIndex((_, at) => fileName(at) === file)]?.[number - 1];
      const users = brought.flatMap((row) => {
        const record = recordAt(row);
        const others = joined.filter(
          ({ first }) => first.file === row.file && first.number === row.number,
        );
        const notices = others.flatMap((one) => recordAt(one.row)?.notices ?? []);
        return record == null
          ? []
          : [{ record: { ...record, notices: [...record.notices, ...notices] }, row }];
      });
      left += records.flat().length - users.length;
      const [shared, others] = [true, false].map((is) =>
        findings.filter(({ code, hint }) => !OF_NO_USER.includes(code) && about.test(hint) === is),
      );
      expect(shared).toMatchObject(expected(users));
      const wanted = told(users);
      expect(others).toHaveLength(wanted.length);
      expect(others).toEqual(expect.arrayContaining(wanted));
    }),
    { numRuns },
  );
  expect(left).toBeGreaterThan(numRuns);
});
