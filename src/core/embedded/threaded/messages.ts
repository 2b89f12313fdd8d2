/** What a threaded core and its thread tell each other: many calls in one message, and many answers. Both sides hand over what they gathered in one turn of their event loop. */

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

/** The number of the first answer, which nobody has to ask for: the core id, or why there is no core. */
export const OPENING = 0;
