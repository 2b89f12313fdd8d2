/** When an import uses the core's queue, as the operator says and as it is set for a run. */

/** `auto`: from a thousand new users on, at a remote core that offers the queue. */
export const BULK_MODES = ["auto", "always", "never"] as const;

export type BulkMode = (typeof BULK_MODES)[number];

/** How a run uses the queue. */
export interface BulkSetting {
  /** So many new users at least, or they go alone. */
  readonly least: number;
  /** The core had no user when the run began, so that lookups would find none. The queue never changes one who has come since. */
  readonly isEmpty: boolean;
  /** Most users in one request. */
  readonly most: number;
}
