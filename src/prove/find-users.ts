/** Finds the rows of test users among the rows of a reading. It judges no hash. */

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

/** A test user's row. */
export interface FoundUser {
  readonly row: RowRef;
  readonly record: UserRecord;
  readonly input: Input;
}

/** How the inputs are read; the same as in the import. */
export interface FindOptions {
  /** Decides which row counts where one user has several. */
  readonly policy: Policy;
  /** As in the import; then all rows are read. */
  readonly passwordExport?: PasswordExport | undefined;
  /** Ends the search, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
  /** Told of every user; then all rows are read. One whose hash is known at the end alone comes without it. */
  readonly onRecord?: (record: UserRecord, input: Input) => void;
}

/** A user who is looked for. */
interface Wanted {
  found: FoundUser | null;
  /** True once no later row can replace the found one. */
  final: boolean;
}

/** The users who are looked for, by every name that a record may have. */
type Names = Readonly<Record<"email" | "phone" | "id", Map<string, Wanted[]>>>;

/**
 * Finds users by email, phone or the vendor's id among the rows that it is handed. If one user has
 * several rows, the first counts that the import doesn't leave out for itself; if it leaves all out,
 * the first of all. Whether another row counts in its place, the import says.
 */
export class UserSearch {
  readonly #policy: Policy;
  readonly #wanted: readonly Wanted[];
  readonly #names: Names = { email: new Map(), phone: new Map(), id: new Map() };

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
    for (const item of items) {
      if (item.kind !== "record") continue;
      const { record } = item;
      for (const user of namesakes(record, this.#names)) {
        const final = leftOutFor(record, this.#policy) === null;
        if (user.final || (user.found !== null && !final)) continue;
        user.found = { row: rowOf(input.path, item), record, input };
        user.final = final;
      }
    }
    return this.#wanted.every(({ final }) => final);
  }

  /** After the last row. @param answered a record with what a password export says of its hash */
  settle(answered: (record: UserRecord) => UserRecord): void {
    for (const user of this.#wanted) {
      user.found = user.found && { ...user.found, record: answered(user.found.record) };
    }
  }

  /** For each name its row, or null where no row is that user's. */
  found(): (FoundUser | null)[] {
    return this.#wanted.map(({ found }) => found);
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
  { policy, passwordExport, signal = new AbortController().signal, onRecord }: FindOptions,
): Promise<(FoundUser | null)[]> {
  const search = new UserSearch(names, policy);
  const join = passwordExport === undefined ? null : new PasswordJoin(passwordExport);
  const readsAll = join !== null || onRecord !== undefined;
  for (const input of inputs) {
    if (search.take(input, []) && !readsAll) break;
    for await (const items of readJoined(input, { signal, keepsAccount: "all" })) {
      for (const item of readsAll ? items : []) {
        if (item.kind !== "record") continue;
        const joined = join?.take(item.record, rowOf(input.path, item));
        onRecord?.(joined ?? item.record, input);
      }
      if (search.take(input, items) && !readsAll) break;
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

/** The searched users whom a record matches. It is almost always none, so that makes no new object. */
function namesakes({ email, phone, sourceId }: UserRecord, table: Names): readonly Wanted[] {
  const byEmail = email === null ? undefined : table.email.get(email.value);
  const byPhone = phone === null ? undefined : table.phone.get(phone.value);
  const byId = sourceId === null ? undefined : table.id.get(sourceId);
  if (byEmail === undefined && byPhone === undefined && byId === undefined) return NO_USERS;
  return [...new Set([...(byEmail ?? []), ...(byPhone ?? []), ...(byId ?? [])])];
}

const NO_USERS: readonly Wanted[] = [];
