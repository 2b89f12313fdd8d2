/** The messages between a threaded core and its thread. One message holds all calls, or all answers, of one turn of the event loop. */

import type { Core } from "../../core.js";
import type { FailureParts } from "./failure-parts.js";
import type { PackedImport, PackedOutcome } from "./packed-import.js";

export type Method = Exclude<keyof Core, "target">;

/** By method, what is asked; an import packed. */
export type Requests = {
  readonly [M in Method]: M extends "importUser" ? PackedImport : Parameters<Core[M]>[0];
};

/** By method, what is answered. */
export type Outcomes = {
  readonly [M in Method]: M extends "importUser" ? PackedOutcome : Awaited<ReturnType<Core[M]>>;
};

/** One call. Its number is not used again. */
export type Call<M extends Method = Method> = {
  readonly [N in M]: readonly [number: number, method: N, request: Requests[N]];
}[M];

/** One call's answer; they come in the order in which calls end. */
export type Answer =
  | readonly [number: number, succeeded: true, outcome: unknown]
  | readonly [number: number, succeeded: false, failure: FailureParts];

/** The number of the first answer, which comes unasked: the core id, or why opening failed. */
export const OPENING = 0;
