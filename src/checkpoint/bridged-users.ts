/** Users whose old hash is in a vault: which vault that is, and how many they are. */

import type { Database } from "../sqlite/database.js";
import type { Commit } from "../sqlite/group-commit.js";
import type { Field } from "../events/lines/lines.js";
import { SAW_NOBODY, STATE } from "../plan/states.js";
import { getMeta, setMeta } from "./meta.js";
import { BRIDGE_LOST } from "../plan/notices.js";
import { NoticeSets } from "./numbered.js";

/** The vault of a checkpoint's users, as their last import left it. */
export type VaultNote = Readonly<Pick<VaultStanding, "id" | "imports" | "file" | "start">>;

/** The vault on which a checkpoint's users depend, and what is known of it. */
export type VaultStanding = NonNullable<Field<"status", "vault">>;

/** What stands where it is looked for. */
export type VaultFound = NonNullable<VaultStanding["found"]>;

/** @param notices of the same checkpoint's ledger */
export function createBridgedUsers(database: Database, commit: Commit, notices: NoticeSets) {
  /** What is told of users whose hash was kept, in a vault that is lost or in the present one. */
  const setsIn = (vault: "lost" | "present") =>
    new NoticeSets(database).all().filter(([, { row, calls }]) => {
      return row.includes("bridged") && calls.includes(BRIDGE_LOST) === (vault === "lost");
    });
  const idsOf = (sets: ReturnType<typeof setsIn>): string => sets.map(([id]) => id).join(", ");
  const mark = (): void => {
    const move = `UPDATE users SET notices = ? WHERE notices = ? AND ${IS_THERE}`;
    for (const [id, { row, calls }] of setsIn("present")) {
      const marked = notices.idOf({ row, calls: [...calls, BRIDGE_LOST] });
      database.prepare(move).run(marked, id);
    }
  };
  return {
    /** Null where no hash was kept. */
    vault: () => selectVault(database),
    /**
     * Users with a hash in the vault who are at the core, or may be; and how many of them had it in a
     * vault that is lost. Who was being removed counts until the vault has forgotten them. It reads every
     * user.
     */
    count(): Record<"users" | "lost", number> {
      const lostSets = setsIn("lost");
      const all = idsOf([...lostSets, ...setsIn("present")]);
      const count = `SELECT count(*), coalesce(sum(notices IN (${idsOf(lostSets)})), 0) FROM users
        WHERE (notices IN (${all}) AND ${IS_THERE}) OR id IN (SELECT user FROM removals WHERE kept NOT NULL)`;
      const [[users, lost] = [0, 0]] = database.prepare<[number, number]>(count).all();
      return { users, lost };
    },
    /** Whether a user's hash was kept in the vault, as far as that wasn't lost: who isn't there any more has signed in. */
    areKept(): (user: number) => boolean {
      const ids = idsOf(setsIn("present"));
      // Of who was left out since, the notices are of a row that wasn't sent.
      const kept = database.prepare(
        `SELECT 1 FROM users WHERE id = ? AND notices IN (${ids}) AND ${IS_THERE}`,
      );
      return (user) => kept.all(user).length > 0;
    },
    /**
     * Makes it durable which vault is written to.
     *
     * @param isOther the one before is lost, and with it what it had: each of these users is marked at
     *   once, until their hash is kept again
     */
    note: (vault: VaultNote, isOther: boolean): Promise<void> =>
      commit.run(() => {
        if (isOther) mark();
        setMeta(database, "vault", JSON.stringify(vault));
      }),
  };
}

/** Who is at the core, or may be. */
const IS_THERE = `(state IN (${STATE.imported}, ${STATE.intent}, ${STATE.failed}) OR saw_nobody <> ${SAW_NOBODY.no})`;

export function selectVault(database: Database): VaultNote | null {
  const text = getMeta(database, "vault");
  return text === undefined ? null : (JSON.parse(text) as VaultNote);
}
