/** Files of every source with one more column or property in all of their users, and what reading them then says. */

import { RunError } from "../../../src/errors/run-error.js";
import type { RawHash } from "../../../src/hash/hash.js";
import { normalizeHash } from "../../../src/hash/normalize.js";
import { placeOfColumn } from "../../../src/source/fields/field-tree.js";
import { isObject, parseJson } from "../../../src/source/json/json-value.js";
import type { GivenMap } from "../../../src/source/generic/field-map.js";
import { plainName } from "../../../src/source/generic/field-names.js";
import { genericCsv, genericJson } from "../../../src/source/mapping/generic-files.js";
import { mappedSource } from "../../../src/source/mapping/mapped-source.js";
import { parseMapping } from "../../../src/source/mapping/read-mapping.js";
import { SOURCES } from "../../../src/source/registry.js";
import type { ReadOptions, Source, SourceItem } from "../../../src/source/source.js";
import { fixturesOf } from "../fixtures.js";
import { collect, pieces } from "../support.js";
import { BCRYPT } from "./columns.js";

const NOW = Date.UTC(2026, 0, 1);

/** A file of a source that can be read with one more field. */
export interface PlantedFile {
  readonly name: string;
  readonly isTable: boolean;
  /** With a field of a name that no user has, and its value; `twice` in a table's header alone, `lacking` in a document's last user. */
  read(
    name: string,
    value: unknown,
    options?: { readonly twice?: boolean; readonly lacking?: boolean; readonly map?: GivenMap },
  ): Promise<readonly SourceItem[] | RunError>;
  /** With a kind in each user, and an object of another kind behind the users; absent for a table. */
  readonly mixed?: (
    field: string,
    kind: string,
    other: object,
  ) => Promise<readonly SourceItem[] | RunError>;
  /** With an object between the users that says nothing of its kind; absent for a table. */
  readonly between?: (other: object) => Promise<readonly SourceItem[] | RunError>;
  /** With another list beside that of its users; absent where the file is no document that holds one. */
  readonly beside?: (
    list: string,
    others: readonly object[],
  ) => Promise<readonly SourceItem[] | RunError>;
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

const OWN_MAPPING = `
name: acme
title: Acme
pages: [https://example.com/users]
users: [users]
recognize:
  - [nr, kontakt, ruf]
id: nr
email: kontakt
phone: ruf
hash: geheim
`;

/** A file of one's own in each way in which it can be read: by its names, by `--map`, by a mapping. */
export function ownFiles({ isHashed }: { readonly isHashed: boolean }): readonly PlantedFile[] {
  const users = [7, 8].map((id) => ({
    id: String(id),
    email: `ann${id}@example.com`,
    phone: `+1555010000${id}`,
    ...(isHashed && { password_hash: BCRYPT }),
  }));
  const named = users.map(({ id, email, phone, ...hash }) => ({
    nr: id,
    kontakt: email,
    ruf: phone,
    ...("password_hash" in hash && { geheim: BCRYPT }),
  }));
  const map = [
    ["id", "nr"],
    ["email", "kontakt"],
    ["phone", "ruf"],
    ...(isHashed ? [["hash", "geheim"]] : []),
  ] as [string, string][];
  const own = mappedSource(parseMapping("acme.yaml", OWN_MAPPING));
  const csv = (rows: readonly object[]): string =>
    [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].join("\n");
  const lines = (all: readonly object[]): string =>
    all.map((one) => JSON.stringify(one)).join("\n");
  const ways = [
    ["a table", genericCsv, "users.csv", csv(users), []],
    ["JSON", genericJson, "users.json", JSON.stringify(users), []],
    ["JSON a line each", genericJson, "users.ndjson", lines(users), []],
    ["a table by --map", genericCsv, "users.csv", csv(named), map],
    ["JSON by --map", genericJson, "users.json", JSON.stringify({ users: named }), map],
    ["a table by a mapping", own, "users.csv", csv(named), []],
    ["JSON by a mapping", own, "users.json", JSON.stringify({ users: named }), []],
  ] as const;
  return ways.flatMap(([name, source, file, text, given]) => {
    const plant = planter(file, text);
    const options = { map: new Map(given), now: NOW };
    return plant === null ? [] : [{ ...plantedFile(source, file, plant, options), name }];
  });
}

function plantedFile(
  source: Source,
  file: string,
  plant: Planter,
  options: ReadOptions,
): PlantedFile {
  const readText = async (text: string, map?: GivenMap) => {
    const bytes = pieces(Buffer.from(text), 65_536);
    const both = new Map(options.map);
    for (const [field, names] of map ?? []) {
      both.set(field, [both.get(field) ?? [], names].flat());
    }
    const given = { ...options, map: both };
    try {
      return await collect(source.read(file, bytes, given));
    } catch (error) {
      if (error instanceof RunError) return error;
      throw error;
    }
  };
  const { mixed, between, beside } = plant;
  // One that differs in signs alone is the same column to a table's reader.
  const own = new Set(Array.from(plant.names, plainName));
  return {
    name: `${source.name} ${file}`,
    isTable: mixed === undefined,
    ...(mixed && { mixed: (field, kind, other) => readText(mixed(field, kind, other)) }),
    ...(between && { between: (other) => readText(between(other)) }),
    ...(beside && { beside: (list, others) => readText(beside(list, others)) }),
    has: (name) =>
      own.has(plainName(name.split(".")[0] ?? "")) ||
      own.has(plainName(name)) ||
      // Whatever the case of a table's header.
      [name, name.toLowerCase()].some((one) =>
        source.fields.some((tree) => placeOfColumn(one, tree) !== null),
      ),
    read: (name, value, { twice = false, lacking = false, map } = {}) =>
      readText(plant.plant(name, value, twice ? 2 : 1, lacking), map),
  };
}

interface Planter {
  readonly names: ReadonlySet<string>;
  readonly plant: (name: string, value: unknown, times?: number, lacking?: boolean) => string;
  readonly mixed?: (field: string, kind: string, other: object) => string;
  readonly between?: (other: object) => string;
  readonly beside?: (list: string, others: readonly object[]) => string;
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

/** The lists of users in a document. */
function listsIn(document: unknown): unknown[][] {
  if (Array.isArray(document)) {
    const within = document.flatMap(listsIn);
    return within.length > 0 ? within : [document];
  }
  if (!isObject(document)) return [];
  return Object.entries(document).flatMap(([name, held]) =>
    LISTS.test(name) && holdsUsers(held) ? listsIn(held) : [],
  );
}

function ofJson(documents: unknown[], text: (documents: readonly unknown[]) => string): Planter {
  const users = documents.flatMap(usersIn);
  const [document] = documents;
  // Half the time of structuredClone.
  const written = JSON.stringify(documents);
  const copy = (): unknown[] => JSON.parse(written);
  const holdsLists = documents.length === 1 && isObject(document) && !users.includes(document);
  return {
    ...(holdsLists && { beside: (list, others) => text([{ ...document, [list]: others }]) }),
    names: new Set(users.flatMap((user) => Object.keys(user).map((name) => name.toLowerCase()))),
    plant(name, value, _times, lacking = false) {
      const planted = copy();
      const all = planted.flatMap(usersIn);
      for (const user of lacking ? all.slice(0, -1) : all) put(user, name, value);
      return text(planted);
    },
    mixed(field, kind, other) {
      const planted = copy();
      for (const user of planted.flatMap(usersIn)) Reflect.set(user, field, kind);
      const [list = planted] = planted.flatMap(listsIn);
      list.push(other);
      return text(planted);
    },
    between(other) {
      const planted = copy();
      const [list = planted] = planted.flatMap(listsIn);
      list.splice(1, 0, other);
      return text(planted);
    },
  };
}

const LISTS =
  /^(?:(?:human)?users|results?|value|data|db|items|records|resources|members|orgs|dataOrgs)$/i;

/** A value of a user's own, or of an object in it; texts of other types as JSON has them. */
function put(user: object, name: string, value: unknown): void {
  const steps = name.includes("/") ? [name] : name.split(".");
  let into = user;
  for (const step of steps.slice(0, -1)) {
    const held: unknown = Reflect.get(into, step);
    const inner = isObject(held) ? held : {};
    Reflect.set(into, step, inner);
    into = inner;
  }
  const isTyped =
    typeof value === "string" && /^(?:true|false|\d{1,15}|\[.*\]|\{".*\})$/.test(value);
  Reflect.set(into, steps.at(-1) ?? "", isTyped ? JSON.parse(value) : value);
}

/** What else stands in a dump of models. */
const OF_OTHERS = /^(?:account|socialaccount|mfa|otp_\w+|admin|social_django)\.|^auth\.group$/;

/** The users of a document: it is one, or they are in a list of it. A dump of models has them further down. */
function usersIn(document: unknown): object[] {
  if (Array.isArray(document)) return document.flatMap(usersIn);
  if (!isObject(document)) return [];
  const lists = Object.entries(document).filter(
    ([name, held]) => LISTS.test(name) && holdsUsers(held),
  );
  if (lists.length > 0) return lists.flatMap(([, held]) => usersIn(held));
  if ("model" in document && isObject(document.fields)) {
    return OF_OTHERS.test(String(document.model)) ? [] : [document.fields];
  }
  const inner: unknown = typeof document.type === "string" ? document[document.type] : undefined;
  if (isObject(inner)) return document.type === "user" ? [inner] : [];
  // An entity has them further down as well.
  return "type" in document && isObject(document.data) ? [document.data] : [document];
}

function holdsUsers(held: unknown): boolean {
  return Array.isArray(held)
    ? held.some(isObject)
    : isObject(held) && ("orgs" in held || "users" in held);
}

function ofTable(text: string): Planter | null {
  const [header = ""] = text.split("\n");
  const separator = [",", ";", "\t", "|"].find((sign) => header.split(sign).length > 2) ?? ",";
  const [names = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ""), separator);
  if (!names.some((name) => /mail|user|phone|kontakt/i.test(name))) return null;
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)}\n`;
  return {
    names: new Set(names.map((name) => name.toLowerCase())),
    plant: (name, value, times = 1) => {
      const cell = typeof value === "string" ? value : JSON.stringify(value);
      const added = (one: string): string[] => new Array<string>(times).fill(one);
      const planted = rows.map((row) => [...row, ...added(cell)]);
      return [[...names, ...added(name)], ...planted].map(line).join("");
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
export type Fact = "salt" | "out" | "factor" | "plain" | "unverified" | "hash";

const OF_PHONE = /phone|mobile|sms|tel/i;
const OF_EMAIL = /mail|correo|double_opt/i;

/** Whether a user whom a file lets in without the column is kept from it, or the run stops and asks. */
export function isHeard(
  fact: Fact,
  name: string,
  before: readonly SourceItem[],
  after: readonly SourceItem[] | RunError,
): boolean {
  if (after instanceof RunError) return after.code !== "usage";
  return before.every((item, index) => {
    const now = after[index];
    if (item.kind !== "record" || item.record.exclusions.length > 0) return true;
    if (now?.kind !== "record") return now?.kind === "reject" || now?.kind === "skip";
    const { exclusions, notices, hash, email, phone } = now.record;
    if (fact === "out") return exclusions.length > 0;
    if (fact === "factor") return notices.some((code) => /^(?:mfa|passkey)_/.test(code));
    if (fact === "unverified") {
      // What is said of a contact that can't be used is of no other.
      if (notices.includes("contact_unusable")) return true;
      const contacts = name.match(OF_PHONE)
        ? [phone]
        : name.match(OF_EMAIL)
          ? [email]
          : // A phone of whom a column of its own says yes is verified, whatever is said of the account.
            [email, item.record.phone?.verified === true ? null : phone];
      const held = contacts.filter((one) => one !== null);
      return held.length === 0 || held.some(({ verified }) => verified === false);
    }
    if (fact === "hash") return hash !== null;
    const old = item.record.hash;
    if (fact === "plain") {
      return old !== null || (hash !== null && refusalOf(hash) === "plain_text");
    }
    const isUsable = old !== null && normalizeHash(old).verdict === "accepted";
    return !isUsable || hash === null || normalizeHash(hash).verdict !== "accepted";
  });
}

function refusalOf(hash: RawHash): string | null {
  const verdict = normalizeHash(hash);
  return verdict.verdict === "refused" ? verdict.code : null;
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
