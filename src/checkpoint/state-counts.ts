/** How many users stand where, counted over the whole checkpoint. It reads, and decides nothing. */

import type { Database } from "../sqlite/database.js";
import type { RowEvent } from "../events/events.js";
import type { LineOf } from "../events/lines/lines.js";
import type { Standings } from "../events/standing.js";
import { stillThereFor, toldOfRow, toldOfUser } from "../plan/notices.js";
import { isFinished, KIND, STATE, type State } from "../plan/states.js";
import { NoticeSets } from "./numbered.js";
import { selectWritten } from "./queued-users.js";
import { STANDING_ROWS } from "./refused-rows.js";

/** Users by state, and by code where they have one. A second row of one user doesn't count. */
export interface StateCounts
  extends Omit<Standings, "unread" | "cut" | "proved" | "provedUsers">,
    Pick<
      LineOf<"status">,
      "bridged" | "social" | "unmapped" | "rejects" | "skips" | "failures" | "notices"
    > {}

export const STATE_NAMES = {
  [STATE.planned]: "pending",
  [STATE.intent]: "unknown",
  [STATE.imported]: "imported",
  [STATE.created]: "created",
  [STATE.existed]: "existed",
  [STATE.skipped]: "skipped",
  [STATE.rejected]: "rejected",
  [STATE.failed]: "failed",
  [STATE.queued]: "queued",
} as const satisfies Record<State, keyof StateCounts>;

type CodeTable = "rejects" | "skips" | "failures";

/** Which table of codes a state's code belongs to. */
const CODES: Partial<Record<State, CodeTable>> = {
  [STATE.skipped]: "skips",
  [STATE.rejected]: "rejects",
  [STATE.failed]: "failures",
};

export const NO_COUNTS: StateCounts = {
  users: 0,
  imported: 0,
  bridged: 0,
  created: 0,
  social: 0,
  existed: 0,
  unvaulted: 0,
  skipped: 0,
  rejected: 0,
  failed: 0,
  queued: 0,
  written: 0,
  pending: 0,
  unknown: 0,
  unmapped: 0,
  rejects: {},
  skips: {},
  failures: {},
  otherRows: { rejects: {}, skips: {}, failures: {} },
  stillThere: {},
  notices: {},
};

/** Users of one query, which the driver sorts in some 25 MB of memory. */
const USERS_AT_ONCE = 500_000;

type Group = [state: State, code: string | null, set: number, isSocial: 0 | 1, count: number];

function* groupsOf(database: Database, usersAtOnce: number): Generator<Group> {
  const groups = database.prepare<Group>(
    `SELECT state, code, notices AS set_id, kind = ${KIND.thirdparty} AS social, count(*)
     FROM users WHERE id > ?1 AND id <= ?1 + ?2 GROUP BY state, code, set_id, social ORDER BY code`,
  );
  const last = database.prepare<[number | null]>("SELECT max(id) FROM users").all()[0]?.[0] ?? 0;
  for (let from = 0; from < last; from += usersAtOnce) yield* groups.all(from, usersAtOnce);
}

/** @param usersAtOnce fewer in tests */
export function selectCounts(database: Database, usersAtOnce = USERS_AT_ONCE): StateCounts {
  const sets = new NoticeSets(database);
  const notices: Record<string, number> = {};
  const counts = { ...NO_COUNTS };
  const codes: Record<CodeTable, Record<string, number>> = { rejects: {}, skips: {}, failures: {} };
  const stillThere: Record<string, number> = {};
  for (const [state, code, set, isSocial, count] of groupsOf(database, usersAtOnce)) {
    const told = sets.of(set);
    const ofUser = toldOfUser(state, told);
    for (const notice of ofUser) add(notices, notice, count);
    if (state === STATE.imported && ofUser.has("bridged")) counts.bridged += count;
    if (state === STATE.created) counts.social += isSocial * count;
    // Of who was there before no more is told of the row: they keep the password that they have.
    if (state === STATE.existed && toldOfRow(told).includes("bridged")) counts.unvaulted += count;
    const reason = stillThereFor(told);
    if (reason !== null) add(stillThere, reason, count);
    counts.users += count;
    counts[STATE_NAMES[state]] += count;
    if (code === null) continue;
    if (isFinished(state)) counts.unmapped += count;
    const table = CODES[state];
    if (table !== undefined) add(codes[table], code, count);
  }
  counts.written = selectWritten(database, counts.queued);
  return { ...counts, ...codes, otherRows: selectOtherRows(database), stillThere, notices };
}

function selectOtherRows(database: Database): StateCounts["otherRows"] {
  const codes: Record<CodeTable, Record<string, number>> = { rejects: {}, skips: {}, failures: {} };
  const groups = database
    .prepare<[RowEvent["type"], string, number]>(
      `SELECT type, o.code, count(*) FROM ${STANDING_ROWS} GROUP BY type, o.code`,
    )
    .all();
  for (const [type, code, count] of groups) add(codes[`${type}s`], code, count);
  return codes;
}

/** How many rows are kept that no user stands for. */
export function countBeside(database: Database): number {
  const count = database.prepare<[number]>("SELECT count(*) FROM other_rows WHERE user IS NULL");
  return count.get()?.[0] ?? 0;
}

function add(counts: Record<string, number>, code: string, count: number): void {
  counts[code] = (counts[code] ?? 0) + count;
}
