/** Removals of this migration's users at the core: an intent before each, and an ending after it. */

import { MARK, SAW_NOBODY, MAPPED, STATE } from "../plan/states.js";
import type { RowRef } from "../events/events.js";
import type { Database } from "../sqlite/database.js";
import type { Commit } from "../sqlite/group-commit.js";
import { getMeta } from "./meta.js";
import { FileIds } from "./numbered.js";

/** Users read at once. */
const PAGE = 500;

/** Whom a call may have brought, and no outcome says so. */
const IS_OPEN = `state = ${STATE.intent} OR (saw_nobody <> ${SAW_NOBODY.no} AND state IN
  (${STATE.planned}, ${STATE.failed}, ${STATE.rejected}))`;

/** Who is removed is known, and nothing was sent: the same import brings them anew. */
const FORGET = [
  `UPDATE users SET state = ${STATE.planned}, saw_nobody = ${SAW_NOBODY.no}, core_id = NULL,
     code = NULL, mapped = ${MAPPED.no}, parts = NULL WHERE id = ?`,
  `DELETE FROM contacts WHERE user = ? AND mark <> ${MARK.held}`,
  "DELETE FROM former WHERE user = ?",
  "DELETE FROM taken WHERE user = ?",
  "DELETE FROM removals WHERE user = ?",
];

/** A user of whom it isn't known whether they are at the core. */
export interface OpenUser {
  readonly row: RowRef;
  readonly sourceId: string | null;
}

export function createRemovals(database: Database, commit: Commit) {
  const begun = database.prepare<[Buffer | null]>("SELECT kept FROM removals WHERE user = ?");
  const some = database.prepare<[number]>("SELECT user FROM removals LIMIT 1");
  const begin = database.prepare("INSERT OR REPLACE INTO removals VALUES (?, ?)");
  const leave = database.prepare("DELETE FROM removals WHERE user = ?");
  const open = database.prepare<[number, number, number, string | null]>(
    `SELECT id, file, number, source_id FROM users WHERE id > ? AND (${IS_OPEN})
     ORDER BY id LIMIT ${PAGE}`,
  );
  const forget = FORGET.map((sql) => database.prepare(sql));
  const files = new FileIds(database);
  return {
    /** People have signed in at the core once, as far as the checkpoint was told. */
    isTooLate: () => getMeta(database, "cut_over_once") !== undefined,
    isBegun: (user: number) => begun.all(user).length > 0,
    /** What the vault calls a user whose removal was begun; null for none. */
    keptOf: (user: number): Buffer | null => begun.all(user)[0]?.[0] ?? null,
    /** Whether a removal has no ending. */
    areBegun: () => some.all().length > 0,
    /**
     * Before the call; durable when it resolves.
     *
     * @param kept what the vault calls the user, of whom nothing says it once they are gone; null for none
     */
    begin: (user: number, kept: Buffer | null): Promise<void> =>
      commit.run(() => void begin.run(user, kept)),
    /** The user stays at the core, and is as if no removal had been begun. */
    leave: (user: number): Promise<void> => commit.run(() => void leave.run(user)),
    /** The user isn't at the core any more. */
    end: (user: number): Promise<void> =>
      commit.run(() => {
        for (const statement of forget) statement.run(user);
      }),
    /** Users of whom a run that has ended left no outcome. */
    *open(): Generator<OpenUser> {
      let last = 0;
      for (;;) {
        const page = open.all(last);
        for (const [id, file, number, sourceId] of page) {
          last = id;
          yield { row: { file: files.pathOf(file), number }, sourceId };
        }
        if (page.length < PAGE) return;
      }
    },
  };
}
