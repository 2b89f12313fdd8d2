/** Finds the rows of test users, and the rows around them, in one pass over the inputs. It judges no hash and stops reading as soon as every test user is found. */

import { readUserName } from "../account/user-name.js";
import type { UserRecord } from "../account/user-record.js";
import type { RowRef } from "../events/events.js";
import { rowOf } from "../errors/place.js";
import { onlyOnce } from "../source/input-bytes.js";
import { type Input, readInput } from "../source/inputs.js";
import { leftOutFor } from "../plan/left-out.js";
import type { Policy } from "../plan/policy.js";
import { PasswordJoin } from "../password-export/join.js";
import type { PasswordExport } from "../password-export/load-export.js";

/** How many rows are kept before and after a user's row. A shifted column is seldom off by more. */
const NEIGHBORS = 5;

const NOT_BEFORE = ", so no user can be proved from it before the import";

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
 * Finds users by email, phone or the vendor's id. If one user has several rows, the first counts
 * that the import doesn't leave out, as in the import; if it leaves all out, the first of all.
 *
 * @param names the users as the operator writes them
 * @returns for each name its row, or null where no row is that user's
 * @throws RunError `input_unreadable` (an input that can't be read twice), and what reading throws;
 *   the signal's reason where it was aborted
 */
export async function findUsers(
  inputs: readonly Input[],
  names: readonly string[],
  options: FindOptions,
): Promise<(FoundUser | null)[]> {
  const once = inputs.find(({ readOnce }) => readOnce);
  if (once !== undefined) throw onlyOnce(once.path, NOT_BEFORE);
  const wanted: Wanted[] = names.map(() => ({ found: null, final: false }));
  const table: Names = { email: new Map(), phone: new Map(), id: new Map() };
  for (const [index, user] of wanted.entries()) enlist(table, names[index] ?? "", user);
  const { passwordExport } = options;
  const join = passwordExport === undefined ? null : new PasswordJoin(passwordExport);
  for (const input of inputs) {
    if (join === null && wanted.every(({ final }) => final)) break;
    await searchInput(input, { wanted, table, join }, options);
  }
  join?.settle();
  const withHash = <Row extends FoundRow>(row: Row): Row =>
    join === null ? row : { ...row, record: join.answered(row.record) };
  return wanted.map(
    ({ found }) => found && { ...withHash(found), neighbors: found.neighbors.map(withHash) },
  );
}

function enlist(table: Names, name: string, user: Wanted): void {
  const { email, phone, id } = readUserName(name);
  if (email !== null) table.email.set(email, [...(table.email.get(email) ?? []), user]);
  if (phone !== null) table.phone.set(phone, [...(table.phone.get(phone) ?? []), user]);
  table.id.set(id, [...(table.id.get(id) ?? []), user]);
}

async function searchInput(
  input: Input,
  {
    wanted,
    table,
    join,
  }: {
    readonly wanted: readonly Wanted[];
    readonly table: Names;
    readonly join: PasswordJoin | null;
  },
  options: FindOptions,
): Promise<void> {
  const signal = options.signal ?? new AbortController().signal;
  const before: FoundRow[] = [];
  let open: Open[] = [];
  for await (const items of readInput(input, { signal })) {
    for (const item of items) {
      if (item.kind !== "record") continue;
      const row = { row: rowOf(input.path, item), record: item.record };
      join?.take(row.record, row.row);
      if (open.length > 0) open = feed(open, row);
      for (const user of namesakes(row.record, table)) {
        const final = leftOutFor(row.record, options.policy) === null;
        if (user.final || (user.found !== null && !final)) continue;
        const neighbors = [...before];
        user.found = { ...row, input, neighbors };
        user.final = final;
        open.push({ neighbors, missing: NEIGHBORS });
      }
      before.push(row);
      if (before.length > NEIGHBORS) before.shift();
    }
    if (join === null && open.length === 0 && wanted.every(({ final }) => final)) return;
  }
  // A stopped reader ends without an error, so the reason is thrown here.
  signal.throwIfAborted();
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
