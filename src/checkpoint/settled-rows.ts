/** Rows of users who are at the core by an earlier run, and of whom they say what they said before. A run that has found them by one reading needs no second one of them. */

import type { Commit } from "../sqlite/group-commit.js";
import type { Database } from "../sqlite/database.js";
import type { Key } from "../plan/digests.js";
import { type Entry, ranksOf, type UserKeys } from "../plan/entry.js";
import { packRanks, RANK, rankIn } from "../plan/rank.js";
import { isFinished, SAW_NOBODY } from "../plan/states.js";
import { Bitset } from "../keys/bitset.js";
import type { FileIds } from "./file-ids.js";
import type { KeyIndex } from "./key-index.js";
import type { UserMatcher } from "./matcher.js";
import { RowPlaces } from "./row-places.js";
import type { Scope, Scopes } from "./scopes.js";
import type { UserRows } from "./user-rows.js";

/** Rows that follow each other, of users whose numbers do. */
export interface RowsOfUsers {
  readonly file: string;
  /** Of the first row. */
  readonly number: number;
  readonly rows: number;
  /** The entry's number of the first row's user. */
  readonly user: number;
}

/** The users of earlier runs whom a row names. */
export interface Named {
  /** By its identity or by a contact. */
  readonly users: readonly number[];
  /** Those of them who have a contact to which the row has a better right. */
  readonly outranked: readonly number[];
}

/** What the ledger has. */
interface LedgerParts {
  readonly users: UserRows;
  readonly matcher: UserMatcher;
  readonly files: FileIds;
  readonly scopes: Scopes;
  readonly commit: Commit;
  readonly index: KeyIndex;
}

export class SettledRows {
  readonly #parts: LedgerParts;
  readonly #places: RowPlaces;
  /** Users who stand by `places`. */
  readonly #placed = new Bitset();

  constructor(database: Database, parts: LedgerParts) {
    this.#parts = parts;
    this.#places = new RowPlaces(database);
  }

  /** Prepares to ask for these records. */
  expect(users: readonly UserKeys[]): void {
    this.#parts.users.forget();
    this.#parts.users.expect(users);
  }

  /** The next records to be asked for are those behind this user. */
  passOver(user: number): void {
    this.#parts.users.goOnBehind(user);
  }

  /** All were asked for; the run begins with the first of them. */
  end(): void {
    this.#parts.users.forget();
    this.#parts.users.goOnBehind(0);
  }

  /**
   * The entry of a finished user whose row says what it said before: the same plan, by contacts that
   * are the user's own, each by the same right. Null for any other row. Nothing is marked.
   */
  entryOf(keys: UserKeys, names: Scope): Entry | null {
    const { users, scopes } = this.#parts;
    const found = users.byIdentity(keys.identity);
    if (found === undefined || !isFinished(found.state)) return null;
    const scope = scopes.idOf(names);
    const isSame = found.plan === keys.plan && found.scope === scope && found.keyed === keys.keyed;
    if (!isSame || found.sawNobody !== SAW_NOBODY.no) return null;
    if (packRanks(found.ranks) !== packRanks(ranksOf(keys))) return null;
    // Without an id, a contact that another row has verified may be lost to it.
    const isOwn = ({ key, rank }: UserKeys["contacts"][number]): boolean =>
      (keys.keyed || rank === RANK.verified) && users.ownerOf(key) === found.id;
    if (!keys.contacts.every(isOwn)) return null;
    const { id, state, mapped, parts, notices, row } = found;
    const moved = row.number !== keys.row.number || row.file !== keys.row.file;
    const settled = { samePlan: true, previous: null, tried: false, sawNobody: false } as const;
    return { id, state, mapped, parts, notices, scope, moved, gainsId: false, ...settled };
  }

  named({ identity, keyed, contacts, reserved }: UserKeys): Named {
    const { users } = this.#parts;
    const own = users.byIdentity(identity)?.id;
    const other = (key: Key): number[] => {
      const owner = users.ownerOf(key);
      return owner === undefined || owner === own ? [] : [owner];
    };
    const holders = contacts.flatMap(({ key, kind, rank }) =>
      other(key).map((id) => ({ id, isLess: rank < rankIn(this.#ranksOf(id), kind) })),
    );
    const reserving = reserved.flatMap(({ key }) => other(key));
    // Known by an id then, and named without one now.
    const first = keyed || own !== undefined ? [] : other(identity);
    const ids = holders.map(({ id }) => id);
    const outranked = holders.filter(({ isLess }) => isLess).map(({ id }) => id);
    return {
      users: [...(own === undefined ? [] : [own]), ...ids, ...reserving, ...first],
      outranked: [...outranked, ...reserving],
    };
  }

  /** Whether another user of an earlier run has this contact. */
  isOthers(contact: Key, { identity }: Pick<UserKeys, "identity">): boolean {
    const { users } = this.#parts;
    const owner = users.ownerOf(contact);
    return owner !== undefined && owner !== users.byIdentity(identity)?.id;
  }

  /**
   * Counts these users as met by these rows, which aren't matched one by one. The rows were noted
   * before by {@link note}.
   */
  pass({ rows, user }: RowsOfUsers): void {
    const { users, matcher } = this.#parts;
    matcher.meet(user, rows);
    users.forget();
    users.goOnBehind(user + rows - 1);
  }

  /**
   * Notes where these users stand now. No row before these names them, so it may be done before
   * their turn, with others in one transaction.
   *
   * @param arePlaced whether an earlier run has noted so of all of them, and nothing else since
   * @throws RunError `disk`
   */
  async note({ file, number, rows, user }: RowsOfUsers, arePlaced: boolean): Promise<void> {
    const { files, commit } = this.#parts;
    // Outside of the shared transaction: a number that was given must not be rolled back.
    const id = files.idOf(file);
    await commit.run(() => this.#places.put(user, rows, id, number, arePlaced));
    this.#placed.addAll(user, rows);
  }

  /** Whether this run has noted so where these users stand. */
  arePlaced(user: number, rows: number): boolean {
    return this.#placed.hasAll(user, rows);
  }

  /**
   * Makes the indexes by which users are found that don't stand where they are looked for. A newer
   * export has some, and an application may be frozen while that one is read.
   *
   * @throws SqliteFailure
   */
  indexKeys(): void {
    this.#parts.index.complete();
  }

  #ranksOf(id: number) {
    return this.#parts.users.byId(id)?.ranks ?? { email: null, phone: null };
  }
}
