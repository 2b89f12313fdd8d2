/** Writes the users' rows in the checkpoint. It stores what the ledger decides and decides nothing. */

import type { Database, SqlValue } from "../sqlite/database.js";
import { KEY_BYTES, keyBlob } from "../plan/digests.js";
import {
  type IntentWrite,
  type Before,
  type Candidate,
  holdsSome,
  isFinishedEntry,
  type Touch,
  ranksOf,
  sawNobodyOf,
  type OutcomeWrite,
  type ContactKey,
} from "../plan/entry.js";
import { packRanks } from "../plan/rank.js";
import type { FileIds } from "./file-ids.js";
import { isUuid, packId } from "./packed-id.js";
import { KIND, MAPPED, SAW_NOBODY, STATE } from "../plan/states.js";

/** The files' numbers must have been given before, as {@link FileIds.idOf} does. */
interface UserWrites {
  /**
   * Writes users whom the ledger has never held, with one contact of each kind, which are found
   * only when they have been indexed.
   */
  insert(intents: readonly IntentWrite[]): void;
  /** Writes what is intended for a user of an earlier run. */
  update(intent: IntentWrite): void;
  /** Notes a new id and a new row. */
  touch(touch: Touch): void;
  settle(outcomes: readonly OutcomeWrite[]): void;
  settleMapping(user: number): void;
}

/** Identity, plan, email and phone of one user; a contact that there isn't is all zeros. */
const BYTES_A_USER = 4 * KEY_BYTES;

const keyAt = (place: number): string =>
  `substr(?2, rows.key * ${BYTES_A_USER} + ${place * KEY_BYTES + 1}, ${KEY_BYTES})`;
const contactAt = (place: number): string => `nullif(${keyAt(place)}, zeroblob(${KEY_BYTES}))`;

export function createUserWrites(database: Database, files: FileIds): UserWrites {
  // Rows that differ in little travel as one array and one blob: every value that is bound by
  // itself would cost a tenth of what writing the row does.
  const insert = database.prepare(
    `INSERT INTO users SELECT rows.value->>0, ${keyAt(0)}, ?3, ${keyAt(1)}, ?4, ?5, ?6,
     rows.value->>1, rows.value->>2, ?7, ?8, ?9, ?10, ?11, ${contactAt(2)}, ${contactAt(3)}, ?12
     FROM json_each(?1) rows`,
  );
  const settle = database.prepare(
    `UPDATE users SET state = ?2, saw_nobody = min(saw_nobody, ?3), code = ?4, mapped = ?5,
     core_id = iif(?6, unhex(rows.value->>1, '-'), rows.value->>1)
     FROM json_each(?1) rows WHERE users.id = rows.value->>0`,
  );
  const update = database.prepare(
    `UPDATE users SET plan = ?, state = ?, saw_nobody = ?, file = ?, number = ?, source_id = ?,
     core_id = ?, code = ?, mapped = ?, kind = ?, scope = ?, ranks = ? WHERE id = ?`,
  );
  const settleMapped = database.prepare(
    `UPDATE users SET mapped = ${MAPPED.yes}, code = NULL WHERE id = ?`,
  );
  const move = database.prepare("UPDATE users SET file = ?, number = ?, scope = ? WHERE id = ?");
  const forgetIdentity = database.prepare(
    "DELETE FROM identities WHERE key = (SELECT identity FROM users WHERE id = ?)",
  );
  const giveId = database.prepare("UPDATE users SET identity = ?, keyed = 1 WHERE id = ?");
  const nameIdentity = database.prepare("INSERT INTO identities VALUES (?, ?)");
  const insertReplaced = database.prepare("INSERT OR IGNORE INTO former VALUES (?, ?)");

  const adoptId = ({ candidate, entry }: Touch): void => {
    if (!entry.gainsId) return;
    const identity = keyBlob(candidate.identity);
    forgetIdentity.run(entry.id);
    giveId.run(identity, entry.id);
    nameIdentity.run(identity, entry.id);
  };

  /** What many new users have in common: all but their keys, row and id. */
  const shapeOf = (intent: IntentWrite): SqlValue[] => {
    const { candidate, entry, state, code, mapped, coreId } = intent;
    const { keyed, kind, row } = candidate;
    const id = coreId === null ? null : packId(coreId);
    const file = files.idOf(row.file);
    const saw = sawNobodyOf(intent);
    const ranks = packRanks(ranksOf(candidate));
    return [keyed ? 1 : 0, state, saw, file, id, code, mapped, kindOf(kind), entry.scope, ranks];
  };

  return {
    insert(intents) {
      for (const [shape, alike] of groupsOf(intents, shapeOf)) {
        const keys = Buffer.alloc(alike.length * BYTES_A_USER);
        const rows = alike.map(({ candidate, entry }, index) => {
          writeKeys(keys, index * BYTES_A_USER, candidate);
          return [entry.id, candidate.row.number, candidate.sourceId];
        });
        insert.run(JSON.stringify(rows), keys, ...shape);
      }
    },
    update(intent) {
      const { candidate, entry, state, code, mapped } = intent;
      const { row, sourceId } = candidate;
      const coreId = intent.coreId === null ? null : packId(intent.coreId);
      update.run(
        ...[keyBlob(candidate.plan), state, sawNobodyOf(intent), files.idOf(row.file)],
        ...[row.number, sourceId, coreId, code, mapped, kindOf(candidate.kind)],
        ...[entry.scope, packRanks(ranksOf(candidate)), entry.id],
      );
      adoptId(intent);
      const { before } = entry;
      if (before !== null && isReplacing(intent, before)) {
        insertReplaced.run(entry.id, keyBlob(before.plan));
      }
    },
    touch(touch) {
      const { entry, candidate } = touch;
      const { file, number } = candidate.row;
      if (entry.moved) move.run(files.idOf(file), number, entry.scope, entry.id);
      adoptId(touch);
    },
    settle(outcomes) {
      for (const [shape, alike] of groupsOf(outcomes, endOf)) {
        const rows = alike.map(({ entryId, coreId }) => [entryId, coreId]);
        settle.run(JSON.stringify(rows), ...shape);
      }
    },
    settleMapping: (user) => void settleMapped.run(user),
  };
}

/** The contacts that stand in a new user's row: the first of each kind. */
export function ownOf(contacts: readonly ContactKey[]): readonly ContactKey[] {
  if (contacts.length < 2) return contacts;
  return contacts.filter(
    ({ kind }, index) => contacts.findIndex((other) => other.kind === kind) === index,
  );
}

/** What many outcomes have in common: all but the user and their id at the core. */
function endOf({ state, sawNobody, mapped, coreId, code }: OutcomeWrite): SqlValue[] {
  const most = sawNobody ? SAW_NOBODY.underAnotherPlan : SAW_NOBODY.no;
  return [state, most, code, mapped, coreId !== null && isUuid(coreId) ? 1 : 0];
}

function writeKeys(keys: Buffer, start: number, { identity, plan, contacts }: Candidate): void {
  keys.write(identity, start, "latin1");
  keys.write(plan, start + KEY_BYTES, "latin1");
  for (const { key, kind } of ownOf(contacts)) {
    keys.write(key, start + (kind === "email" ? 2 : 3) * KEY_BYTES, "latin1");
  }
}

/** Items by what they have in common. */
function groupsOf<T>(
  items: readonly T[],
  shapeOf: (item: T) => SqlValue[],
): Iterable<readonly [shape: SqlValue[], alike: T[]]> {
  const groups = new Map<string, [SqlValue[], T[]]>();
  let last: [SqlValue[], T[]] = [[], []];
  for (const item of items) {
    const shape = shapeOf(item);
    if (last[0].length === 0 || shape.some((value, place) => value !== last[0][place])) {
      const name = shape.join("\n");
      const known = groups.get(name);
      last = known ?? [shape, []];
      if (known === undefined) groups.set(name, last);
    }
    last[1].push(item);
  }
  return groups.values();
}

function kindOf(kind: IntentWrite["candidate"]["kind"]): number {
  return kind === null ? KIND.none : KIND[kind];
}

/** As soon as a newer hash may be at the core, none of before may come back. An email may. */
function isReplacing({ candidate, entry, state }: IntentWrite, before: Before): boolean {
  const isSent = isFinishedEntry(entry) || state === STATE.intent;
  const isNewer = before.plan !== candidate.plan && !before.isReplaced;
  return candidate.kind === "import" && isSent && isNewer && holdsSome(before, candidate);
}
