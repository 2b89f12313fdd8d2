/** The users who are at the core as far as the checkpoint knows, each with the vendor's id and the core's: all of them, or some at random. It reads; who is finished, the ledger writes. */

import type { RowRef } from "../events/events.js";
import type { Notices, PlanKind } from "../plan/entry.js";
import type { PartNotes } from "../plan/parts.js";
import { CONTACT, KIND, type Kind, MAPPED, type Mapped, MARK, STATE } from "../plan/states.js";
import type { Database } from "../sqlite/database.js";
import { FileIds, NoticeSets, type Scope, Scopes } from "./numbered.js";
import { readNotes } from "./part-notes.js";

const PAGE = 500;
/** Places to look at for one user of a sample. */
const TRIES_FOR_ONE = 4;
/** Entries looked at from a place on: there may be millions of others before the next finished user. */
const REACH = 1000;

/** A user at the core, and which user at the vendor that was. */
export interface MigratedUser {
  readonly outcome: "imported" | "created" | "existed";
  /** The core's own id; null where none is kept. */
  readonly coreId: string | null;
  /** Null where the export gave none, or one that looks like a contact. */
  readonly sourceId: string | null;
  /** Of which source and namespace the vendor's id is. */
  readonly scope: Scope;
  /** Whether the core knows the user by the vendor's id (`--keep-ids`), so that it stays valid. */
  readonly idKept: boolean;
  /** False for a user who was at the core before this migration, also where their password was replaced. */
  readonly isNew: boolean;
  /** True for a new user whom a lookup alone shows to be ours: a stranger may have signed up between. */
  readonly isTaken: boolean;
  /** The row that named this user last. */
  readonly row: RowRef;
}

/** The same beside the checkpoint's entry. */
export interface FinishedUser extends MigratedUser {
  readonly id: number;
  /** How this migration brought the user; null where they were there before. */
  readonly kind: PlanKind | null;
  /** A change of that has begun, as `hasBegun` says it of an entry: there may be one more user of ours. */
  readonly isChanging: boolean;
}

/** A user whom this migration has brought. */
export interface BroughtUser extends Pick<FinishedUser, "id"> {
  readonly coreId: string;
}

/** What a finished user's state says: the outcome, and how they were brought unless by a social account. */
const ENDS = {
  [STATE.imported]: ["imported", "import"],
  [STATE.created]: ["created", "passwordless"],
  [STATE.existed]: ["existed", null],
} as const;

const IS_CHANGING = `state = ${STATE.created} AND (kind = ${KIND.import} OR (kind = ${KIND.thirdparty}
  AND EXISTS (SELECT 1 FROM contacts c WHERE c.user = users.id AND c.kind = ${CONTACT.social}
    AND c.mark = ${MARK.coming})))`;

const IS_FINISHED = `WHERE state IN (${Object.keys(ENDS).join(", ")})`;

type FinishedState = keyof typeof ENDS;

type Row = [
  id: number,
  state: FinishedState,
  coreId: string | null,
  file: number,
  number: number,
  sourceId: string | null,
  mapped: Mapped,
  kind: Kind,
  scope: number,
  isTaken: 0 | 1,
  isChanging: 0 | 1,
];

export function createFinishedUsers(database: Database) {
  const finished = `SELECT id, state, core_id, file, number, source_id, mapped, kind, scope,
      id IN (SELECT user FROM taken), ${IS_CHANGING}
    FROM users ${IS_FINISHED}`;
  const beyond = database.prepare<Row>(`${finished} AND id > ? ORDER BY id LIMIT ?`);
  const one = database.prepare<Row>(`${finished} AND id = ?`);
  const near = database.prepare<Row>(
    `${finished} AND id > ? AND id <= ? + ${REACH} ORDER BY id LIMIT 1`,
  );
  const latest = database.prepare<[number | null]>("SELECT max(id) FROM users");
  const mended = database.prepare(
    `SELECT 1 FROM files f JOIN told_rows t ON t.file = f.id JOIN users u ON u.id = t.user
     ${IS_FINISHED} AND f.value = ? AND t.number = ? AND NOT EXISTS
     (SELECT 1 FROM other_rows o WHERE o.file = t.file AND o.number = t.number)`,
  );
  const asUser = userReader(database);
  return {
    /** All of them, in the order in which they were first read. */
    *all(): Generator<FinishedUser> {
      for (let last: number | undefined = 0; last !== undefined; ) {
        const page: Row[] = beyond.all(last, PAGE);
        for (const row of page) yield asUser(row);
        last = page.at(-1)?.[0];
      }
    },
    /** Up to `limit` of them, each once. Where the checkpoint has hardly more than that, use `all`. */
    sample(limit: number, random: () => number): FinishedUser[] {
      const most = latest.all()[0]?.[0] ?? 0;
      const found = new Map<number, FinishedUser>();
      for (let tries = 0; tries < limit * TRIES_FOR_ONE && found.size < limit; tries += 1) {
        // A random place in the order of ids, and the first finished user from there on.
        const place = Math.floor(random() * most);
        const [row] = near.all(place, place);
        if (row !== undefined) found.set(row[0], asUser(row));
      }
      // Where few are finished, those who come first do as well.
      const first = found.size < limit ? beyond.all(0, limit) : [];
      for (const row of first) if (found.size < limit) found.set(row[0], asUser(row));
      return [...found.values()];
    },
    /** Whether one of them has come by a mended row in place of this one, which is refused no more. */
    hasMended: ({ file, number }: RowRef) => mended.all(JSON.stringify(file), number).length > 0,
    /** One of them; null where the entry isn't finished. */
    find(entryId: number): FinishedUser | null {
      const [row] = one.all(entryId);
      return row === undefined ? null : asUser(row);
    },
    beside: besideReader(database),
  };
}

/** @returns what was sent of the account of one of them, null where nothing was, and what is told of them */
function besideReader(database: Database) {
  const beside = database.prepare<[string | null, number]>(
    "SELECT parts, notices FROM users WHERE id = ?",
  );
  const sets = new NoticeSets(database);
  return (entryId: number): { readonly parts: PartNotes | null; readonly notices: Notices } => {
    const [[parts, set] = [null, 0]] = beside.all(entryId);
    return { parts: readNotes(parts), notices: sets.of(set) };
  };
}

/** All whom this migration brought and whose id at the core is kept. Users who were there before are left out: several rows may lead to one. */
export function* broughtUsers(database: Database): Generator<BroughtUser> {
  // As one text: a row of the driver's for each user takes seven times as long.
  const page = database.prepare<[string, number | null]>(
    `SELECT json_group_array(json_array(id, core_id)), max(id)
     FROM (SELECT id, core_id FROM users WHERE state IN (${STATE.imported}, ${STATE.created})
      AND core_id IS NOT NULL AND id > ? ORDER BY id LIMIT ${PAGE})`,
  );
  for (let last = 0; ; ) {
    const [text = "[]", end = null] = page.all(last)[0] ?? [];
    if (end === null) return;
    last = end;
    const rows: [number, string][] = JSON.parse(text);
    for (const [id, coreId] of rows) yield { id, coreId };
  }
}

function userReader(database: Database): (row: Row) => FinishedUser {
  const files = new FileIds(database);
  const scopes = new Scopes(database);
  return ([id, state, coreId, file, number, sourceId, mapped, kind, scope, ...marks]) => {
    const [isTaken, isChanging] = marks;
    const [outcome, ownKind] = ENDS[state];
    return {
      id,
      outcome,
      kind: kind === KIND.thirdparty && state === STATE.created ? "thirdparty" : ownKind,
      coreId,
      sourceId,
      scope: scopes.of(scope),
      idKept: mapped === MAPPED.yes,
      isNew: isNew(outcome, mapped, { coreId, sourceId }),
      isTaken: isTaken === 1,
      isChanging: isChanging === 1,
      row: { file: files.pathOf(file), number },
    };
  };
}

/** Whether this migration made the user. Who isn't certain to be new counts as one who was there. */
function isNew(
  outcome: MigratedUser["outcome"],
  mapped: Mapped,
  { coreId, sourceId }: Pick<MigratedUser, "coreId" | "sourceId">,
): boolean {
  if (outcome === "existed" || mapped === MAPPED.never) return false;
  // A user who is kept under the vendor's own id had it before: of ours the core's own id is kept.
  return mapped === MAPPED.no || coreId !== sourceId;
}
