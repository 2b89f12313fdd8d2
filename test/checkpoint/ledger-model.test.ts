import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { type Checkpoint, openCheckpoint } from "../../src/checkpoint/checkpoint.js";
import type { IntentWrite, Touch } from "../../src/plan/entry.js";
import { isFinished, STATE, type State } from "../../src/plan/states.js";
import { temporaryPaths } from "../support/temporary-folder.js";
import { intent, at, classifyOne, type Person, outcome, touch } from "../run/support/user-keys.js";
import { repeated } from "../support/repeated.js";

/** How many stories are played; each crash is a real file closed and opened again. */
const RUNS = repeated({ variable: "AUTH_MIGRATE_TEST_RUNS", few: 10, full: 30 });

/** One user as the plain model knows them. Ids and contacts are found by looking at everybody. */
interface Known {
  readonly serial: number;
  id: string | undefined;
  readonly contacts: Set<string>;
  plan: string;
  state: State;
  row: number;
}

/** What happened to a row, in the words of ledger and model alike. */
type Verdict =
  | { readonly kind: "entry"; readonly state: State | null; readonly samePlan: boolean }
  | { readonly kind: "duplicate" | "duplicate_contact"; readonly first: number };

let serials = 0;

/** The ledger in a few lines: no tables, no claims, no packing. */
class Model {
  /** What would be there after a crash, and what this run knows beside it. */
  durable: Known[] = [];
  users: Known[] = [];
  seen = new Set<Known>();

  crash(): void {
    this.users = this.durable.map((user) => ({ ...user, contacts: new Set(user.contacts) }));
    this.durable = [];
    this.seen = new Set();
    this.save(this.users);
  }

  /** Makes users as they are now durable. */
  save(users: readonly Known[]): void {
    for (const user of users) {
      const copy = { ...user, contacts: new Set(user.contacts) };
      const index = this.durable.findIndex(({ serial }) => serial === user.serial);
      if (index === -1) this.durable.push(copy);
      else this.durable[index] = copy;
    }
  }

  match({ id, emails = [], plan = "" }: Person, row: number): { verdict: Verdict; user?: Known } {
    let match = this.users.find((user) =>
      id === undefined
        ? user.id === undefined && user.contacts.has(emails[0] ?? "")
        : user.id === id,
    );
    if (match !== undefined && this.seen.has(match)) return duplicate("duplicate", match);
    for (const contact of emails) {
      const owner = this.users.find((user) => user.contacts.has(contact));
      if (owner === undefined || owner === match) continue;
      const differ = owner.id !== undefined && id !== undefined;
      if (!differ && this.seen.has(owner)) return duplicate("duplicate", owner);
      if (differ || match !== undefined) return duplicate("duplicate_contact", owner);
      match = owner;
    }
    const state = match?.state ?? null;
    const samePlan = match?.plan === plan;
    serials += 1;
    const user = match ?? {
      serial: serials,
      id,
      contacts: new Set(),
      plan,
      state: STATE.planned,
      row,
    };
    if (match === undefined) this.users.push(user);
    this.seen.add(user);
    user.id ??= id;
    user.row = row;
    const changesNothing = state !== null && isFinished(state);
    if (!changesNothing) {
      if (!samePlan) user.contacts.clear();
      user.plan = plan;
      for (const contact of emails) user.contacts.add(contact);
    }
    return { verdict: { kind: "entry", state, samePlan }, user };
  }
}

function duplicate(kind: "duplicate" | "duplicate_contact", first: Known): { verdict: Verdict } {
  return { verdict: { kind, first: first.row } };
}

/** What a run does, step by step. Batches wait for their admission, and users for their outcome. */
type Step =
  | { readonly kind: "batch"; readonly people: readonly Person[] }
  | { readonly kind: "admit" }
  | { readonly kind: "settle"; readonly state: State }
  | { readonly kind: "crash" };

const person: fc.Arbitrary<Person> = fc
  .record({
    id: fc.option(fc.constantFrom("1", "2", "3", "4", "5", "6"), { nil: undefined, freq: 4 }),
    email: fc.constantFrom("a", "b", "c", "d", "e", "f").map((name) => `${name}@example.com`),
    plan: fc.constantFrom("one", "two"),
  })
  .map(({ id, email, plan }) => ({
    ...(id === undefined ? {} : { id }),
    emails: [email],
    plan: `${email} ${plan}`,
  }));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("batch" as const),
      people: fc.array(person, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: "admit" as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("settle" as const),
      state: fc.constantFrom(STATE.imported, STATE.failed, STATE.rejected),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "crash" as const }) },
);

interface Waiting {
  readonly intents: IntentWrite[];
  readonly kept: Touch[];
  readonly users: Known[];
}

const newPath = temporaryPaths();
let open: Checkpoint | undefined;
afterAll(() => open?.close());

async function play(steps: readonly Step[]): Promise<void> {
  open?.close();
  const path = newPath("checkpoint");
  let checkpoint = openCheckpoint(path);
  open = checkpoint;
  const model = new Model();
  let waiting: Waiting[] = [];
  let inFlight: { readonly user: Known; readonly intent: IntentWrite }[] = [];
  let row = 0;

  for (const each of steps) {
    if (each.kind === "batch") {
      const people = each.people.map((one) => ({ ...one, row: at(++row) }));
      const matches = people.map((one) => classifyOne(checkpoint, one));
      const batch: Waiting = { intents: [], kept: [], users: [] };
      for (const [index, one] of people.entries()) {
        const match = matches[index]!;
        const { verdict, user } = model.match(one, one.row.number);
        if (match.kind !== "entry") {
          expect({ kind: match.kind, first: match.first.number }).toEqual(verdict);
          continue;
        }
        const { state, samePlan } = match.entry;
        expect({ kind: "entry", state, samePlan }).toEqual(verdict);
        batch.users.push(user!);
        if (state !== null && isFinished(state)) {
          batch.kept.push(touch(one, match.entry));
        } else batch.intents.push(intent(one, match.entry));
      }
      waiting.push(batch);
    } else if (each.kind === "admit") {
      const batch = waiting.shift();
      if (batch === undefined) continue;
      await checkpoint.ledger.writeIntents(batch.intents, batch.kept);
      for (const user of batch.users) if (!isFinished(user.state)) user.state = STATE.intent;
      model.save(batch.users);
      const sent = batch.users.filter(({ state }) => state === STATE.intent);
      inFlight.push(...batch.intents.map((one, index) => ({ user: sent[index]!, intent: one })));
    } else if (each.kind === "settle") {
      const next = inFlight.shift();
      if (next === undefined) continue;
      await checkpoint.ledger.settle([outcome(next.intent.entry, { state: each.state })]);
      next.user.state = each.state;
      model.save([next.user]);
    } else {
      checkpoint.close();
      checkpoint = openCheckpoint(path);
      open = checkpoint;
      waiting = [];
      inFlight = [];
      model.crash();
    }
  }
}

describe("the ledger", () => {
  it("agrees with a plain list of users through any order of batches, admissions, outcomes and crashes", async () => {
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), play), {
      numRuns: RUNS,
    });
  });
});
