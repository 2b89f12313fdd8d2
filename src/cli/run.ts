/** The way in: one parse, one catch, one decision on the exit code. */

import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { CommanderError } from "commander";
import { exhausted } from "../errors/exhausted.js";
import { RunError, systemErrorCode } from "../errors/run-error.js";
import { type ExitCode, exitCodeOfError } from "./exit-codes.js";
import { leaveOnSignals } from "./interruption.js";
import { allCommands, createProgram, USAGE_HINT } from "./program.js";
import { createTerminal, eraseDrawing, printable } from "./terminal.js";
import { usageMessage } from "./usage-message.js";

// Users on their way outlive a collection or two, and are garbage right behind it. V8 would let a
// hundred megabytes of that gather; with less than as much as is alive it would collect all the time.
setFlagsFromString("--heap-growing-percent=100");

// A reader that went away (`| head`) must not end a run that is being paid for: it goes on, and its
// exit code stands. A result that can't be written for want of space is no result; a message that
// can't be is no reason to stop.
process.stdout.on("error", (error) => {
  // A terminal that was closed answers with EIO.
  const isGone = systemErrorCode(error) === "EPIPE" || process.stdout.isTTY;
  if (!isGone) process.exit(fatal(outputFailure(error), false));
});
process.stderr.on("error", () => {});

process.exitCode = await main(process.argv);

async function main(argv: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = createProgram(packageVersion(), (code) => {
    exitCode = code;
  });
  program.exitOverride();
  for (const command of allCommands(program)) command.exitOverride();
  // The flag may be misplaced or its command not found; and it may come from somewhere else.
  const wantsJson = (): boolean =>
    argv.includes("--json") || allCommands(program).some((command) => command.opts().json === true);
  leaveOnSignals((error) => fatal(error, wantsJson()));
  // Node.js would print such an error whole, with a message that may hold anything.
  process.on("uncaughtException", (error) => process.exit(fatal(error, wantsJson())));
  try {
    await program.parseAsync([...argv]);
    return exitCode;
  } catch (error) {
    // Help and version end commander with 0; everything else it throws is usage.
    if (!(error instanceof CommanderError)) return fatal(error, wantsJson());
    return error.exitCode === 0 ? 0 : usage(error, wantsJson());
  }
}

/** Commander has told stderr already. */
function usage(error: CommanderError, json: boolean): ExitCode {
  const message = sentence(usageMessage(error.message).replace(/^error: /, ""));
  if (json) reportAsJson("usage", message, USAGE_HINT, 2);
  return 2;
}

function fatal(error: unknown, json: boolean): ExitCode {
  const known = error instanceof RunError ? error : (exhausted(error) ?? unexpected(error));
  const exitCode = exitCodeOfError(known.code);
  const message = sentence(known.message);
  const hint = sentence(known.hint);
  eraseDrawing();
  process.stderr.write(`auth-migrate: ${message}\n${hint}\n`);
  if (json) reportAsJson(known.code, message, hint, exitCode);
  return exitCode;
}

/** Safe to print, and with a full stop whichever room wrote it. */
function sentence(text: string): string {
  return printable(text).replace(/[^.!?]$/, "$&.");
}

function reportAsJson(code: string, message: string, hint: string, exitCode: ExitCode): void {
  const terminal = createTerminal({ json: true, quiet: true, input: false });
  terminal.event({ type: "error", code, message, hint, exitCode });
}

function outputFailure(error: unknown): RunError {
  const code = systemErrorCode(error);
  return new RunError("disk", `The output can't be written (${code}).`, {
    hint: "Make room where it goes, or send it elsewhere, and run the same command again.",
    cause: error,
  });
}

/** The message of an error that nobody foresaw may hold anything, so only its place is told. */
function unexpected(error: unknown): RunError {
  const stack = error instanceof Error ? (error.stack ?? "").replace(error.message, "") : "";
  const frame = /^\s+at .*$/m.exec(stack)?.[0].trim() ?? "no stack";
  const name = error instanceof Error ? error.name : typeof error;
  return new RunError("internal", `An unexpected ${name} (${frame}).`, {
    hint: "This is a bug in auth-migrate; please report it. What was done is in the checkpoint.",
    cause: error,
  });
}

function packageVersion(): string {
  const path = new URL("../../package.json", import.meta.url);
  const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
  const version = typeof parsed === "object" && parsed !== null && "version" in parsed;
  return version ? String(parsed.version) : "unknown";
}
