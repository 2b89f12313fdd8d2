/** Signals: the first Ctrl-C or SIGTERM stops softly, the second leaves at once. */

import type { ExitCode } from "./exit-codes.js";
import type { Terminal } from "./terminal.js";

const EXIT = { SIGINT: 130, SIGTERM: 143 } as const;

/** A soft stop that signals ask for. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** The exit code of the signal that came, or null. */
  exitCode(): ExitCode | null;
  /** Leaves the signals to Node.js again. */
  dispose(): void;
}

/** @param message what the first signal tells the operator */
export function watchSignals(terminal: Terminal, message: string): Interruption {
  const controller = new AbortController();
  let exitCode: ExitCode | null = null;
  const onSignal = (signal: keyof typeof EXIT): void => {
    // The checkpoint is durable at every moment, so leaving at once loses nothing either.
    if (exitCode !== null) process.exit(EXIT[signal]);
    exitCode = EXIT[signal];
    terminal.note(message);
    controller.abort();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    exitCode: () => exitCode,
    dispose: () => void process.off("SIGINT", onSignal).off("SIGTERM", onSignal),
  };
}
