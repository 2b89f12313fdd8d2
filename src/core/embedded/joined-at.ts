/** When a new user joined: now, or when the caller says. */

import { refusal } from "../core-failure.js";
import type { Joining } from "../account-import.js";

/** What a new user takes. */
export interface Making {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly newUserId: (nowMs: number) => string;
}

/**
 * In epoch milliseconds.
 * @throws CoreFailure `refused` where it lies in the future or is no time
 */
export function joinedAt({ timeJoined }: Joining, nowMs: number): number {
  if (timeJoined === undefined) return nowMs;
  if (Number.isSafeInteger(timeJoined) && timeJoined >= 0 && timeJoined <= nowMs) return timeJoined;
  throw refusal("timeJoined must be a past time in milliseconds since 1970");
}
