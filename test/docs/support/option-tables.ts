/** The tables of docs/options.md and docs/report.md, made from the options themselves. */

import { z } from "zod";
import { general } from "../../../src/cli/options/general.js";
import { type OptionSpec, type OptionSpecs, variableOf } from "../../../src/cli/options/option.js";

/** Commands' options by the commands' names. */
type OptionsOf = ReadonlyMap<string, { readonly options: OptionSpecs }>;

const TABLE = /<!-- options: ([\w -]+) -->\n[\s\S]*?<!-- end of options -->/g;
/** Of these a page says nothing but the table itself. */
const GENERAL = "every command";
const VARIABLES = "variables";

/**
 * A page with its tables as they should be: under each mark `options: import` those options of the
 * command of which no table above has told.
 */
export function withTables(page: string, verbs: OptionsOf): string {
  const told = new Set<OptionSpec>();
  return page.replace(TABLE, (_old, name: string) => {
    const specs = name === GENERAL ? general : verbs.get(name)?.options;
    const lines =
      specs === undefined ? variableLines(verbs) : [...tableOf(Object.values(specs), told)];
    if (specs === undefined && name !== VARIABLES) throw new Error(`There is no command ${name}.`);
    return [`<!-- options: ${name} -->`, "", ...lines, "", "<!-- end of options -->"].join("\n");
  });
}

function* tableOf(specs: readonly OptionSpec[], told: Set<OptionSpec>): Generator<string> {
  const ofEveryCommand: ReadonlySet<OptionSpec> = new Set(Object.values(general));
  const isGeneral = specs.every((spec) => ofEveryCommand.has(spec));
  const own = specs.filter((spec) => isGeneral || !ofEveryCommand.has(spec));
  const above = own.filter((spec) => told.has(spec)).map((spec) => `\`${flagOf(spec)}\``);
  const fresh = own.filter((spec) => !told.has(spec));
  if (above.length > 0) yield `As above: ${above.join(", ")}.`;
  if (above.length > 0 && fresh.length > 0) yield "";
  if (fresh.length > 0) yield* ["| option | meaning |", "|---|---|"];
  for (const spec of fresh) {
    told.add(spec);
    yield `| \`${typed(spec).replaceAll("|", "\\|")}\` | ${meaning(spec)} |`;
  }
}

function flagOf({ flags }: OptionSpec): string {
  return flags.replace(/ .*/, "");
}

/** The flag with what may stand behind it. */
function typed({ flags, type }: OptionSpec): string {
  return type instanceof z.ZodEnum ? flags.replace(/<.*>/, type.options.join("|")) : flags;
}

function meaning(spec: OptionSpec): string {
  const more = spec.docs === undefined ? "" : `. ${spec.docs}`;
  return `${inCode(spec.help)}${defaultOf(spec)}${more}`;
}

function defaultOf({ default: value, defaultText }: OptionSpec): string {
  if (defaultText !== undefined) return `; by default ${inCode(defaultText)}`;
  return value === undefined ? "" : `; \`${String(value)}\` by default`;
}

/** Options, variables and hashes' prefixes in code style. */
function inCode(text: string): string {
  return text.replace(/--[a-z][\w-]*|AUTH_MIGRATE_\w+|\$\w+\$/g, "`$&`");
}

function variableLines(verbs: OptionsOf): string[] {
  const specs = [...verbs.values()].flatMap(({ options }) => Object.values(options));
  const names = new Set(specs.flatMap((spec) => variableOf(spec) ?? []));
  const having = new Set(specs.filter((spec) => variableOf(spec) !== null).map(flagOf));
  // What one command alone takes from the command line only, its own row says.
  const without = new Set(
    specs
      .filter((spec) => variableOf(spec) === null && !having.has(flagOf(spec)))
      .map((spec) => `\`${flagOf(spec)}\``),
  );
  return [
    `${[...names]
      .sort()
      .map((name) => `\`${name}\``)
      .join(", ")}.`,
    "",
    `None is there for ${[...without].sort().join(", ")}.`,
  ];
}
