/** The ledger: one entry a user. It says where a record of this run stands and keeps intents and outcomes durable in groups. It finds duplicates; it decides nothing else. */

import type { Database } from "../../sqlite/database.js";
import type { GroupCommit } from "../../sqlite/group-commit.js";
import { type Key, keyBlob } from "../digests.js";
import type { RowRef } from "../events.js";
import { createFileIds } from "./file-ids.js";
import { createCoreIds } from "./core-ids.js";
import { packId } from "./packed-id.js";
import { isFinished, type Mapped, MAPPED, SAW_NOBODY, type State } from "./schema.js";
import { createSeenSet } from "./seen-set.js";

/** What the ledger needs to know of a record. */
export interface Candidate {
  readonly row: RowRef;
  /** Key of the identity; `keyed` says whether it is the vendor's id. */
  readonly identity: Key;
  readonly keyed: boolean;
  /** Keys of the contacts that the user is to have at the core; empty for a skip or reject. */
  readonly contacts: readonly Key[];
  readonly plan: Key;
  /** The vendor's id, or null where it must not be kept. */
  readonly sourceId: string | null;
}

/** One user's entry, as it stood before this run. */
export interface Entry {
  readonly id: number;
  /** Null for a user whom the ledger has never held. */
  readonly state: State | null;
  /** A lookup before an earlier intent found nobody at the core. */
  readonly sawNobody: boolean;
  /** Nothing else was planned for this user since the last outcome. */
  readonly samePlan: boolean;
  readonly mapped: Mapped;
  /** Known by a contact until now, and by the candidate's id from now on. */
  readonly gainsId: boolean;
  /** The ledger names another row for this user, one of an earlier run. */
  readonly moved: boolean;
}

/** Where a record stands: its own entry, or a duplicate of an earlier row. */
export type Standing =
  | { readonly kind: "entry"; readonly entry: Entry }
  | { readonly kind: "duplicate" | "duplicate_contact"; readonly first: RowRef };

/** What is written before anything is sent. */
export interface Admission {
  readonly candidate: Candidate;
  readonly entry: Entry;
  readonly state: State;
  readonly sawNobody: boolean;
  readonly mapped: Mapped;
  readonly coreId: string | null;
  readonly code: string | null;
}

/** A finished user to whom nothing happens in this run. */
export type Kept = Pick<Admission, "candidate" | "entry">;

/** What is written when the calls have ended. */
export interface Settlement {
  readonly entryId: number;
  readonly state: State;
  readonly sawNobody: boolean;
  readonly mapped: Mapped;
  readonly coreId: string | null;
  readonly code: string | null;
}

export interface Ledger {
  /**
   * Says where the records of one batch stand, in order, and marks them as seen in this run.
   * Nothing is written, but until it is admitted or kept a record is known to the batches that
   * follow; so every one that has an entry must be.
   */
  classify(batch: readonly Candidate[]): Standing[];
  /**
   * Makes intents, and outcomes that need no call, durable in one transaction. Of those who are
   * kept only a new id and a new row are noted.
   */
  admit(admissions: readonly Admission[], kept?: readonly Kept[]): Promise<void>;
  /** Makes an outcome durable, in one transaction with others of the same moment. */
  settle(settlement: Settlement): Promise<void>;
  /** Makes durable that a finished user is known by the vendor's id from now on. */
  settleMapping(entryId: number): Promise<void>;
  /** The id at the core of a finished user; null where none is kept. */
  coreIdOf(entryId: number): string | null;
  /** Ids at the core of up to `limit` randomly chosen finished users. */
  sampleCoreIds(limit: number): string[];
}

type UserRow = [
  id: number,
  state: State,
  sawNobody: number,
  plan: Buffer,
  mapped: Mapped,
  keyed: number,
  file: number,
  number: number,
];

/** An entry as stored, or as claimed by a row that isn't admitted yet. */
interface Known {
  readonly id: number;
  readonly state: State | null;
  readonly sawNobody: number;
  readonly plan: Key;
  readonly mapped: Mapped;
  readonly keyed: boolean;
  readonly row: RowRef;
}

/** @param commit the group commit of the same database */
export function createLedger(database: Database, commit: GroupCommit): Ledger {
  const select = "SELECT u.id, state, saw_nobody, plan, mapped, keyed, file, number FROM";
  const byIdentity = database.prepare<UserRow>(`${select} users u WHERE identity = ?`);
  const byContact = database.prepare<UserRow>(
    `${select} contacts JOIN users u ON u.id = contacts.user WHERE key = ?`,
  );
  const insertUser = database.prepare("INSERT INTO users VALUES (?,?,?,?,?,?,?,?,?,?,?,?)");
  const updateUser = database.prepare(
    `UPDATE users SET plan = ?, state = ?, saw_nobody = ?, file = ?, number = ?, source_id = ?,
     core_id = ?, code = ?, mapped = ? WHERE id = ?`,
  );
  const settleUser = database.prepare(
    `UPDATE users SET state = ?, saw_nobody = min(saw_nobody, ?), core_id = ?, code = ?, mapped = ?
     WHERE id = ?`,
  );
  const settleMapped = database.prepare(
    `UPDATE users SET mapped = ${MAPPED.yes}, code = NULL WHERE id = ?`,
  );
  const moveUser = database.prepare("UPDATE users SET file = ?, number = ? WHERE id = ?");
  const giveId = database.prepare("UPDATE users SET identity = ?, keyed = 1 WHERE id = ?");
  const insertContact = database.prepare("INSERT OR IGNORE INTO contacts VALUES (?, ?)");

  const seen = createSeenSet();
  const files = createFileIds(database);
  const coreIds = createCoreIds(database);
  let nextId = Number(database.prepare("SELECT coalesce(max(id), 0) + 1 FROM users").get()?.[0]);
  // What was classified and isn't admitted yet, so that the tables don't hold it.
  const claimedIdentities = new Map<Key, Known>();
  const claimedContacts = new Map<Key, Known>();
  // The same for users of earlier runs, whom other keys of the tables may lead to.
  const claimedEntries = new Map<number, Known>();

  const known = (row: UserRow | undefined): Known | undefined =>
    row &&
    (claimedEntries.get(row[0]) ?? {
      id: row[0],
      state: row[1],
      sawNobody: row[2],
      plan: row[3].toString("latin1"),
      mapped: row[4],
      keyed: row[5] === 1,
      row: { file: files.pathOf(row[6]), number: row[7] },
    });
  const findIdentity = (key: Key): Known | undefined =>
    claimedIdentities.get(key) ?? known(byIdentity.get(keyBlob(key)));
  const findContact = (key: Key): Known | undefined =>
    claimedContacts.get(key) ?? known(byContact.get(keyBlob(key)));

  const classifyOne = (candidate: Candidate): Standing => {
    let match = findIdentity(candidate.identity);
    if (match !== undefined && seen.has(match.id)) return { kind: "duplicate", first: match.row };
    for (const contact of candidate.contacts) {
      const owner = findContact(contact);
      if (owner === undefined || owner.id === match?.id) continue;
      // One contact, two users: the same person only where one side has no id to differ in.
      if (match !== undefined || (owner.keyed && candidate.keyed)) {
        return { kind: "duplicate_contact", first: owner.row };
      }
      if (seen.has(owner.id)) return { kind: "duplicate", first: owner.row };
      match = owner;
    }
    const id = match?.id ?? nextId++;
    seen.add(id);
    const { plan, row } = candidate;
    const state = match?.state ?? null;
    const sawNobody = match?.sawNobody ?? SAW_NOBODY.no;
    const keyed = candidate.keyed || match?.keyed === true;
    const mapped = match?.mapped ?? MAPPED.no;
    const claim: Known = { id, state, sawNobody, plan, mapped, keyed, row };
    const samePlan = match?.plan === plan && sawNobody !== SAW_NOBODY.underAnotherPlan;
    if (match !== undefined) claimedEntries.set(id, claim);
    claimedIdentities.set(candidate.identity, claim);
    // A finished user keeps the contacts they have: those of a changed row are not sent.
    if (samePlan || state === null || !isFinished(state)) {
      for (const contact of candidate.contacts) claimedContacts.set(contact, claim);
    }
    const entry: Entry = {
      id,
      state,
      sawNobody: sawNobody !== SAW_NOBODY.no,
      samePlan,
      mapped,
      gainsId: match !== undefined && !match.keyed && candidate.keyed,
      moved: match?.row.number !== row.number || match.row.file !== row.file,
    };
    return { kind: "entry", entry };
  };

  const writeAdmission = (admission: Admission): void => {
    const { candidate, entry, state, code, mapped } = admission;
    const { row, sourceId } = candidate;
    const plan = keyBlob(candidate.plan);
    const sawNobody = sawNobodyOf(admission);
    const coreId = admission.coreId === null ? null : packId(admission.coreId);
    const file = files.idOf(row.file);
    const { id } = entry;
    if (entry.state === null) {
      const identity = keyBlob(candidate.identity);
      const keyed = candidate.keyed ? 1 : 0;
      insertUser.run(
        ...[id, identity, keyed, plan, state, sawNobody, file, row.number],
        ...[sourceId, coreId, code, mapped],
      );
    } else {
      updateUser.run(
        ...[plan, state, sawNobody, file, row.number, sourceId, coreId, code, mapped, id],
      );
      if (entry.gainsId) giveId.run(keyBlob(candidate.identity), id);
    }
    for (const contact of candidate.contacts) insertContact.run(keyBlob(contact), id);
  };

  const writeKept = ({ candidate, entry }: Kept): void => {
    const { file, number } = candidate.row;
    if (entry.moved) moveUser.run(files.idOf(file), number, entry.id);
    if (entry.gainsId) giveId.run(keyBlob(candidate.identity), entry.id);
  };

  /** From here on the tables know the record; what somebody else has claimed since stays. */
  const release = ({ candidate, entry }: Kept): void => {
    claimedEntries.delete(entry.id);
    claimedIdentities.delete(candidate.identity);
    for (const contact of candidate.contacts) {
      if (claimedContacts.get(contact)?.id === entry.id) claimedContacts.delete(contact);
    }
  };

  return {
    classify: (batch) => batch.map(classifyOne),
    async admit(admissions, kept = []) {
      // Outside of the shared transaction: a number that was given must not be rolled back.
      for (const { candidate } of admissions) files.idOf(candidate.row.file);
      for (const { candidate } of kept) files.idOf(candidate.row.file);
      const changed = kept.filter(({ entry }) => entry.moved || entry.gainsId);
      if (admissions.length + changed.length > 0) {
        await commit.run(() => {
          for (const admission of admissions) writeAdmission(admission);
          for (const user of changed) writeKept(user);
        });
      }
      for (const admission of admissions) release(admission);
      for (const user of kept) release(user);
    },
    settle: ({ entryId, state, sawNobody, mapped, coreId, code }) =>
      commit.run(() => {
        const packed = coreId === null ? null : packId(coreId);
        const most = sawNobody ? SAW_NOBODY.underAnotherPlan : SAW_NOBODY.no;
        settleUser.run(state, most, packed, code, mapped, entryId);
      }),
    settleMapping: (entryId) => commit.run(() => void settleMapped.run(entryId)),
    coreIdOf: coreIds.of,
    sampleCoreIds: coreIds.sample,
  };
}

/** An earlier intent may have put its own plan at the core, which this one is to replace. */
function sawNobodyOf({ sawNobody, entry }: Admission): number {
  if (!sawNobody) return SAW_NOBODY.no;
  return entry.sawNobody && !entry.samePlan ? SAW_NOBODY.underAnotherPlan : SAW_NOBODY.yes;
}
