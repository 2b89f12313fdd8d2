/** The command line itself: verbs, flags and help. It declares; the commands do, and are loaded only when they are called. */

import { Command, type Option } from "commander";
import { EXIT_CODES, type ExitCode } from "./exit-codes.js";
import { readingOptions, serveOptions, targetOptions, voiceOptions } from "./options.js";

/** What somebody types next whose command line was wrong. */
export const USAGE_HINT = "Run auth-migrate --help for the commands and their options.";

/** What a command answers with. */
export type CommandRunner = (files: string[], values: Record<string, unknown>) => Promise<ExitCode>;

/**
 * Builds the program.
 *
 * @param version for `--version`
 * @param finish told the exit code of the command that ran
 */
export function createProgram(version: string, finish: (code: ExitCode) => void): Command {
  const program = new Command("auth-migrate")
    .description("Moves the users of an identity vendor into an authentication core.")
    .version(version)
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, "auth-migrate: ")),
    })
    .addHelpText("after", exitStatusHelp())
    .showHelpAfterError(USAGE_HINT);

  add(program, {
    name: "import",
    description: "import the users of exported files into a core; run it again to go on",
    files: true,
    options: [...targetOptions(), ...readingOptions()],
    load: async () => (await import("./commands/import.js")).runImport,
    finish,
  });
  add(program, {
    name: "validate",
    description: "say what an import would do: contacts nothing, leaves nothing behind",
    files: true,
    options: readingOptions(),
    load: async () => (await import("./commands/validate.js")).runValidate,
    finish,
  });
  add(program, {
    name: "serve",
    description: "put the embedded core on the wire",
    files: false,
    options: serveOptions(),
    load: async () => (await import("./commands/serve.js")).runServe,
    finish,
  });
  return program;
}

interface Verb {
  readonly name: string;
  readonly description: string;
  readonly files: boolean;
  readonly options: readonly Option[];
  readonly load: () => Promise<CommandRunner>;
  readonly finish: (code: ExitCode) => void;
}

function add(program: Command, verb: Verb): void {
  const command = program.command(verb.name).description(verb.description);
  if (verb.files) command.argument("<files...>", "exported user files, read in this order");
  for (const option of [...verb.options, ...voiceOptions()]) command.addOption(option);
  command.addHelpText("after", exitStatusHelp());
  command.action(async (...parameters: unknown[]) => {
    const files = verb.files && Array.isArray(parameters[0]) ? parameters[0].map(String) : [];
    const known = program.commands.flatMap((each) => each.options.map((o) => o.attributeName()));
    const { applyFlagVariables } = await import("./environment.js");
    const { applyConfigFile } = await import("./config-file.js");
    applyFlagVariables(command);
    applyConfigFile(command, new Set(known));
    const run = await verb.load();
    verb.finish(await run(files, command.opts()));
  });
}

function exitStatusHelp(): string {
  const lines = Object.entries(EXIT_CODES).map(([code, what]) => `  ${code.padStart(3)}  ${what}`);
  return `\nExit status:\n${lines.join("\n")}`;
}
