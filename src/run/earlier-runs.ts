/** What a stage has to know of earlier runs, to say of each row whose it is. */

import type { Checkpoint } from "../checkpoint/checkpoint.js";
import type { Rules } from "../plan/action.js";
import { decide, NOTHING_SEEN } from "../plan/decide.js";
import type { EarlierRuns } from "../stage/settle.js";

/** @returns null where no run was before */
export function earlierRuns(
  { ledger, digester }: Pick<Checkpoint, "ledger" | "digester">,
  rules: Omit<Rules, "digester">,
): EarlierRuns | null {
  const { users } = ledger;
  if (users === null) return null;
  return {
    users,
    digester,
    database: ledger.database,
    sends: (user) => {
      const coreId = ledger.coreIdOf(user.entry.id);
      return "plan" in decide({ ...user, coreId }, NOTHING_SEEN, { ...rules, digester });
    },
  };
}
