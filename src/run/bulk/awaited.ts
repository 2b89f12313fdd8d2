/** Whom this run's rows name of those whose accounts are in the core's queue: two bytes a user, since there may be millions. */

import type { HashAlgorithm } from "../../hash/hash.js";
import type { Task } from "../../plan/action.js";
import { carriedBits } from "../../plan/carried-users.js";

const ALGORITHMS: readonly (HashAlgorithm | null)[] = [null, "bcrypt", "argon2", "vendor_scrypt"];
const NAMED = 0b1000;
const CHANGED = 0b1_0000;
const OTHER_WAY = 0b10_0000;
const AGAIN = 0b100_0000;
/** What of the account goes along stands above. */
const CARRIED = 7;

/** What this run knows of a user in the queue. */
interface Waiting {
  /** Of their hash; null without one. */
  readonly algorithm: HashAlgorithm | null;
  /** What of the account goes along, as bits. */
  readonly carried: number;
  /** Something else is asked for by now than what is in the queue. */
  readonly isChanged: boolean;
  /** What a lookup has shown beside, to be told once the user is there. */
  readonly hasOtherWay: boolean;
}

export class Awaited {
  #marks = new Uint16Array(4096);
  #count = 0;
  /** Those of them whom an earlier run has sent, also once they are taken. */
  before = 0;

  /** Users named and not taken yet. */
  get count(): number {
    return this.#count;
  }

  add(task: Task, isChanged: boolean): void {
    const { plan, action } = task;
    const { id } = task.entry;
    const algorithm = plan.kind === "import" ? plan.algorithm : null;
    const hasOtherWay = "notices" in action && action.notices.length > 0;
    const changed = isChanged ? CHANGED : 0;
    const bits = changed | (hasOtherWay ? OTHER_WAY : 0) | (carriedBits(task) << CARRIED);
    const mark = NAMED | ALGORITHMS.indexOf(algorithm) | bits;
    if ((this.#of(id) & NAMED) === 0) this.#count += 1;
    this.#set(id, (this.#of(id) & AGAIN) | mark);
  }

  /** As {@link Awaited.add}, of a user whom an earlier run has given to the queue. */
  addBefore(task: Task, isChanged: boolean): void {
    this.before += 1;
    this.add(task, isChanged);
  }

  /** Null where no row of this run names the user. */
  take(entryId: number): Waiting | null {
    const waiting = this.of(entryId);
    if (waiting === null) return null;
    this.#count -= 1;
    this.#set(entryId, this.#of(entryId) & ~NAMED);
    return waiting;
  }

  /** As {@link Awaited.take}, and the user is still awaited. */
  of(entryId: number): Waiting | null {
    const mark = this.#of(entryId);
    if ((mark & NAMED) === 0) return null;
    const algorithm = ALGORITHMS[mark & 0b111] ?? null;
    const isChanged = (mark & CHANGED) !== 0;
    const carried = mark >>> CARRIED;
    return { algorithm, carried, isChanged, hasOtherWay: (mark & OTHER_WAY) !== 0 };
  }

  /** @returns whether the user is queued once more for the first time in this run */
  mayQueueAgain(entryId: number): boolean {
    const mark = this.#of(entryId);
    this.#set(entryId, mark | AGAIN);
    return (mark & AGAIN) === 0;
  }

  #of(entryId: number): number {
    return this.#marks[entryId] ?? 0;
  }

  #set(entryId: number, mark: number): void {
    if (entryId >= this.#marks.length) {
      const grown = new Uint16Array(Math.max(this.#marks.length * 2, entryId + 1));
      grown.set(this.#marks);
      this.#marks = grown;
    }
    this.#marks[entryId] = mark;
  }
}
