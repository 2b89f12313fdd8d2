/** The way of many users at once: new users gather to batches for the core's queue, which go one after the other. In memory are at most one that is sent, and half a one that fills: with two, 100,000 users took 282 to 322 MB in place of 269 to 279, and no less time. */

import type { Existing, Task } from "../../plan/action.js";
import { decide, NOTHING_SEEN } from "../../plan/decide.js";
import { intentOf } from "../../plan/writes.js";
import { type BulkWay, postpone, type RunContext, sendAlone, sendIntended } from "../run-batch.js";
import type { BulkSetting } from "./mode.js";
import { bytesOf, mayQueue } from "./queued-account.js";
import type { Member } from "./note-queued.js";
import { countRows, LONGEST_WAIT_MS } from "./queue-rows.js";
import { sendBatch } from "./send-batch.js";

/** A request's body: serve takes 16 MiB, and other cores as much. */
const MOST_BYTES = 15_000_000;
/** None at the core. */
const NONE_THERE: Existing = { user: null, byFirst: false, isSplit: false, hasOtherWay: false };

export class Bulk implements BulkWay {
  readonly #run: RunContext;
  readonly #setting: BulkSetting;
  #filling: Member[] = [];
  #bytes = 0;
  #mostBytes = MOST_BYTES;
  #sending: Promise<void> | null = null;
  #roomMade: (() => void)[] = [];
  /** So many were gathered once that none goes alone. */
  #isMany = false;
  #isOver = false;
  #isEnding = false;
  /** When the queue was asked last, or could have been. */
  #askedAt: number;

  constructor(run: RunContext, setting: BulkSetting) {
    this.#run = run;
    this.#setting = setting;
    this.#askedAt = run.context.now();
  }

  get isUsed(): boolean {
    return this.#isMany;
  }

  decided(task: Task): Task | null {
    if (this.#isOver) return null;
    const decided = this.#foreseen(task);
    return mayQueue(decided, this.#run.context) ? decided : null;
  }

  async add(task: Task, before: Task): Promise<void> {
    const { action } = task;
    if (action.kind !== "import" && action.kind !== "create") return;
    const { plan } = action;
    // The account itself is made when it is sent: ten thousand of them need not wait in memory.
    const bytes = bytesOf(plan);
    this.#filling.push({ task, before, plan, bytes });
    this.#bytes += bytes;
    if (this.#isFull()) this.#sending ??= this.#sendAll();
    while (this.#isFull() || (this.#sending !== null && this.#isHalfFull())) {
      await new Promise<void>((resolve) => this.#roomMade.push(resolve));
    }
  }

  /** Sends the last batches. Never rejects. */
  async finish(): Promise<void> {
    const isFew = !this.#isMany && this.#filling.length < this.#setting.least;
    if (isFew) this.#goAlone(this.#cut());
    await this.#sending;
    this.#isEnding = true;
    await this.#sendAll();
  }

  /** The operator's users as they are decided where none is at the core. */
  #foreseen(task: Task): Task {
    const { action, entry } = task;
    const asks = action.kind === "look_up" && action.question === "own" && !entry.tried;
    if (!asks || !this.#setting.isEmpty) return task;
    const seen = { ...NOTHING_SEEN, own: NONE_THERE, at: Number.NEGATIVE_INFINITY };
    return { ...task, action: decide(task, seen, this.#run.context) };
  }

  #isFull(): boolean {
    const isFull = this.#filling.length >= this.#setting.most || this.#bytes > this.#mostBytes;
    return isFull || (this.#isEnding && this.#filling.length > 0);
  }

  #isHalfFull(): boolean {
    return this.#filling.length * 2 >= this.#setting.most || this.#bytes * 2 > this.#mostBytes;
  }

  #makeRoom(): void {
    for (const resolve of this.#roomMade.splice(0)) resolve();
  }

  /** As many users as one request takes. */
  #cut(): readonly Member[] {
    let bytes = 0;
    let users = 0;
    for (const member of this.#filling) {
      if (users === this.#setting.most || (users > 0 && bytes + member.bytes > this.#mostBytes))
        break;
      bytes += member.bytes;
      users += 1;
    }
    this.#bytes -= bytes;
    return this.#filling.splice(0, users);
  }

  /** Sends full batches, one after the other. */
  async #sendAll(): Promise<void> {
    while (this.#isFull()) {
      this.#isMany = true;
      const members = this.#cut();
      this.#makeRoom();
      const sent = this.#send(members).then(() => this.#askQueue());
      await sent.catch(this.#run.stop.fail);
      this.#run.progress.tick();
    }
    this.#sending = null;
    this.#makeRoom();
  }

  async #send(members: readonly Member[]): Promise<void> {
    if (this.#run.signal.aborted)
      return postpone(
        this.#run,
        members.map(({ task }) => task),
      );
    if (this.#isOver) return this.#goAlone(members);
    await this.#writeIntents(members);
    const { alone, isOver, tooLarge } = await sendBatch(this.#run, members);
    this.#isOver = isOver;
    if (tooLarge !== null) this.#mostBytes = Math.ceil(Math.min(this.#mostBytes, tooLarge) / 2);
    for (const task of alone) sendIntended(this.#run, task);
  }

  /** Notes now and then how many the queue has written: those who have no row there any more, or fewer where others have rows there, but never fewer than were known. */
  async #askQueue(): Promise<void> {
    const { context, checkpoint, recorder, signal } = this.#run;
    const isTime = context.now() - this.#askedAt >= LONGEST_WAIT_MS;
    if (!isTime || this.#isOver || signal.aborted) return;
    this.#askedAt = context.now();
    const rows = await countRows(this.#run);
    recorder.wrote(Math.max(recorder.written, checkpoint.queued.count() - rows));
  }

  /** Apart from what follows: a function that waits keeps all that it has named, and these are as large as their users. */
  #writeIntents(members: readonly Member[]): Promise<void> {
    const intents = members.flatMap(({ task }) => intentOf(task) ?? []);
    return this.#run.checkpoint.ledger.writeIntents(intents);
  }

  /** Nothing is written of them yet. */
  #goAlone(members: readonly Member[]): void {
    for (const { task, before } of members) {
      sendAlone(this.#run, this.#setting.isEmpty ? before : task);
    }
  }
}
