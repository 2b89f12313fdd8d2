/** Sends a batch of accounts to the core's queue, which takes all, or none and names those that it refuses. It isn't idempotent, so an answer that was lost is looked for before anything is sent again. */

import type { CallResult } from "../../calls/caller.js";
import { mayHaveWorked } from "../../calls/retry-table.js";
import { refusesEverything } from "../../calls/core-errors.js";
import type { AccountRequest } from "../../core/account-import.js";
import type { QueueOutcome } from "../../core/account-queue.js";
import { CoreFailure } from "../../core/core-failure.js";
import type { CoreUser } from "../../core/user.js";
import type { CallOutcome, Task } from "../../plan/action.js";
import { brought, unfinished } from "../../plan/outcomes.js";
import { NO_WORK, notesDone } from "../../plan/parts.js";
import { MAPPED } from "../../plan/states.js";
import { answerMismatch } from "../answer-check.js";
import { accountFor } from "../account-request.js";
import { endCalls } from "../end-calls.js";
import type { RunContext } from "../run-batch.js";
import { locate } from "./find-members.js";
import { type Member, noteQueued } from "./note-queued.js";

/** What a batch came to beside what is written of its users. */
interface BatchEnd {
  /** Users whom the core takes in no batch, without saying why: they go alone. */
  readonly alone: readonly Task[];
  /** The core takes no batches at all. */
  readonly isOver: boolean;
  /** The core takes no request of so many bytes; null where it took what it was given. */
  readonly tooLarge: number | null;
}

/** Calls beside the first that a batch with flaws may cost. */
const MOST_EXTRA = 15;
/** So many accounts refused for one reason, and none taken: that is no fault of theirs. */
const MANY = 100;

/** What the core says to a batch. */
type Answer =
  | QueueOutcome
  /** Nothing of it had to be sent again. */
  | { readonly status: "FOUND" }
  | { readonly status: "REFUSED"; readonly failure: CoreFailure };

/** Sends users whose intents are durable. What comes of each is durable when it resolves. */
export async function sendBatch(run: RunContext, members: readonly Member[]): Promise<BatchEnd> {
  const sending = new Sending(run);
  await sending.send(members);
  return sending.end();
}

class Sending {
  readonly #run: RunContext;
  readonly #alone: Task[] = [];
  #extra = 0;
  #isOver = false;
  #tooLarge: number | null = null;

  constructor(run: RunContext) {
    this.#run = run;
  }

  end(): BatchEnd {
    return { alone: this.#alone, isOver: this.#isOver, tooLarge: this.#tooLarge };
  }

  /** @param isAgain an attempt that was lost may still arrive */
  async send(members: readonly Member[], isAgain = false): Promise<void> {
    if (members.length === 0) return;
    if (this.#isOver || this.#extra > MOST_EXTRA) return this.#leave(members, isAgain);
    this.#extra += 1;
    const { context, stop } = this.#run;
    const attempts = new Attempts(this.#run, members, isAgain);
    let result: CallResult<Answer>;
    try {
      result = await context.caller.call("import", () => attempts.next());
    } catch (error) {
      if (!stop.isCauseOf(error)) throw error;
      if (attempts.isSent) {
        // Their intents say to the next run that they may have been sent.
        this.#run.pending += attempts.open.length;
      } else {
        await endCalls(
          this.#run,
          attempts.open.map(({ task }) => ({ task, outcome: null })),
        );
      }
      return;
    }
    if (result.ok) await this.#answered(result.value, attempts);
    else await this.#end(attempts.open, result.failure, attempts.isUnsure || attempts.isAgain);
  }

  async #end(
    members: readonly Member[],
    failure: CoreFailure,
    maybeApplied: boolean,
  ): Promise<void> {
    const outcome = unfinished({ failure, maybeApplied });
    await endCalls(
      this.#run,
      members.map(({ task }) => ({ task, outcome })),
    );
  }

  async #answered(answer: Answer, attempts: Attempts): Promise<void> {
    switch (answer.status) {
      case "FOUND":
        return;
      case "OK":
        return this.#queued(answer.users, attempts);
      case "INVALID_USERS_ERROR":
        return this.#rejected(answer.users, attempts);
      case "REFUSED":
        return this.#refused(answer.failure, attempts);
    }
  }

  async #queued(
    users: Extract<QueueOutcome, { readonly status: "OK" }>["users"],
    { open, isAgain }: Attempts,
  ): Promise<void> {
    const [first] = open;
    if (users.length !== open.length && first !== undefined) {
      throw answerMismatch(
        first.task.keys.row,
        `with ${users.length} ids for ${open.length} accounts`,
      );
    }
    await noteQueued(this.#run, open, { ids: users, isAgain });
  }

  async #rejected(
    flawed: Extract<QueueOutcome, { readonly status: "INVALID_USERS_ERROR" }>["users"],
    attempts: Attempts,
  ): Promise<void> {
    const { open, isAgain } = attempts;
    const reasons = new Map(flawed.map(({ index, errors }) => [index, errors.join(" ")]));
    requireSome([...reasons.values()], open.length);
    const rest = open.filter((_, index) => !reasons.has(index));
    if (rest.length === open.length) {
      return this.#refused(refusedBy("accounts that weren't sent"), attempts);
    }
    await Promise.all(
      open.map((member, index) => {
        const reason = reasons.get(index);
        return reason === undefined ? undefined : this.#end([member], refusedBy(reason), isAgain);
      }),
    );
    await this.send(rest, isAgain);
  }

  /** To go alone. An attempt that was lost may bring them yet. */
  #leave(members: readonly Member[], isAgain: boolean): void {
    const sent = isAgain ? { tried: true, sawNobody: true } : {};
    for (const { task } of members)
      this.#alone.push({ ...task, entry: { ...task.entry, ...sent } });
  }

  /** The half that is refused again is halved again, so that the one at fault is found. */
  async #refused(failure: CoreFailure, { open, isAgain }: Attempts): Promise<void> {
    if (failure.kind !== "refused") this.#isOver = true;
    else if (failure.status === 413) {
      this.#tooLarge = open.reduce((sum, { bytes }) => sum + bytes, 0);
    }
    if (this.#isOver || open.length === 1) return this.#leave(open, isAgain);
    const half = Math.ceil(open.length / 2);
    for (const part of [open.slice(0, half), open.slice(half)]) await this.send(part, isAgain);
  }
}

/** The attempts at sending one batch. */
class Attempts {
  readonly #run: RunContext;
  /** Some attempt may have taken effect. */
  isUnsure: boolean;
  isSent = false;
  /** What such an attempt sent was found nowhere, and may arrive after all. */
  isAgain: boolean;
  /** Of whom it isn't known that the core has them. */
  open: readonly Member[];

  constructor(run: RunContext, members: readonly Member[], isAgain: boolean) {
    this.#run = run;
    this.open = members;
    this.isUnsure = members.some(({ task }) => task.entry.tried);
    this.isAgain = isAgain;
  }

  /** One attempt; rejects with a `CoreFailure`, as the core's own call. */
  async next(): Promise<Answer> {
    const { core } = this.#run.context;
    if (this.isUnsure) await this.#look();
    if (this.open.length === 0) return { status: "FOUND" };
    this.isSent = true;
    try {
      return await core.queueAccounts(await this.#accounts());
    } catch (error) {
      if (!(error instanceof CoreFailure)) throw error;
      if (TAKES_NONE.has(error.kind)) return { status: "REFUSED", failure: error };
      // Queued twice, it fails row by row: a maintenance page may ask to wait although it arrived.
      this.isUnsure ||= mayHaveWorked(error) || error.status === 503;
      throw error;
    }
  }

  /** What is sent of each user. It is made for each attempt. */
  #accounts(): Promise<AccountRequest[]> {
    const { context } = this.#run;
    return Promise.all(this.open.map(({ plan, task }) => accountFor(context, plan, task.keys)));
  }

  async #look(): Promise<void> {
    const run = this.#run;
    const { core, caller } = run.context;
    const accounts = await this.#accounts();
    const sent = this.open.flatMap((member, place) => {
      const account = accounts[place];
      const { row } = member.task.keys;
      return account === undefined ? [] : [{ ...member, row, account }];
    });
    const { queued, written, absent } = await locate(core, sent, {
      count: () => caller.count("lookup"),
      signal: run.signal,
    });
    const members = queued.map(([member]) => member);
    const ids = queued.map(([, userId]) => ({ userId }));
    await Promise.all([
      noteQueued(run, members, { ids, isAgain: this.isAgain }),
      endCalls(
        run,
        written.map(([{ task }, user]) => ({ task, outcome: writtenOutcome(task, user) })),
      ),
    ]);
    this.open = absent;
    this.isUnsure = false;
    this.isAgain = true;
  }
}

const TAKES_NONE: ReadonlySet<CoreFailure["kind"]> = new Set([
  "refused",
  "disabled",
  "not_offered",
]);

/** A user whom the queue has made, with the whole account. */
function writtenOutcome(task: Task, user: CoreUser): CallOutcome {
  const { plan, action } = task;
  if (plan.kind !== "import" && plan.kind !== "passwordless") throw new Error("nothing was sent");
  const mapped = plan.keepId !== null && user.userId === plan.keepId ? MAPPED.yes : MAPPED.no;
  const done = { ...brought(user, plan.kind), mapped };
  const parts = "parts" in action ? action.parts : NO_WORK;
  return parts.length === 0 ? done : { ...done, parts: notesDone(task, parts) };
}

function refusedBy(reason: string): CoreFailure {
  return new CoreFailure("refused", reason, { reached: "yes" });
}

/** @throws RunError `core_refuses_everything` */
function requireSome([reason, ...others]: readonly string[], sent: number): void {
  const isOne = reason !== undefined && others.every((other) => other === reason);
  if (isOne && others.length + 1 === sent && sent >= MANY) {
    throw refusesEverything(refusedBy(reason));
  }
}
