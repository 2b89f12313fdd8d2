/** What an option is: one object has its flag, its help, the type of its value and its default. Commander's option, the variable's name, the command's values and docs/options.md are made from it. */

import { InvalidArgumentError, Option } from "commander";
import { z } from "zod";

/** The headings of a command's help, in the order in which they stand there. An option stands under the first one by default. */
export const GROUPS = [
  "Everyday options",
  "How files are read",
  "Which users are taken",
  "The core",
  "Pace and limits",
  "Proof",
  "A part of a split export",
  "Output and questions",
] as const;

/**
 * An option. To add one, put it into the topic of this folder or the command that takes it, under
 * its name in camelCase, and run `npm run docs:options`.
 */
export interface OptionSpec {
  /** As commander takes it: `--rate <n>`, or `--quiet` for a flag. */
  readonly flags: string;
  readonly group?: (typeof GROUPS)[number];
  /** A phrase without a full stop. */
  readonly help: string;
  /** The same for a command's first screen of help, where the phrase is longer than its line. */
  readonly brief?: string;
  /** What docs/options.md says beyond the help, in Markdown. */
  readonly docs?: string;
  /** Makes the value of the text that was typed; a flag has none. */
  readonly type?: z.ZodType;
  /** It may be given more than once, and its value is a list. */
  readonly repeated?: true;
  readonly default?: unknown;
  /** The default in words, where the value doesn't show it or another part has it. */
  readonly defaultText?: string;
  /** False where no environment variable gives it. */
  readonly variable?: false;
  /** A variable of another kind that says the same: what the configuration file says yields to it. */
  readonly yieldsTo?: string;
  /**
   * What the value is of, for commands that are printed: of a `"dry run"`, which an import has no use
   * for; of the `"files"` that were read, and their parts, and of no other ones; of a `"database"`.
   */
  readonly of?: "dry run" | "files" | "database";
  /** False where the configuration file doesn't give it. */
  readonly configured?: false;
  /** Values that name code: they count on the command line alone. */
  readonly code?: (value: string) => boolean;
}

/** Options by their names in camelCase. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

type ValueOf<S extends OptionSpec> = S extends { readonly type: z.ZodType<infer T> }
  ? S extends { readonly repeated: true }
    ? readonly T[]
    : S extends { readonly default: unknown }
      ? T
      : T | undefined
  : boolean;

/** The values of options: what is left out and has no default is undefined, or false for a flag. */
export type ValuesOf<S extends OptionSpecs> = { readonly [K in keyof S]: ValueOf<S[K]> };

/** @returns the variable that gives an option; null where none does */
export function variableOf({ flags, variable }: OptionSpec): string | null {
  if (variable === false) return null;
  const [, name = ""] = /^--([\w-]+)/.exec(flags) ?? [];
  return `AUTH_MIGRATE_${name.replaceAll("-", "_").toUpperCase()}`;
}

/** The words that give options again, as they were given; none for those that weren't. */
export function wordsOf(specs: OptionSpecs, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(specs).flatMap(([name, { flags, type }]) => {
    const [flag = ""] = flags.split(" ", 1);
    const value = values[name];
    if (value === undefined || value === false) return [];
    return type === undefined ? [flag] : [flag, String(value)];
  });
}

/** An option as commander parses it. */
export function commanderOption(spec: OptionSpec): Option {
  const { type, repeated = false, defaultText } = spec;
  const value = repeated ? [] : spec.default;
  const unset = defaultText === undefined ? "" : ` (default: ${defaultText})`;
  const option = new Option(spec.flags, value === undefined ? spec.help + unset : spec.help);
  option.helpGroup(`${spec.group ?? GROUPS[0]}:`);
  const variable = variableOf(spec);
  // An empty one counts as unset, so that the configuration file still has a say.
  if (variable !== null && process.env[variable] !== "") option.env(variable);
  if (type instanceof z.ZodEnum) option.choices(type.options.map(String));
  else if (type !== undefined) {
    option.argParser((text, previous: unknown) => {
      const parsed = parsedText(type, text);
      return repeated ? [...(Array.isArray(previous) ? previous : []), parsed] : parsed;
    });
  }
  return value === undefined ? option : option.default(value, defaultText);
}

/** @throws InvalidArgumentError which says how the value is written */
export function parsedText(type: z.ZodType, text: string): unknown {
  const parsed = type.safeParse(text);
  if (parsed.success) return parsed.data;
  if (type instanceof z.ZodEnum) {
    throw new InvalidArgumentError(`Allowed choices are ${type.options.join(", ")}.`);
  }
  throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? "It is no such value.");
}

/** Some of an object's values, as a topic's options for a command that doesn't take them all. */
export function pick<S extends object, K extends keyof S & string>(
  specs: S,
  ...names: readonly K[]
): Pick<S, K> {
  const chosen = names.map((name) => [name, specs[name]]);
  return Object.fromEntries(chosen);
}

/** All but some of them. */
export function omit<S extends OptionSpecs, K extends keyof S & string>(
  specs: S,
  ...names: readonly K[]
): Omit<S, K> {
  const others = Object.entries(specs).filter(([name]) => names.every((one) => one !== name));
  return Object.fromEntries(others) as Omit<S, K>;
}
