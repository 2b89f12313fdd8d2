/** The inputs of a run: each file, pipe or standard input with the source that reads it. */

import { basename } from "node:path";
import { requireCountry } from "../account/build-record.js";
import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import { findVendor } from "../hash/vendors.js";
import { encodingNamed } from "./bytes/encoding.js";
import type { DatabaseInput } from "./database/database.js";
import type { openDatabase } from "./database/open-database.js";
import { detectSource, namedSource } from "./detect.js";
import { type GivenMap, mappedFields } from "./generic/field-map.js";
import { type InputBytes, inputsAt, nameOf, openBytes, type UsersInput } from "./input-bytes.js";
import { inferredMapping, orStopped, tellingFields } from "./mapping/inferred-mapping.js";
import { mappedSource } from "./mapping/mapped-source.js";
import { readMapping } from "./mapping/read-mapping.js";
import { requireEachOnce, requireOneStdin } from "./named-once.js";
import type { OwnSource } from "./own-source.js";
import { findSource, isModule, SOURCES } from "./registry.js";
import type { FileHead, ReadingRules, ReadOptions, Source, SourceItem } from "./source.js";

/** What is read: a file by its path, users out of a program, or those of a database. */
export type NamedInput = string | UsersInput | DatabaseInput;

/** One file and its reader. */
export interface Input {
  /** As the operator gave it; `-` for the standard input, its name for users out of a program, `app.users` for a table of a database. */
  readonly path: string;
  readonly source: Source;
  /** Whose hashes are in it: what `--from` names, else the source's own name. */
  readonly vendor: string;
  /**
   * Nothing but the operator's word (`--from`) says whose hashes they are, so that no doubt about
   * them is settled by it.
   */
  readonly onWord?: boolean | undefined;
  /** By what the source was recognized, for people; or that it was named. */
  readonly reason: string;
  /**
   * The mapping of a file of no known system as YAML; absent for one of a known system, null where
   * its reading will say what is wrong.
   *
   * @param map what `--map` says, in place of what the inputs were opened with
   */
  readonly inferred?: ((map?: GivenMap) => Promise<string | null>) | undefined;
  /** By what such a file is told from others of its kind; its path where nothing says it. */
  readonly telling?: (() => Promise<unknown>) | undefined;
  /** Its size as it is on disk; 0 where it can't be known. */
  readonly bytes: number;
  /** True for a pipe and the standard input: what is looked at before the run is all there is. */
  readonly readOnce: boolean;
  /**
   * Reads the rows from the first on, in batches; see {@link Source.read}.
   *
   * @throws RunError `input_unreadable` for the second reading of what can be read once
   */
  read(run: ReadRun): AsyncIterable<readonly SourceItem[]>;
  /** @throws RunError `input_changed` for a file that isn't as it was opened first; what can be read only once never changes */
  requireUnchanged(): Promise<void>;
  /** Closes what is open before it is read, such as a pipe that isn't read after all. */
  close(): Promise<void>;
}

/** What one reading of an input is told. */
export type ReadRun = Omit<ReadOptions, keyof ReadingRules | "hasLines">;

/** How inputs are to be read. */
export interface InputOptions extends Partial<ReadingRules> {
  /**
   * A source's or a vendor's name (`--from`), a source of one's own, or the path of a module that is
   * one, whose code is run; detection where undefined.
   */
  readonly from?: string | OwnSource | undefined;
  /**
   * The path of a mapping of one's own (`--mapping`), or what such a file holds, by which all files
   * are read. Of one that has the core's names of roles and providers these belong into the policy:
   * see `readCoreNames`.
   */
  readonly mapping?: string | object | undefined;
  /** What `-` among the files stands for; it is read to its end or closed. */
  readonly stdin?: AsyncIterable<Buffer> | undefined;
}

/**
 * Finds the reader of every file, by its shape or by name. A pipe and the standard input are opened
 * here, once; a caller that doesn't read them closes them.
 *
 * @param files paths, in the order in which they are to be read; a folder is all files in it, `-` the standard input. Users out of a program and databases may stand among them
 * @param options for all files alike; `encoding` takes every label that `TextDecoder` knows
 * @throws RunError `usage` (unknown source, encoding or country, `-` twice or without a `stdin`),
 * `mapping_invalid`, `input_unreadable`, `no_users`, `input_unrecognized`,
 * `column_unclear`, `input_damaged`; of a database also `key_refused`, `outage`, `in_use`
 */
export async function openInputs(
  files: readonly NamedInput[],
  { stdin, ...given }: InputOptions = {},
): Promise<Input[]> {
  const { encoding, rules, mapped, named, vendor } = checkInputs(files, { stdin, ...given });
  const own = isOwn(given.from) ? await ownSource(given.from) : mapped;
  const sources = [own ?? named ?? SOURCES].flat();
  const inputs: Input[] = [];
  const opened: InputBytes[] = [];
  try {
    for await (const given of inputsAt(files)) {
      const { path, bytes, users } = await openNamed(given, { encoding, stdin, sources });
      opened.push(bytes);
      const { head, readOnce } = bytes;
      const found =
        own !== null
          ? { source: own, reason: users?.reason ?? ownReason(head, own) }
          : (users ??
            (named === null
              ? detectSource(head, SOURCES, rules.map)
              : namedSource(head, named, SOURCES, rules.map)));
      const hashes = vendor ?? hashesOf(named ?? found.source);
      const inferred = (map = rules.map) =>
        orStopped(inferredMapping(head, map, { name: ownName(path), hashes }), null);
      const telling = () => orStopped(tellingFields(head, rules.map), path);
      inputs.push({
        path,
        source: found.source,
        reason: found.reason,
        vendor: hashes,
        inferred: found.source.generic ? inferred : undefined,
        telling: found.source.generic ? telling : undefined,
        onWord: vendor !== null || (named?.generic === false && "onWord" in found),
        bytes: bytes.size,
        readOnce,
        read: (run) =>
          found.source.read(nameOf(path), bytes.open(run.signal), {
            ...rules,
            ...run,
            hasLines: !isDatabase(given),
            // Of a mapping that comes along, its guide has the fields.
            tellsPaths: run.tellsPaths === true && found.source === mapped,
          }),
        requireUnchanged: bytes.requireUnchanged,
        close: bytes.close,
      });
    }
    return inputs;
  } catch (error) {
    await closeInputs(opened);
    throw error;
  }
}

function isDatabase(given: NamedInput): given is DatabaseInput {
  return typeof given === "object" && "login" in given;
}

/** An input's bytes, what it is called, and whose users a database's are. */
async function openNamed(
  given: NamedInput,
  { encoding, stdin, sources }: Parameters<typeof openDatabase>[1] & Pick<InputOptions, "stdin">,
) {
  if (isDatabase(given)) {
    // What few runs need is loaded by those.
    const { openDatabase } = await import("./database/open-database.js");
    const { path, bytes, found } = await openDatabase(given, { encoding, sources });
    return { path, bytes, users: found };
  }
  const path = typeof given === "string" ? given : given.name;
  return { path, bytes: await openBytes(given, encoding, stdin), users: null };
}

/**
 * What can be said about the files before one is opened.
 *
 * @throws RunError `usage` (unknown source, encoding or country, `-` twice or without a `stdin`),
 * `mapping_invalid`
 */
export function checkInputs(
  files: readonly NamedInput[],
  { from, mapping, stdin, ...given }: InputOptions,
) {
  const encoding = checkedEncoding(given.encoding ?? null);
  const defaultCountry = requireCountry(given.defaultCountry);
  const rules: ReadingRules = {
    map: new Map(),
    now: Date.now(),
    ...given,
    encoding,
    defaultCountry,
  };
  // Before a file is looked at: a field that is misspelt may be why it isn't known.
  mappedFields(rules.map);
  const said = mapping === undefined ? null : readMapping(mapping).mapping;
  if (from !== undefined && said !== null) {
    const message = `${optionName("--from")} and ${optionName("--mapping")} both say what the files are.`;
    throw new RunError("usage", message, {
      hint: "Give one of the two.",
    });
  }
  const mapped = said === null ? null : mappedSource(said);
  const name = isOwn(from) ? undefined : from;
  const named = name === undefined ? null : findSource(name);
  const vendor = name === undefined || named !== null ? null : knownVendor(name);
  requireOneStdin(files, stdin);
  requireEachOnce(files);
  return { encoding, rules, mapped, named, vendor };
}

/** Whether it is a source of one's own, or the path of its module. */
function isOwn(from: InputOptions["from"]): from is string | OwnSource {
  return typeof from === "object" || (from !== undefined && isModule(from));
}

/** @throws RunError `mapping_invalid` */
async function ownSource(from: string | OwnSource): Promise<Source> {
  // What few runs need is loaded by those.
  const { loadSource, sourceOf } = await import("./own-source.js");
  return typeof from === "string" ? loadSource(from) : sourceOf("The object in from", from);
}

/** @throws RunError `input_unrecognized` for a file without the fields by which the user's own source knows its own */
function ownReason(head: FileHead, own: Source): string {
  const reason = own.recognize(head);
  if (reason !== null) return `${reason}, as ${own.name} says`;
  const message = `${head.path} has none of the lists of fields by which ${own.name} recognizes its files`;
  throw new RunError("input_unrecognized", message, {
    hint: "Look at its users and recognize; docs/mappings.md says what they hold.",
  });
}

/** Closes all inputs of a run, those that were read among them. */
export async function closeInputs(inputs: readonly Pick<Input, "close">[]): Promise<void> {
  for (const input of inputs) await input.close();
}

/** @throws RunError `usage` */
function checkedEncoding(label: string | null): string | null {
  const encoding = label === null ? null : encodingNamed(label);
  if (label === null || encoding !== null) return encoding;
  throw new RunError("usage", `There is no encoding named ${JSON.stringify(label)}.`, {
    hint: `Give ${optionName("--encoding")} a name such as windows-1252, utf-16le or shift_jis.`,
  });
}

/**
 * The vendor that `--from` names where no file is read: a source's name, or a vendor's.
 *
 * @throws RunError `usage` (unknown)
 */
export function vendorNamed(from: string): string {
  const source = findSource(from);
  return source === null ? knownVendor(from) : hashesOf(source);
}

/** Whether a name for `--from` is a source's or a vendor's that comes along. */
export function isKnown(from: string): boolean {
  return (findSource(from) ?? findVendor(from)) !== null;
}

/** What a mapping of a file's own is called. */
function ownName(path: string): string {
  const slug = basename(path)
    .toLowerCase()
    .split(".")[0]
    ?.replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-$/g, "")
    .slice(0, 24);
  return slug === undefined || slug.length < 2 || isKnown(slug) ? `own-${slug || "users"}` : slug;
}

/** A vendor that has no reader of its own: the file is read by its shape, its hashes as that vendor's. */
function knownVendor(from: string): string {
  const vendor = findVendor(from);
  if (vendor !== null) return vendor.name;
  const names = SOURCES.map((source) => source.name).join(", ");
  throw new RunError("usage", `There is no source or vendor named ${JSON.stringify(from)}.`, {
    hint: `Give ${optionName("--from")} one of the sources (${names}) or the vendor whose hashes these are (docs/hashes.md lists them).`,
  });
}

function hashesOf({ name, hashes = name }: Source): string {
  return hashes;
}

/** The names of the inputs' sources, each once: `source` in the summary. */
export function sourceNames(inputs: readonly Input[]): string {
  return [...new Set(inputs.map((input) => input.source.name))].join(",");
}

/** What all inputs weigh together, in bytes; null where a pipe is among them. */
export function totalBytes(inputs: readonly Input[]): number | null {
  if (inputs.some(({ readOnce }) => readOnce)) return null;
  return inputs.reduce((sum, input) => sum + input.bytes, 0);
}

/** A thread costs as much processor time as the import of a few hundred users. */
const WORTH_A_THREAD_BYTES = 65_536;

/** Whether inputs are read before a thread that shares the work has saved what it costs. */
export function areSmall(inputs: readonly Input[]): boolean {
  const bytes = totalBytes(inputs);
  return bytes !== null && bytes < WORTH_A_THREAD_BYTES;
}
