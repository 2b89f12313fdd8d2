/** The command to type next, made of the one that was typed. Argv never holds a secret, so it may be shown. */

import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { printable } from "../report/text.js";
import { withoutPassword } from "./database.js";
import { startedAs } from "./io.js";
import { DEFAULT_CHECKPOINT, general } from "./options/general.js";
import { type OptionSpec, type OptionSpecs, wordsOf } from "./options/option.js";
import { proveOptions } from "./options/proving.js";
import type { PlanningValues } from "./options/reading.js";
import { type CoreValues, whichCore } from "./options/target.js";
import { accountWords } from "./options/upstream.js";
import { lackedVault, NEW_KEY, vault, type VaultValues } from "./options/vault.js";
import { DEFAULT_DATA, isUrl, namesCore } from "./core-choice.js";

/** What may be typed next, whole. */
export type NextCommands = ReturnType<typeof nextCommands>;

/** What the commands are made of beside the words that were typed. */
export interface TypedRun {
  /** The command's options: which of the words are their values. */
  readonly options: OptionSpecs;
  /** Those by which other commands find the same core, checkpoint and vault, wherever they came from. */
  readonly values: Partial<CoreValues & VaultValues> & Pick<PlanningValues, "onUnusableHash">;
  /** Whether nothing was sent, so that no other command has to find the same core. */
  readonly isDry: boolean;
  /** Of a part of a split export: whose it is, which its manifest may say and no word. */
  readonly part?: { readonly from: string | undefined } | undefined;
}

/** An option with its value, or a file, as it stood behind the command. */
interface Typed {
  /** The option's, without its dashes; null for a file. */
  readonly name: string | null;
  readonly of: OptionSpec["of"] | undefined;
  readonly words: readonly string[];
}

function typedIn(argv: readonly string[], specs: OptionSpecs): Typed[] {
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

function without(typed: readonly Typed[], ...names: readonly string[]): string[] {
  return typed.flatMap(({ name, words }) => (names.includes(name ?? "") ? [] : words));
}

/** The options that name a core. */
function coreWords(values: TypedRun["values"]): string[] {
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
 * @param more an option, with its value, that the import needs beside those of the dry run
 */
export function nextCommands(run: TypedRun, argv: readonly string[], more: readonly string[] = []) {
  const { options, values } = run;
  const lacked = lackedVault(values);
  const lackedToKeep = lackedVault({ ...values, onUnusableHash: "bridge" });
  const checkpoint = checkpointWords(values);
  const typed = typedIn(argv, options);
  const needed: Typed[] =
    more.length === 0 ? [] : [{ name: nameIn(more[0] ?? ""), of: undefined, words: more }];
  const sent = typed.filter(
    ({ of, name }) => of !== "dry run" && !needed.some((one) => one.name === name),
  );
  sent.push(...needed);
  return {
    /** The command that has just run. */
    again: resumeCommand(argv),
    /** The import that a dry run, `validate` or `import --dry-run`, has shown to be possible. */
    begin: commandLine(["import", ...without(sent), ...lacked]),
    /** What makes the key that `begin` names; null where it is there. */
    newKey: newKeyCommand(lacked),
    /** The import that goes on without the rows that were rejected, and ends with 0. */
    accepting: (rejects: number) => {
      const words = without(sent, "accept-rejects");
      return commandLine(["import", ...words, "--accept-rejects", `${rejects}`, ...lacked]);
    },
    /** The import that keeps passwords for the bridge, and what makes its vault's key; null where that is there. */
    keeping: (more: readonly string[]) => {
      const given = more.flatMap((word) => (word.startsWith("--") ? [nameIn(word)] : []));
      const words = [
        ...without(sent, "on-unusable-hash", ...given),
        "--on-unusable-hash",
        "bridge",
      ];
      return {
        newKey: newKeyCommand(lackedToKeep),
        command: commandLine(["import", ...words, ...more, ...lackedToKeep]),
      };
    },
    /** The command for all users, after a pilot of some. */
    unlimited: commandWithout("limit", options, argv),
    /** What tells all that a summary has no room for. */
    report: commandLine(["report", ...checkpoint]),
    /** What asks the core for the users. */
    check: checkCommand(values).join(" "),
    /** What proves the signer key by one user's password. */
    prove: proveCommand(run, typed, argv),
    /** What brings the passwords that the vault keeps; null where no vault is named. */
    bridge: bridgeCommand(values) ?? null,
    /** The import that brings a rehearsal's users to a core of one's own; null for a part, of which each has another. */
    real: run.part === undefined ? realCommand(values, typed) : null,
    /** The command for other files, those with mended rows. */
    of: (others: readonly string[], from: string | null) =>
      commandLine([...argv.slice(2, 3), ...otherFiles(run, typed, others, from)]),
  };
}

/** A checkpoint and a vault are bound to their core. */
function realCommand(
  { checkpoint = DEFAULT_CHECKPOINT, vault: kept }: TypedRun["values"],
  typed: readonly Typed[],
): string {
  const own = (kind: string, used: string): string =>
    used === `real.${kind}` ? `auth-migrate.${kind}` : `real.${kind}`;
  const words = without(typed, "data", "checkpoint", "vault", "target-moved", "yes");
  const beside = ["--core", "URL", "--checkpoint", own("checkpoint", checkpoint)];
  if (kept !== undefined) beside.push("--vault", own("vault", kept));
  return commandLine(["import", ...words, ...beside]);
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
export function checkCommand(values: TypedRun["values"]): string[] {
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
export function bridgeCommand(values: TypedRun["values"]): string | undefined {
  const kept = wordsOf(vault, values);
  if (kept.length === 0) return undefined;
  const found = [...coreWords(values), ...checkpointWords(values)];
  return commandLine(["bridge", ...kept, ...accountWords(values), ...found]);
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
  const isTyped = (option: string): boolean => typed.some(({ name }) => name === option);
  // The default name of a part's checkpoint stands in no word.
  if (part !== undefined && !isTyped("checkpoint")) words.push(...checkpointWords(values));
  const source = from ?? (isTyped("from") ? undefined : part?.from);
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

/** A proof without a passwords file asks, whatever the command before it did. */
const { input: _asks, ...proving } = { ...proveOptions, ...general };
const PROVED_BY = new Set(Object.values(proving).map(({ flags }) => nameIn(flags)));

/**
 * The proof of the files that were read, by those of the options that it has. A core is named
 * anew, since a proof has none by default.
 */
function proveCommand(
  { values, isDry, part }: TypedRun,
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
  return commandLine(["prove", ...without(kept), ...proofCore]);
}

/**
 * The import after a proof: of the same files by the same options, proved again where it can be.
 *
 * @param lacked as `lackedVault` makes it: a proof takes no vault
 * @param where options that name the core of its checkpoint, as they are typed
 */
export function provedImportCommand(
  argv: readonly string[],
  lacked: readonly string[],
  where: readonly string[],
): string {
  const typed = typedIn(argv, proveOptions);
  // A passwords file serves an import as well.
  const proved = without(typed).map((word) => word.replace(/^--passwords\b/, "--prove"));
  const names = new Set(typed.map(({ name }) => name));
  const others = where.filter((option) => !names.has(nameIn(option)));
  return [commandLine(["import", ...proved, ...lacked]), ...others].join(" ");
}

/** A command as it is typed in a shell; safe to print. */
export function commandLine(words: readonly string[]): string {
  return [startedAs(), ...words.map(quote).map(printable)].join(" ");
}

/** Whether a command that was made so has a word. */
export function hasWord(command: string, word: string): boolean {
  return `${command} `.includes(` ${printable(quote(word))} `);
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
