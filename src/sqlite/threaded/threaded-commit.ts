/** Group commit on a thread of its own: while the thread writes one group, the next one gathers. */

import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from "node:worker_threads";
import { systemErrorCode } from "../../errors/run-error.js";
import type { OpenOptions } from "../database.js";
import type { Commit } from "../group-commit.js";
import { SqliteFailure } from "../sqlite-failure.js";
import { END, ENDED, type FailureParts, type GroupEnd, type Operation } from "./messages.js";
import type { Recorder } from "./recorder.js";

const WORKER = new URL("./commit-worker.js", import.meta.url);

/** Closing waits for a group that is being written, and for nothing else. */
const END_MS = 60_000;
/** The threads of one process wait for each other as long as it takes. */
const BUSY_MS = 600_000;
/** The thread makes little garbage; V8's default is 48 MB. */
const YOUNG_MIB = 4;

/** A piece of work that waits to be durable. */
interface Job {
  readonly operations: readonly Operation[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes what a recorder's database is asked to run. Work must return nothing, and read nothing
 * that it has written.
 */
export class ThreadedCommit implements Commit {
  readonly #path: string;
  readonly #recorder: Recorder;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #state = new Int32Array(new SharedArrayBuffer(4));
  #waiting: Job[] = [];
  #written: readonly Job[] | null = null;
  #scheduled = false;
  #closed = false;
  #death: SqliteFailure | null = null;

  /**
   * @param path the file, which is there already
   * @param options as it was opened; the thread has a connection of its own
   */
  constructor(path: string, options: OpenOptions, recorder: Recorder) {
    this.#path = path;
    this.#recorder = recorder;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#worker = new Worker(WORKER, {
      name: "checkpoint",
      workerData: {
        path,
        options: { ...options, busyTimeoutMs: BUSY_MS, foldWaitMs: 0 },
        port: port2,
        state: this.#state,
      },
      transferList: [port2],
      // It needs no environment, so it gets no copy of one that holds keys.
      env: {},
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    port1.on("message", (end: GroupEnd) => this.#ended(end));
    // The text of such an error might repeat what was to be written; its code can't.
    this.#worker.on("error", (error) => this.#die(systemErrorCode(error) || "an unexpected error"));
    this.#worker.on("exit", () => this.#die("it ended"));
    this.#worker.unref();
    port1.unref();
  }

  run<T>(work: () => T): Promise<T> {
    if (this.#closed) {
      return Promise.reject(new SqliteFailure("bug", "the database was closed"));
    }
    return new Promise<T>((resolve, reject) => {
      // At once: what it writes is what it was asked for now.
      const operations = this.#recorder.record(() => void work());
      if (this.#death !== null) {
        reject(this.#death);
        return;
      }
      this.#waiting.push({ operations, resolve: () => resolve(undefined as T), reject });
      this.#schedule();
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#death === null) {
      while (this.#written !== null || this.#waiting.length > 0) {
        if (this.#written === null) this.#send();
        this.#ended(this.#nextEnd());
      }
      this.#port.postMessage(END);
      this.#waitFor(() => Atomics.load(this.#state, 0) === ENDED);
    }
    this.#port.close();
    void this.#worker.terminate();
  }

  #schedule(): void {
    if (this.#scheduled || this.#written !== null) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#closed && this.#written === null) this.#send();
    });
  }

  #send(): void {
    const group = this.#waiting;
    if (group.length === 0 || this.#death !== null) return;
    this.#waiting = [];
    this.#written = group;
    this.#port.ref();
    const pieces = group.map(({ operations }) => operations);
    this.#port.postMessage({ statements: this.#recorder.newStatements(), pieces });
  }

  #ended(end: GroupEnd): void {
    const group = this.#written ?? [];
    this.#written = null;
    this.#port.unref();
    for (const [place, job] of group.entries()) {
      const failure = end?.[place] ?? null;
      if (failure === null) job.resolve();
      else job.reject(failureOf(failure));
    }
    if (this.#waiting.length > 0) this.#schedule();
  }

  /** Reads the answer directly: this thread is blocked and gets no events. */
  #nextEnd(): GroupEnd {
    let received: { message: GroupEnd } | undefined;
    this.#waitFor(() => {
      received = receiveMessageOnPort(this.#port) as typeof received;
      return received !== undefined;
    });
    return received?.message ?? null;
  }

  /** @throws SqliteFailure `disk` where the thread doesn't come to its end */
  #waitFor(isThere: () => boolean): void {
    const last = performance.now() + END_MS;
    while (!isThere()) {
      if (performance.now() > last) throw this.#gone("it doesn't end");
      Atomics.wait(this.#state, 0, 0, 1);
    }
  }

  #die(why: string): void {
    if (this.#closed || this.#death !== null) return;
    this.#death = this.#gone(why);
    for (const { reject } of [...(this.#written ?? []), ...this.#waiting]) reject(this.#death);
    this.#written = null;
    this.#waiting = [];
  }

  #gone(why: string): SqliteFailure {
    return new SqliteFailure("disk", `${this.#path}: the thread that writes it is gone (${why})`);
  }
}

function failureOf({ kind, message, code }: FailureParts): SqliteFailure {
  return new SqliteFailure(kind, message, code === "" ? undefined : { code });
}
