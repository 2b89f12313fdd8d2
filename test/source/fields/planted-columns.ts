/** Files of every source with one more column or property in all of their users, and what reading them then says. */

import { RunError } from "../../../src/errors/run-error.js";
import { normalizeHash } from "../../../src/hash/normalize.js";
import { placeOfColumn } from "../../../src/source/fields/field-tree.js";
import { isObject, parseJson } from "../../../src/source/json/json-value.js";
import { SOURCES } from "../../../src/source/registry.js";
import type { ReadOptions, Source, SourceItem } from "../../../src/source/source.js";
import { fixturesOf } from "../fixtures.js";
import { collect, pieces } from "../support.js";

/** A file of a source that can be read with one more field. */
export interface PlantedFile {
  readonly name: string;
  /** With a field of a name that no user has, and its value. */
  read(name: string, value: unknown): Promise<readonly SourceItem[] | RunError>;
  /** Names that its users have themselves, or the source knows. */
  readonly has: (name: string) => boolean;
}

/** Of all sources, each in every form that has names for its fields. */
export function plantedFiles(): readonly PlantedFile[] {
  return SOURCES.flatMap((source) =>
    fixturesOf(source).flatMap(({ file, bytes, options }) => {
      const plant = planter(file, bytes.toString());
      return plant === null ? [] : [plantedFile(source, file, plant, options)];
    }),
  );
}

function plantedFile(
  source: Source,
  file: string,
  plant: Planter,
  options: ReadOptions,
): PlantedFile {
  return {
    name: `${source.name} ${file}`,
    has: (name) =>
      plant.names.has(name.toLowerCase()) ||
      source.fields.some((tree) => placeOfColumn(name, tree) !== null),
    async read(name, value) {
      const bytes = pieces(Buffer.from(plant.plant(name, value)), 65_536);
      try {
        return await collect(source.read(file, bytes, options));
      } catch (error) {
        if (error instanceof RunError) return error;
        throw error;
      }
    },
  };
}

interface Planter {
  readonly names: ReadonlySet<string>;
  readonly plant: (name: string, value: unknown) => string;
}

/** Null for a file without names, or one that can't be written again: a damaged one, or pages one behind the other. */
function planter(file: string, text: string): Planter | null {
  if (/damaged|cut-off/.test(file)) return null;
  if (/\.[ct]sv$/.test(file)) return ofTable(text);
  const document = parseJson(text);
  if (document !== undefined) return ofJson([document], (planted) => JSON.stringify(planted[0]));
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [parseJson(line)]));
  return lines.some((line) => line === undefined)
    ? null
    : ofJson(lines, (planted) => planted.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

function ofJson(
  documents: readonly unknown[],
  text: (documents: readonly unknown[]) => string,
): Planter {
  const users = documents.flatMap(usersIn);
  return {
    names: new Set(users.flatMap((user) => Object.keys(user).map((name) => name.toLowerCase()))),
    plant(name, value) {
      const planted = structuredClone(documents);
      for (const user of planted.flatMap(usersIn)) Reflect.set(user, name, value);
      return text(planted);
    },
  };
}

const LISTS =
  /^(?:(?:human)?users|results?|value|data|items|records|resources|members|orgs|dataOrgs)$/i;

/** The users of a document: it is one, or they are in a list of it. A dump of models has them further down. */
function usersIn(document: unknown): object[] {
  if (Array.isArray(document)) return document.flatMap(usersIn);
  if (!isObject(document)) return [];
  const lists = Object.entries(document).filter(
    ([name, held]) => LISTS.test(name) && holdsUsers(held),
  );
  if (lists.length > 0) return lists.flatMap(([, held]) => usersIn(held));
  return "model" in document && isObject(document.fields) ? [document.fields] : [document];
}

function holdsUsers(held: unknown): boolean {
  return Array.isArray(held) ? held.some(isObject) : isObject(held) && "orgs" in held;
}

function ofTable(text: string): Planter | null {
  const [header = ""] = text.split("\n");
  const separator = [",", ";", "\t", "|"].find((sign) => header.split(sign).length > 2) ?? ",";
  const [names = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ""), separator);
  if (!names.some((name) => /mail|user|phone/i.test(name))) return null;
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)}\n`;
  return {
    names: new Set(names.map((name) => name.toLowerCase())),
    plant: (name, value) => {
      const cell = typeof value === "string" ? value : JSON.stringify(value);
      return [[...names, name], ...rows.map((row) => [...row, cell])].map(line).join("");
    },
  };
}

function rowsOf(text: string, separator: string): string[][] {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"\\r\\n${separator}]*))(${separator}|\\r?\\n|$)`,
    "gy",
  );
  const rows: string[][] = [[]];
  for (const [whole, quoted, plain = "", end] of text.matchAll(cell)) {
    if (whole === "") break;
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== separator) rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}

/** What may have become of a user by a column. */
export type Fact = "salt" | "out" | "factor";

/** The codes by which a run stops and asks. */
const ASKED: ReadonlySet<string> = new Set(["column_unclear", "flag_invalid"]);

/** Whether a user whom a file lets in without the column is kept from it, or the run asks. */
export function isHeard(
  fact: Fact,
  before: readonly SourceItem[],
  after: readonly SourceItem[] | RunError,
): boolean {
  if (after instanceof RunError) return ASKED.has(after.code);
  return before.every((item, index) => {
    const now = after[index];
    if (item.kind !== "record" || item.record.exclusions.length > 0) return true;
    if (now?.kind !== "record") return now?.kind === "reject" || now?.kind === "skip";
    const { exclusions, notices, hash } = now.record;
    if (fact === "out") return exclusions.length > 0;
    if (fact === "factor") return notices.some((code) => /^(?:mfa|passkey)_/.test(code));
    const old = item.record.hash;
    const isUsable = old !== null && normalizeHash(old).verdict === "accepted";
    return !isUsable || hash === null || normalizeHash(hash).verdict !== "accepted";
  });
}

/** Whether it stops a run, or keeps out a user who was let in. */
export function isStopped(
  before: readonly SourceItem[],
  after: readonly SourceItem[] | RunError,
): boolean {
  if (after instanceof RunError) return true;
  return before.some((item, index) => {
    const now = after[index];
    if (item.kind !== "record") return false;
    return now?.kind !== "record" || now.record.exclusions.length > item.record.exclusions.length;
  });
}
