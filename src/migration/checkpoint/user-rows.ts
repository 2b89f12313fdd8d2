/** The users' rows in the checkpoint: finding and writing them. It stores what the ledger decides and decides nothing. */

import type { Database } from "../../sqlite/database.js";
import { type Key, keyBlob } from "../digests.js";
import type { RowRef } from "../events.js";
import {
  type Admission,
  type Before,
  holdsSome,
  isFinishedEntry,
  type Kept,
  type PlanKind,
  sawNobodyOf,
  type Settlement,
} from "./entry.js";
import { createFileIds, type FileIds } from "./file-ids.js";
import { packId } from "./packed-id.js";
import { KIND, type Kind, type Mapped, MAPPED, SAW_NOBODY, STATE, type State } from "./schema.js";

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
];

/** An entry as stored, or as claimed by a row that isn't admitted yet. */
export interface Known {
  readonly id: number;
  readonly state: State | null;
  readonly sawNobody: number;
  readonly plan: Key;
  readonly mapped: Mapped;
  readonly keyed: boolean;
  readonly row: RowRef;
  /** What was planned last; null where nothing was sent, or an older version didn't keep it. */
  readonly kind: PlanKind | null;
  readonly scope: number;
}

export interface UserRows {
  readonly files: FileIds;
  byIdentity(key: Key): Known | undefined;
  byContact(key: Key): Known | undefined;
  /** Whether a newer export has replaced this plan of a user's. */
  isReplaced(user: number, plan: Key): boolean;
  /** The files' numbers must have been given before, as {@link FileIds.idOf} does. */
  admit(admission: Admission): void;
  /** Notes a new id and a new row. */
  keep(kept: Kept): void;
  settle(settlement: Settlement): void;
  settleMapping(user: number): void;
}

export function createUserRows(database: Database): UserRows {
  const select =
    "SELECT u.id, state, saw_nobody, plan, mapped, keyed, file, number, u.kind, scope FROM";
  const byIdentity = database.prepare<UserRow>(`${select} users u WHERE identity = ?`);
  const byContact = database.prepare<UserRow>(
    `${select} contacts JOIN users u ON u.id = contacts.user WHERE key = ?`,
  );
  const insert = database.prepare("INSERT INTO users VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  const update = database.prepare(
    `UPDATE users SET plan = ?, state = ?, saw_nobody = ?, file = ?, number = ?, source_id = ?,
     core_id = ?, code = ?, mapped = ?, kind = ?, scope = ? WHERE id = ?`,
  );
  const settle = database.prepare(
    `UPDATE users SET state = ?, saw_nobody = min(saw_nobody, ?), core_id = ?, code = ?, mapped = ?
     WHERE id = ?`,
  );
  const settleMapped = database.prepare(
    `UPDATE users SET mapped = ${MAPPED.yes}, code = NULL WHERE id = ?`,
  );
  const move = database.prepare("UPDATE users SET file = ?, number = ?, scope = ? WHERE id = ?");
  const giveId = database.prepare("UPDATE users SET identity = ?, keyed = 1 WHERE id = ?");
  const replaced = database.prepare("SELECT 1 FROM former WHERE user = ? AND plan = ?");
  const insertReplaced = database.prepare("INSERT OR IGNORE INTO former VALUES (?, ?)");
  const files = createFileIds(database);

  const known = (row: UserRow | undefined): Known | undefined =>
    row && {
      id: row[0],
      state: row[1],
      sawNobody: row[2],
      plan: row[3].toString("latin1"),
      mapped: row[4],
      keyed: row[5] === 1,
      row: { file: files.pathOf(row[6]), number: row[7] },
      kind: kindOf(row[8], row[1]),
      scope: row[9],
    };
  const adoptId = ({ candidate, entry }: Kept): void => {
    if (entry.gainsId) giveId.run(keyBlob(candidate.identity), entry.id);
  };

  return {
    files,
    byIdentity: (key) => known(byIdentity.get(keyBlob(key))),
    byContact: (key) => known(byContact.get(keyBlob(key))),
    isReplaced: (user, plan) => replaced.get(user, keyBlob(plan)) !== undefined,
    admit(admission) {
      const { candidate, entry, state, code, mapped } = admission;
      const { row, sourceId } = candidate;
      const plan = keyBlob(candidate.plan);
      const sawNobody = sawNobodyOf(admission);
      const coreId = admission.coreId === null ? null : packId(admission.coreId);
      const file = files.idOf(row.file);
      const kind = candidate.kind === null ? KIND.none : KIND[candidate.kind];
      const { id, scope } = entry;
      if (entry.state === null) {
        const identity = keyBlob(candidate.identity);
        const keyed = candidate.keyed ? 1 : 0;
        insert.run(
          ...[id, identity, keyed, plan, state, sawNobody, file, row.number],
          ...[sourceId, coreId, code, mapped, kind, scope],
        );
        return;
      }
      update.run(
        ...[plan, state, sawNobody, file, row.number, sourceId, coreId, code, mapped],
        ...[kind, scope, id],
      );
      adoptId(admission);
      const { before } = entry;
      if (before !== null && isReplacing(admission, before)) {
        insertReplaced.run(id, keyBlob(before.plan));
      }
    },
    keep(kept) {
      const { entry, candidate } = kept;
      const { file, number } = candidate.row;
      if (entry.moved) move.run(files.idOf(file), number, entry.scope, entry.id);
      adoptId(kept);
    },
    settle({ entryId, state, sawNobody, mapped, coreId, code }) {
      const packed = coreId === null ? null : packId(coreId);
      const most = sawNobody ? SAW_NOBODY.underAnotherPlan : SAW_NOBODY.no;
      settle.run(state, most, packed, code, mapped, entryId);
    },
    settleMapping: (user) => void settleMapped.run(user),
  };
}

/** As soon as a newer hash may be at the core, none of before may come back. An email may. */
function isReplacing({ candidate, entry, state }: Admission, before: Before): boolean {
  const isSent = isFinishedEntry(entry) || state === STATE.intent;
  const isNewer = before.plan !== candidate.plan && !before.isReplaced;
  return candidate.kind === "import" && isSent && isNewer && holdsSome(before, candidate);
}

/** An older version kept the kind of those alone whose state shows it. */
function kindOf(kind: Kind, state: State): PlanKind | null {
  if (kind === KIND.import || state === STATE.imported) return "import";
  return kind === KIND.passwordless || state === STATE.created ? "passwordless" : null;
}
