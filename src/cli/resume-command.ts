/** The command to type next, made of the one that was typed. Argv never holds a secret, so it may be shown. */

import { columnsOf } from "../report/layout.js";
import { printable } from "../report/text.js";
import { isUrl } from "./data-file.js";
import { withoutPassword } from "./database.js";
import { DEFAULT_CHECKPOINT, general } from "./options/general.js";
import { type OptionSpecs, pick, wordsOf } from "./options/option.js";
import { proveOptions } from "./options/proving.js";
import { core, type CoreValues } from "./options/target.js";

/** What may be typed next, whole. */
export type NextCommands = ReturnType<typeof nextCommands>;

/** What the commands are made of beside the words that were typed. */
interface TypedRun {
  /** The files and folders among the words. */
  readonly files: readonly string[];
  /** The command's options: which of the words are their values. */
  readonly options: OptionSpecs;
  /** Options by which other commands find the same core and checkpoint; a dry run has none. */
  readonly core?: readonly string[];
  readonly checkpoint?: readonly string[];
  /** Those by which a proof finds the core: it has no default. */
  readonly proofCore?: readonly string[];
  /** Those that name a vault; none where nothing is kept. */
  readonly vault?: readonly string[];
  /** Of a part of a split export: whose it is, which its manifest may say and no word. */
  readonly part?: { readonly from: string | undefined } | undefined;
}

const CORE = pick(
  core,
  "core",
  "dialect",
  "apiKeyFile",
  "coreConfig",
  "data",
  "caFile",
  "allowInsecure",
);

/** The options that name a core, without those that any command takes for granted. */
export function coreWords(values: CoreValues): string[] {
  // A URL with a password may have come from the environment.
  const data = values.data && isUrl(values.data) ? withoutPassword(values.data) : values.data;
  return wordsOf(CORE, { ...values, data });
}

/** The option that names a checkpoint; none for the default. */
export function checkpointWords({ checkpoint }: Pick<CoreValues, "checkpoint">): string[] {
  return checkpoint === DEFAULT_CHECKPOINT ? [] : ["--checkpoint", checkpoint];
}

/** The commands that may follow an import or a dry run. */
export function nextCommands(
  { core = [], checkpoint = [], vault = [], ...typed }: TypedRun,
  argv: readonly string[],
) {
  return {
    /** The command that has just run. */
    again: resumeCommand(argv),
    /** The import that a dry run has shown to be possible. */
    begin: importCommand(argv),
    /** The import that goes on without the rows that were rejected, and ends with 0. */
    accepting: (rejects: number) =>
      commandLine([
        "import",
        ...importWords(argv, "--accept-rejects"),
        "--accept-rejects",
        `${rejects}`,
      ]),
    /** The command for all users, after a pilot of some. */
    unlimited: unlimitedCommand(argv),
    /** What tells all that a summary has no room for. */
    report: commandLine(["report", ...checkpoint]),
    /** What asks the core for the users. */
    check: commandLine(["reconcile", ...core, ...checkpoint]),
    /** What proves the signer key by one user's password. */
    prove: proveCommand(typed, argv),
    /** What brings the passwords that the vault keeps; null where no vault is named. */
    bridge: vault.length === 0 ? null : commandLine(["bridge", ...vault, ...core, ...checkpoint]),
    /** The command for other files, those with mended rows. */
    of: (others: readonly string[], from: string | null) =>
      otherFilesCommand({ ...typed, checkpoint }, others, from, argv),
  };
}

/** What is of the files that were read: how many rows they have, and who of them is proved. */
const OF_FILES = /^--(?:expect-users|prove)(?:=|$)/;

/** The command that has just run, for other files and with the same checkpoint. */
function otherFilesCommand(
  { files, options, checkpoint = [], part }: TypedRun,
  others: readonly string[],
  from: string | null,
  argv: readonly string[],
): string {
  const isFile = fileTest(files, options);
  const words: string[] = [];
  let placed = false;
  for (const [index, word] of argv.slice(2).entries()) {
    const before = argv[index + 1];
    if (word === "--require-proof") continue;
    if (OF_FILES.test(word) || (OF_FILES.test(before ?? "") && !before?.includes("="))) continue;
    if (!isFile(word, before)) {
      words.push(word);
      continue;
    }
    if (!placed) words.push(...others);
    placed = true;
  }
  const isNamed = words.some((word) => /^--checkpoint(?:=|$)/.test(word));
  // The default name of a part's checkpoint stands in no word.
  if (part !== undefined && !isNamed) words.push(...checkpoint);
  const isSaid = words.some((word) => /^--from(?:=|$)/.test(word));
  const source = from ?? (isSaid ? undefined : part?.from);
  return commandLine([...words, ...(source === undefined ? [] : ["--from", source])]);
}

/** Tells whether a word is a file, and not the value of the option before it. */
function fileTest(files: readonly string[], options: OptionSpecs) {
  const takesValue = optionWords(options, true);
  return (word: string, before = ""): boolean => !takesValue.has(before) && files.includes(word);
}

/** The import of the first part of an export that was split, which reads it by the same options. */
export function partImportCommand(
  { files, options }: Pick<TypedRun, "files" | "options">,
  first: string,
  argv: readonly string[],
): string {
  const isFile = fileTest(files, options);
  const reading = argv.slice(3).filter((word, index) => !isFile(word, argv[index + 2]));
  const words = without("--out-dir", without("--shards", reading));
  return commandLine(["import", first, ...words]);
}

/**
 * The command that has just run, to be typed again.
 *
 * @param argv as Node.js has it: the first two are the program
 */
export function resumeCommand(argv: readonly string[]): string {
  return commandLine(argv.slice(2));
}

/** The import that a dry run, `validate` or `import --dry-run`, has shown to be possible. */
export function importCommand(argv: readonly string[]): string {
  return commandLine(["import", ...importWords(argv)]);
}

/** The words of an import behind its name, made of those of a dry run or an import. */
function importWords(argv: readonly string[], ...others: readonly string[]): readonly string[] {
  const words = argv.slice(3).filter((word) => word !== "--dry-run" && word !== "--fields");
  return ["--check-existing", ...others].reduce(
    (left: readonly string[], option) => without(option, left),
    words,
  );
}

/** The command that has just run, for all users after a pilot of some. */
export function unlimitedCommand(argv: readonly string[]): string {
  return commandLine(without("--limit", argv.slice(2)));
}

/** The words without an option and its value. */
function without(option: string, words: readonly string[]): string[] {
  return words.filter(
    (word, index) =>
      word !== option && words[index - 1] !== option && !word.startsWith(`${option}=`),
  );
}

const PROVED_BY = optionWords({ ...proveOptions, ...general });

/**
 * The proof of the files that were read, by those of the options that it has. A core is named
 * anew, since a proof has none by default.
 */
function proveCommand(
  { options, proofCore = [], part }: TypedRun,
  argv: readonly string[],
): string {
  // A part's checkpoint and source stand in no word, and an import finds them.
  if (part !== undefined) return commandLine([...argv.slice(2), "--prove", "FILE"]);
  const takesValue = optionWords(options, true);
  const named = new Set(proofCore);
  const kept: string[] = [];
  let drops = false;
  for (const [index, word] of argv.slice(3).entries()) {
    const isValue = takesValue.has(argv[index + 2] ?? "");
    const [name = ""] = word.split("=", 1);
    if (!isValue) drops = name.startsWith("--") && (named.has(name) || !PROVED_BY.has(name));
    if (!drops) kept.push(word);
  }
  return commandLine(["prove", ...kept, ...proofCore]);
}

/** The flags of options, or of those alone that take a value. */
function optionWords(options: OptionSpecs, withValue = false): ReadonlySet<string> {
  const specs = Object.values(options).filter(({ type }) => !withValue || type !== undefined);
  return new Set(specs.map(({ flags }) => flags.split(" ", 1)[0] ?? ""));
}

/** The import after a proof: of the same files by the same options, proved again where it can be. */
export function provedImportCommand(argv: readonly string[]): string {
  const words: string[] = [];
  let isUser = false;
  for (const word of argv.slice(3)) {
    // A user is a contact, and asked for one by one; a passwords file serves an import as well.
    if (!isUser && !/^--user(?:=|$)/.test(word)) {
      words.push(word.replace(/^--passwords(?==|$)/, "--prove"));
    }
    isUser = !isUser && word === "--user";
  }
  return commandLine(["import", ...words]);
}

/**
 * A command's lines, each with the shell's mark of a line that goes on, so that what is copied from
 * a narrow screen is still one command. A word is never broken, nor an option from its value.
 *
 * @param command as {@link commandLine} makes it
 * @param columns no line is wider, unless one word is; null leaves the command in one line
 */
export function commandLines(command: string, columns: number | null): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of unbroken(command)) {
    const longer = line === "" ? `  ${word}` : `${line} ${word}`;
    // Behind every line but the last one stands a mark.
    if (line === "" || columns === null || columnsOf(longer) + 2 <= columns) {
      line = longer;
      continue;
    }
    lines.push(`${line} \\`);
    line = `    ${word}`;
  }
  return [...lines, line];
}

/** A command's words, an option with its value as one. */
function unbroken(command: string): string[] {
  const words = command.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? [];
  const parts: string[] = [];
  for (const word of words) {
    const last = parts.at(-1);
    const isValue = last !== undefined && /^--[^\s=]+$/.test(last) && !word.startsWith("-");
    if (isValue) parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
  }
  return parts;
}

/** A command as it is typed in a shell; safe to print. */
export function commandLine(words: readonly string[]): string {
  return [...startedAs(), ...words].map(quote).map(printable).join(" ");
}

/** What the operator typed for the program: what npx was given is on no search path. */
function startedAs(): readonly string[] {
  const isBin = /[\\/]node_modules[\\/]\.bin[\\/]auth-migrate$/.test(process.argv[1] ?? "");
  const byNpx = process.env.npm_lifecycle_event === "npx";
  return byNpx && isBin ? ["npx", "auth-migrate"] : ["auth-migrate"];
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
