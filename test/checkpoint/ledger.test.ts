import { describe, expect, it } from "vitest";
import { type Checkpoint, openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import { readStatus } from "../../src/checkpoint/status.js";
import { MAPPED, PART, STATE } from "../../src/plan/states.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import {
  intent,
  at,
  bring,
  userKeys,
  classifyOne,
  entryOf,
  type Person,
  matchNext,
  outcome,
  touch,
} from "../run/support/user-keys.js";

const newPath = temporaryPaths();

const ADA: Person = { id: "1", emails: ["ada@example.com"] };
const BEN: Person = { id: "2", emails: ["ben@example.com"], row: at(2) };

/** Runs each step on a checkpoint of its own opening, as runs one after the other do. */
async function inRuns(...steps: readonly ((checkpoint: Checkpoint) => unknown)[]): Promise<void> {
  const path = newPath("checkpoint");
  for (const step of steps) {
    const checkpoint = openCheckpoint(path);
    try {
      await step(checkpoint);
    } finally {
      checkpoint.close();
    }
  }
}

describe("a user of an earlier run", () => {
  it("is known by the id, with state, plan and what a lookup saw", () =>
    inRuns(
      (run) => bring(run, ADA, STATE.intent, { sawNobody: true }),
      (run) =>
        expect(entryOf(run, ADA)).toMatchObject({
          state: STATE.intent,
          sawNobody: true,
          samePlan: true,
        }),
    ));

  it("keeps an outcome that was settled, and forgets what a lookup saw before it", () =>
    inRuns(
      async (run) => {
        const entry = await bring(run, ADA, STATE.intent, { sawNobody: true });
        await run.ledger.settle([outcome(entry)]);
      },
      (run) =>
        expect(entryOf(run, ADA)).toMatchObject({
          state: STATE.imported,
          sawNobody: false,
          samePlan: true,
        }),
    ));

  it("keeps what a lookup saw through a failure of unknown outcome, and not through any other", () =>
    inRuns(
      async (run) => {
        const ada = await bring(run, ADA, STATE.intent, { sawNobody: true });
        const ben = await bring(run, BEN, STATE.intent, { sawNobody: true });
        await run.ledger.settle([outcome(ada, { state: STATE.failed, sawNobody: true })]);
        await run.ledger.settle([outcome(ben, { state: STATE.failed })]);
      },
      (run) => {
        expect(entryOf(run, ADA)).toMatchObject({
          state: STATE.failed,
          sawNobody: true,
          samePlan: true,
        });
        expect(entryOf(run, BEN)).toMatchObject({ state: STATE.failed, sawNobody: false });
      },
    ));

  it("has no part for certain until they are finished, whatever their intent says", () =>
    inRuns(
      async (run) => {
        const names = ["nickname"];
        const parts = { metadata: { digest: "0123456789", state: PART.done, names } };
        await bring(run, ADA, STATE.intent, { sawNobody: true, parts });
        const ben = await bring(run, BEN, STATE.intent, { sawNobody: true, parts });
        await run.ledger.settle([outcome(ben)]);
      },
      (run) => {
        expect(entryOf(run, ADA).parts).toMatchObject({ metadata: { state: PART.open } });
        expect(entryOf(run, BEN).parts).toMatchObject({ metadata: { state: PART.done } });
      },
    ));

  it("is known by an id alone as soon as they have one, written or not", () =>
    inRuns(
      (run) => bring(run, { emails: ["ada@example.com"], row: at(1) }, STATE.imported),
      (run) => {
        const withId = { id: "1", emails: ["ada@example.com"], row: at(1) };
        expect(entryOf(run, withId)).toMatchObject({ state: STATE.imported, gainsId: true });
        // Left out now, so that they claim no contact: nobody knows that it is the same person.
        const { contacts: _contacts, ...leftOut } = userKeys({
          ...{ emails: ["ada@example.com"], row: at(2) },
        });
        const match = matchNext(run, { ...leftOut, contacts: [] });
        expect(match).toMatchObject({ kind: "entry", entry: { state: null } });
      },
    ));

  it("is not taken for done after a changed plan was only intended: either may be at the core", () =>
    inRuns(
      (run) => bring(run, ADA, STATE.intent, { sawNobody: true }),
      (run) => bring(run, { ...ADA, plan: "newer" }, STATE.planned, { sawNobody: true }),
      async (run) => {
        const entry = entryOf(run, { ...ADA, plan: "newer" });
        expect(entry).toMatchObject({ sawNobody: true, samePlan: false });
        await run.ledger.writeIntents([
          intent({ ...ADA, plan: "newer" }, entry, { sawNobody: true }),
        ]);
        await run.ledger.settle([outcome(entry, { state: STATE.failed, sawNobody: true })]);
      },
      async (run) => {
        const entry = entryOf(run, { ...ADA, plan: "newer" });
        expect(entry).toMatchObject({ sawNobody: true, samePlan: false });
        await run.ledger.settle([outcome(entry)]);
      },
      (run) => expect(entryOf(run, { ...ADA, plan: "newer" }).samePlan).toBe(true),
    ));

  it("is known by a contact where the earlier export had no id, and by the id from then on", () =>
    inRuns(
      (run) => bring(run, { emails: ["ada@example.com"] }, STATE.failed),
      async (run) => {
        const entry = entryOf(run, ADA);
        expect(entry).toMatchObject({ state: STATE.failed, gainsId: true });
        await run.ledger.writeIntents([intent(ADA, entry)]);
      },
      (run) =>
        expect(entryOf(run, { id: "1", emails: ["ada@example.org"] })).toMatchObject({
          state: STATE.intent,
          gainsId: false,
        }),
    ));

  it("adopts the id even where nothing else happens to them", () =>
    inRuns(
      (run) => bring(run, { emails: ["ada@example.com"] }, STATE.imported),
      async (run) => {
        const entry = entryOf(run, ADA);
        await run.ledger.writeIntents([], [touch(ADA, entry)]);
      },
      (run) => expect(entryOf(run, { id: "1" }).state).toBe(STATE.imported),
    ));
});

describe("a duplicate", () => {
  it("names the row of this run, not of an earlier one, for users with calls and without", () =>
    inRuns(
      async (run) => {
        await bring(run, ADA, STATE.failed);
        await bring(run, BEN, STATE.imported);
      },
      async (run) => {
        const moved = { ...ADA, row: at(7, "newer.csv") };
        const kept = { ...BEN, row: at(8, "newer.csv") };
        await bring(run, moved, STATE.imported);
        const entry = entryOf(run, kept);
        expect(entry.moved).toBe(true);
        await run.ledger.writeIntents([], [touch(kept, entry)]);
        expect(classifyOne(run, moved)).toMatchObject({
          kind: "duplicate",
          first: at(7, "newer.csv"),
        });
        expect(classifyOne(run, { emails: ["ben@example.com"] })).toMatchObject({
          kind: "duplicate",
          first: at(8, "newer.csv"),
        });
      },
    ));
});

describe("a contact of an unfinished user whose row has changed", () => {
  const moved: Person = { ...ADA, emails: ["ada@example.org"], plan: "newer" };
  const heir: Person = { id: "9", emails: ["ada@example.com"], row: at(9) };

  it("is free at once where nothing can have been sent, and stays so after the admission", () =>
    inRuns(
      (run) => bring(run, ADA, STATE.failed),
      async (run) => {
        const entry = entryOf(run, moved);
        const heirs = entryOf(run, heir);
        expect(heirs.state).toBeNull();
        // Whose batch is durable first makes no difference.
        await run.ledger.writeIntents([intent(heir, heirs)]);
        await run.ledger.writeIntents([intent(moved, entry)]);
        expect(classifyOne(run, { id: "8", emails: ["ada@example.com"] })).toMatchObject({
          kind: "duplicate_contact",
          first: at(9),
        });
      },
      (run) => {
        expect(entryOf(run, heir).samePlan).toBe(true);
        expect(entryOf(run, moved).samePlan).toBe(true);
      },
    ));

  it("is free for later runs, also where the row is rejected now", () =>
    inRuns(
      (run) => bring(run, ADA, STATE.failed),
      (run) => bring(run, { id: "1", kind: null, plan: "reject" }, STATE.rejected),
      (run) => expect(entryOf(run, heir).state).toBeNull(),
    ));

  it.each([
    ["while nobody knows what was sent", moved],
    ["also where the row is rejected now", { id: "1", kind: null, plan: "reject" } as const],
  ])("stays theirs %s", (_when, person) =>
    inRuns(
      (run) => bring(run, ADA, STATE.intent, { sawNobody: true }),
      (run) => bring(run, person, STATE.failed),
      (run) => expect(classifyOne(run, heir).kind).toBe("duplicate_contact"),
    ),
  );

  it("doesn't vouch for whoever is found under the new one", () =>
    inRuns(
      (run) => bring(run, ADA, STATE.intent, { sawNobody: true }),
      async (run) => {
        const entry = entryOf(run, moved);
        expect(entry).toMatchObject({ sawNobody: false, tried: true });
        await run.ledger.writeIntents([intent(moved, entry, { sawNobody: true })]);
        // The run was stopped before the call.
        await run.ledger.settle([outcome(entry, { state: STATE.planned })]);
      },
      (run) => expect(entryOf(run, moved)).toMatchObject({ sawNobody: false }),
      (run) => expect(entryOf(run, { ...ADA, plan: "third" }).sawNobody).toBe(true),
    ));
});

describe("a contact", () => {
  const nobody: Person = { id: "1", emails: [] };

  it("is not kept from its rightful owner by somebody who is skipped or rejected", () =>
    inRuns(async (run) => {
      await bring(run, nobody, STATE.skipped, { code: "disabled" });
      expect(entryOf(run, { id: "2", emails: ["ada@example.com"] }).state).toBeNull();
    }));

  it("of a finished user's changed row is free for others, before that row is done with and after", () =>
    inRuns(
      (run) => bring(run, ADA, STATE.imported),
      async (run) => {
        const changed: Person = { id: "1", emails: ["ada@example.org"], plan: "newer", row: at(1) };
        const entry = entryOf(run, changed);
        const heir: Person = { id: "2", emails: ["ada@example.org"], row: at(2) };
        expect(entryOf(run, heir).state).toBeNull();
        // What the heir has claimed must outlast the end of the changed row.
        await run.ledger.writeIntents([], [touch(changed, entry)]);
        expect(classifyOne(run, { id: "3", emails: ["ada@example.org"] })).toMatchObject({
          kind: "duplicate_contact",
          first: at(2),
        });
      },
    ));
});

describe("the vendor's id of a finished user", () => {
  it("is in force as settled, for good", () =>
    inRuns(
      async (run) => {
        const ada = await bring(run, ADA, STATE.intent);
        const ben = await bring(run, BEN, STATE.intent);
        await run.ledger.settle([outcome(ada, { mapped: MAPPED.yes, coreId: "core-1" })]);
        await run.ledger.settle([outcome(ben, { mapped: MAPPED.never })]);
      },
      async (run) => {
        const entry = entryOf(run, ADA);
        expect(entry.mapped).toBe(MAPPED.yes);
        expect(entryOf(run, BEN).mapped).toBe(MAPPED.never);
        await run.ledger.writeIntents([], [touch(ADA, entry)]);
      },
      (run) => expect(entryOf(run, ADA).mapped).toBe(MAPPED.yes),
    ));

  it("is known of a user who failed first and whom a look-up finds in the next run", () =>
    inRuns(
      (run) => bring(run, ADA, STATE.failed),
      (run) => bring(run, ADA, STATE.existed, { mapped: MAPPED.yes }),
      (run) => expect(entryOf(run, ADA).mapped).toBe(MAPPED.yes),
    ));

  it("comes into force later, and nothing else of them changes", () =>
    inRuns(
      (run) => bring(run, ADA, STATE.created, { coreId: "core-1", code: "core_busy" }),
      async (run) => {
        const entry = entryOf(run, ADA);
        expect(entry.mapped).toBe(MAPPED.no);
        expect(readStatus(run.path)).toMatchObject({ created: 1, unmapped: 1 });
        expect(run.ledger.coreIdOf(entry.id)).toBe("core-1");
        const mapped = { state: STATE.created, mapped: MAPPED.yes, coreId: "core-1" };
        await run.ledger.settle([outcome(entry, mapped)]);
      },
      (run) => {
        const entry = entryOf(run, ADA);
        expect(entry).toMatchObject({ mapped: MAPPED.yes, state: STATE.created, samePlan: true });
        expect(readStatus(run.path)).toMatchObject({ created: 1, unmapped: 0 });
        expect(run.ledger.coreIdOf(entry.id)).toBe("core-1");
      },
    ));

  it("has no core's id beside it where none was kept", () =>
    inRuns(async (run) => {
      const entry = await bring(run, ADA, STATE.existed);
      expect(run.ledger.coreIdOf(entry.id)).toBeNull();
    }));
});

const sampled = (run: Checkpoint, size: number): (string | null)[] =>
  run.finished.sample(size, Math.random).map(({ coreId }) => coreId);

describe("the sample of finished users", () => {
  it("has core ids of finished users alone, whatever their form", () =>
    inRuns(async (run) => {
      expect(sampled(run, 20)).toEqual([]);
      const uuid = "018f2d2e-7b6a-7c3d-8e4f-5a6b7c8d9e0f";
      await bring(run, ADA, STATE.existed, { coreId: uuid });
      await bring(run, BEN, STATE.created, { coreId: "kept|2" });
      await bring(run, { id: "3" }, STATE.failed);
      expect(new Set(sampled(run, 200))).toEqual(new Set([uuid, "kept|2"]));
      expect(sampled(run, 1)).toHaveLength(1);
    }));

  it("finds the few behind thousands of others", () =>
    inRuns(async (run) => {
      for (let number = 1; number <= 3000; number += 1) {
        const person = { id: `${number}`, kind: null };
        const entry = entryOf(run, person);
        const state = [2, 2999, 3000].includes(number) ? STATE.created : STATE.skipped;
        const rest = { state, sawNobody: false, mapped: MAPPED.no, code: null, parts: null };
        const coreId = `core-${number}`;
        await run.ledger.writeIntents([intent(person, entry, { ...rest, coreId })]);
      }
      const found = new Set(sampled(run, 3));
      expect(found).toEqual(new Set(["core-2", "core-2999", "core-3000"]));
    }));
});
