/** The messages between this side and a thread, and how failures are taken apart for them. One message holds all calls, or all answers, of one turn of the event loop. */

import type { MessagePort } from "node:worker_threads";
import { RunError, type RunErrorCode } from "../../../errors/run-error.js";
import { CoreFailure, type CoreFailureKind, type CoreFailureOptions } from "../../core-failure.js";

/** One call. Its number is not used again. */
export type Call<Content> = readonly [number: number, content: Content];

/** A core's call: the method, and what it is asked with. */
export type NamedCall = readonly [method: string, given: readonly unknown[]];

/** One call's answer; they come in the order in which calls end. */
export type Answer =
  | readonly [number: number, succeeded: true, outcome: unknown]
  | readonly [number: number, succeeded: false, failure: FailureParts];

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

/** A failure as it is handed over. */
export type FailureParts =
  | {
      readonly type: "CoreFailure";
      readonly kind: CoreFailureKind;
      readonly message: string;
      readonly options: CoreFailureOptions;
    }
  | {
      readonly type: "RunError";
      readonly code: RunErrorCode;
      readonly message: string;
      readonly hint: string;
    }
  /** A bug, as JavaScript itself hands it over. */
  | { readonly type: "other"; readonly error: unknown };

export function partsOf(error: unknown): FailureParts {
  if (error instanceof CoreFailure) {
    const { kind, message, reached, status, retryAfterMs, field } = error;
    return {
      type: "CoreFailure",
      kind,
      message,
      options: { reached, status, retryAfterMs, field },
    };
  }
  if (error instanceof RunError) {
    const { code, message, hint } = error;
    return { type: "RunError", code, message, hint };
  }
  return { type: "other", error };
}

export function failureOf(parts: FailureParts): unknown {
  switch (parts.type) {
    case "CoreFailure":
      return new CoreFailure(parts.kind, parts.message, parts.options);
    case "RunError":
      return new RunError(parts.code, parts.message, { hint: parts.hint });
    default:
      return parts.error;
  }
}
