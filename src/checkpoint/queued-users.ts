/** The users whose accounts stand in the core's queue as far as the checkpoint knows. It reads; who is queued, the ledger writes. */

import type { RowRef } from "../events/events.js";
import type { Key } from "../plan/digests.js";
import type { Notices, PlanKind } from "../plan/entry.js";
import { KIND, type Kind, MAPPED, type Mapped, QUEUED_AGAIN, STATE } from "../plan/states.js";
import type { Database, Statement } from "../sqlite/database.js";
import { getMeta } from "./meta.js";
import { FileIds, NoticeSets } from "./numbered.js";

const PAGE = 500;

/** A user whose whole account the core's queue has taken. */
export interface QueuedUser {
  readonly id: number;
  readonly row: RowRef;
  /** The vendor's id, or null where none is kept. */
  readonly sourceId: string | null;
  readonly kind: PlanKind;
  /** The core's own, by which the user will be there. */
  readonly coreId: string;
  /** The core is to show the user by the vendor's id. */
  readonly isMapped: boolean;
  /** The account may have been queued more than once. */
  readonly isAgain: boolean;
  /** The keys of all contacts that the user is known by. */
  readonly contacts: readonly Key[];
}

type Row = [
  id: number,
  file: number,
  number: number,
  sourceId: string | null,
  kind: Kind,
  coreId: string,
  mapped: Mapped,
  code: string | null,
  contacts: string,
];

/** All users of an answer as one text: a row of the driver's for each took half as long again. */
const USERS = `SELECT json_group_array(json_array(u.id, u.file, u.number, u.source_id, u.kind,
    u.core_id, u.mapped, u.code, hex(u.email) || ' ' || hex(u.phone) || ' ' || coalesce(
      (SELECT group_concat(hex(key), ' ') FROM contacts WHERE user = u.id), '')))`;
const QUEUED = `u.state = ${STATE.queued} AND u.core_id IS NOT NULL`;

/** How many of the users in the queue it had written when it was asked last: never more than are there still. */
export function selectWritten(database: Database, queued: number): number {
  return Math.min(Number(getMeta(database, "queue_written") ?? 0), queued);
}

export function createQueuedUsers(database: Database) {
  const count = database.prepare<[number]>(
    `SELECT count(*) FROM users u WHERE u.state = ${STATE.queued}`,
  );
  const beyond = database.prepare<[string]>(
    `${USERS} FROM (SELECT * FROM users u WHERE ${QUEUED} AND u.id > ? ORDER BY u.id LIMIT ${PAGE}) u`,
  );
  const countAll = () => count.all()[0]?.[0] ?? 0;
  const setOf = database.prepare<[number]>("SELECT notices FROM users WHERE id = ?");
  let search: Statement<[string]> | null = null;

  const files = new FileIds(database);
  const sets = new NoticeSets(database);
  const usersOf = ([[rows] = ["[]"]]: readonly [string][]): QueuedUser[] =>
    (JSON.parse(rows) as Row[]).map((row) => userOf(row, files));
  return {
    count: countAll,
    /** Those of them whom the queue had written when it was asked last. */
    written: () => selectWritten(database, countAll()),
    /** Notes who is queued now, for `find`; users who are queued later aren't found. */
    note(): void {
      search = null;
      // By default this driver has temporary tables in memory: 100 MB for a million users.
      database.exec(
        `PRAGMA temp_store = FILE;
         DROP TABLE IF EXISTS temp.noted;
         CREATE TEMP TABLE noted (shown TEXT, user INTEGER, PRIMARY KEY (shown, user)) WITHOUT ROWID;
         INSERT OR IGNORE INTO temp.noted
           SELECT u.core_id AS shown, u.id FROM users u WHERE ${QUEUED}
           UNION ALL
           SELECT u.source_id, u.id FROM users u
           WHERE ${QUEUED} AND u.mapped = ${MAPPED.yes} AND u.source_id IS NOT NULL
           ORDER BY 1;`,
      );
    },
    /** Those of the noted users who are queued still and have one of these ids, the core's own or the vendor's. */
    find(ids: readonly string[]): QueuedUser[] {
      search ??= database.prepare<[string]>(
        `${USERS} FROM users u WHERE ${QUEUED} AND u.id IN
         (SELECT n.user FROM json_each(?) wanted JOIN temp.noted n ON n.shown = wanted.value)`,
      );
      return usersOf(search.all(JSON.stringify(ids)));
    },
    /** What is told of one of them so far. */
    notices(id: number): Notices {
      const [[set] = [0]] = setOf.all(id);
      return sets.of(set);
    },
    /** All of them, in the order in which they were first read. */
    *all(): Generator<QueuedUser> {
      for (let last: number | undefined = 0; last !== undefined; ) {
        const page: QueuedUser[] = usersOf(beyond.all(last));
        yield* page;
        last = page.at(-1)?.id;
      }
    },
  };
}

function userOf(row: Row, files: FileIds): QueuedUser {
  const [id, file, number, sourceId, kind, coreId, mapped, code, contacts] = row;
  return {
    id,
    row: { file: files.pathOf(file), number },
    sourceId,
    kind: kind === KIND.passwordless ? "passwordless" : "import",
    coreId,
    isMapped: mapped === MAPPED.yes,
    isAgain: code === QUEUED_AGAIN,
    contacts: (contacts.match(/[0-9A-F]+/g) ?? []).map((hex) =>
      Buffer.from(hex, "hex").toString("latin1"),
    ),
  };
}
