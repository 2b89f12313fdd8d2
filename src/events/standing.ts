/** Where the users of a whole migration stand, as a summary and `status` have it alike. */

/** What keeps the numbers from being of every row: the latest run was stopped or broke off, a limit left rows, or an input was cut off. */
export type Cut = "stopped" | "limited" | "truncated";

/** Users who are at the core and whom the latest row that names them would leave out, by the option that it was read without, or `since` the vendor keeps them out. */
export type StillThere = Readonly<Record<string, number>>;

type Counts = Readonly<Record<string, number>>;

/** Where the users of a whole migration stand. */
export interface Standings {
  /** All that the checkpoint knows; the sum of what follows up to `unknown`. */
  readonly users: number;
  readonly imported: number;
  readonly created: number;
  readonly existed: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly failed: number;
  /** In the core's queue, which writes them later. */
  readonly queued: number;
  /** Known, and nothing was sent. */
  readonly pending: number;
  /** A call was about to be made and how it ended wasn't noted: in flight, or of a run that was killed. */
  readonly unknown: number;
  /**
   * Rows that no user stands for: duplicates, unreadable ones, and those of users who are at the
   * core and whose change isn't sent.
   */
  readonly otherRows: Readonly<Record<"rejects" | "skips" | "failures", Counts>>;
  /** Rows that no run has read, each of a further user; null where there are more, and nobody knows how many. */
  readonly unread: number | null;
  readonly stillThere: StillThere;
  readonly cut: Cut | null;
}
