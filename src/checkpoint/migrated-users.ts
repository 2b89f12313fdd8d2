/** The users who are at the core, each with the vendor's id and the core's: for the id map and the undo list. It reads, in pages, and decides nothing. */

import type { Database } from "../sqlite/database.js";
import type { RowRef } from "../events/events.js";
import { hasColumn } from "./columns.js";
import { createFileIds } from "./file-ids.js";
import { FINISHED_OUTCOMES, type FinishedState } from "./finished-users.js";
import { unpackId } from "./packed-id.js";
import { type Mapped, MAPPED } from "../plan/states.js";
import type { Scope } from "./scopes.js";

/** Users read at once. */
const PAGE = 500;

/** A user at the core, and which user at the vendor that was. */
export interface MigratedUser {
  readonly outcome: "imported" | "created" | "existed";
  /** The core's own id; null where none is kept. */
  readonly coreId: string | null;
  /** Null where the export gave none, or one that looks like a contact. */
  readonly sourceId: string | null;
  /** Of which source and namespace the vendor's id is; null where an older version didn't keep it. */
  readonly scope: Scope | null;
  /** Whether the core knows the user by the vendor's id (`--keep-ids`), so that it stays valid. */
  readonly idKept: boolean;
  /** False for a user who was at the core before this migration, also where their password was replaced. */
  readonly isNew: boolean;
  /** The row that named this user last. */
  readonly row: RowRef;
}

export interface MigratedUsers {
  /** All of them, in the order in which they were first read. */
  all(): Iterable<MigratedUser>;
  /** The sources and namespaces of all of them. */
  scopes(): readonly Scope[];
}

type Row = [
  id: number,
  state: FinishedState,
  coreId: Buffer | string | null,
  file: number,
  number: number,
  sourceId: string | null,
  mapped: Mapped,
  scope: number,
];

export function createMigratedUsers(database: Database): MigratedUsers {
  const mapped = hasColumn(database, "users", "mapped") ? "mapped" : MAPPED.no;
  const scope = hasColumn(database, "users", "scope") ? "scope" : 0;
  const finished = `WHERE state IN (${Object.keys(FINISHED_OUTCOMES).join(", ")})`;
  return {
    *all() {
      const page = database.prepare<Row>(
        `SELECT id, state, core_id, file, number, source_id, ${mapped}, ${scope} FROM users
         ${finished} AND id > ? ORDER BY id LIMIT ${PAGE}`,
      );
      const make = maker(database);
      for (let last = 0; ; ) {
        const rows = page.all(last);
        for (const row of rows) {
          last = row[0];
          yield make(row);
        }
        if (rows.length < PAGE) return;
      }
    },
    scopes() {
      const names = scopeNames(database);
      const used = database.prepare<[number]>(`SELECT DISTINCT ${scope} FROM users ${finished}`);
      return used.all().flatMap(([id]) => names.get(id) ?? []);
    },
  };
}

function maker(database: Database): (row: Row) => MigratedUser {
  const files = createFileIds(database);
  const names = scopeNames(database);
  return ([, state, packed, file, number, sourceId, mapped, scope]) => {
    const outcome = FINISHED_OUTCOMES[state];
    const coreId = packed === null ? null : unpackId(packed);
    return {
      outcome,
      coreId,
      sourceId,
      scope: names.get(scope) ?? null,
      idKept: mapped === MAPPED.yes,
      isNew: isNew(outcome, mapped, { coreId, sourceId }),
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

/** By their numbers. */
function scopeNames(database: Database): Map<number, Scope> {
  if (!hasColumn(database, "scopes", "id")) return new Map();
  const rows = database
    .prepare<[number, string, string]>("SELECT id, source, namespace FROM scopes")
    .all();
  return new Map(rows.map(([id, source, namespace]) => [id, { source, namespace }]));
}
