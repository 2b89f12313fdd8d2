/** The calls of an import's users as a dry run foresees them: one by one, or together where enough of them go by the core's queue. */

import type { RowRef } from "../../events/events.js";
import type { Rules, Task } from "../../plan/action.js";
import { lookupsOf, signsIn } from "../../plan/expected.js";
import { type CallCounts, noCalls } from "../../events/tally.js";
import { PAGE } from "./find-members.js";
import type { BulkSetting } from "./mode.js";
import { mayQueue } from "./queued-account.js";

export class ForeseenCalls {
  readonly #setting: BulkSetting | null;
  readonly #rules: Pick<Rules, "carried">;
  readonly #planned: CallCounts;
  readonly #alone = noCalls();
  #signIns = 0;
  /** Those whom the queue would spare it. */
  #spared = 0;
  #users = 0;
  #lookups = 0;
  /** Of users who lose when they joined unless they go together. */
  readonly #joining: RowRef[] = [];

  /**
   * @param setting null where each user has calls of their own
   * @param planned all calls of the import; those of users who go together are added at the end
   */
  constructor(setting: BulkSetting | null, rules: Pick<Rules, "carried">, planned: CallCounts) {
    this.#setting = setting;
    this.#rules = rules;
    this.#planned = planned;
  }

  #goesTogether(task: Task): boolean {
    return this.#setting !== null && mayQueue(task, this.#rules);
  }

  /** @returns whether a user may go together with others, who joins on the vendor's day then alone */
  joinsTogether(task: Task): boolean {
    if (!this.#goesTogether(task)) return false;
    // From so many on it is sure that they go together.
    if (this.#joining.length < (this.#setting?.least ?? 0)) this.#joining.push(task.keys.row);
    return true;
  }

  /** Where the calls of a decided user are to be counted; those of the lookups are counted as all others'. */
  countsFor(task: Task): CallCounts {
    const { action } = task;
    const isSignedIn = signsIn(action);
    if (!this.#goesTogether(task)) {
      if (isSignedIn) this.#signIns += 1;
      return this.#planned;
    }
    this.#users += 1;
    if (isSignedIn) this.#spared += 1;
    if ("plan" in action) this.#lookups += lookupsOf(action.plan);
    return this.#alone;
  }

  /**
   * Adds what is left. How often the queue will be asked isn't known; users are read back by pages.
   *
   * @returns whether users go by the queue, and if not, the rows whose time of joining stays behind
   *   for that; and how many users are signed in
   */
  end(): {
    readonly isTogether: boolean;
    readonly joinedLost: readonly RowRef[];
    readonly signIns: number;
  } {
    const planned = this.#planned;
    if (this.#setting === null || this.#users < this.#setting.least) {
      for (const call of Object.keys(planned) as (keyof CallCounts)[]) {
        planned[call] += this.#alone[call];
      }
      const signIns = this.#signIns + this.#spared;
      return { isTogether: false, joinedLost: this.#joining, signIns };
    }
    const { most, isEmpty } = this.#setting;
    planned.import += Math.ceil(this.#users / most);
    planned.lookup += Math.ceil(this.#users / PAGE) - (isEmpty ? this.#lookups : 0);
    return { isTogether: true, joinedLost: [], signIns: this.#signIns };
  }
}
