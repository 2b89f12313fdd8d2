/** The command line itself: verbs, flags and help. It declares; the commands do, and are loaded only when they are called. */

import { Command, type Option } from "commander";
import { EXIT_CODES, type ExitCode } from "./exit-codes.js";
import type { Io, Output } from "./io.js";
import {
  checkpointOptions,
  cutoverOptions,
  hashOptions,
  importOptions,
  proveOptions,
  purgeOptions,
  reconcileOptions,
  reportOptions,
  serveOptions,
  setupOptions,
  splitOptions,
  validateOptions,
  voiceOptions,
} from "./options.js";
import { usageMessage } from "./usage-message.js";

/** What somebody types next whose command line was wrong. */
export const USAGE_HINT = "Run auth-migrate --help for the commands and their options.";

/** What a command answers with. */
type CommandRunner = (
  files: string[],
  values: Record<string, unknown>,
  io: Io,
) => Promise<ExitCode>;

/**
 * Builds the program.
 *
 * @param version for `--version`
 * @param finish told the exit code of the command that ran
 * @param io handed on to the command
 */
export function createProgram(version: string, finish: (code: ExitCode) => void, io: Io): Command {
  const program = new Command("auth-migrate")
    .description("Moves the users of an identity vendor into an authentication core.")
    .version(version)
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => widthOf(io.stdout),
      getErrHelpWidth: () => widthOf(io.stderr),
      outputError: (text, write) => write(usageMessage(text).replace(/^error: /, "auth-migrate: ")),
    })
    .addHelpText("after", exitStatusHelp())
    .showHelpAfterError(USAGE_HINT);

  add(program, {
    name: "import",
    description: "import the users of exported files into a core; run it again to go on",
    // A manifest names them, too.
    files: "optional",
    options: importOptions(),
    load: async () => (await import("./commands/import.js")).runImport,
    io,
    finish,
  });
  add(program, {
    name: "validate",
    description: "say what an import would do: contacts nothing, leaves nothing behind",
    files: true,
    options: validateOptions(),
    load: async () => (await import("./commands/validate.js")).runValidate,
    io,
    finish,
  });
  add(program, {
    name: "prove",
    description: "check test users' passwords before anybody is migrated, and say why one fails",
    files: true,
    // A core that is configured for the import must not be touched by a proof that names none.
    explicit: ["core", "data", "databaseUrl"],
    options: proveOptions(),
    load: async () => (await import("./commands/prove.js")).runProve,
    io,
    finish,
  });
  add(program, {
    name: "split",
    description: "write a part of the export for each of several processes that import it",
    files: true,
    options: splitOptions(),
    load: async () => (await import("./commands/split.js")).runSplit,
    io,
    finish,
  });
  add(program, {
    name: "setup",
    description: "ask for what an import needs, check it, and write the configuration",
    files: "optional",
    configures: true,
    options: setupOptions(),
    load: async () => (await import("./commands/setup.js")).runSetup,
    io,
    finish,
  });
  add(program, {
    name: "status",
    description: "say where a checkpoint stands, also while a run goes on",
    files: false,
    options: checkpointOptions(),
    load: async () => (await import("./commands/status.js")).runStatus,
    io,
    finish,
  });
  add(program, {
    name: "report",
    description: "say what all runs of a checkpoint came to, as a page, a table or a list",
    files: false,
    // A file that says so once would make a list of every report.
    explicit: ["idMap", "undo"],
    options: reportOptions(),
    load: async () => (await import("./commands/report.js")).runReport,
    io,
    finish,
  });
  add(program, {
    name: "reconcile",
    description: "ask the core whether it has the users whom the checkpoint takes for finished",
    files: "optional",
    options: reconcileOptions(),
    load: async () => (await import("./commands/reconcile.js")).runReconcile,
    io,
    finish,
  });
  add(program, {
    name: "cutover",
    description: "record that people sign in at the core: from then on nothing is overwritten",
    files: false,
    // A file that says so once would take back every cut-over.
    explicit: ["undo"],
    options: cutoverOptions(),
    load: async () => (await import("./commands/cutover.js")).runCutover,
    io,
    finish,
  });
  const checkpoint = program
    .command("checkpoint")
    .description("look after a checkpoint's file")
    .addHelpText("after", exitStatusHelp());
  add(checkpoint, {
    name: "purge",
    description: "remove a checkpoint when its migration is over",
    files: false,
    options: purgeOptions(),
    load: async () => (await import("./commands/checkpoint-purge.js")).runCheckpointPurge,
    io,
    finish,
  });
  add(program, {
    name: "serve",
    description: "put the embedded core on the wire",
    files: false,
    listens: true,
    options: serveOptions(),
    load: async () => (await import("./commands/serve.js")).runServe,
    io,
    finish,
  });
  add(program, {
    name: "hash",
    description: "say what becomes of raw hashes: one a line on stdin, an answer a line on stdout",
    files: false,
    stray: true,
    options: hashOptions(),
    load: async () => (await import("./commands/hash.js")).runHash,
    io,
    finish,
  });
  return program;
}

interface Verb {
  readonly name: string;
  readonly description: string;
  readonly files: boolean | "optional";
  /** Whether it writes the configuration file, and so isn't told by it what to do. */
  readonly configures?: boolean;
  /** Whether it puts the core on the wire, and so is told by the core's configuration what to do. */
  readonly listens?: boolean;
  /** Options that the configuration file doesn't give to this command, by their attribute names. */
  readonly explicit?: readonly string[];
  /** Whether the command itself says what is wrong with arguments that it has no use for. */
  readonly stray?: boolean;
  readonly options: readonly Option[];
  readonly load: () => Promise<CommandRunner>;
  readonly io: Io;
  readonly finish: (code: ExitCode) => void;
}

/** Every command that runs, by itself or within a group, and the groups. */
export function allCommands(program: Command): Command[] {
  return program.commands.flatMap((command) => [command, ...allCommands(command)]);
}

function add(parent: Command, verb: Verb): void {
  const command = parent.command(verb.name).description(verb.description);
  if (verb.files !== false) {
    const files = verb.files === "optional" ? "[files...]" : "<files...>";
    command.argument(files, "exported user files, read in this order");
  }
  if (verb.stray) command.allowExcessArguments();
  for (const option of [...verb.options, ...voiceOptions(verb.listens)]) command.addOption(option);
  command.addHelpText("after", exitStatusHelp());
  command.action(async () => {
    const files = command.args;
    const program = parent.parent ?? parent;
    const options = allCommands(program).flatMap((each) => each.options);
    const known = options.map((each) => each.attributeName());
    const { applyFlagVariables } = await import("./environment.js");
    const { applyConfigFile } = await import("./config-file.js");
    applyFlagVariables(command);
    const explicit = verb.listens
      ? (await import("./serve-config.js")).settleServeConfig(command)
      : verb.explicit;
    if (!verb.configures) applyConfigFile(command, new Set(known), explicit);
    if (command.opts().databaseUrl !== undefined) {
      (await import("./core-choice.js")).settleCoreChoice(command);
    }
    const run = await verb.load();
    verb.finish(await run(files, command.opts(), verb.io));
  });
}

/** What commander asks of a terminal. */
function widthOf({ isTTY, columns = 80 }: Output): number {
  return isTTY ? columns : 80;
}

function exitStatusHelp(): string {
  const lines = Object.entries(EXIT_CODES).map(([code, what]) => `  ${code.padStart(3)}  ${what}`);
  return `\nExit status:\n${lines.join("\n")}`;
}
