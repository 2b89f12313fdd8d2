/** Whether an import uses the core's queue, and for how many users. */

import { unlessNotOffered } from "../../core/core-failure.js";
import type { Core } from "../../core/core.js";
import { MOST_QUEUED } from "../../core/account-queue.js";
import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import type { Carried, Offered } from "../../plan/carried.js";
import { ask } from "../preflight.js";
import type { BulkMode, BulkSetting } from "./mode.js";

/** Fewer new users than these go alone, unless the operator says otherwise: the queue's job may not come for minutes. */
export const LEAST_USERS = 1000;

/** What the operator says of it. */
interface Asked {
  readonly bulk?: BulkMode | undefined;
  readonly bulkBatch?: number | undefined;
}

/**
 * @returns null where each user has calls of their own
 * @param isOffered the core has the queue, by its capabilities; null, where it may not be relied on,
 *   takes `always`
 * @param isFirst no user of this migration was sent before, and users are looked up
 * @throws RunError `core_feature_missing` for `always`, and as `checkCore`
 */
export async function bulkAt(
  core: Core,
  { bulk = "auto", bulkBatch: most = MOST_QUEUED }: Asked,
  { isOffered, isFirst }: { readonly isOffered: boolean | null; readonly isFirst: boolean },
): Promise<BulkSetting | null> {
  const isAlways = bulk === "always";
  // A core in this process takes a user's whole account in one call.
  const isThere = core.target.kind === "remote" && (isOffered ?? isAlways);
  if (!isThere && isAlways) {
    const lacks = `${optionName("--bulk")} always was given, and the core offers no bulk import (GET /bulk-import/users/count), or is too old for it.`;
    throw new RunError("core_feature_missing", lacks, {
      hint: `SuperTokens has it from version 10.0.0 on, with ids of its users from 10.1.1, and reliably from 11.0.4; serve has it; the embedded core needs none. Leave ${optionName("--bulk")} out: users then go one by one. Nothing was sent.`,
    });
  }
  if (bulk === "never" || !isThere) return null;
  const countUsers = () => unlessNotOffered(() => core.countUsers(), null);
  const isEmpty = isFirst && (await ask("lookup", countUsers)) === 0;
  const least = isAlways ? 1 : LEAST_USERS;
  return { least, isEmpty, most };
}

/** Whether a run of so many rows uses the queue at all; it may turn out later that too few users are new. */
export function usesQueue(setting: BulkSetting | null, rows: number): setting is BulkSetting {
  return setting !== null && rows >= setting.least;
}

/**
 * What a core keeps of accounts where users may go by its queue. The queue takes a time of joining; a
 * call of a user's own doesn't.
 */
export function withQueue<O extends Pick<Offered, "timeJoined">>(offered: O, mayQueue: boolean): O {
  return mayQueue ? { ...offered, timeJoined: true } : offered;
}

/** What is carried where each user has calls of their own. */
export function carriedBySingleCalls({
  carried,
  joinedByQueue,
}: {
  readonly carried: Carried;
  readonly joinedByQueue?: boolean;
}): Carried {
  return { ...carried, joined: carried.joined && joinedByQueue !== true };
}
