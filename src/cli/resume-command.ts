/** The command to type next, made of the one that was typed. Argv never holds a secret, so it may be shown. */

import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { printable } from "../report/text.js";
import { isUrl } from "./data-file.js";
import { withoutPassword } from "./database.js";
import { startedAs } from "./io.js";
import { DEFAULT_CHECKPOINT, general } from "./options/general.js";
import { type OptionSpecs, pick, wordsOf } from "./options/option.js";
import { proveOptions } from "./options/proving.js";
import { type CoreValues, core } from "./options/target.js";
import { NEW_KEY } from "./options/vault.js";

/** What may be typed next, whole. */
export type NextCommands = ReturnType<typeof nextCommands>;

/** What the commands are made of beside the words that were typed. */
interface TypedRun {
  /** The command's options: which of the words are their values. */
  readonly options: OptionSpecs;
  /** Options by which other commands find the same core and checkpoint; a dry run has none. */
  readonly core?: readonly string[];
  readonly checkpoint?: readonly string[];
  /** Those by which a proof finds the core: it has no default. */
  readonly proofCore?: readonly string[];
  /** Those that name a vault; none where nothing is kept. */
  readonly vault?: readonly string[];
  /** What an import lacks of its vault, as `lackedVault` makes it. */
  readonly lacked?: readonly string[];
  /** What one would lack that keeps passwords for the bridge. */
  readonly lackedToKeep?: readonly string[];
  /** Of a part of a split export: whose it is, which its manifest may say and no word. */
  readonly part?: { readonly from: string | undefined } | undefined;
}

/** An option with its value, or a file, as it stood behind the command. */
interface Typed {
  /** The option's, without its dashes; null for a file. */
  readonly name: string | null;
  readonly words: readonly string[];
}

function typedIn(argv: readonly string[], specs: OptionSpecs): Typed[] {
  const args = argv.slice(3);
  const all: OptionSpecs = { ...specs, ...general };
  const options = Object.values(all).map(({ flags, type }) => {
    return [nameIn(flags), { type: type === undefined ? "boolean" : "string" }] as const;
  });
  const { tokens } = parseArgs({
    args,
    options: Object.fromEntries(options),
    strict: false,
    tokens: true,
  });
  return tokens.map((token, at) => ({
    name: token.kind === "option" ? token.name : null,
    words: args.slice(token.index, tokens[at + 1]?.index),
  }));
}

function nameIn(flags: string): string {
  return flags.replace(/^--| .*$/g, "");
}

function without(typed: readonly Typed[], ...names: readonly string[]): string[] {
  return typed.flatMap(({ name, words }) => (names.includes(name ?? "") ? [] : words));
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
export function nextCommands(given: TypedRun, argv: readonly string[]) {
  const { options, core = [], checkpoint = [], vault = [], lacked = [] } = given;
  const { lackedToKeep = [] } = given;
  const typed = typedIn(argv, options);
  return {
    /** The command that has just run. */
    again: resumeCommand(argv),
    /** The import that a dry run, `validate` or `import --dry-run`, has shown to be possible. */
    begin: commandLine(["import", ...without(typed, ...OF_DRY_RUN), ...lacked]),
    /** What makes the key that `begin` names; null where it is there. */
    newKey: newKeyCommand(lacked),
    /** The import that goes on without the rows that were rejected, and ends with 0. */
    accepting: (rejects: number) => {
      const words = without(typed, ...OF_DRY_RUN, "accept-rejects");
      return commandLine(["import", ...words, "--accept-rejects", `${rejects}`, ...lacked]);
    },
    /** The import that keeps passwords for the bridge, and what makes its vault's key; null where that is there. */
    keeping: (more: readonly string[]) => {
      const words = [...without(typed, ...OF_DRY_RUN, "on-unusable-hash"), ...KEEPING];
      return {
        newKey: newKeyCommand(lackedToKeep),
        command: commandLine(["import", ...words, ...more, ...lackedToKeep]),
      };
    },
    /** The command for all users, after a pilot of some. */
    unlimited: commandLine(["import", ...without(typed, "limit")]),
    /** What tells all that a summary has no room for. */
    report: commandLine(["report", ...checkpoint]),
    /** What asks the core for the users. */
    check: commandLine(["reconcile", ...core, ...checkpoint]),
    /** What proves the signer key by one user's password. */
    prove: proveCommand(given, typed, argv),
    /** What brings the passwords that the vault keeps; null where no vault is named. */
    bridge: vault.length === 0 ? null : commandLine(["bridge", ...vault, ...core, ...checkpoint]),
    /** The command for other files, those with mended rows. */
    of: (others: readonly string[], from: string | null) =>
      commandLine([...argv.slice(2, 3), ...otherFiles(given, typed, others, from)]),
  };
}

/** What makes the key that the words of {@link lackedVault} name; null where none is to be made. */
export function newKeyCommand(lacked: readonly string[]): string | null {
  if (!lacked.includes(NEW_KEY) || existsSync(NEW_KEY)) return null;
  return commandLine(["bridge", "--new-key", NEW_KEY]);
}

const KEEPING = ["--on-unusable-hash", "bridge"];

/** Options that an import has no use for. */
const OF_DRY_RUN = ["dry-run", "fields", "check-existing"];

/** What is of the inputs that were read: how many rows they have, who of them is proved, and where in a database they are. */
const OF_FILES: readonly (string | null)[] = [
  "expect-users",
  "prove",
  "require-proof",
  "table",
  "query",
  "input-password-file",
];

/** The words of the command that has just run, for other files and with the same checkpoint. */
function otherFiles(
  { checkpoint = [], part }: TypedRun,
  typed: readonly Typed[],
  others: readonly string[],
  from: string | null,
): string[] {
  const first = typed.find(({ name }) => name === null);
  const words = typed.flatMap((one) => {
    if (one.name === null) return one === first ? others : [];
    return OF_FILES.includes(one.name) ? [] : one.words;
  });
  const isTyped = (option: string): boolean => typed.some(({ name }) => name === option);
  // The default name of a part's checkpoint stands in no word.
  if (part !== undefined && !isTyped("checkpoint")) words.push(...checkpoint);
  const source = from ?? (isTyped("from") ? undefined : part?.from);
  return source === undefined ? words : [...words, "--from", source];
}

/** The import of the first part of an export that was split, which reads it by the same options. */
export function partImportCommand(
  options: OptionSpecs,
  first: string,
  argv: readonly string[],
): string {
  const isOption = ({ name }: Typed): boolean => name !== null;
  const typed = typedIn(argv, options).filter(isOption);
  return commandLine(["import", first, ...without(typed, "out-dir", "shards")]);
}

/**
 * The command that has just run, to be typed again.
 *
 * @param argv as Node.js has it: the first two are the program
 */
export function resumeCommand(argv: readonly string[]): string {
  return commandLine(argv.slice(2));
}

const PROVED_BY = new Set(
  Object.values({ ...proveOptions, ...general }).map(({ flags }) => nameIn(flags)),
);

/**
 * The proof of the files that were read, by those of the options that it has. A core is named
 * anew, since a proof has none by default.
 */
function proveCommand(
  { proofCore = [], part }: TypedRun,
  typed: readonly Typed[],
  argv: readonly string[],
): string {
  // A part's checkpoint and source stand in no word, and an import finds them.
  if (part !== undefined) return commandLine([...argv.slice(2), "--prove", "FILE"]);
  const kept = typed.filter(({ name }) => {
    return name === null || (PROVED_BY.has(name) && !proofCore.includes(`--${name}`));
  });
  return commandLine(["prove", ...without(kept), ...proofCore]);
}

/**
 * The import after a proof: of the same files by the same options, proved again where it can be.
 *
 * @param lacked as `lackedVault` makes it: a proof takes no vault
 */
export function provedImportCommand(
  argv: readonly string[],
  lacked: readonly string[] = [],
): string {
  // A user is a contact, and asked for one by one; a passwords file serves an import as well.
  const words = without(typedIn(argv, proveOptions), "user");
  const proved = words.map((word) => word.replace(/^--passwords\b/, "--prove"));
  return commandLine(["import", ...proved, ...lacked]);
}

/** A command as it is typed in a shell; safe to print. */
export function commandLine(words: readonly string[]): string {
  return [startedAs(), ...words.map(quote).map(printable)].join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
