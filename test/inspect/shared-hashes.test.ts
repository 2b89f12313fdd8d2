import { describe, expect, it } from "vitest";
import { digestsOf } from "../../src/inspect/digest.js";
import { createSharedHashes } from "../../src/inspect/shared-hashes.js";
import { at } from "../run/support/user-keys.js";
import { bcryptOf } from "../run/support/hashes.js";
import { email, record } from "../run/support/records.js";

const user = (number: number) =>
  digestsOf(record({ sourceId: `u-${number}`, email: email(`reader.${number}@example.com`) }));

/** Adds users 1, 2, … with the hashes in turn. */
function add(shared: ReturnType<typeof createSharedHashes>, hashes: readonly string[]): void {
  for (const [index, hash] of hashes.entries()) shared.add(hash, user(index + 1), at(index + 1));
}

const different = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => bcryptOf(index));

describe("hashes that are all different", () => {
  it("are no finding", () => {
    const shared = createSharedHashes("hash");
    add(shared, different(300));
    expect(shared.findings()).toEqual([]);
  });
});

describe("one hash of several users", () => {
  it("is found from two users on, with rows of both", () => {
    const shared = createSharedHashes("hash");
    add(shared, [...different(50), bcryptOf("seed"), bcryptOf("seed")]);
    expect(shared.findings()).toMatchObject([
      { code: "hash_shared", count: 2, rows: [at(51), at(52)] },
    ]);
    expect(shared.findings()[0]?.hint).toMatch(/^One hash is shared by 2 users\. /);
  });

  it("is found however many hashes came between them", () => {
    const shared = createSharedHashes("hash");
    add(shared, [bcryptOf("seed"), ...different(5000), bcryptOf("seed")]);
    expect(shared.findings()).toMatchObject([{ count: 2, rows: [at(1), at(5002)] }]);
  });

  it("is told beside others as their sum, with rows of the most frequent one", () => {
    const shared = createSharedHashes("hash");
    add(shared, [...Array(3).fill(bcryptOf("a")), ...Array(1500).fill(bcryptOf("b"))]);
    expect(shared.findings()).toMatchObject([
      {
        count: 1503,
        rows: [at(4), at(5)],
        hint: expect.stringMatching(/^2 hashes are each .*1,500 users\. /),
      },
    ]);
  });
});

describe("a user's second row", () => {
  it.each([
    ["id", { sourceId: "u-1", email: email("new.address@example.com") }],
    ["email", { sourceId: null, email: email("reader.1@example.com") }],
  ])("known by its %s is a duplicate, and no sharing", (_by, fields) => {
    const shared = createSharedHashes("hash");
    shared.add(bcryptOf(1), user(1), at(1));
    shared.add(bcryptOf(1), digestsOf(record(fields)), at(2));
    expect(shared.findings()).toEqual([]);
  });

  it("isn't taken for one where neither user has an id or an email", () => {
    const shared = createSharedHashes("hash");
    shared.add(bcryptOf(1), digestsOf(record({ sourceId: null })), at(1));
    shared.add(bcryptOf(1), digestsOf(record({ sourceId: null })), at(2));
    expect(shared.findings()).toMatchObject([{ count: 2 }]);
  });
});

describe("more different hashes than there are places", () => {
  const CAPACITY = 500;
  const USERS = 20_000;

  it("still show every hash that one user in a thousand has, with a count that is never too high", () => {
    const shared = createSharedHashes("hash", { hashes: CAPACITY, share: 1 / 1000 });
    const hashes = different(USERS);
    // One user in a hundred, all through the file.
    for (let index = 0; index < USERS; index += 100) hashes[index] = bcryptOf("default");
    add(shared, hashes);
    const [finding, ...more] = shared.findings();
    expect(more).toEqual([]);
    expect(finding?.count).toBeLessThanOrEqual(USERS / 100);
    // The sketch loses at most one count for every time that its places were full.
    expect(finding?.count).toBeGreaterThanOrEqual(USERS / 100 - USERS / CAPACITY);
    expect(finding?.hint).toMatch(/^One hash is shared by at least \d+ users\. /);
  });

  it("show a hash that came when all places were taken", () => {
    const shared = createSharedHashes("hash", { hashes: CAPACITY, share: 1 / 1000 });
    const late = Array.from({ length: USERS / 2 }, (_, index) =>
      bcryptOf(index % 20 === 0 ? "default" : USERS + index),
    );
    add(shared, [...different(USERS / 2), ...late]);
    expect(shared.findings()).toMatchObject([{ code: "hash_shared" }]);
    expect(shared.findings()[0]?.count).toBeGreaterThan(USERS / 40 - USERS / CAPACITY);
  });

  it("don't make a finding of a chance pair", () => {
    const shared = createSharedHashes("hash", { hashes: CAPACITY, share: 1 / 1000 });
    add(shared, [...different(USERS), bcryptOf(USERS - 1)]);
    expect(shared.findings()).toEqual([]);
  });
});
