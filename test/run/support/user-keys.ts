/** Ledger candidates of invented people, and the shortest way through the ledger. */

import { tmpdir } from "node:os";
import type { Checkpoint } from "../../../src/checkpoint/checkpoint.js";
import {
  type ContactKey,
  type Entry,
  type IntentWrite,
  NO_NOTICES_YET,
  type OutcomeWrite,
  type PlanKind,
  type Touch,
  type UserKeys,
} from "../../../src/plan/entry.js";
import { MAPPED, STATE, type State } from "../../../src/plan/states.js";
import { NO_PARTS } from "../../../src/plan/parts.js";
import { createDigester } from "../../../src/plan/digests.js";
import type { RowRef } from "../../../src/events/events.js";
import { RANK, type Rank } from "../../../src/plan/rank.js";
import { openScratch } from "../../../src/sqlite/database.js";
import { TABLES } from "../../../src/stage/questions.js";
import { HeldKeys } from "../../../src/stage/held-keys.js";
import { type Repeating, RowMatcher } from "../../../src/stage/matcher.js";

const digester = createDigester("test");

/** What is known of a user whom no run has sent. */
export const NEW: Entry = {
  id: 7,
  state: null,
  sawNobody: false,
  samePlan: false,
  mapped: MAPPED.no,
  parts: null,
  gainsId: false,
  moved: true,
  tried: false,
  previous: null,
  scope: 1,
  notices: NO_NOTICES_YET,
};

export interface Person {
  /** The vendor's id; none where undefined. */
  readonly id?: string;
  readonly emails?: readonly string[];
  readonly phone?: string;
  /** By what right they have their contacts; not said by default. */
  readonly rank?: Rank;
  /** As a user with a password by default. */
  readonly kind?: PlanKind | null;
  readonly plan?: string;
  readonly row?: RowRef;
}

/** A person as the ledger sees them. Without an id the first email is the identity. */
export function userKeys(person: Person): UserKeys {
  const { id, emails = [], phone, kind = "import", plan = "plan", row = at(1) } = person;
  const keys: ContactKey[] = emails.map((value) => contactKey("email", value));
  if (phone !== undefined) keys.push(contactKey("phone", phone));
  const contacts = keys.map((key) => ({ ...key, rank: person.rank ?? RANK.notSaid }));
  return {
    row,
    identity: id === undefined ? (contacts[0]?.key ?? "") : digester.id("csv", "", id),
    keyed: id !== undefined,
    kind,
    contacts,
    reserved: [],
    plan: digester.contact("email", plan),
    parts: NO_PARTS,
    sourceId: id ?? null,
  };
}

export function contactKey(kind: ContactKey["kind"], value: string): ContactKey {
  return { kind, key: digester.contact(kind, value) };
}

/** The source and namespace of these people. */
export const SCOPE = { source: "csv", namespace: "" };

export function at(number: number, file = "users.csv"): RowRef {
  return { file, number };
}

/** Who a row is: a user with an entry, or a duplicate. */
export type Match = { readonly kind: "entry"; readonly entry: Entry } | Repeating;

/** Rows that came before, by the checkpoint of their run. */
const MATCHERS = new WeakMap<
  Checkpoint,
  { readonly matcher: RowMatcher; readonly rows: RowRef[] }
>();

/** What earlier runs know of every key, for a stage that asks of each row. */
export const EVERY_KEY = `
  INSERT INTO held (key, stored, claimed)
    SELECT CAST(key AS TEXT), max(user), max(owner) FROM user_keys GROUP BY key`;

/** Who a row is that comes next, as the stage says it of each. */
export function matchNext(checkpoint: Checkpoint, keys: UserKeys): Match {
  const { ledger } = checkpoint;
  let known = MATCHERS.get(checkpoint);
  if (known === undefined) {
    const database = openScratch(tmpdir(), ledger.database);
    database.exec(TABLES + EVERY_KEY);
    const rows: RowRef[] = [];
    const placeOf = (number: number): RowRef => rows[number - 1] ?? at(number);
    known = { matcher: new RowMatcher(new HeldKeys(database), ledger.users, placeOf), rows };
    MATCHERS.set(checkpoint, known);
  }
  const match = known.matcher.match(keys, known.rows.push(keys.row));
  if (match.kind !== "entry") return match;
  return { kind: "entry", entry: ledger.entryOf(keys, match.entry?.id ?? null, SCOPE) };
}

export function classifyOne(checkpoint: Checkpoint, person: Person): Match {
  return matchNext(checkpoint, userKeys(person));
}

/** Where a person stands, who must not be a duplicate. */
export function entryOf(checkpoint: Checkpoint, person: Person): Entry {
  const match = classifyOne(checkpoint, person);
  if (match.kind !== "entry") throw new Error(`unexpected ${match.kind}`);
  return match.entry;
}

export function intent(
  person: Person,
  entry: Entry,
  fields: Partial<IntentWrite> = {},
): IntentWrite {
  const { mapped } = entry;
  const outcome = {
    state: STATE.intent,
    sawNobody: false,
    mapped,
    coreId: null,
    code: null,
    parts: null,
  };
  return { ...touch(person, entry), ...outcome, ...fields };
}

export function touch(person: Person, entry: Entry): Touch {
  return { keys: userKeys(person), entry, notices: NO_NOTICES_YET };
}

export function outcome(entry: Entry, fields: Partial<OutcomeWrite> = {}): OutcomeWrite {
  return {
    entryId: entry.id,
    state: STATE.imported,
    sawNobody: false,
    mapped: MAPPED.no,
    coreId: null,
    code: null,
    parts: null,
    updated: null,
    notices: null,
    ...fields,
  };
}

/** Takes a person through to a state, as one run does. */
export async function bring(
  checkpoint: Checkpoint,
  person: Person,
  state: State,
  fields: Partial<IntentWrite> = {},
): Promise<Entry> {
  const entry = entryOf(checkpoint, person);
  await checkpoint.ledger.writeIntents([intent(person, entry, { state, ...fields })]);
  return entry;
}
