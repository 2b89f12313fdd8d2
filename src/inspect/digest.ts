/** Short digests for counting: they never leave this process. */

import type { UserRecord } from "../account/user-record.js";

/** Digests of a user's id and email; 0 for none. */
export interface UserDigests {
  readonly id: number;
  readonly email: number;
}

export function digestsOf({ sourceId, email }: UserRecord): UserDigests {
  return {
    id: sourceId === null ? 0 : digest(sourceId),
    email: email === null ? 0 : digest(email.value),
  };
}

/**
 * 53 bits of a text, mixed as by cyrb53. Not for secrets or against forgers: two texts of a file
 * that meet by chance (one pair in a million files) make a finding's number wrong, and no more.
 */
export function digest(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
  }
  high =
    Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low =
    Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
}
