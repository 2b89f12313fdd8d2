/** The one way in: one parse, one catch, one decision on the exit code. */

import { CommanderError } from "commander";
import { exhausted, RUN_ERRORS, RunError, sentence, systemErrorCode } from "../errors/run-error.js";
import type { ExitCode } from "./exit-codes.js";
import { giveBack, leaveOnSignals } from "./interruption.js";
import type { Io } from "./io.js";
import { packageVersion } from "../files/package-version.js";
import type { MachineEvent } from "../events/lines/lines.js";
import { allCommands, commandOf, createProgram, usageHint, usageMessage } from "./program.js";
import { createTerminal, eraseDrawing, PLAINLY } from "./terminal.js";
import { printable } from "../report/text.js";

/**
 * Runs the command that was typed.
 *
 * @returns the exit code, once all is done
 */
export async function run(io: Io): Promise<ExitCode> {
  const { argv, stdout, stderr, events } = io;
  // A reader that went away (`| head`) must not end a run that is being paid for: it goes on, and its
  // exit code stands. A result that can't be written for want of space is no result; a message that
  // can't be is no reason to stop.
  stdout.on("error", (error) => {
    // A terminal that was closed answers with EIO.
    const code = systemErrorCode(error);
    if (code === "EPIPE" || stdout.isTTY) return;
    const hint = "Make room where it goes, or send it elsewhere, and run the same command again.";
    const what = `The output can't be written (${code}).`;
    io.exit(fatal(io, new RunError("disk", what, { hint, cause: error }), false));
  });
  stderr.on("error", () => {});
  let exitCode: ExitCode = 0;
  const program = createProgram(
    packageVersion(),
    (code) => {
      exitCode = code;
    },
    io,
  );
  program.exitOverride();
  for (const command of allCommands(program)) command.exitOverride();
  // The flag may be misplaced or its command not found; and it may come from somewhere else.
  const wantsJson = (): boolean =>
    argv.includes("--json") || allCommands(program).some((command) => command.opts().json === true);
  leaveOnSignals(io, (error) => fatal(io, error, wantsJson()));
  // Node.js would print such an error whole, with a message that may hold anything.
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    events.on(event, (error) => io.exit(fatal(io, error, wantsJson())));
  }
  try {
    // Who types the name alone asks what it can do.
    await program.parseAsync(argv.length > 2 ? [...argv] : [...argv, "--help"]);
    return exitCode;
  } catch (error) {
    // Help and version end commander with 0; everything else it throws is usage.
    if (!(error instanceof CommanderError)) return fatal(io, error, wantsJson());
    if (error.exitCode === 0) return 0;
    // Commander has told stderr already.
    const hint = usageHint(commandOf(program, argv.slice(2)));
    const message = sentence(usageMessage(error.message).replace(/^error: /, ""));
    if (wantsJson()) reportAsJson(io, { code: "usage", message, hint, exitCode: 2 });
    return 2;
  } finally {
    giveBack(io);
  }
}

function fatal(io: Io, error: unknown, json: boolean): ExitCode {
  const known = error instanceof RunError ? error : (exhausted(error) ?? unexpected(error));
  const exitCode = RUN_ERRORS[known.code];
  const message = sentence(printable(known.message));
  const hint = sentence(printable(known.hint));
  eraseDrawing(io.stderr);
  // Whatever the options were: what went wrong is told.
  const { problem } = createTerminal(PLAINLY, io);
  for (const line of [`auth-migrate: ${message}`, hint]) problem(line);
  if (json) reportAsJson(io, { code: known.code, message, hint, exitCode });
  return exitCode;
}

function reportAsJson(io: Io, error: Omit<Extract<MachineEvent, { type: "error" }>, "type">): void {
  createTerminal(PLAINLY, io).event({ type: "error", ...error });
}

/** The message of an unforeseen error may hold anything, so only its place is told. */
function unexpected(error: unknown): RunError {
  const stack = error instanceof Error ? (error.stack ?? "").replace(error.message, "") : "";
  const frame = /^\s+at .*$/m.exec(stack)?.[0].trim() ?? "no stack";
  const name = error instanceof Error ? error.name : typeof error;
  return new RunError("internal", `An unexpected ${name} (${frame}).`, {
    hint: "This is a bug in auth-migrate; please report it. What was done is in the checkpoint.",
    cause: error,
  });
}
