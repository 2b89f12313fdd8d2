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

/** What the operator typed for the program: what npx was given is on no search path. */
export function startedAs(): string {
  const isBin = /[\\/]node_modules[\\/]\.bin[\\/]auth-migrate$/.test(process.argv[1] ?? "");
  const byNpx = process.env.npm_lifecycle_event === "npx";
  return byNpx && isBin ? "npx auth-migrate" : "auth-migrate";
}

/** Commands in a text as they are typed where npx has started this one. */
export function asStarted(text: string): string {
  const started = startedAs();
  return started === "auth-migrate" || !text.includes("auth-migrate")
    ? text
    : text.replace(/(?<!npx (?:--no-install )?)\bauth-migrate (?=[a-z[]|--)/g, `${started} `);
}
