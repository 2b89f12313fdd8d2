/** Which part of a run each call on a file belongs to, by what the stage does before and after it. */

import type { WatchedCall } from "./strace.js";

/** All rows are read; then all questions asked of them, of which some read pages back and write them anew; then users are sent. */
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
  const readBack = calls.findIndex((call) => isPage(call) && call.call === "pread64");
  const isWrite = ({ call }: WatchedCall): boolean => call === "pwrite64";
  const last = calls.slice(0, readBack).findLastIndex((call) => isPage(call) && isWrite(call));
  // What is kept of rows is written while questions are asked, and only read from then on.
  const asked = calls.findLastIndex(
    (call) => /\/(?:scratch$|etilqs_)/.test(call.file) && isWrite(call),
  );
  const phaseOf = (index: number): Phase =>
    index <= last ? "reading" : index < Math.max(readBack, asked + 1) ? "asking" : "sending";
  return calls.flatMap((call, index) =>
    index < first ? [] : [{ ...call, phase: phaseOf(index) }],
  );
}
