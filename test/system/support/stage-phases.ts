/** Which part of a run each call on a file belongs to, by what the stage does before and after it. */

import type { WatchedCall } from "./strace.js";

/** All rows are read; then all questions asked of them; then pages are read back and users sent. */
type Phase = "reading" | "asking" | "sending";

export interface CallInPhase extends WatchedCall {
  readonly phase: Phase;
}

/** The calls of the thread that has the stage, from its first page on. */
export function phasesOf(all: readonly WatchedCall[]): CallInPhase[] {
  const isPage = ({ file }: WatchedCall): boolean => /\/scratch$/.test(file);
  const thread = all.find(isPage)?.thread;
  const calls = all.filter((call) => call.thread === thread);
  const first = calls.findIndex(isPage);
  const last = calls.findLastIndex((call) => isPage(call) && call.call === "pwrite64");
  const readBack = calls.findIndex((call) => isPage(call) && call.call === "pread64");
  const phaseOf = (index: number): Phase =>
    index <= last ? "reading" : index < readBack ? "asking" : "sending";
  return calls.flatMap((call, index) =>
    index < first ? [] : [{ ...call, phase: phaseOf(index) }],
  );
}
