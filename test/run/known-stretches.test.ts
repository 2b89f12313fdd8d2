import { describe, expect, it } from "vitest";
import { NO_ROWS } from "../../src/inspect/known-sums.js";
import { addPart, type KnownPart, type Stretch } from "../../src/run/known-stretches.js";

const FIRST = partOf({ from: 100, to: 4200, user: 1, rows: 30 });

function partOf({ rows = 20, number = 1, ...place }: PartGiven): KnownPart {
  const facts = { sums: { ...NO_ROWS, rows }, alike: [], now: 0 };
  return { ...place, facts, pieces: [{ first: number, last: number }] };
}

interface PartGiven extends Pick<KnownPart, "from" | "to" | "user"> {
  readonly rows?: number;
  readonly number?: number;
}

function stretchesOf(...parts: readonly KnownPart[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const part of parts) addPart(stretches, part);
  return stretches;
}

describe("known parts of a file", () => {
  it("are passed over together where bytes and users follow each other", () => {
    const next = partOf({ from: 4200, to: 9000, user: 31, number: 2 });
    expect(stretchesOf(FIRST, next)).toMatchObject([
      { from: 100, to: 9000, user: 1, rows: 50, pieces: [{ first: 1, last: 2 }] },
    ]);
  });

  it.each([
    ["other bytes stand between them", { from: 8300, to: 9000, user: 31 }],
    ["other users stand between them", { from: 4200, to: 9000, user: 32 }],
  ])("aren't where %s", (_where, given) => {
    expect(stretchesOf(FIRST, partOf(given))).toMatchObject([
      { from: 100, to: 4200, rows: 30 },
      { from: given.from, to: 9000, user: given.user, rows: 20 },
    ]);
  });

  it("begin anew after twenty thousand rows, so that a run can be stopped between them", () => {
    const long = partOf({ from: 100, to: 4200, user: 1, rows: 20_000 });
    expect(stretchesOf(long, partOf({ from: 4200, to: 9000, user: 20_001 }))).toHaveLength(2);
  });
});
