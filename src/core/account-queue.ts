/** The queue by which a core imports accounts in bulk: they are checked when they come, written later, and gone from it once they are users. */

import type { AccountRequest } from "./account-import.js";
import type { QueuedStatus } from "./account-parts.js";

/** An account that isn't a user's yet. Holds a hash and secrets of second factors: never logged. */
export interface QueuedAccount {
  /** Of the place in the queue. */
  readonly id: string;
  /** The core's own id that the user will have; absent where a remote core doesn't say. */
  readonly userId?: string;
  /** Null where another client has queued what this one makes nothing of, such as linked accounts. */
  readonly account: AccountRequest | null;
  readonly status: QueuedStatus;
  /** Why it failed, begun by a code; at SuperTokens also any text of its database. */
  readonly errorMessage: string | null;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. */
  readonly updatedAt: number;
}

/** A user as the queue has taken them. */
export interface QueuedIds {
  /** The external id, or the core's own. */
  readonly userId: string;
  /** The core's own. */
  readonly recipeUserId?: string;
  /** As a remote core shows it; absent where it shows none. */
  readonly email?: string;
  /** As the email. */
  readonly phoneNumber?: string;
}

/** What came of queuing accounts: all of them are queued, or none. */
export type QueueOutcome =
  | {
      readonly status: "OK";
      /** In the order of the request. */
      readonly users: readonly QueuedIds[];
    }
  | {
      readonly status: "INVALID_USERS_ERROR";
      /** Where in the request, and why; no text repeats a contact or a hash. */
      readonly users: readonly { readonly index: number; readonly errors: readonly string[] }[];
    };

/** Which page of the queue. */
export interface QueuePageRequest {
  /** Of every status by default. */
  readonly status?: QueuedStatus | undefined;
  /** 1 to 500; 100 by default. */
  readonly limit?: number | undefined;
  /** Of the page before. */
  readonly paginationToken?: string | undefined;
}

/** One page of the queue. */
export interface QueuePage {
  readonly users: readonly QueuedAccount[];
  readonly nextPaginationToken?: string;
}

/** Most accounts in one call. */
export const MOST_QUEUED = 10_000;
