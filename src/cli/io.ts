/** What the command line has of the process that it runs in. Tests hand in their own and need no process; the working directory and the environment stay the process's, where commander, the file system and drivers look for them. */

import type { EventEmitter } from "node:events";
import type { Readable, Writable } from "node:stream";
import { SYSTEM_TIMING, type Timing } from "../events/timing.js";

/** What a command reads, writes and listens to. */
export interface Io {
  /** As Node.js has it: the first two words are the program. */
  readonly argv: readonly string[];
  readonly stdin: Readable & { readonly isTTY?: boolean; readonly fd?: number };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly timing: Timing;
  /** Where signals, `exit`, `uncaughtException` and `unhandledRejection` are told. */
  readonly events: Pick<EventEmitter, "on" | "off" | "removeAllListeners">;
  /** Leaves at once. */
  exit(code: number): never;
  /** Leaves by a signal, which shells show as 129, 130 and 143. */
  leaveBy(signal: NodeJS.Signals): void;
}

/** A stream, and of a terminal how large it is. */
export type Output = Writable & Partial<Pick<NodeJS.WriteStream, "isTTY" | "columns" | "rows">>;

/** Those of the process itself. */
export function processIo(): Io {
  return {
    argv: process.argv,
    // Node.js opens it when it is asked for.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    timing: SYSTEM_TIMING,
    events: process,
    exit: (code) => process.exit(code),
    leaveBy: (signal) => void process.kill(process.pid, signal),
  };
}
