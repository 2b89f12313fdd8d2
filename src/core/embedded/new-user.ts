/** What a new user gets: the time at which they joined, and an id. Ids are UUIDs of version 7 (RFC 9562 section 5.7), because ids that grow with time keep inserts at the end of their index. */

import { randomUUID } from "node:crypto";
import type { Joining } from "../account-import.js";
import { refusal } from "../core-failure.js";

/** What the calls take that make a user. */
export interface Making {
  /** Base64, or null where none is configured (interface.md 4.5). */
  readonly signerKey: string | null;
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

/** The counter is `rand_a`, 12 bits. */
const MAX_COUNTER = 0xfff;
/** Where a UUID's variant begins, with 62 random bits behind it; in every version alike. */
const VARIANT = 18;

/**
 * A generator of ids. Each is greater as text than the one before, also within a millisecond and
 * when the clock is set back; 62 random bits keep those of several processes apart.
 */
export function userIdGenerator(): (nowMs: number) => string {
  let lastMs = -1;
  let counter = 0;
  let prefix = "";
  const begin = (timeMs: number): void => {
    lastMs = timeMs;
    counter = 0;
    const time = timeMs.toString(16).padStart(12, "0");
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  };
  return (nowMs) => {
    if (nowMs > lastMs) begin(nowMs);
    else if (counter < MAX_COUNTER) counter += 1;
    else begin(lastMs + 1);
    const sequence = counter.toString(16).padStart(3, "0");
    return `${prefix}${sequence}${randomUUID().slice(VARIANT)}`;
  };
}
