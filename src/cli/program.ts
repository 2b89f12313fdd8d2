/** The command line itself: the names of the verbs. What a verb takes and does is in its own file, which is loaded only when it is called. */

import { Command } from "commander";
import type { ExitCode } from "./exit-codes.js";
import { asStarted, type Io } from "./io.js";
import type { Completed } from "./completion.js";
import { nameOf } from "./command-name.js";
import { createTerminal, PLAINLY } from "./terminal.js";
import type { Verb } from "./verb.js";
import { withoutPersonal } from "../core/http/core-message.js";

/**
 * What the user types next where the command line was wrong.
 *
 * @param command that was called; null where none is known
 */
export function usageHint(command: Command | null): string {
  const name = command === null ? "" : nameOf(command);
  if (name === "") return "Run auth-migrate --help for the commands.";
  return `Run auth-migrate ${name} --help for its options.`;
}

/** A command's name with its arguments, what it is for, and where it is. */
interface Entry {
  readonly usage: string;
  /** The heading in the list of commands; by default that of those which few need. */
  readonly group?: string;
  readonly description: string;
  readonly load: () => Promise<Verb>;
}

const SELDOM = "When needed:";

const VERBS: readonly Entry[] = [
  {
    usage: "setup [files...]",
    group: "Start here:",
    description: "ask for what an import needs, prove it, write it down",
    load: async () => (await import("./commands/setup.js")).setupVerb,
  },
  {
    usage: "validate <files...>",
    group: "Start here:",
    description: "say what an import would do, and leave nothing behind",
    load: async () => (await import("./commands/validate.js")).validateVerb,
  },
  {
    usage: "import [files...]",
    group: "Start here:",
    description: "import exported users into a core; again to go on",
    load: async () => (await import("./commands/import.js")).importVerb,
  },
  {
    usage: "status",
    group: "See where it stands:",
    description: "say where a checkpoint stands, also while a run goes on",
    load: async () => (await import("./commands/status.js")).statusVerb,
  },
  {
    usage: "report",
    group: "See where it stands:",
    description: "say what all runs came to: a page, a table or a list",
    load: async () => (await import("./commands/report.js")).reportVerb,
  },
  {
    usage: "reconcile [files...]",
    group: "See where it stands:",
    description: "ask the core whether it has the finished users",
    load: async () => (await import("./commands/reconcile.js")).reconcileVerb,
  },
  {
    usage: "cutover",
    group: "See where it stands:",
    description: "record that people sign in at the core now",
    load: async () => (await import("./commands/cutover.js")).cutoverVerb,
  },
  {
    usage: "undo",
    description: "remove the users whom an import made, before the cut-over",
    load: async () => (await import("./commands/undo.js")).undoVerb,
  },
  {
    usage: "prove <files...>",
    description: "check test users' passwords; --core imports these users",
    load: async () => (await import("./commands/prove.js")).proveVerb,
  },
  {
    usage: "split <files...>",
    description: "write a part of the export for each of several processes",
    load: async () => (await import("./commands/split.js")).splitVerb,
  },
  {
    usage: "doctor",
    description: "say what a core and this machine show, for bug reports",
    load: async () => (await import("./commands/doctor.js")).doctorVerb,
  },
  {
    usage: "bridge [purge]",
    description: "verify old passwords that no core takes, at first sign-ins",
    load: async () => (await import("./commands/bridge.js")).bridgeVerb,
  },
  {
    usage: "serve",
    description: "put the embedded core on the wire",
    load: async () => (await import("./commands/serve.js")).serveVerb,
  },
  {
    usage: "hash",
    description: "say what becomes of raw hashes, one a line on stdin",
    load: async () => (await import("./commands/hash.js")).hashVerb,
  },
  {
    usage: "check-source [source] [files...]",
    description: "check a mapping or module of your own against its files",
    load: async () => (await import("./commands/check-source.js")).checkSourceVerb,
  },
  {
    usage: "checkpoint purge",
    description: "remove a checkpoint when its migration is over",
    load: async () => (await import("./commands/checkpoint-purge.js")).purgeVerb,
  },
];

/** Every verb by its name as it is typed. Loading all takes its time: only what looks at all of them asks. */
export async function loadVerbs(): Promise<ReadonlyMap<string, Verb>> {
  const loaded = await Promise.all(
    VERBS.map(async ({ usage, load }) => [nameIn(usage), await load()] as const),
  );
  return new Map(loaded);
}

function nameIn(usage: string): string {
  return usage.replace(/ [<[].*/, "");
}

/**
 * Builds the program.
 *
 * @param version for `--version`
 * @param finish told the exit code of the command that ran
 * @param io handed on to the command
 */
export function createProgram(version: string, finish: (code: ExitCode) => void, io: Io): Command {
  const terminal = createTerminal(PLAINLY, io);
  const program = new Command("auth-migrate")
    .description("Moves the users of an identity vendor into a SuperTokens core, or one like it.")
    .version(version)
    .configureOutput({
      writeOut: (text) => io.stdout.write(asStarted(text)),
      writeErr: (text) => text.trimEnd().split("\n").forEach(terminal.problem),
      getOutHelpWidth: () => terminal.layout.columns,
      getErrHelpWidth: () => terminal.messageColumns ?? terminal.layout.columns,
      outputError: (text, write) => write(withSpelling(usageMessage(text), program)),
    })
    .configureHelp({ subcommandTerm: (command) => command.name(), visibleOptions: () => [] })
    .showHelpAfterError(usageHint(null))
    .helpCommand(false);
  const checkpoint = new Command("checkpoint")
    .copyInheritedSettings(program)
    .helpGroup(SELDOM)
    .description("look after a checkpoint's file");
  /** Gives a command its options, or all of them, and what it does: by then its file is loaded. */
  const declarations = new Map<Command, (all?: boolean) => Promise<void>>();
  for (const { usage, group = SELDOM, description, load } of VERBS) {
    const isOfCheckpoint = usage.startsWith("checkpoint ");
    if (isOfCheckpoint && checkpoint.parent === null) program.addCommand(checkpoint);
    const parent = isOfCheckpoint ? checkpoint : program;
    const command = parent.command(usage.replace(/^checkpoint /, ""));
    command.description(description).helpGroup(group).showHelpAfterError(usageHint(command));
    const declare = async (all = false): Promise<void> => {
      const verb = await load();
      verb.declare(command, all);
      command.action(async () => finish(await verb.run(command, io, everyName)));
    };
    declarations.set(command, declare);
    parent.hook("preSubcommand", (_parent, called) => (called === command ? declare() : undefined));
  }
  program
    .command("help [command...]")
    .helpGroup(SELDOM)
    .description(
      "say more of a command, a code or exit-codes, or show a page (help pages lists them)",
    )
    .option("--all", "of a command all options, with their variables and defaults")
    .action(async (names: readonly string[], { all = false }: { readonly all?: boolean }) => {
      const command = commandNamed(program, names);
      if (command !== null) await declarations.get(command)?.(all);
      const { tellHelp } = await import("./pages.js");
      return tellHelp(program, { names, command, io });
    });
  program
    .command("completion [shell]")
    .helpGroup(SELDOM)
    .description("write the completion for bash, zsh or fish")
    .action(async (shell = "") => {
      const { completionFor, SHELLS } = await import("./completion.js");
      const script = completionFor(shell, await completed());
      if (script === null) return program.error(`error: there is completion for ${SHELLS}`);
      io.stdout.write(script);
    });
  return program;
}

/** The commands as a shell completes them. */
async function completed(): Promise<readonly Completed[]> {
  const verbs = await loadVerbs();
  return VERBS.map(({ usage, description }) => {
    const [word = ""] = usage.split(" ", 1);
    const words = usage.includes("purge") ? ["purge"] : [];
    const options = Object.values(verbs.get(nameIn(usage))?.options ?? {});
    return { word, description, words, options };
  });
}

async function everyName(): Promise<ReadonlySet<string>> {
  const verbs = await loadVerbs();
  return new Set([...verbs.values()].flatMap(({ options }) => Object.keys(options)));
}

/** The command of some names in a row, the program itself for none; null where there is no such one. */
function commandNamed(program: Command, [name, ...others]: readonly string[]): Command | null {
  if (name === undefined) return program;
  const named = program.commands.find((command) => command.name() === name);
  return named === undefined ? null : commandNamed(named, others);
}

/** The command that a command line names, as far as it can be told: the first word that is one. */
export function commandOf(program: Command, words: readonly string[]): Command | null {
  const named = program.commands.find((command) => words.includes(command.name()));
  return named === undefined ? null : (commandOf(named, words) ?? named);
}

/** Every command that runs, by itself or within a group, and the groups. */
export function allCommands(program: Command): Command[] {
  return program.commands.flatMap((command) => [command, ...allCommands(command)]);
}

function withSpelling(message: string, program: Command): string {
  const text = message.replace(/^error: /, "auth-migrate: ").trimEnd();
  return `${text}${otherSpelling(text, program)}\n`;
}

/**
 * The option that was meant where commander, which compares letter by letter, names none: one that
 * is spelt by other rules (`--apiKeyFile`), cut short or has more behind it; and the flag of a word.
 */
function otherSpelling(message: string, program: Command): string {
  const [, typed] = /unknown (?:option '--|command ')([^']+)'/.exec(message) ?? [];
  if (typed === undefined || message.includes("Did you mean")) return "";
  const plain = (name: string): string => name.replace(/\W|_/g, "").toLowerCase();
  const word = plain(typed);
  const flags = allCommands(program).flatMap(({ options }) =>
    options.map(({ long }) => long ?? ""),
  );
  const near = ["--version", "--help", ...flags].filter((flag) => {
    const known = plain(flag);
    return (
      word === known ||
      (word.length > 3 && known.startsWith(word)) ||
      (known.length > 3 && word.startsWith(known))
    );
  });
  const [first] = near.sort((a, b) => a.length - b.length);
  return first === undefined ? "" : `\n(Did you mean ${first}?)`;
}

/** The value of an option that isn't known, which may have a quotation mark in it. */
const VALUE = /(unknown option '-[^'=]*)=.*'/s;
const QUOTED = /'([^']*)'/g;
/** An option or a variable, which are ours and hold nothing. */
const OWN_NAME = /^(?:-|AUTH_MIGRATE_\w+$)/;

/** The message as it may be printed: values of unknown options are left out, contacts and hashes are removed. */
export function usageMessage(message: string): string {
  return message
    .replace(VALUE, "$1'")
    .replace(QUOTED, (quoted, typed: string) =>
      OWN_NAME.test(typed) ? quoted : `'${withoutPersonal(typed)}'`,
    );
}
