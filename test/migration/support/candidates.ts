/** Ledger candidates of invented people, and the shortest way through the ledger. */

import type { Checkpoint } from "../../../src/migration/checkpoint/checkpoint.js";
import type {
  Admission,
  Candidate,
  Entry,
  Settlement,
  Standing,
} from "../../../src/migration/checkpoint/ledger.js";
import { MAPPED, STATE, type State } from "../../../src/migration/checkpoint/schema.js";
import { createDigester } from "../../../src/migration/digests.js";
import type { RowRef } from "../../../src/migration/events.js";

const digester = createDigester("test");

export interface Person {
  /** The vendor's id; none where undefined. */
  readonly id?: string;
  readonly emails?: readonly string[];
  readonly plan?: string;
  readonly row?: RowRef;
}

/** A person as the ledger sees them. Without an id the first email is the identity. */
export function candidate({ id, emails = [], plan = "plan", row = at(1) }: Person): Candidate {
  const contacts = emails.map((value) => digester.contact("email", value));
  return {
    row,
    identity: id === undefined ? (contacts[0] ?? "") : digester.id("csv", "", id),
    keyed: id !== undefined,
    contacts,
    plan: digester.contact("email", plan),
    sourceId: id ?? null,
  };
}

export function at(number: number, file = "users.csv"): RowRef {
  return { file, number };
}

export function classifyOne({ ledger }: Checkpoint, person: Person): Standing {
  const [standing] = ledger.classify([candidate(person)]);
  if (standing === undefined) throw new Error("the ledger answered nothing");
  return standing;
}

/** Where a person stands, who must not be a duplicate. */
export function entryOf(checkpoint: Checkpoint, person: Person): Entry {
  const standing = classifyOne(checkpoint, person);
  if (standing.kind !== "entry") throw new Error(`unexpected ${standing.kind}`);
  return standing.entry;
}

export function admission(
  person: Person,
  entry: Entry,
  fields: Partial<Admission> = {},
): Admission {
  const { mapped } = entry;
  const outcome = { state: STATE.intent, sawNobody: false, mapped, coreId: null, code: null };
  return { candidate: candidate(person), entry, ...outcome, ...fields };
}

export function settlement(entry: Entry, fields: Partial<Settlement> = {}): Settlement {
  return {
    entryId: entry.id,
    state: STATE.imported,
    sawNobody: false,
    mapped: MAPPED.no,
    coreId: null,
    code: null,
    ...fields,
  };
}

/** Takes a person through to a state, as one run does. */
export async function bring(
  checkpoint: Checkpoint,
  person: Person,
  state: State,
  fields: Partial<Admission> = {},
): Promise<Entry> {
  const entry = entryOf(checkpoint, person);
  await checkpoint.ledger.admit([admission(person, entry, { state, ...fields })]);
  return entry;
}
