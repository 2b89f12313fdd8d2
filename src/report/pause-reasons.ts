/** The reasons for which all calls wait, in words. */

import type { PauseEvent } from "../events/events.js";

/** In the order in which they are told. */
export const PAUSE_REASONS = [
  "retry_after",
  "busy",
  "outage",
] as const satisfies readonly PauseEvent["reason"][];

/** What each of them is. */
export const WAITED_FOR: Readonly<Record<PauseEvent["reason"], string>> = {
  retry_after: "the core asked for it (Retry-After)",
  busy: "the core was overloaded",
  outage: "the core didn't answer",
};
