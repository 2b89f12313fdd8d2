import type { ShardFlaw } from "../../src/checkpoint/prove-shards.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exitCodeOfEnding, exitCodeOfShards } from "../../src/cli/exit-codes.js";

const CLEAN = {
  read: 200,
  users: 200,
  rejected: 0,
  failed: 0,
  truncated: [],
  isNobody: false,
  wouldStop: false,
};
const STRICT = { acceptRejects: { count: 0 }, expectUsers: null };

describe("the exit code of a run that came to its end", () => {
  it("is 0 where every row went well", () => {
    expect(exitCodeOfEnding(CLEAN, STRICT)).toBe(0);
  });

  it("is 65 for a single reject, unless it is allowed", () => {
    const ending = { ...CLEAN, rejected: 1 };
    expect(exitCodeOfEnding(ending, STRICT)).toBe(65);
    expect(exitCodeOfEnding(ending, { ...STRICT, acceptRejects: { count: 1 } })).toBe(0);
  });

  it("takes a share of the users, which not all rows of a dump are", () => {
    const half = { ...STRICT, acceptRejects: { percent: 0.5 } };
    expect(exitCodeOfEnding({ ...CLEAN, read: 9000, rejected: 2 }, half)).toBe(65);
    expect(exitCodeOfEnding({ ...CLEAN, rejected: 1 }, half)).toBe(0);
    expect(exitCodeOfEnding({ ...CLEAN, rejected: 2 }, half)).toBe(65);
  });

  it("is 65 for a file cut off or a number of users that wasn't expected, rejects or not", () => {
    const generous = { acceptRejects: { percent: 100 }, expectUsers: 200 };
    expect(exitCodeOfEnding(CLEAN, generous)).toBe(0);
    expect(exitCodeOfEnding({ ...CLEAN, truncated: ["users.csv"] }, generous)).toBe(65);
    expect(exitCodeOfEnding({ ...CLEAN, read: 199 }, generous)).toBe(65);
  });

  it("is 65 where nobody was migrated, however many rejects are accepted", () => {
    const generous = { acceptRejects: { percent: 100 }, expectUsers: null };
    expect(exitCodeOfEnding({ ...CLEAN, isNobody: true }, generous)).toBe(65);
  });

  it("is 65 for a dry run where the import would stop", () => {
    const generous = { acceptRejects: { percent: 100 }, expectUsers: null };
    expect(exitCodeOfEnding({ ...CLEAN, wouldStop: true }, generous)).toBe(65);
  });

  it("is 75 whenever users failed for now, whatever else is true", () => {
    fc.assert(
      fc.property(
        fc.record({
          read: fc.nat(),
          users: fc.nat(),
          rejected: fc.nat(),
          failed: fc.integer({ min: 1 }),
          truncated: fc.array(fc.constant("users.csv")),
          isNobody: fc.boolean(),
          wouldStop: fc.boolean(),
        }),
        fc.option(fc.nat()),
        (ending, expectUsers) => exitCodeOfEnding(ending, { ...STRICT, expectUsers }) === 75,
      ),
    );
  });
});

describe("the exit code of all shards", () => {
  const proof = (flaws: readonly Pick<ShardFlaw, "code" | "runAgain">[]) => ({
    ...{ proved: flaws.length === 0, shards: 8, rows: 40_000, ownRows: 40_000 },
    flaws: flaws.map((flaw) => ({ ...flaw, shard: null, checkpoint: null, message: "" })),
  });

  it("is 75 only where running some of them again is the whole way out", () => {
    const missing = { code: "shard_missing", runAgain: true } as const;
    const other = { code: "other_export", runAgain: false } as const;
    expect(exitCodeOfShards(null)).toBe(0);
    expect(exitCodeOfShards(proof([]))).toBe(0);
    expect(exitCodeOfShards(proof([missing]))).toBe(75);
    expect(exitCodeOfShards(proof([missing, other]))).toBe(65);
  });
});
