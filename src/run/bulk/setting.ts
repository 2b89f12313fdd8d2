/** Whether an import uses the core's queue, and for how many users. */

import { CoreFailure } from "../../core/core-failure.js";
import type { Core } from "../../core/core.js";
import { MOST_QUEUED } from "../../core/account-queue.js";
import { RunError } from "../../errors/run-error.js";
import { ask } from "../preflight.js";
import type { BulkMode, BulkSetting } from "./mode.js";

/** Fewer new users than these go alone, unless the operator says otherwise: the queue's job may not come for minutes. */
const LEAST_USERS = 1000;

/** What the operator says of it. */
interface Asked {
  readonly bulk?: BulkMode | undefined;
  readonly bulkBatch?: number | undefined;
}

/**
 * @param isOffered the core has the queue, by its capabilities
 * @param isFirst no user of this migration was sent before
 * @returns null where each user has calls of their own
 * @throws RunError `bulk_not_offered` for `always`, and as `checkCore`
 */
export async function bulkAt(
  core: Core,
  { bulk = "auto", bulkBatch: most = MOST_QUEUED }: Asked,
  { isOffered, isFirst }: { readonly isOffered: boolean; readonly isFirst: boolean },
): Promise<BulkSetting | null> {
  const isAlways = bulk === "always";
  if (bulk === "never") return null;
  // A core in this process takes a user's whole account in one call.
  const isThere = core.target.kind === "remote" && isOffered;
  if (!isThere && isAlways) throw notOffered();
  if (!isThere) return null;
  const isEmpty = isFirst && (await ask("lookup", () => hasNoUsers(core)));
  return { least: isAlways ? 1 : LEAST_USERS, isEmpty, most };
}

/** False also at a core that doesn't count its users. */
async function hasNoUsers(core: Core): Promise<boolean> {
  try {
    return (await core.countUsers()) === 0;
  } catch (error) {
    if (error instanceof CoreFailure && error.kind === "not_offered") return false;
    throw error;
  }
}

function notOffered(): RunError {
  return new RunError(
    "bulk_not_offered",
    "--bulk always was given, and the core offers no bulk import (GET /bulk-import/users/count).",
    {
      hint: "The public counterpart has it from version 10.0.0 on, and reliably from 11.0.4; serve has it; the embedded core needs none. Leave --bulk out: users then go one by one. Nothing was sent.",
    },
  );
}
