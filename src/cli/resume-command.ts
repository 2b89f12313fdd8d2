/** The command to type next, made of the one that was typed. Argv never holds a secret, so it may be shown. */

import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { printable } from "../report/text.js";
import { withoutPassword } from "./database.js";
import { startedAs } from "./io.js";
import { DEFAULT_CHECKPOINT, general } from "./options/general.js";
import { type OptionSpec, type OptionSpecs, wordsOf } from "./options/option.js";
import { proveOptions } from "./options/proving.js";
import { passwordExport, planning } from "./options/reading.js";
import { type CoreValues, whichCore } from "./options/target.js";
import { accountWords } from "./options/upstream.js";
import { vault } from "./options/vault.js";
import { DEFAULT_DATA, isUrl, namesCore } from "./core-choice.js";
import { bridgeWords, type FindingValues, knownWords, lackedVault, NEW_KEY } from "./seen-vault.js";

/** What may be typed next, whole. */
export type NextCommands = ReturnType<typeof nextCommands>;

/** What the commands are made of beside the words that were typed. */
export interface TypedRun {
  /** The command's options: which of the words are their values. */
  readonly options: OptionSpecs;
  /** Those by which other commands find the same core, checkpoint and vault, wherever they came from. */
  readonly values: FindingValues;
  /** Whether nothing was sent, so that no other command has to find the same core. */
  readonly isDry: boolean;
  /** Of a dry run: what its import's checkpoint knows; null where there is none. */
  readonly known?: Partial<FindingValues> | null;
  /** Whether a command may ask for what it isn't given. */
  readonly canPrompt: boolean;
  /** Of a part of a split export: whose it is, which its manifest may say and no word. */
  readonly part?: { readonly from: string | undefined } | undefined;
}

/** An option with its value, or a file, as it stood behind the command. */
export interface Typed {
  /** The option's, without its dashes; null for a file. */
  readonly name: string | null;
  readonly of: OptionSpec["of"] | undefined;
  readonly words: readonly string[];
}

/** @param argv as Node.js has it */
export function typedIn(argv: readonly string[], specs: OptionSpecs): Typed[] {
  const args = argv.slice(3);
  const all: readonly OptionSpec[] = Object.values({ ...specs, ...general });
  const byName = new Map(all.map((spec) => [nameIn(spec.flags), spec]));
  const options = Array.from(byName, ([name, { type }]) => {
    return [name, { type: type === undefined ? "boolean" : "string" }] as const;
  });
  const { tokens } = parseArgs({
    args,
    options: Object.fromEntries(options),
    strict: false,
    tokens: true,
  });
  return tokens.map((token, at) => {
    const name = token.kind === "option" ? token.name : null;
    const words = args.slice(token.index, tokens[at + 1]?.index);
    return { name, of: byName.get(name ?? "")?.of, words };
  });
}

function nameIn(flags: string): string {
  return flags.replace(/^--|[ =].*$/g, "");
}

export function isTyped(typed: readonly Typed[], option: string): boolean {
  return typed.some(({ name }) => name === option);
}

export function without(typed: readonly Typed[], ...names: readonly string[]): string[] {
  return typed.flatMap(({ name, words }) => (names.includes(name ?? "") ? [] : words));
}

/** What was typed, and behind it words that stand for any of the same option. */
function overlaid(typed: readonly Typed[], words: readonly string[]): string[] {
  const given = words.flatMap((word) => (word.startsWith("--") ? [nameIn(word)] : []));
  return [...without(typed, ...given), ...words];
}

/** The options that name a core. */
function coreWords(values: FindingValues): string[] {
  // A URL with a password may have come from the environment, and a data file from a rehearsal's configuration.
  const named = values.core === undefined ? values.data : undefined;
  const data = named && isUrl(named) ? withoutPassword(named) : named;
  return wordsOf(whichCore, { ...values, data });
}

/** The option that names a checkpoint; none for the default. */
export function checkpointWords({
  checkpoint = DEFAULT_CHECKPOINT,
}: Partial<Pick<CoreValues, "checkpoint">>): string[] {
  return checkpoint === DEFAULT_CHECKPOINT ? [] : ["--checkpoint", checkpoint];
}

/**
 * The commands that may follow an import or a dry run.
 *
 * @param more words that the import of a dry run needs beside those that were typed
 */
export function nextCommands(run: TypedRun, argv: readonly string[], more: readonly string[] = []) {
  const { options, values } = run;
  const known = run.known ?? {};
  const toKeep = { ...known, onUnusableHash: "bridge" } as const;
  const checkpoint = checkpointWords(values);
  const typed = typedIn(argv, options);
  const sent = typed.filter(({ of }) => of !== "dry run");
  const importing = (own: readonly string[], by: Partial<FindingValues> = known): string => {
    const words = overlaid(sent, [...more, ...knownWords(by), ...own]);
    return commandLine(["import", ...words, ...lackedVault(values, by)]);
  };
  return {
    /** The command that has just run. */
    again: resumeCommand(argv),
    /** The import that a dry run, `validate` or `import --dry-run`, has shown to be possible. */
    begin: importing([]),
    /** Said before an import that names no core, so that it isn't taken for the migration. */
    where: whereText(run, { ...values, ...known }),
    /** The command that has just run, and writes its rejects into a file. */
    filing: commandLine([...argv.slice(2, 3), ...without(typed), ...rejectsWords(typed)]),
    /** What makes the key that `begin` names; null where it is there. */
    newKey: newKeyCommand(lackedVault(values, known)),
    /** The import that goes on without the rows that were rejected, and ends with 0. */
    accepting: (rejects: number) => importing(["--accept-rejects", `${rejects}`]),
    /** The import that keeps passwords for the bridge, and what makes its vault's key; null where that is there. */
    keeping: (own: readonly string[]) => ({
      newKey: newKeyCommand(lackedVault(values, toKeep)),
      command: importing(own, toKeep),
    }),
    /** The command for all users, after a pilot of some. */
    unlimited: commandWithout("limit", options, argv),
    /** What tells all that a summary has no room for. */
    report: commandLine(["report", ...checkpoint]),
    /** What asks the core for the users. */
    check: checkCommand(values).join(" "),
    /** What proves the signer key by one user's password. */
    prove: proveCommand(run, typed, argv),
    /** Whom the bridge asks. */
    upstream: values.upstream,
    /** The command for other files, those with mended rows. */
    of: (others: readonly string[], from: string | null) =>
      commandLine([...argv.slice(2, 3), ...otherFiles(run, typed, others, from)]),
  };
}

function whereText({ isDry, known = null }: TypedRun, values: FindingValues): string {
  if (!isDry || namesCore(values)) return "";
  // What stands at the rehearsal goes on there alone.
  return known === null ? ", as a rehearsal unless you add --core URL" : ", as a rehearsal";
}

/** The import without an option, as that of all users after a pilot of some. */
export function commandWithout(
  name: string,
  options: OptionSpecs,
  argv: readonly string[],
): string {
  return commandLine(["import", ...without(typedIn(argv, options), name)]);
}

/** What asks the core for the users: the command, then each of its options with what stands behind it. */
export function checkCommand(values: FindingValues): string[] {
  const words = [...coreWords(values), ...checkpointWords(values)];
  const options = words.flatMap((word, at) => {
    if (!word.startsWith("--")) return [];
    const next = words[at + 1];
    const isAlone = next === undefined || next.startsWith("--");
    return [(isAlone ? [word] : [word, next]).map(quote).map(printable).join(" ")];
  });
  return [commandLine(["reconcile"]), ...options];
}

/** What brings the passwords that the vault keeps; undefined where no vault is named. */
export function bridgeCommand(values: FindingValues): string | undefined {
  const kept = wordsOf(vault, values);
  if (kept.length === 0) return undefined;
  const found = [...coreWords(values), ...checkpointWords(values)];
  return commandLine(["bridge", ...kept, ...accountWords(values), ...found]);
}

/** A file for rejects: rows of JSON, and of a database, stay JSON. A folder's and a pipe's name don't say which they have. */
function rejectsWords(typed: readonly Typed[]): string[] {
  const file = typed.find(({ name }) => name === null)?.words[0] ?? "";
  if (/json[^/]*$|:\/\//.test(file)) return ["--rejects-out", "rejects.ndjson"];
  return ["--rejects-out", /\.\w+$/.test(file) ? "rejects.csv" : "rejects"];
}

/** What makes the key that the words of {@link lackedVault} name; null where none is to be made. */
export function newKeyCommand(lacked: readonly string[]): string | null {
  if (!lacked.includes(NEW_KEY) || existsSync(NEW_KEY)) return null;
  return commandLine(["bridge", "--new-key", NEW_KEY]);
}

/** The words of the command that has just run, for other files and with the same checkpoint. */
function otherFiles(
  { values, part }: TypedRun,
  typed: readonly Typed[],
  others: readonly string[],
  from: string | null,
): string[] {
  const first = typed.find(({ name }) => name === null);
  const words = typed.flatMap((one) => {
    if (one.name === null) return one === first ? others : [];
    return one.of === "files" || one.of === "database" ? [] : one.words;
  });
  // The default name of a part's checkpoint stands in no word.
  if (part !== undefined && !isTyped(typed, "checkpoint")) words.push(...checkpointWords(values));
  const source = from ?? (isTyped(typed, "from") ? undefined : part?.from);
  return source === undefined ? words : [...words, "--from", source];
}

/** The import of the first part of an export that was split, which is a file and reads by the same options. */
export function partImportCommand(
  options: OptionSpecs,
  first: string,
  argv: readonly string[],
): string {
  const isOption = ({ name, of }: Typed): boolean => name !== null && of !== "database";
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

const CHOICES = new Set(
  Object.values({ ...planning, ...passwordExport }).map(({ flags }) => nameIn(flags)),
);

/** What was typed that decides what users get from the files, each option a word with its value. */
export function choiceWords(argv: readonly string[]): string[] {
  const typed = typedIn(argv, proveOptions).filter(({ name }) => CHOICES.has(name ?? ""));
  return typed.map(({ words }) => words.join("="));
}

/**
 * The proof of the files that were read, by those of the options that it has. A core is named
 * anew, since a proof has none by default.
 */
function proveCommand(
  { values, isDry, canPrompt, part, known }: TypedRun,
  typed: readonly Typed[],
  argv: readonly string[],
): string {
  // A part's checkpoint and source stand in no word, and an import finds them.
  if (part !== undefined) return commandLine([...argv.slice(2), "--prove", "FILE"]);
  const byDefault = namesCore(values) ? [] : ["--data", DEFAULT_DATA];
  const proofCore = isDry ? [] : [...coreWords(values), ...byDefault];
  const kept = typed.filter(({ name }) => {
    return name === null || (PROVED_BY.has(name) && !proofCore.includes(`--${name}`));
  });
  const file = canPrompt ? [] : ["--passwords", "FILE"];
  return commandLine(["prove", ...overlaid(kept, bridgeWords(known ?? {})), ...proofCore, ...file]);
}

/**
 * The import after a proof: of the same files by the same options, proved again where it can be.
 *
 * @param more words of what a proof doesn't take, as the vault, or need not be told
 */
export function provedImportCommand(argv: readonly string[], more: readonly string[]): string {
  // A passwords file serves an import as well.
  const proved = without(typedIn(argv, proveOptions)).map((word) =>
    word.replace(/^--passwords\b/, "--prove"),
  );
  return commandLine(["import", ...proved, ...more]);
}

/** A command as it is typed in a shell; safe to print. */
export function commandLine(words: readonly string[]): string {
  return [startedAs(), ...words.map(quote).map(printable)].join(" ");
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
