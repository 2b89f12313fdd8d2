/** Users as the checkpoint's rows tell them: found by number, or by a key once all keys are sorted. It decides nothing. */

import { tmpdir } from "node:os";
import { type Key, keyBlob } from "../plan/digests.js";
import type { ContactKey, KnownUser, KnownUsers, OwnContact, PlanKind } from "../plan/entry.js";
import { allOpen } from "../plan/parts.js";
import {
  CONTACT,
  type ContactKind,
  isFinished,
  KIND,
  type Kind,
  type Mapped,
  MARK,
  type Mark,
  type State,
} from "../plan/states.js";
import { type Database, openScratch, type Statement } from "../sqlite/database.js";
import { inScratch } from "../sqlite/scratch-file.js";
import type { FileIds, NoticeSets } from "./numbered.js";
import { readNotes } from "./part-notes.js";

type UserRow = [
  id: number,
  state: State,
  sawNobody: number,
  plan: Buffer,
  mapped: Mapped,
  keyed: number,
  file: number,
  number: number,
  kind: Kind,
  scope: number,
  ranks: number,
  notices: number,
  parts: string | null,
];

const COLUMNS =
  "id, state, saw_nobody, plan, mapped, keyed, file, number, kind, scope, ranks, notices, parts";

export class StoredUsers implements KnownUsers {
  readonly contactsOf: (user: number) => readonly OwnContact[];
  readonly #files: FileIds;
  readonly #sets: NoticeSets;
  readonly #byIds: Statement<UserRow>;
  readonly #former: Statement;
  readonly #mended: Statement;

  constructor(database: Database, files: FileIds, sets: NoticeSets) {
    this.contactsOf = contactsReader(database);
    this.#files = files;
    this.#sets = sets;
    this.#byIds = database.prepare(
      `SELECT ${COLUMNS} FROM users WHERE id IN (SELECT value FROM json_each(?))`,
    );
    this.#former = database.prepare("SELECT 1 FROM former WHERE user = ? AND plan = ?");
    this.#mended = database.prepare("SELECT 1 FROM told_rows WHERE user = ? AND plan = ?");
  }

  byId(id: number): KnownUser | undefined {
    return this.byIds([id]).get(id);
  }

  /** Several at once, which takes a third of the time of one by one. */
  byIds(ids: readonly number[]): ReadonlyMap<number, KnownUser> {
    const rows = this.#byIds.all(JSON.stringify(ids));
    return new Map(rows.map((row) => [row[0], this.#userOf(row)]));
  }

  isReplaced(user: number, plan: Key): boolean {
    return this.#former.get(user, keyBlob(plan)) !== undefined;
  }

  /** Whether a row of this plan was rejected for its contact, and mended before it brought the user. */
  isMended(user: number, plan: Key): boolean {
    return this.#mended.get(user, keyBlob(plan)) !== undefined;
  }

  #userOf(row: UserRow): KnownUser {
    const [id, state, sawNobody, plan, mapped, keyed, file, number, kind, scope, ...last] = row;
    const [ranks, told, notes] = last;
    const parts = readNotes(notes);
    return {
      id,
      state,
      sawNobody,
      plan: plan.toString("latin1"),
      mapped,
      keyed: keyed === 1,
      row: { file: this.#files.pathOf(file), number },
      kind: PLAN_KINDS[kind],
      scope,
      ranks,
      notices: this.#sets.of(told),
      parts: isFinished(state) ? parts : allOpen(parts),
    };
  }
}

const PLAN_KINDS = {
  [KIND.import]: "import",
  [KIND.passwordless]: "passwordless",
  [KIND.thirdparty]: "thirdparty",
  [KIND.none]: null,
} as const satisfies Record<Kind, PlanKind | null>;

const CONTACT_KINDS = {
  [CONTACT.email]: "email",
  [CONTACT.phone]: "phone",
  [CONTACT.social]: "social",
} as const satisfies Record<ContactKind, ContactKey["kind"]>;

/** The contacts that users have, had or are about to have. */
function contactsReader(database: Database): (user: number) => OwnContact[] {
  const inRow = (contact: "email" | "phone", kind: string): string => `
     UNION ALL SELECT ${contact}, ${kind}, ${MARK.held} FROM users
     WHERE id = ?1 AND ${contact} NOT NULL AND ${contact} NOT IN (SELECT key FROM contacts)`;
  const select = database.prepare<[Buffer, ContactKind, Mark]>(
    `SELECT key, kind, mark FROM contacts WHERE user = ?1
     ${inRow("email", `iif(kind = ${KIND.thirdparty}, ${CONTACT.social}, ${CONTACT.email})`)}
     ${inRow("phone", `${CONTACT.phone}`)}`,
  );
  return (user) =>
    select.all(user).map(([key, kind, mark]) => ({
      key: key.toString("latin1"),
      kind: CONTACT_KINDS[kind],
      mark,
    }));
}

/** What a user is looked for by. */
export interface Wanted {
  /** Key of the identity; `keyed` says whether it is the vendor's id. */
  readonly identity: Key;
  readonly keyed: boolean;
  readonly contacts: readonly Key[];
}

type Found = [user: number | null, owner: number | null, keyed: 0 | 1];

/**
 * Finds the users of an export that is read once more, as they were at the first question. It claims
 * nothing and finds no duplicates.
 */
export function createUserFinder(database: Database) {
  const contactsOf = contactsReader(database);
  const search = database.prepare<Found>(
    "SELECT user, owner, keyed FROM temp.sorted LEFT JOIN users ON id = owner WHERE key = ?",
  );
  /** The contacts that a user has by the last plan that was carried out. */
  const heldBy = (user: number): readonly Key[] =>
    contactsOf(user).flatMap(({ key, mark }) => (mark === MARK.held ? [key] : []));
  let isSorted = false;
  const sortKeys = (): void =>
    openScratch(tmpdir(), database).exec(
      `CREATE TEMP TABLE sorted (key BLOB PRIMARY KEY, user INTEGER, owner INTEGER) WITHOUT ROWID;
       INSERT INTO sorted SELECT key, max(user), max(owner) FROM user_keys GROUP BY key`,
    );
  const lookUp = (key: Key): Found => {
    if (!isSorted) inScratch(tmpdir(), () => database, sortKeys);
    isSorted = true;
    return search.all(keyBlob(key))[0] ?? [null, null, 0];
  };
  return {
    /** The user's number: by identity, else by a contact where one side has no id; null where there is none. */
    find({ identity, keyed, contacts }: Wanted): number | null {
      const [own] = lookUp(identity);
      if (own !== null) return own;
      for (const contact of contacts) {
        const [, owner, hasId] = lookUp(contact);
        if (owner !== null && !(keyed && hasId === 1)) return owner;
      }
      return null;
    },
    /** The user who holds a contact; null where none does. */
    holderOf(contact: Key): number | null {
      const [, owner] = lookUp(contact);
      return owner !== null && heldBy(owner).includes(contact) ? owner : null;
    },
    contactsOf,
    heldBy,
  };
}
