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
  const told = new Map<string, readonly OptionSpec[]>();
  return page.replace(TABLE, (_old, name: string) => {
    const specs = name === GENERAL ? general : verbs.get(name)?.options;
    const lines =
      specs === undefined ? variableLines(verbs) : [...tableOf(Object.values(specs), told)];
    if (specs !== undefined) told.set(name, Object.values(specs));
    else if (name !== VARIABLES) throw new Error(`There is no command ${name}.`);
    return [`<!-- options: ${name} -->`, "", ...lines, "", "<!-- end of options -->"].join("\n");
  });
}

/** The options of commands whose tables stand above, by their names. */
type Told = ReadonlyMap<string, readonly OptionSpec[]>;

function* tableOf(specs: readonly OptionSpec[], told: Told): Generator<string> {
  const ofEveryCommand: ReadonlySet<OptionSpec> = new Set(Object.values(general));
  const isGeneral = specs.every((spec) => ofEveryCommand.has(spec));
  const own = specs.filter((spec) => isGeneral || !ofEveryCommand.has(spec));
  const all = new Set([...told.values()].flat());
  const above = own.filter((spec) => all.has(spec));
  const fresh = own.filter((spec) => !all.has(spec));
  if (above.length > 0) yield `As above: ${inShort(above, told)}.`;
  if (above.length > 0 && fresh.length > 0) yield "";
  if (fresh.length > 0) yield* ["| option | meaning |", "|---|---|"];
  for (const spec of fresh)
    yield `| \`${typed(spec).replaceAll("|", "\\|")}\` | ${meaning(spec)} |`;
}

/** Options one by one, or those of a command with what it has more and less, whichever is shorter. */
function inShort(specs: readonly OptionSpec[], told: Told): string {
  const listed = (some: readonly OptionSpec[]): string =>
    some.map((spec) => `\`${flagOf(spec)}\``).join(", ");
  const ofEveryCommand: readonly OptionSpec[] = Object.values(general);
  const ways = [...told].map(([name, others]) => {
    const less = others.filter((spec) => !specs.includes(spec) && !ofEveryCommand.includes(spec));
    const more = specs.filter((spec) => !others.includes(spec));
    const but = less.length > 0 ? ` but ${listed(less)}` : "";
    const and = more.length > 0 ? `; ${listed(more)}` : "";
    return { length: less.length + more.length, text: `all of \`${name}\`${but}${and}` };
  });
  const shortest = ways.reduce((best, way) => (way.length < best.length ? way : best), {
    length: specs.length,
    text: listed(specs),
  });
  return shortest.text;
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
  const having = new Set(specs.filter((spec) => variableOf(spec) !== null).map(flagOf));
  // What one command alone takes from the command line only, its own row says.
  const without = new Set(
    specs
      .filter((spec) => variableOf(spec) === null && !having.has(flagOf(spec)))
      .map((spec) => `\`${flagOf(spec)}\``),
  );
  return [`Every option has one but ${[...without].sort().join(", ")}.`];
}
