/** Finds the rows of test users, and the rows around them, among the rows of a reading. It judges no hash. */

import { readUserName } from "../account/user-name.js";
import type { UserRecord } from "../account/user-record.js";
import type { RowRef } from "../events/events.js";
import { rowOf } from "../errors/place.js";
import type { Input } from "../source/inputs.js";
import { readJoined } from "../stage/joined-input.js";
import type { SourceItem } from "../source/source.js";
import { leftOutFor } from "../plan/left-out.js";
import type { Policy } from "../plan/policy.js";
import { PasswordJoin } from "../password-export/join.js";
import type { PasswordExport } from "../password-export/load-export.js";

/** How many rows are kept before and after a user's row. A shifted column is seldom off by more. */
const NEIGHBORS = 5;

/** A row that holds a user. */
export interface FoundRow {
  readonly row: RowRef;
  readonly record: UserRecord;
}

/** A test user's row. */
export interface FoundUser extends FoundRow {
  readonly input: Input;
  /** Up to five rows before it and five after, in the file's order. */
  readonly neighbors: readonly FoundRow[];
}

/** How the inputs are read; the same as in the import. */
export interface FindOptions {
  /** Decides which row counts where one user has several. */
  readonly policy: Policy;
  /** As in the import; then all rows are read. */
  readonly passwordExport?: PasswordExport | undefined;
  /** Ends the search, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A user who is looked for. */
interface Wanted {
  found: FoundUser | null;
  /** True once no later row can replace the found one. */
  final: boolean;
}

/** The users who are looked for, by every name that a record may have. */
type Names = Readonly<Record<"email" | "phone" | "id", Map<string, Wanted[]>>>;

/** A found user whose next rows are still to be read. */
interface Open {
  readonly neighbors: FoundRow[];
  missing: number;
}

/**
 * Finds users by email, phone or the vendor's id among the rows that it is handed. If one user has
 * several rows, the first counts that the import doesn't leave out for itself; if it leaves all out,
 * the first of all. Whether another row counts in its place, the import says.
 */
export class UserSearch {
  readonly #policy: Policy;
  readonly #wanted: readonly Wanted[];
  readonly #names: Names = { email: new Map(), phone: new Map(), id: new Map() };
  #input: Input | null = null;
  #before: FoundRow[] = [];
  #open: Open[] = [];

  /**
   * @param names the users as the operator writes them
   * @param policy as in the import; decides which row counts
   */
  constructor(names: readonly string[], policy: Policy) {
    this.#policy = policy;
    this.#wanted = names.map((name) => {
      const user: Wanted = { found: null, final: false };
      enlist(this.#names, name, user);
      return user;
    });
  }

  /**
   * Takes rows in their order, those of one input after another's.
   *
   * @returns whether no further row can make a difference
   */
  take(input: Input, items: readonly SourceItem[]): boolean {
    if (input !== this.#input) {
      this.#input = input;
      this.#before = [];
      this.#open = [];
    }
    for (const item of items) {
      if (item.kind !== "record") continue;
      const row = { row: rowOf(input.path, item), record: item.record };
      if (this.#open.length > 0) this.#open = feed(this.#open, row);
      for (const user of namesakes(row.record, this.#names)) this.#find(user, row, input);
      this.#before.push(row);
      if (this.#before.length > NEIGHBORS) this.#before.shift();
    }
    return this.#open.length === 0 && this.#wanted.every(({ final }) => final);
  }

  /** After the last row. @param answered a record with what a password export says of its hash */
  settle(answered: (record: UserRecord) => UserRecord): void {
    const withHash = <Row extends FoundRow>(row: Row): Row => {
      return { ...row, record: answered(row.record) };
    };
    for (const user of this.#wanted) {
      const { found } = user;
      user.found = found && { ...withHash(found), neighbors: found.neighbors.map(withHash) };
    }
  }

  /** For each name its row, or null where no row is that user's. */
  found(): (FoundUser | null)[] {
    return this.#wanted.map(({ found }) => found);
  }

  #find(user: Wanted, row: FoundRow, input: Input): void {
    const final = leftOutFor(row.record, this.#policy) === null;
    if (user.final || (user.found !== null && !final)) return;
    const neighbors = [...this.#before];
    user.found = { ...row, input, neighbors };
    user.final = final;
    this.#open.push({ neighbors, missing: NEIGHBORS });
  }
}

/**
 * Reads the inputs, as far as it takes, to find users as {@link UserSearch} does. Their records have
 * the other parts of their accounts.
 *
 * @param names the users as the operator writes them
 * @returns for each name its row, or null where no row is that user's
 * @throws RunError what reading throws; the signal's reason where it was aborted
 */
export async function findUsers(
  inputs: readonly Input[],
  names: readonly string[],
  { policy, passwordExport, signal = new AbortController().signal }: FindOptions,
): Promise<(FoundUser | null)[]> {
  const search = new UserSearch(names, policy);
  const join = passwordExport === undefined ? null : new PasswordJoin(passwordExport);
  for (const input of inputs) {
    if (search.take(input, []) && join === null) break;
    for await (const items of readJoined(input, { signal, keepsAccount: "all" })) {
      for (const item of join === null ? [] : items) {
        if (item.kind === "record") join?.take(item.record, rowOf(input.path, item));
      }
      if (search.take(input, items) && join === null) break;
    }
    // A stopped reader ends without an error, so the reason is thrown here.
    signal.throwIfAborted();
  }
  join?.settle();
  if (join !== null) search.settle((record) => join.answered(record));
  return search.found();
}

function enlist(table: Names, name: string, user: Wanted): void {
  const { email, phone, id } = readUserName(name);
  if (email !== null) table.email.set(email, [...(table.email.get(email) ?? []), user]);
  if (phone !== null) table.phone.set(phone, [...(table.phone.get(phone) ?? []), user]);
  table.id.set(id, [...(table.id.get(id) ?? []), user]);
}

/** Adds a row to the neighbors of the users before it, and returns the users who still need rows. */
function feed(open: readonly Open[], row: FoundRow): Open[] {
  for (const one of open) {
    one.neighbors.push(row);
    one.missing -= 1;
  }
  return open.filter(({ missing }) => missing > 0);
}

/** The searched users whom a record matches. It is almost always none, so that makes no new object. */
function namesakes({ email, phone, sourceId }: UserRecord, table: Names): readonly Wanted[] {
  const byEmail = email === null ? undefined : table.email.get(email.value);
  const byPhone = phone === null ? undefined : table.phone.get(phone.value);
  const byId = sourceId === null ? undefined : table.id.get(sourceId);
  if (byEmail === undefined && byPhone === undefined && byId === undefined) return NO_USERS;
  return [...new Set([...(byEmail ?? []), ...(byPhone ?? []), ...(byId ?? [])])];
}

const NO_USERS: readonly Wanted[] = [];
