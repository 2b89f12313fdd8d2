/** The ledger: one entry a user. It says where a record of this run stands and keeps intents and outcomes durable in groups. It finds duplicates; it decides nothing else. */

import type { Database } from "../../sqlite/database.js";
import type { GroupCommit } from "../../sqlite/group-commit.js";
import type { Key } from "../digests.js";
import { type Absent, findAbsent } from "./absent.js";
import { createContactRows } from "./contact-rows.js";
import { createCoreIds } from "./core-ids.js";
import {
  type Admission,
  type Before,
  type Candidate,
  type Entry,
  hasContact,
  isFinishedEntry,
  type Kept,
  mayHave,
  releasedBy,
  type Settlement,
  type Standing,
} from "./entry.js";
import { MAPPED, MARK, SAW_NOBODY } from "./schema.js";
import { createScopes, type Scope } from "./scopes.js";
import { createSeenSet } from "./seen-set.js";
import { createUserRows, type Known } from "./user-rows.js";

export interface Ledger {
  /**
   * Says where a record stands and marks its user as met in this run. Nothing is written, but until
   * it is admitted or kept a record is known to those that follow; so every one that has an entry
   * must be. Records are met in the order of their rows.
   */
  meet(candidate: Candidate, scope: Scope): Standing;
  /** Claims the contacts of a finished user's new plan; others' are claimed as they are met. */
  claim(candidate: Candidate, entry: Entry): void;
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
  /**
   * Users of earlier runs, and of the scopes met in this one, who are or may be at the core and
   * whom this run hasn't met. None where it met nobody of an earlier run: then these are other
   * users' exports, not newer ones.
   */
  absent(): Absent;
}

/** @param commit the group commit of the same database */
export function createLedger(database: Database, commit: GroupCommit): Ledger {
  const seen = createSeenSet();
  // Beside those who have an entry of their own, users whose row another one's contact stands in the way of.
  const met = createSeenSet();
  let metFinished = false;
  const users = createUserRows(database);
  const { files } = users;
  const scopes = createScopes(database);
  const contacts = createContactRows(database);
  const coreIds = createCoreIds(database);
  let nextId = Number(database.prepare("SELECT coalesce(max(id), 0) + 1 FROM users").get()?.[0]);
  const scopesMet = new Set<number>();
  // What was met and isn't admitted yet, so that the tables don't hold it. Null for a contact that
  // is free from now on.
  const claimedIdentities = new Map<Key, Known>();
  const claimedContacts = new Map<Key, Known | null>();
  // The same for users of earlier runs, whom other keys of the tables may lead to.
  const claimedEntries = new Map<number, Known>();

  const current = (stored: Known | undefined): Known | undefined =>
    stored && (claimedEntries.get(stored.id) ?? stored);
  const findIdentity = (key: Key): Known | undefined =>
    claimedIdentities.get(key) ?? current(users.byIdentity(key));
  const findContact = (key: Key): Known | undefined => {
    const claim = claimedContacts.get(key);
    return claim === undefined ? current(users.byContact(key)) : (claim ?? undefined);
  };

  /** The entry that a record belongs to, undefined for a new one; or why it has none. */
  const match = (candidate: Candidate): Duplicate | { readonly found: Known | undefined } => {
    let found = findIdentity(candidate.identity);
    if (found !== undefined) {
      met.add(found.id);
      if (seen.has(found.id)) return { kind: "duplicate", first: found.row };
    }
    for (const { key } of candidate.contacts) {
      const owner = findContact(key);
      if (owner === undefined || owner.id === found?.id) continue;
      // One contact, two users: the same person only where one side has no id to differ in. Of a row
      // of this run that holds whatever else is known of the user, so that every run says the same.
      const differ = owner.keyed && candidate.keyed;
      if (!differ && seen.has(owner.id)) return { kind: "duplicate", first: owner.row };
      if (differ || found !== undefined) return { kind: "duplicate_contact", first: owner.row };
      found = owner;
    }
    if (found !== undefined || candidate.keyed) return { found };
    // Somebody without an id who is left out now, and had one in an earlier export.
    const owner = findContact(candidate.identity);
    return { found: owner === undefined || seen.has(owner.id) ? undefined : owner };
  };

  const beforeOf = ({ id, plan, kind }: Known, candidate: Candidate): Before => ({
    ...{ plan, kind },
    contacts: contacts.of(id),
    isReplaced: users.isReplaced(id, candidate.plan),
  });

  const entryOf = (candidate: Candidate, found: Known | undefined, scope: number): Entry => {
    const sawNobody = found?.sawNobody ?? SAW_NOBODY.no;
    const samePlan = found?.plan === candidate.plan && sawNobody !== SAW_NOBODY.underAnotherPlan;
    const before = found === undefined || samePlan ? null : beforeOf(found, candidate);
    const hasTried = before?.contacts.some(({ mark }) => mark === MARK.tried) === true;
    const tried = hasTried || sawNobody !== SAW_NOBODY.no;
    const { row } = candidate;
    return {
      id: found?.id ?? nextId++,
      state: found?.state ?? null,
      sawNobody: before === null ? tried : mayHave(candidate, before, sawNobody),
      tried,
      samePlan,
      before,
      mapped: found?.mapped ?? MAPPED.no,
      gainsId: found !== undefined && !found.keyed && candidate.keyed,
      moved:
        found?.row.number !== row.number || found.row.file !== row.file || found.scope !== scope,
      scope,
    };
  };

  /** Until the record is admitted, what is known of it. */
  const remember = (candidate: Candidate, entry: Entry, found: Known | undefined): void => {
    const { id, state, mapped, scope } = entry;
    const { plan, row, kind } = candidate;
    const keyed = candidate.keyed || found?.keyed === true;
    const sawNobody = found?.sawNobody ?? SAW_NOBODY.no;
    const claim: Known = { id, state, sawNobody, plan, mapped, keyed, row, kind, scope };
    if (found !== undefined) claimedEntries.set(id, claim);
    claimedIdentities.set(candidate.identity, claim);
    // A finished user keeps the contacts they have, unless those of a changed row are sent.
    if (isFinishedEntry(entry)) return;
    for (const key of releasedBy({ candidate, entry })) claimedContacts.set(key, null);
    for (const { key } of candidate.contacts) claimedContacts.set(key, claim);
  };

  const writeContacts = ({ candidate, entry }: Admission): void => {
    const { id, before, tried } = entry;
    // The same plan has the same contacts.
    if (entry.state !== null && before === null) return;
    const had = before?.contacts ?? [];
    if (isFinishedEntry(entry)) {
      const coming = candidate.contacts.filter((one) => !had.some(({ key }) => key === one.key));
      for (const contact of coming) contacts.put(id, contact, MARK.coming);
      return;
    }
    for (const key of releasedBy({ candidate, entry })) contacts.remove(id, key);
    for (const { key } of had) {
      if (tried && !hasContact(candidate, key)) contacts.mark(id, key, MARK.tried);
    }
    for (const contact of candidate.contacts) contacts.put(id, contact, MARK.held);
  };

  /** From here on the tables know the record; what somebody else has claimed since stays. */
  const release = ({ candidate, entry }: Kept): void => {
    claimedEntries.delete(entry.id);
    claimedIdentities.delete(candidate.identity);
    for (const { key } of candidate.contacts) {
      if (claimedContacts.get(key)?.id === entry.id) claimedContacts.delete(key);
    }
    for (const key of releasedBy({ candidate, entry })) {
      if (claimedContacts.get(key) === null) claimedContacts.delete(key);
    }
  };

  return {
    meet(candidate, scopeNames) {
      const scope = scopes.idOf(scopeNames);
      scopesMet.add(scope);
      const matched = match(candidate);
      if (!("found" in matched)) return matched;
      const entry = entryOf(candidate, matched.found, scope);
      seen.add(entry.id);
      met.add(entry.id);
      metFinished ||= isFinishedEntry(entry);
      remember(candidate, entry, matched.found);
      return { kind: "entry", entry };
    },
    claim(candidate, entry) {
      const claim = claimedEntries.get(entry.id);
      if (claim === undefined) return;
      for (const { key } of candidate.contacts) claimedContacts.set(key, claim);
    },
    async admit(admissions, kept = []) {
      // Outside of the shared transaction: a number that was given must not be rolled back.
      for (const { candidate } of admissions) files.idOf(candidate.row.file);
      for (const { candidate } of kept) files.idOf(candidate.row.file);
      const changed = kept.filter(({ entry }) => entry.moved || entry.gainsId);
      if (admissions.length + changed.length > 0) {
        await commit.run(() => {
          for (const admission of admissions) {
            users.admit(admission);
            writeContacts(admission);
          }
          for (const user of changed) users.keep(user);
        });
      }
      for (const admission of admissions) release(admission);
      for (const user of kept) release(user);
    },
    settle: (settlement) =>
      commit.run(() => {
        users.settle(settlement);
        const { entryId, updated } = settlement;
        for (const key of updated?.came ?? []) contacts.mark(entryId, key, MARK.held);
        for (const key of updated?.left ?? []) contacts.mark(entryId, key, MARK.left);
      }),
    settleMapping: (entryId) => commit.run(() => users.settleMapping(entryId)),
    coreIdOf: coreIds.of,
    sampleCoreIds: coreIds.sample,
    absent: () =>
      metFinished
        ? findAbsent(database, { met, scopes: [...scopesMet], files })
        : { count: 0, rows: [], sourceIds: [] },
  };
}

type Duplicate = Exclude<Standing, { readonly kind: "entry" }>;
