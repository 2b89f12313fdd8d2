/** The messages between this side and a thread, and how failures are taken apart for them. One message holds all calls, or all answers, of one turn of the event loop. */

import type { MessagePort } from "node:worker_threads";
import { RunError } from "../../../errors/run-error.js";
import { CoreFailure } from "../../core-failure.js";

/** One call. Its number is not used again. */
export type Call<Content> = readonly [number: number, content: Content];

/** A core's call: the method, and what it is asked with. */
export type NamedCall = readonly [method: string, given: readonly unknown[]];

/** What a core's thread says once it has opened the core: its id, and what can be called. */
export interface Opened {
  readonly coreId: string;
  readonly names: readonly string[];
}

/** One call's answer; they come in the order in which calls end. */
export type Answer =
  | readonly [number: number, succeeded: true, outcome: unknown]
  | readonly [number: number, succeeded: false, failure: unknown];

/** Answers on a thread what it is asked. What ends together, as calls that share a commit, is answered together. */
export function answerCalls<Content>(
  port: MessagePort,
  perform: (content: Content) => Promise<unknown>,
): void {
  let answers: Answer[] = [];
  const answer = (one: Answer): void => {
    if (answers.length === 0) {
      setImmediate(() => {
        port.postMessage(answers);
        answers = [];
      });
    }
    answers.push(one);
  };
  // Not async: there is one call for every user on their way.
  const take = ([number, content]: Call<Content>): void => {
    const failed = (error: unknown): void => answer([number, false, partsOf(error)]);
    try {
      perform(content).then((outcome) => answer([number, true, outcome]), failed);
    } catch (error) {
      failed(error);
    }
  };
  port.on("message", (calls: readonly Call<Content>[]) => {
    for (const call of calls) take(call);
  });
}

/** A failure as it is handed over, which JavaScript would make a plain error of. A bug goes as it is. */
type Handed = CoreFailure | RunError;

export function partsOf(error: unknown): unknown {
  const isHanded = error instanceof CoreFailure || error instanceof RunError;
  return isHanded ? { ...error, message: error.message } : error;
}

export function failureOf(parts: unknown): unknown {
  if (parts instanceof Error || typeof parts !== "object" || parts === null) return parts;
  const failure = parts as Handed;
  return failure.name === "CoreFailure"
    ? new CoreFailure(failure.kind, failure.message, failure)
    : new RunError(failure.code, failure.message, failure);
}
