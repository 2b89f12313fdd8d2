import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { packNotes, readNotes, storedIn } from "../../src/checkpoint/part-notes.js";
import type { PartNote, PartNotes } from "../../src/plan/parts.js";
import { PART, type PartState } from "../../src/plan/states.js";
import { openDatabase } from "../../src/sqlite/database.js";

/** Text without NUL, at which the driver cuts it off. */
const name = fc.string({ unit: "grapheme", minLength: 1 }).filter((one) => !one.includes("\0"));
const note: fc.Arbitrary<PartNote> = fc.record({
  state: fc.constantFrom(...Object.values(PART)),
  digest: fc.constantFrom("", "GQ2fk5uqGD", "4BVsYxcEPp"),
  names: fc.array(name, { maxLength: 3 }),
});
const notes: fc.Arbitrary<PartNotes> = fc.record(
  { verified: note, metadata: note, roles: note, totp: note },
  { requiredKeys: [] },
);

/** What SQLite makes of stored notes. */
function inState(stored: string | null, state: PartState): string | null {
  const database = openDatabase("", { applicationId: 1, schema: "", version: 0 });
  const [[now] = [null]] = database
    .prepare<[string | null]>(
      `SELECT ${storedIn("kept.parts", "?2")} FROM (SELECT ?1 AS parts) kept`,
    )
    .all(stored, state);
  database.close();
  return now;
}

describe("the notes of a user's parts", () => {
  it("come back as they were", () => {
    fc.assert(fc.property(notes, (each) => void expect(readNotes(packNotes(each))).toEqual(each)));
  });

  it("are all in one state by a statement, and of a part that was taken away nothing is left", () => {
    fc.assert(
      fc.property(notes, fc.constantFrom(PART.open, PART.done), (each, state) => {
        const expected = Object.entries(each).map(([part, { digest, names }]) => {
          const isGone = digest === "" && state === PART.done;
          return [part, { state, digest, names: isGone ? [] : names }];
        });
        const now = inState(packNotes(each), state);
        expect(now).toBe(packNotes(Object.fromEntries(expected)));
      }),
      { numRuns: 50 },
    );
  });

  it("stay none where nothing was sent", () => {
    expect(inState(null, PART.done)).toBeNull();
  });
});
