/** Divides an export among shards while it is read: every row falls to exactly one of them, and the rows of one user to the same one. Every shard reads all rows, so that it finds the same first row of a user as one process for all would. */

import { identityKey } from "../plan/candidates.js";
import type { PlannedUser, PlanningContext, RowItem } from "./plan-row.js";
import { createDryBook, type RowBook } from "../checkpoint/ledger.js";
import type { RunKeys } from "../checkpoint/run-keys.js";
import type { UserRecord } from "../account/user-record.js";
import type { Loss } from "../plan/contests.js";
import { createDigester, type Key } from "../plan/digests.js";
import type { RowRef } from "../events/events.js";
import type { ShardReading } from "../events/reading.js";
import { createRowSum, rowDigest } from "../events/row-sum.js";

/** One row, as every shard reads and plans it. */
export interface DividedRow {
  readonly item: RowItem;
  readonly row: RowRef;
  /** Null for a row that nobody can be told from. */
  readonly user: PlannedUser | null;
  /** The contact that a better row gets; null where there is none. */
  readonly loss: Loss | null;
}

/** What tells one row's user from another's. */
export type DivisionContext = Pick<PlanningContext, "source" | "namespace">;

/** The rows of one reading of an export, in its order. */
export interface Division {
  /** The number, from 1, of the shard that a row falls to. @throws RunError `disk` */
  shardOf(row: DividedRow, context: DivisionContext): number;
}

/** What one shard takes of an export. */
export interface OwnDivision {
  /** Whether a row is this shard's. Rows come in the export's order, each once. @throws RunError `disk` */
  takes(row: DividedRow, context: DivisionContext): boolean;
  /** What was read so far, for the proof over all shards. */
  reading(): ShardReading;
}

/** Nothing random: every shard must come to the same keys. */
const SHARED = createDigester("");

/**
 * A user falls to a shard by the vendor's id, and by the first contact only where there is no id:
 * a newer export in which a contact has changed must come to the shard whose checkpoint knows the
 * user, or that user would be brought a second time. A second row of one user, and a row whose
 * contact another user's has taken, follow the row that came first.
 *
 * @param count shards in all
 * @param runKeys empty; it holds the keys of the whole export
 */
export function createDivision(count: number, runKeys: RunKeys): Division {
  const book = createDryBook(runKeys);
  const files = createFileNumbers();
  return {
    shardOf({ item, row, user, loss }, context) {
      const file = files.numberOf(row.file);
      const shard = (key: Key): number => 1 + (numberOf(key) % count);
      if (user === null) return shard(SHARED.row(file, row.number));
      if (loss !== null) {
        // In one part with the better row, so that its import finds the same.
        const { keyed } = user.candidate;
        const better = shard(loss.winner.shardKey);
        return keyed ? (firstOf(withoutClaims(user), better, book) ?? better) : better;
      }
      const own = shard(ownKey(item, { file, number: row.number }, context));
      return firstOf(user, own, book) ?? own;
    },
  };
}

/** Reads a whole export as one of its shards. */
export function divideFor(
  { index, count }: { readonly index: number; readonly count: number },
  runKeys: RunKeys,
): OwnDivision {
  const division = createDivision(count, runKeys);
  const contents = createContents();
  const whole = createRowSum();
  const own = createRowSum();
  return {
    takes(row, context) {
      const digest = rowDigest(contents.textOf(row, context));
      whole.add(digest);
      if (division.shardOf(row, context) !== index) return false;
      own.add(digest);
      return true;
    },
    reading: () => ({ whole: whole.total(), own: own.total() }),
  };
}

/** What is in rows, as text that is the same in every shard and on every machine. */
export interface Contents {
  textOf(row: DividedRow, context: DivisionContext): string;
}

/** Files are told apart by their order: their names may differ from machine to machine. */
export function createContents(): Contents {
  const files = createFileNumbers();
  return {
    textOf({ item, row }, { source, namespace }) {
      const place = [source, namespace, files.numberOf(row.file), row.number];
      return JSON.stringify(
        item.kind === "record"
          ? [...place, item.record]
          : [...place, item.sourceId ?? null, item.code],
      );
    },
  };
}

/** Of whoever the row's user is, the shard of the row that came first; null where this one does. */
function firstOf({ candidate }: PlannedUser, own: number, book: RowBook): number | null {
  // The book names the row that came first. Of that only the shard is asked for, so it goes for the file.
  const named = { ...candidate, row: { file: String(own), number: candidate.row.number } };
  const standing = book.meet(named, SCOPE);
  return standing.kind === "entry" ? null : Number(standing.first.file);
}

function withoutClaims({ plan, candidate }: PlannedUser): PlannedUser {
  return { plan, candidate: { ...candidate, contacts: [] } };
}

/** A dry book knows no earlier exports, which scopes are for. */
const SCOPE = { source: "", namespace: "" };

/** The key by which a user of an id or a contact falls to a shard. */
export function shardKeyOf(record: UserRecord, row: RowRef, context: DivisionContext): Key {
  return identityKey(record, row, { ...context, digester: SHARED });
}

function ownKey(item: RowItem, row: RowRef, context: DivisionContext): Key {
  if (item.kind === "record") return shardKeyOf(item.record, row, context);
  const { source, namespace } = context;
  return item.sourceId === undefined
    ? SHARED.row(row.file, row.number)
    : SHARED.id(source, namespace, item.sourceId);
}

/** The key's first 48 bits. */
function numberOf(key: Key): number {
  let number = 0;
  for (let at = 0; at < 6; at += 1) number = 256 * number + key.charCodeAt(at);
  return number;
}

interface FileNumbers {
  /** As text: the place of a file in the order in which the export's files are read, from 0. */
  numberOf(path: string): string;
}

function createFileNumbers(): FileNumbers {
  const numbers = new Map<string, string>();
  return {
    numberOf(path) {
      const known = numbers.get(path);
      if (known !== undefined) return known;
      const number = String(numbers.size);
      numbers.set(path, number);
      return number;
    },
  };
}
