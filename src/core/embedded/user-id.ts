/** User ids: UUID version 7 (RFC 9562 section 5.7), because ids that grow with time keep inserts at the end of their index. */

import { randomBytes } from "node:crypto";

const IDS_PER_POOL = 512;
const HEX_PER_ID = 16;
/** The counter is `rand_a`, 12 bits. */
const MAX_COUNTER = 0xfff;
/** The two variant bits `10` and the two random bits after them. */
const VARIANTS = ["8", "9", "a", "b"] as const;

/**
 * A generator of ids. Each is greater as text than the one before, also within a millisecond and
 * when the clock is set back; 62 random bits keep those of several processes apart.
 */
export function userIdGenerator(): (nowMs: number) => string {
  let lastMs = -1;
  let counter = 0;
  let prefix = "";
  let pool = "";
  let used = 0;
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
    if (used === pool.length) {
      pool = randomBytes((IDS_PER_POOL * HEX_PER_ID) / 2).toString("hex");
      used = 0;
    }
    const random = pool.slice(used, used + HEX_PER_ID);
    used += HEX_PER_ID;
    const variant = VARIANTS[Number.parseInt(random.charAt(0), 16) % VARIANTS.length];
    const sequence = counter.toString(16).padStart(3, "0");
    return `${prefix}${sequence}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
  };
}
