/** What a command is: its options, examples of it, what is checked before anything is opened, and what it does. */

import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { type Command, Help, Option } from "commander";
import { RunError, sentence } from "../errors/run-error.js";
import { nameOf } from "./command-name.js";
import { configPathOf } from "./config-file.js";
import type { ExitCode } from "./exit-codes.js";
import type { Io } from "./io.js";
import { type GeneralValues, general } from "./options/general.js";
import {
  commanderOption,
  GROUPS,
  type OptionSpec,
  type OptionSpecs,
  type ValuesOf,
} from "./options/option.js";
import { type Configuring, readValues } from "./options/read.js";
import { commandLines, fitted } from "../report/layout.js";
import { createTerminal, type Terminal } from "./terminal.js";

/**
 * A command. To add one, write it into a file of commands/, add its line to program.ts, and give
 * docs/options.md a place for its options.
 */
interface VerbSpec<S extends OptionSpecs> extends Configuring {
  /** Beside the general ones, which every command takes. */
  readonly options: S;
  readonly examples: readonly string[];
  /** Whether the command itself says what is wrong with arguments that it has no use for. */
  readonly takesStray?: boolean;
  /**
   * Looks at the values together, before anything is opened.
   *
   * @throws RunError `usage` and the like
   */
  check?(
    files: readonly string[],
    values: ValuesOf<S> & GeneralValues,
    terminal: Terminal,
  ): void | Promise<void>;
  run(files: string[], values: ValuesOf<S> & GeneralValues, terminal: Terminal): Promise<ExitCode>;
}

/** A command as the program calls it. */
export interface Verb {
  readonly options: OptionSpecs;
  /**
   * Gives commander the options and the help.
   *
   * @param all whether the help has every option with its variable and default; else only the
   *   everyday ones, where all of them don't fit a screen
   */
  declare(command: Command, all: boolean): void;
  /** @param everyName the names of all commands' options */
  run(command: Command, io: Io, everyName: () => Promise<ReadonlySet<string>>): Promise<ExitCode>;
}

/** So many options, and those of every command, fit a screen. */
const MOST_SHOWN = 14;
const EVERYDAY = `${GROUPS[0]}:`;

/** The everyday options, each in a line. */
function firstScreen(specs: readonly OptionSpec[]): Partial<Help> {
  const plain = new Help();
  const phrases = new Map(specs.map(({ flags, brief, help }) => [flags, brief ?? help]));
  return {
    visibleOptions: (command) =>
      plain.visibleOptions(command).filter(({ helpGroupHeading }) => helpGroupHeading === EVERYDAY),
    optionDescription: ({ flags, description }) => phrases.get(flags) ?? description,
  };
}

/** SQLite's driver needs nearly as many as it is loaded, and ends the process where it gets none. */
const FILE_HANDLES = 14;

/** @throws Error `EMFILE` or `ENFILE` where the process may not open as many files more */
function requireFileHandles(): void {
  const opened: number[] = [];
  try {
    while (opened.length < FILE_HANDLES) opened.push(openSync(devNull, "r"));
  } finally {
    for (const handle of opened) closeSync(handle);
  }
}

/** Errors that a mapping has a part in where it reads the files. */
const OF_READING: ReadonlySet<string> = new Set([
  "usage",
  "input_unrecognized",
  "mapping_invalid",
  "column_unclear",
  "hash_column_unread",
]);

/** The error, and where an option comes from that nobody typed and that has a part in it. */
function untyped(error: unknown, command: Command, options: OptionSpecs): unknown {
  if (!(error instanceof RunError) || !OF_READING.has(error.code)) return error;
  const path = configPathOf(command.getOptionValue("config"));
  const text = `${error.message}\n${error.hint}`;
  const blamed = Object.entries(options).filter(
    ([name, { flags }]) =>
      command.getOptionValueSource(name) === "config" &&
      (name === "mapping" ||
        (error.code === "usage" && text.includes(flags.split(" ", 1)[0] ?? ""))),
  );
  if (path === null || blamed.length === 0) return error;
  const given = blamed.map(
    ([name, { flags }]) => `${flags.split(" ", 1)[0]} ${String(command.getOptionValue(name))}`,
  );
  const more = `The configuration ${path} names ${given.join(" and ")}: take it out there, or give another configuration by --config.`;
  return new RunError(error.code, error.message, {
    hint: `${sentence(error.hint)} ${more}`,
    cause: error,
  });
}

export function verb<S extends OptionSpecs>(spec: VerbSpec<S>): Verb {
  const options = { ...general, ...spec.options };
  return {
    options,
    declare(command, all) {
      const placeOf = ({ group = GROUPS[0] }: OptionSpec): number => GROUPS.indexOf(group);
      const sorted: OptionSpec[] = Object.values(options);
      sorted.sort((one, other) => placeOf(one) - placeOf(other));
      for (const option of sorted) command.addOption(commanderOption(option));
      const isShort = !all && sorted.length > MOST_SHOWN;
      const last = new Option("-h, --help", "display help for command");
      command.addHelpOption(last.helpGroup(isShort ? EVERYDAY : "Output and questions:"));
      const name = nameOf(command);
      const rest = isShort
        ? `All ${sorted.length} options: auth-migrate help ${name} --all. Exit codes: help exit-codes.`
        : "Exit codes: auth-migrate help exit-codes.";
      command.addHelpText("after", () => {
        const columns = command.configureOutput().getOutHelpWidth?.() ?? 80;
        const examples = spec.examples.flatMap((line) => commandLines(line, columns));
        return ["", "Examples:", ...examples, "", ...fitted(rest, columns)].join("\n");
      });
      // Commander leaves the breaking of lines to narrow screens, which cut words.
      command.configureHelp({ minWidthToWrap: 1, ...(isShort ? firstScreen(sorted) : {}) });
      if (spec.takesStray) command.allowExcessArguments();
    },
    async run(command, io, everyName) {
      requireFileHandles();
      const values = await readValues(command, options, spec, everyName);
      const { json, quiet, input } = values;
      const terminal = createTerminal({ json, quiet, input }, io);
      try {
        await spec.check?.(command.args, values, terminal);
        return await spec.run(command.args, values, terminal);
      } catch (error) {
        throw untyped(error, command, options);
      }
    },
  };
}
