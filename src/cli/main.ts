/** The way in: one parse, one catch, one decision on the exit code. */

import { readFileSync } from "node:fs";
import { CommanderError } from "commander";
import { RunError } from "../errors/run-error.js";
import { type ExitCode, exitCodeOfError } from "./exit-codes.js";
import { createProgram } from "./program.js";
import { createTerminal, printable } from "./terminal.js";

process.exitCode = await main(process.argv);

async function main(argv: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = createProgram(packageVersion(), (code) => {
    exitCode = code;
  });
  program.exitOverride();
  for (const command of program.commands) command.exitOverride();
  try {
    await program.parseAsync([...argv]);
    return exitCode;
  } catch (error) {
    // Help and version end commander with 0; everything else it throws is usage.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usage(argv, error);
    return fatal(argv, error);
  }
}

function usage(argv: readonly string[], error: CommanderError): ExitCode {
  if (argv.includes("--json")) {
    const hint = "Run auth-migrate --help for the commands and their options.";
    reportAsJson("usage", error.message.replace(/^error: /, ""), hint, 2);
  }
  return 2;
}

function fatal(argv: readonly string[], error: unknown): ExitCode {
  const known = error instanceof RunError ? error : unexpected(error);
  const exitCode = exitCodeOfError(known.code);
  const message = printable(known.message);
  const hint = printable(known.hint);
  process.stderr.write(`auth-migrate: ${message}\n${hint}\n`);
  if (argv.includes("--json")) reportAsJson(known.code, message, hint, exitCode);
  return exitCode;
}

function reportAsJson(code: string, message: string, hint: string, exitCode: ExitCode): void {
  const terminal = createTerminal({ json: true, quiet: true, input: false });
  terminal.event({ type: "error", code, message, hint, exitCode });
}

/** The message of an error that nobody foresaw may hold anything, so only its place is told. */
function unexpected(error: unknown): RunError {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
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
