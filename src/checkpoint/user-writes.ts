/** Writes the users' rows in the checkpoint, and their contacts. */

import type { Database, SqlValue, Statement } from "../sqlite/database.js";
import { type Key, KEY_BYTES, keyBlob } from "../plan/digests.js";
import {
  hasContact,
  type IntentWrite,
  isFinishedEntry,
  type OutcomeWrite,
  type OwnContact,
  type Previous,
  releasedBy,
  sawNobodyOf,
  type Touch,
  type UserKeys,
} from "../plan/entry.js";
import { isSameNotices } from "../plan/notices.js";
import { ranksOf } from "../plan/rank.js";
import type { FileIds, NoticeSets } from "./numbered.js";
import { prepareAll } from "./statements.js";
import { packNotes, storedIn } from "./part-notes.js";
import { CONTACT, KIND, MARK, SAW_NOBODY, STATE } from "../plan/states.js";

/** Identity, plan, email (or social account) and phone of one user; a missing contact is all zeros. */
const BYTES_A_USER = 4 * KEY_BYTES;

const keyAt = (place: number): string =>
  `substr(?2, rows.key * ${BYTES_A_USER} + ${place * KEY_BYTES + 1}, ${KEY_BYTES})`;
const contactAt = (place: number): string => `nullif(${keyAt(place)}, zeroblob(${KEY_BYTES}))`;

// Rows that differ in little travel as one array and one blob: every value that is bound by
// itself would cost a tenth of what writing the row does.
const SQL = {
  insert: `INSERT INTO users SELECT rows.value->>0, ${keyAt(0)}, ?3, ${keyAt(1)}, ?4, ?5, ?6,
     rows.value->>1, rows.value->>2, ?7, ?8, ?9, ?10, ?11, ${contactAt(2)}, ${contactAt(3)}, ?12, ?13, rows.value->>3
     FROM json_each(?1) rows`,
  settle: `UPDATE users SET state = ?2, saw_nobody = min(saw_nobody, ?3), code = ?4, mapped = ?5,
     core_id = rows.value->>1, notices = coalesce(?6, notices),
     parts = iif(?7 IS NULL, coalesce(rows.value->>2, parts), ${storedIn("users.parts", "?7")})
     FROM json_each(?1) rows WHERE users.id = rows.value->>0`,
  update: `UPDATE users SET plan = ?, state = ?, saw_nobody = ?, file = ?, number = ?,
     source_id = coalesce(?, source_id), core_id = ?, code = ?, mapped = ?, kind = ?, scope = ?,
     ranks = ?, notices = ?, parts = coalesce(?, parts) WHERE id = ?`,
  move: `UPDATE users SET file = ?, number = ?, scope = ?, notices = ?, ranks = coalesce(?, ranks)
     WHERE id = ?`,
  giveId: "UPDATE users SET identity = ?, keyed = 1, source_id = ? WHERE id = ?",
  put: "INSERT OR REPLACE INTO contacts VALUES (?, ?, ?, ?)",
  hold: `UPDATE contacts SET mark = ${MARK.held} WHERE key = ? AND user = ?`,
  remove: "DELETE FROM contacts WHERE key = ? AND user = ?",
  clear: "UPDATE users SET email = nullif(email, ?1), phone = nullif(phone, ?1) WHERE id = ?2",
  someContact: "SELECT 1 FROM contacts LIMIT 1",
  takeOver: `DELETE FROM contacts WHERE key IN (SELECT ${keyAt(2)} FROM json_each(?1) rows
     UNION ALL SELECT ${keyAt(3)} FROM json_each(?1) rows)`,
  take: "INSERT OR IGNORE INTO taken VALUES (?)",
  addFormer: "INSERT OR IGNORE INTO former VALUES (?, ?)",
} as const;

/** The numbers of files and sets of notices must have been given before, as {@link FileIds.idOf} does. */
export class UserWrites {
  readonly #files: FileIds;
  readonly #sets: NoticeSets;
  readonly #sql: Readonly<Record<keyof typeof SQL, Statement>>;

  constructor(database: Database, files: FileIds, sets: NoticeSets) {
    this.#files = files;
    this.#sets = sets;
    this.#sql = prepareAll(database, SQL);
  }

  /** Writes users whom the ledger has never held. A contact may have been another user's until now. */
  insert(intents: readonly IntentWrite[]): void {
    const mayTakeOver = this.#sql.someContact.all().length > 0;
    for (const { shape, alike } of groupsOf(intents, this.#shapeOf)) {
      const rows: ListedRow[] = [];
      const texts: Key[] = [];
      for (const { keys, entry, parts } of alike) {
        const row = [entry.id, keys.row.number, keys.sourceId];
        rows.push(parts === null ? row : [...row, packNotes(parts)]);
        texts.push(textOf(keys));
      }
      const list = JSON.stringify(rows);
      const blob = keyBlob(texts.join(""));
      this.#sql.insert.run(list, blob, ...shape);
      if (mayTakeOver) this.#sql.takeOver.run(list, blob);
    }
    for (const { entry, isTaken } of intents) if (isTaken === true) this.#sql.take.run(entry.id);
  }

  /** Writes what is intended for a user of an earlier run. */
  update(intent: IntentWrite): void {
    const { keys, entry, state, code, mapped } = intent;
    const { row, sourceId } = keys;
    this.#sql.update.run(
      keyBlob(keys.plan),
      state,
      sawNobodyOf(intent),
      this.#files.idOf(row.file),
      row.number,
      sourceId,
      intent.coreId,
      code,
      mapped,
      KIND[keys.kind ?? "none"],
      entry.scope,
      ranksOf(keys.contacts),
      this.#sets.idOf(intent.notices),
      packNotes(intent.parts),
      entry.id,
    );
    if (intent.isTaken === true) this.#sql.take.run(entry.id);
    this.#adoptId(intent);
    const { previous } = entry;
    // The same plan has the same contacts.
    if (previous === null) return;
    if (isReplacing(intent, previous)) this.#sql.addFormer.run(entry.id, keyBlob(previous.plan));
    for (const key of releasedBy(intent)) this.#remove(entry.id, key);
    for (const contact of contactsAfter(intent, previous)) {
      this.#sql.put.run(keyBlob(contact.key), entry.id, CONTACT[contact.kind], contact.mark);
    }
  }

  /** Notes a new id, a new row, another right to a contact and what is told anew. */
  touch(touch: Touch): void {
    const { entry, keys, notices } = touch;
    const { file, number } = keys.row;
    if (isNews(touch)) {
      const set = this.#sets.idOf(notices);
      // Those of another plan are of contacts that the user doesn't have.
      const ranks = entry.samePlan ? ranksOf(keys.contacts) : null;
      this.#sql.move.run(this.#files.idOf(file), number, entry.scope, set, ranks, entry.id);
    }
    this.#adoptId(touch);
  }

  settle(outcomes: readonly OutcomeWrite[]): void {
    for (const { shape, alike } of groupsOf(outcomes, this.#endOf)) {
      const rows: ListedRow[] = [];
      for (const { entryId, coreId, parts } of alike) {
        rows.push(parts === null ? [entryId, coreId] : [entryId, coreId, packNotes(parts)]);
      }
      this.#sql.settle.run(JSON.stringify(rows), ...shape);
    }
    for (const { entryId, updated, isTaken } of outcomes) {
      if (isTaken === true) this.#sql.take.run(entryId);
      for (const key of updated?.came ?? []) this.#sql.hold.run(keyBlob(key), entryId);
      for (const key of updated?.left ?? []) this.#remove(entryId, key);
    }
  }

  #remove(user: number, contact: Key): void {
    this.#sql.remove.run(keyBlob(contact), user);
    this.#sql.clear.run(keyBlob(contact), user);
  }

  #adoptId({ keys, entry }: Touch): void {
    if (!entry.gainsId) return;
    this.#sql.giveId.run(keyBlob(keys.identity), keys.sourceId, entry.id);
  }

  /** What many new users have in common: all but their keys, row and id. */
  readonly #shapeOf = (intent: IntentWrite): SqlValue[] => {
    const { keys, entry, state, code, mapped, coreId } = intent;
    const { keyed, kind, row } = keys;
    const file = this.#files.idOf(row.file);
    const saw = sawNobodyOf(intent);
    const ranks = ranksOf(keys.contacts);
    const { scope } = entry;
    const set = this.#sets.idOf(intent.notices);
    return [
      keyed ? 1 : 0,
      state,
      saw,
      file,
      coreId,
      code,
      mapped,
      KIND[kind ?? "none"],
      scope,
      ranks,
      set,
    ];
  };

  /** What many outcomes have in common: all but the user, their id at the core and what of the account is there. */
  readonly #endOf = (outcome: OutcomeWrite): SqlValue[] => {
    const { state, sawNobody, mapped, code, notices, allParts = null } = outcome;
    const most = sawNobody ? SAW_NOBODY.underAnotherPlan : SAW_NOBODY.no;
    const set = notices === null ? null : this.#sets.idOf(notices);
    return [state, most, code, mapped, set, allParts];
  };
}

/** Whether an entry says something else of the row, where nothing happens to its user. */
export function isNews({ entry, notices }: Touch): boolean {
  return entry.moved || !isSameNotices(entry.notices, notices);
}

/** The keys of one user, behind each other. One text for all takes half the time of each key by itself. */
function textOf({ identity, plan, contacts }: UserKeys): Key {
  let email: Key | null = null;
  let phone: Key | null = null;
  for (const { key, kind } of contacts) {
    if (kind === "phone") phone ??= key;
    else email ??= key;
  }
  return identity + plan + (email ?? NO_KEY) + (phone ?? NO_KEY);
}

const NO_KEY: Key = "\0".repeat(KEY_BYTES);

/**
 * A row of a list in JSON. Its notes are a text in it: as a list SQLite took as long for them as for
 * all the rest.
 */
type ListedRow = readonly (number | string | null)[];

/** Users who have all but a list's values in common. */
interface Group<T> {
  readonly shape: readonly SqlValue[];
  readonly alike: T[];
}

function groupsOf<T>(
  items: readonly T[],
  shapeOf: (item: T) => readonly SqlValue[],
): Iterable<Group<T>> {
  const groups = new Map<string, Group<T>>();
  let last: Group<T> | null = null;
  for (const item of items) {
    const shape = shapeOf(item);
    if (last === null || !isSame(shape, last.shape)) {
      const name = shape.join("\n");
      last = groups.get(name) ?? { shape, alike: [] };
      groups.set(name, last);
    }
    last.alike.push(item);
  }
  return groups.values();
}

function isSame(one: readonly SqlValue[], other: readonly SqlValue[]): boolean {
  for (let place = 0; place < one.length; place += 1) {
    if (one[place] !== other[place]) return false;
  }
  return true;
}

/** The contacts of a user of an earlier run that don't stand in their row as they are from now on. */
function contactsAfter({ keys, entry }: IntentWrite, previous: Previous): readonly OwnContact[] {
  const had = previous.contacts;
  const { contacts, kind } = keys;
  if (isFinishedEntry(entry)) {
    const coming = contacts.filter(({ key }) => !had.some((one) => one.key === key));
    // What the contacts of a row are, the kind of its plan says.
    const listed = previous.kind === kind ? [] : had;
    return [...listed, ...coming.map((contact) => ({ ...contact, mark: MARK.coming }))];
  }
  const gone = had.filter(({ key }) => entry.tried && !hasContact(keys, key));
  return [
    ...gone.map((contact) => ({ ...contact, mark: MARK.tried })),
    ...contacts.map((contact) => ({ ...contact, mark: MARK.held })),
  ];
}

/** Whether a newer hash replaces an earlier one. Once it may be at the core, no earlier hash may return; an email may. */
function isReplacing({ keys, entry, state }: IntentWrite, previous: Previous): boolean {
  const isSent = isFinishedEntry(entry) || state === STATE.intent;
  const isNewer = previous.plan !== keys.plan && !previous.isReplaced;
  const { contacts } = previous;
  const isHeld = contacts.some(({ key, mark }) => mark === MARK.held && hasContact(keys, key));
  return keys.kind === "import" && isSent && isNewer && isHeld;
}
