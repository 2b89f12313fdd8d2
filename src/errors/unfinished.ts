/** Whom a run leaves unfinished, so that it has to be run again, and whether it has begun. Pure, and counted in one way by all who tell of it. */

/** How many of a checkpoint's users and changes stand where. */
interface Unfinished
  extends Record<"failed" | "queued" | "pending" | "unknown" | "unmapped", number> {
  readonly unread: number | null;
  readonly otherRows: { readonly failures: Readonly<Record<string, number>> };
}

/** Users and changes that a run that is over hasn't brought to an end, those of rows that it never read among them. */
export function unfinishedUsers(status: Readonly<Unfinished>): number {
  const { failed, queued, pending, unknown, unread, unmapped, otherRows } = status;
  const ofOtherRows = Object.values(otherRows.failures).reduce((sum, one) => sum + one, 0);
  return failed + queued + pending + unknown + (unread ?? 0) + unmapped + ofOtherRows;
}

/** What says how far a run came. */
interface Ended {
  readonly ending: string | null;
  readonly total: number | null;
  readonly read: number;
  readonly calls: Readonly<Record<string, number>>;
}

/** Whether a run was refused, or stopped or killed before its question was answered: until then its rows aren't noted. */
export function tookNothing({ ending, total, read, calls }: Ended): boolean {
  const isEarly = ending === "failed" || (ending !== "finished" && total === null);
  return isEarly && read === 0 && Object.values(calls).every((made) => made === 0);
}
