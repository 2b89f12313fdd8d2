/** The lists of docs/options.md and docs/report.md, made from the options themselves. */

import { z } from "zod";
import { general } from "../../../src/cli/options/general.js";
import { type OptionSpec, type OptionSpecs, variableOf } from "../../../src/cli/options/option.js";

/** Commands' options by the commands' names. */
type OptionsOf = ReadonlyMap<string, { readonly options: OptionSpecs }>;

const LIST = /<!--options: ([\w, -]+)-->\n\n(?:- .*\n)*/g;
/** Of these a page says nothing but the list itself. */
const GENERAL = "every command";
const VARIABLES = "variables";

/**
 * A page with its lists as they should be: under each mark `options: import` those options of the
 * command of which no list above has told in the same words. Where a mark names several commands,
 * each option stands behind its command.
 */
export function withLists(page: string, verbs: OptionsOf): string {
  const told = new Set<string>();
  const ofEveryCommand = Object.values(general).map(lineOf);
  return page.replace(LIST, (_old, list: string) => {
    const names = list.split(", ");
    const lines = names.flatMap((name) => {
      if (name === GENERAL) return ofEveryCommand;
      if (name === VARIABLES) return [variableLine(verbs)];
      const specs = verbs.get(name)?.options;
      if (specs === undefined) throw new Error(`There is no command ${name}.`);
      const fresh = Object.values(specs)
        .map(lineOf)
        .filter((line) => !told.has(line) && !ofEveryCommand.includes(line));
      for (const line of fresh) told.add(line);
      return names.length === 1 ? fresh : fresh.map((line) => line.replace("`", `\`${name} `));
    });
    return [`<!--options: ${list}-->`, "", ...lines, ""].join("\n");
  });
}

function lineOf(spec: OptionSpec): string {
  return `- \`${typed(spec)}\`: ${meaning(spec)}`;
}

function flagOf({ flags }: OptionSpec): string {
  return flags.replace(/ .*/, "");
}

/** The flag with what may stand behind it. */
function typed({ flags, type }: OptionSpec): string {
  return type instanceof z.ZodEnum ? flags.replace(/<.*>/, type.options.join("|")) : flags;
}

/** Names that another page lists. */
const LONG_LIST = /: (?:[\w-]+, ){10,}[\w-]+$/;

function meaning(spec: OptionSpec): string {
  const more =
    spec.docs === undefined ? "" : `${spec.docs.startsWith("(") ? " " : ". "}${spec.docs}`;
  return `${inCode(spec.help.replace(LONG_LIST, ""))}${defaultOf(spec)}${more}`;
}

function defaultOf({ default: value, defaultText }: OptionSpec): string {
  const isFile = defaultText !== undefined && /^[\w-]+\.\w+$/.test(defaultText);
  if (isFile) return `; default: \`${defaultText}\``;
  if (defaultText !== undefined) return `; default: ${inCode(defaultText)}`;
  return value === undefined ? "" : `; default: \`${String(value)}\``;
}

/** Options, variables and hashes' prefixes in code style. */
function inCode(text: string): string {
  return text.replace(/--[a-z][\w-]*|AUTH_MIGRATE_\w+|\$\w+\$/g, "`$&`");
}

function variableLine(verbs: OptionsOf): string {
  const specs = [...verbs.values()].flatMap(({ options }) => Object.values(options));
  const having = new Set(specs.filter((spec) => variableOf(spec) !== null).map(flagOf));
  // What one command alone takes from the command line only, its own row says.
  const without = new Set(
    specs
      .filter((spec) => variableOf(spec) === null && !having.has(flagOf(spec)))
      .map((spec) => `\`${flagOf(spec)}\``),
  );
  return `- every option has one but ${[...without].sort().join(", ")}`;
}
