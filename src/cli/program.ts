/** The command line itself: the names of the verbs. What a verb takes and does is in its own file, which is loaded only when it is called. */

import { Command } from "commander";
import { type ExitCode, exitStatusHelp } from "./exit-codes.js";
import type { Io, Output } from "./io.js";
import type { Verb } from "./verb.js";
import { withoutPersonal } from "../core/http/core-message.js";

/** What the user types next where the command line was wrong. */
export const USAGE_HINT = "Run auth-migrate --help for the commands and their options.";

/** A command's name with its arguments, what it is for, and where it is. */
interface Entry {
  readonly usage: string;
  readonly description: string;
  readonly load: () => Promise<Verb>;
}

const VERBS: readonly Entry[] = [
  {
    usage: "import [files...]",
    description: "import the users of exported files into a core; run it again to go on",
    load: async () => (await import("./commands/import.js")).importVerb,
  },
  {
    usage: "validate <files...>",
    description:
      "say what an import would do: leaves nothing behind, and contacts nothing but, to ask, --core",
    load: async () => (await import("./commands/validate.js")).validateVerb,
  },
  {
    usage: "prove <files...>",
    description: "check test users' passwords before any user is migrated, and say why one fails",
    load: async () => (await import("./commands/prove.js")).proveVerb,
  },
  {
    usage: "split <files...>",
    description: "write a part of the export for each of several processes that import it",
    load: async () => (await import("./commands/split.js")).splitVerb,
  },
  {
    usage: "setup [files...]",
    description: "ask for what an import needs, check it, and write the configuration",
    load: async () => (await import("./commands/setup.js")).setupVerb,
  },
  {
    usage: "status",
    description: "say where a checkpoint stands, also while a run goes on",
    load: async () => (await import("./commands/status.js")).statusVerb,
  },
  {
    usage: "report",
    description: "say what all runs of a checkpoint came to, as a page, a table or a list",
    load: async () => (await import("./commands/report.js")).reportVerb,
  },
  {
    usage: "reconcile [files...]",
    description: "ask the core whether it has the users whom the checkpoint takes for finished",
    load: async () => (await import("./commands/reconcile.js")).reconcileVerb,
  },
  {
    usage: "doctor",
    description: "say what reading shows of a core and this machine, for bug reports and CI",
    load: async () => (await import("./commands/doctor.js")).doctorVerb,
  },
  {
    usage: "cutover",
    description: "record that people sign in at the core: from then on nothing is overwritten",
    load: async () => (await import("./commands/cutover.js")).cutoverVerb,
  },
  {
    usage: "checkpoint purge",
    description: "remove a checkpoint when its migration is over",
    load: async () => (await import("./commands/checkpoint-purge.js")).purgeVerb,
  },
  {
    usage: "bridge",
    description: "verify old passwords whose hashes no core takes, at each user's first sign-in",
    load: async () => (await import("./commands/bridge.js")).bridgeVerb,
  },
  {
    usage: "serve",
    description: "put the embedded core on the wire",
    load: async () => (await import("./commands/serve.js")).serveVerb,
  },
  {
    usage: "hash",
    description: "say what becomes of raw hashes: one a line on stdin, an answer a line on stdout",
    load: async () => (await import("./commands/hash.js")).hashVerb,
  },
];

/** Every verb by its name as it is typed. Loading all takes its time: only what looks at all of them asks. */
export async function loadVerbs(): Promise<ReadonlyMap<string, Verb>> {
  const loaded = await Promise.all(
    VERBS.map(async ({ usage, load }) => [usage.replace(/ [<[].*/, ""), await load()] as const),
  );
  return new Map(loaded);
}

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
    .showHelpAfterError(USAGE_HINT)
    .helpCommand(false);
  const checkpoint = new Command("checkpoint")
    .copyInheritedSettings(program)
    .description("look after a checkpoint's file")
    .addHelpText("after", exitStatusHelp());
  const loadings = new Map<Command, () => Promise<void>>();
  for (const { usage, description, load } of VERBS) {
    const [, group, name = usage] = /^(checkpoint) (.*)$/.exec(usage) ?? [];
    if (group !== undefined && checkpoint.parent === null) program.addCommand(checkpoint);
    const parent = group === undefined ? program : checkpoint;
    const command = parent.command(name).description(description);
    const declared = async (): Promise<void> => {
      const verb = await load();
      verb.declare(command);
      command.action(async () => finish(await verb.run(command, io, everyName)));
    };
    loadings.set(command, declared);
    parent.hook("preSubcommand", (_parent, called) =>
      called === command ? declared() : undefined,
    );
  }
  program
    .command("help [command...]")
    .description("display help for command")
    .action(async (names: readonly string[]) => {
      const named = commandNamed(program, names);
      await loadings.get(named)?.();
      named.help();
    });
  return program;
}

async function everyName(): Promise<ReadonlySet<string>> {
  const verbs = await loadVerbs();
  return new Set([...verbs.values()].flatMap(({ options }) => Object.keys(options)));
}

/** The command of some names in a row; as far as they are known. */
function commandNamed(program: Command, [name, ...others]: readonly string[]): Command {
  const named = program.commands.find((command) => command.name() === name);
  return named === undefined ? program : commandNamed(named, others);
}

/** Every command that runs, by itself or within a group, and the groups. */
export function allCommands(program: Command): Command[] {
  return program.commands.flatMap((command) => [command, ...allCommands(command)]);
}

/** What commander asks of a terminal. */
function widthOf({ isTTY, columns = 80 }: Output): number {
  return isTTY ? columns : 80;
}

/** The value of an option that isn't known, which may have a quotation mark in it. */
const VALUE = /(unknown option '-[^'=]*)=.*'/s;
const QUOTED = /'([^']*)'/g;

/** The message as it may be printed: values of unknown options are left out, contacts and hashes are removed. */
export function usageMessage(message: string): string {
  return message
    .replace(VALUE, "$1'")
    .replace(QUOTED, (quoted, typed: string) =>
      typed.startsWith("-") ? quoted : `'${withoutPersonal(typed)}'`,
    );
}
