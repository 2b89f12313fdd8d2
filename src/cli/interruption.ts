/** Signals: before a run begins the first Ctrl-C, SIGTERM or SIGHUP (a terminal that was closed) leaves at once, with a message; in a run the first stops softly, and the second leaves at once. */

import { once } from "node:events";
import type { CoreServer } from "../core/http/server.js";
import { RUN_ERRORS, RunError, type RunErrorCode } from "../errors/run-error.js";
import type { ExitCode } from "./exit-codes.js";
import type { Io } from "./io.js";
import type { Terminal } from "./terminal.js";

const CODES = {
  SIGHUP: "hung_up",
  SIGINT: "interrupted",
  SIGTERM: "terminated",
} as const satisfies Readonly<Record<string, RunErrorCode>>;
type StopSignal = keyof typeof CODES;

const SIGNALS = Object.keys(CODES) as readonly StopSignal[];

/** A soft stop that signals ask for. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** The exit code of the signal that came, or null. */
  exitCode(): ExitCode | null;
}

/**
 * Has signals end the process until {@link watchSignals} takes them over: nothing is at stake yet,
 * and what is under way, such as the reading of a pipe, may not hear of a soft stop.
 *
 * @param tell says why
 */
export function leaveOnSignals(io: Io, tell: (error: RunError) => void): void {
  const leave = (signal: StopSignal): void => {
    tell(
      new RunError(CODES[signal], "Stopped; nothing was sent.", {
        hint: "Run the same command again to begin.",
      }),
    );
    leaveBy(io, signal);
  };
  for (const signal of SIGNALS) io.events.on(signal, leave);
}

/**
 * By the signal itself: an exit would wait for threads of Node.js, and one that opens a pipe may wait
 * for its writer for ever; a thread that it ends within the database's driver aborts the process.
 */
function leaveBy(io: Io, signal: StopSignal): void {
  giveBack(io);
  io.leaveBy(signal);
  // The first process of a container ends by no signal that it has no handler for.
  io.exit(RUN_ERRORS[CODES[signal]]);
}

/** Leaves the signals to Node.js. */
export function giveBack({ events }: Io): void {
  for (const signal of SIGNALS) events.removeAllListeners(signal);
}

/**
 * Takes the signals over until the command has ended.
 *
 * @param message what the first signal tells the operator
 */
export function watchSignals(terminal: Terminal, message: string): Interruption {
  const { io } = terminal;
  const controller = new AbortController();
  let exitCode: ExitCode | null = null;
  const onSignal = (signal: StopSignal): void => {
    // The checkpoint is durable at every moment, so leaving at once loses nothing either.
    if (exitCode !== null) {
      leaveBy(io, signal);
      return;
    }
    exitCode = RUN_ERRORS[CODES[signal]];
    terminal.note(message);
    controller.abort();
  };
  giveBack(io);
  for (const signal of SIGNALS) io.events.on(signal, onSignal);
  return { signal: controller.signal, exitCode: () => exitCode };
}

/**
 * Says where a server listens, and closes it once the signal asks for that.
 *
 * @param says it for people
 */
export async function listenUntil(
  signal: AbortSignal,
  server: CoreServer,
  says: string,
  terminal: Terminal,
): Promise<void> {
  terminal.answer({ type: "listening", url: server.url }, () => [says]);
  if (!signal.aborted) await once(signal, "abort");
  await server.close();
}
