/** Removals of this migration's users at the core: an intent before each, and an ending after it. */

import { MARK, SAW_NOBODY, MAPPED, STATE } from "../plan/states.js";
import type { RowRef } from "../events/events.js";
import type { Database } from "../sqlite/database.js";
import type { Commit } from "../sqlite/group-commit.js";
import { getMeta } from "./meta.js";
import { EARLIER_CONTACT_OPEN } from "../plan/notices.js";
import { FileIds, NoticeSets } from "./numbered.js";

const PAGE = 500;

/** Whom a call may have brought, and no outcome says so. */
const IS_OPEN = `state = ${STATE.intent} OR (saw_nobody <> ${SAW_NOBODY.no} AND state IN
  (${STATE.planned}, ${STATE.failed}, ${STATE.rejected}, ${STATE.skipped}))`;

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
  const forget = FORGET.map((sql) => database.prepare(sql));
  const files = new FileIds(database);
  function* usersWhere(condition: string): Generator<OpenUser> {
    const page = database.prepare<[number, number, number, string | null]>(
      `SELECT id, file, number, source_id FROM users WHERE id > ? AND (${condition})
       ORDER BY id LIMIT ${PAGE}`,
    );
    for (let last: number | undefined = 0; last !== undefined; ) {
      const users = page.all(last);
      for (const [, file, number, sourceId] of users) {
        yield { row: { file: files.pathOf(file), number }, sourceId };
      }
      last = users.at(-1)?.[0];
    }
  }
  return {
    /** People have signed in at the core once, as far as the checkpoint was told. */
    isTooLate: () => getMeta(database, "cut_over_once") !== undefined,
    isBegun: (user: number) => begun.all(user).length > 0,
    /** What the vault calls a user whose removal was begun; null for none. */
    keptOf: (user: number): Buffer | null => begun.all(user)[0]?.[0] ?? null,
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
    open: () => usersWhere(IS_OPEN),
    /** Users who may be at the core under an earlier contact, too, whatever has become of them since. */
    elsewhere(): Generator<OpenUser> {
      const isOpen = (code: string): boolean => EARLIER_CONTACT_OPEN.includes(code);
      const sets = new NoticeSets(database).all().filter(([, { calls }]) => calls.some(isOpen));
      return usersWhere(`notices IN (${sets.map(([id]) => id).join(", ")})`);
    },
  };
}
