/** Finds out from a CSV header which column holds what: by common names, and by `--map` for the rest. Two columns that could both hold the hash or a contact are an error, never a guess. */

import { RunError } from "../../errors/run-error.js";
import type { Exclusion } from "../../account/user-record.js";
import { isOurColumn } from "../csv/table-form.js";
import { looksLikeData, showName, showNames } from "../show-name.js";
import { roleOfColumn } from "./column-watch.js";
import {
  type GivenMap,
  type MapField,
  mappedFields,
  mappedFlag,
  unlessMapped,
} from "./field-map.js";
import {
  type BesideField,
  inPlace,
  isContact,
  isUnsure,
  type Meaning,
  meaningOf,
  PROFILE,
  plainName,
  type TextField,
} from "./field-names.js";
import type { FlagKind, UnclearName } from "./flag-names.js";
import { DECIDING } from "./generic-draft.js";

/** A column of flags and how to read it. */
export interface FlagColumn {
  readonly index: number;
  /** For people. */
  readonly name: string;
  readonly kind: FlagKind;
  /** The values that say yes, where `--map` names them. */
  readonly only?: readonly string[] | undefined;
}

/** A column that can keep an account out. */
export interface ExclusionColumn extends FlagColumn {
  readonly exclusion: Exclusion;
  /** Flags about one thing. */
  readonly group: string;
}

/** A column that isn't read. */
interface UnreadColumn {
  readonly index: number;
  /** As the header has it. */
  readonly name: string;
}

/** Which column holds what, by index; -1 where none does. */
export interface CsvColumns {
  readonly id: number;
  readonly email: number;
  readonly phone: number;
  readonly hash: number;
  /** Of the hash's column; null where there is none. */
  readonly hashName: string | null;
  readonly salt: number;
  readonly emailVerified: readonly FlagColumn[];
  readonly phoneVerified: readonly FlagColumn[];
  readonly exclusions: readonly ExclusionColumn[];
  /** What says more of the hash. */
  readonly beside: readonly { readonly index: number; readonly field: BesideField }[];
  /** Everything else, by the notice that a filled one is. */
  readonly notices: readonly NoticeColumns[];
  /** Those whose values may decide about a user. */
  readonly deciding: readonly NoticeColumns[];
  /** Those that say how a user signs in. */
  readonly ways: NoticeColumns["columns"];
  /** Notices of rows that were read, by which of them there are, a bit each: most rows have the same. */
  readonly told: Map<number, readonly string[]>;
  /** Columns that may be flags. A filled one stops the run. */
  readonly unclear: readonly (UnreadColumn & { readonly meaning: UnclearName })[];
  /** Columns in which a password's hash stops the run. */
  readonly unread: readonly UnreadColumn[];
  /** The field that each column is read as, by index; null for an unread column. */
  readonly roles: readonly (string | null)[];
}

/** Columns that one notice stands for. */
interface NoticeColumns {
  readonly code: string;
  readonly columns: readonly Pick<Column, "index" | "name">[];
}

/** What may be mapped of a table. */
type Mapped = ReadonlyMap<MapField, readonly MappedColumn[]>;

interface MappedColumn {
  readonly index: number;
  readonly only?: readonly string[];
}

/** One column of the header. */
interface Column {
  readonly index: number;
  /** For people. */
  readonly name: string;
  readonly meaning: Meaning;
  /** The operator has said what it is. */
  readonly isMapped: boolean;
}

/**
 * Resolves a header.
 *
 * @param map `--map`'s columns by field
 * @throws RunError `input_unrecognized` for a duplicate column, an unknown field, a mapped column
 *   that isn't there, or no column for a contact; `input_ambiguous` for two columns for one field
 */
export function resolveColumns(path: string, header: readonly string[], map: GivenMap): CsvColumns {
  const keys = header.map(plainName);
  refuseDuplicates(path, header, keys);
  const mapped = resolveMap(path, header, keys, map);
  const columns = columnsOf(header, mapped);
  const text = (field: TextField): number =>
    mapped.get(field)?.[0]?.index ?? textColumn(path, header, columns, field);
  const texts = { id: text("id"), email: text("email"), phone: text("phone") };
  if (texts.email === -1 && texts.phone === -1) {
    throw unrecognized(path, "has no column for an email or a phone", header);
  }
  const hash = { hash: text("hash"), salt: text("salt") };
  const only = texts.email === -1 ? "phone" : "email";
  const emailVerified = verifiedColumns(columns, "email", only);
  const phoneVerified = verifiedColumns(columns, "phone", only);
  const exclusions = columns.flatMap(({ index, name, meaning }) =>
    meaning.kind === "exclusion" ? [{ ...meaning, index, name, kind: meaning.flag }] : [],
  );
  const beside = columns.flatMap(({ index, meaning }) =>
    meaning.kind === "beside" ? [{ index, field: meaning.field }] : [],
  );
  const flags = [...emailVerified, ...phoneVerified, ...exclusions, ...beside];
  const fields = Object.entries({ ...texts, ...hash });
  const used = new Map(fields.map(([field, index]) => [index, field]));
  for (const { index } of flags) {
    const role = roleOfColumn(columns[index]?.meaning ?? PROFILE);
    if (role !== null) used.set(index, role);
  }
  const isOurs = (index: number): boolean => isOurColumn(header[index] ?? "");
  const left = columns.filter(({ index }) => !used.has(index) && !isOurs(index));
  const notices = noticeColumns(left);
  const unread = left.filter(({ isMapped }) => !isMapped);
  const raw = (index: number): UnreadColumn => ({ index, name: (header[index] ?? "").trim() });
  return {
    ...texts,
    ...hash,
    emailVerified,
    phoneVerified,
    exclusions,
    beside,
    hashName: hash.hash === -1 ? null : raw(hash.hash).name,
    notices,
    deciding: notices.filter(({ code }) => DECIDING.has(code)),
    ways: notices.find(({ code }) => code === "social_identity_dropped")?.columns ?? [],
    told: new Map(),
    unclear: unread.flatMap(({ index, meaning }) =>
      meaning.kind === "unclear" ? [{ ...raw(index), meaning }] : [],
    ),
    unread: unread.filter(({ meaning }) => mayHoldHash(meaning)).map(({ index }) => raw(index)),
    roles: columns.map(
      ({ index, meaning }) =>
        used.get(index) ?? (meaning.kind === "notice" ? roleOfColumn(meaning) : null),
    ),
  };
}

/** Backup codes and secrets of second factors are hashed, too, and known for what they are. */
function mayHoldHash(meaning: Meaning): boolean {
  return (
    meaning.kind !== "notice" || meaning === PROFILE || meaning.code === "metadata_not_migrated"
  );
}

/** @returns true where a header has a column for an email or a phone by its common names */
export function hasContactColumn(header: readonly string[]): boolean {
  return header.some((name) => {
    const meaning = meaningOf(name);
    return meaning.kind === "text" && isContact(meaning);
  });
}

function refuseDuplicates(path: string, header: readonly string[], keys: readonly string[]): void {
  const index = keys.findIndex((key, at) => key !== "" && keys.indexOf(key) !== at);
  if (index === -1) return;
  throw new RunError(
    "input_unrecognized",
    `${path} has the column ${showName(header[index] ?? "")} twice`,
    { hint: "Rename or remove one of the two." },
  );
}

function resolveMap(
  path: string,
  header: readonly string[],
  keys: readonly string[],
  map: GivenMap,
): Mapped {
  const columns = new Map<MapField, readonly MappedColumn[]>();
  for (const [field, names] of mappedFields(map)) {
    if (field === "users") {
      throw new RunError("input_unrecognized", `${path} is a table: --map users is for JSON`, {
        hint: "Leave it out.",
      });
    }
    const indexes = names.map(({ name: column, ...only }) => {
      const exact = header.indexOf(column);
      const index =
        exact === -1 && plainName(column) !== "" ? keys.indexOf(plainName(column)) : exact;
      if (index !== -1) return { index, ...only };
      throw unrecognized(path, `has no column ${showName(column)}, which --map names`, header);
    });
    columns.set(field, indexes);
  }
  return columns;
}

/** Every column with what its name means here, or `--map` says. */
function columnsOf(header: readonly string[], mapped: Mapped): readonly Column[] {
  const given = new Map(
    [...mapped].flatMap(([field, columns]) =>
      columns.map((column) => [column.index, [field, column]] as const),
    ),
  );
  const of = inPlace(header);
  return header.map((name, index) => {
    const known = of(name);
    const [field, column] = given.get(index) ?? [];
    const isMapped = field !== undefined;
    const meaning = isMapped ? mappedFlag(field, known, column?.only) : unlessMapped(known, mapped);
    return { index, name: showName(name), meaning, isMapped };
  });
}

function textColumn(
  path: string,
  header: readonly string[],
  columns: readonly Column[],
  field: TextField,
): number {
  const found = columns.flatMap(({ index, meaning }) =>
    meaning.kind === "text" && meaning.field === field
      ? [{ index, rank: meaning.rank, unsure: isUnsure(meaning) }]
      : [],
  );
  const sure = found.filter(({ unsure }) => !unsure);
  const [best, ...others] = (sure.length > 0 ? sure : found).sort((a, b) => a.rank - b.rank);
  if (best === undefined) return -1;
  if (field === "id" || others.length === 0) return best.index;
  const names = [best, ...others].map(({ index }) => showName(header[index] ?? ""));
  throw new RunError(
    "input_ambiguous",
    `${path} has several columns for ${field}: ${names.join(", ")}`,
    { hint: `Say which one it is with --map ${field}=COLUMN.` },
  );
}

/** @param only the contact that a bare `verified` is about */
function verifiedColumns(
  columns: readonly Column[],
  of: "email" | "phone",
  only: "email" | "phone",
): readonly FlagColumn[] {
  return columns.flatMap(({ index, name, meaning }) => {
    if (meaning.kind !== "verified") return [];
    const isMeant = (meaning.of === "any" ? only : meaning.of) === of;
    return isMeant ? [{ index, name, kind: meaning.flag, only: meaning.only }] : [];
  });
}

function noticeColumns(columns: readonly Column[]): NoticeColumns[] {
  const notices = new Map<string, Column[]>();
  for (const column of columns) {
    const code = noticeCode(column.meaning);
    notices.set(code, [...(notices.get(code) ?? []), column]);
  }
  return Array.from(notices, ([code, columns]) => ({ code, columns }));
}

function noticeCode(meaning: Meaning): string {
  if (meaning.kind === "list") return `other_${meaning.of}s_not_migrated`;
  return meaning.kind === "notice" ? meaning.code : "profile_not_migrated";
}

function unrecognized(path: string, what: string, header: readonly string[]): RunError {
  if (looksLikeData(header)) {
    return new RunError("input_unrecognized", `${path} has no header row`, {
      hint: "Its first row is a user's data. Put a row before it that names the columns, as in id,email,password_hash.",
    });
  }
  return new RunError("input_unrecognized", `${path} ${what}`, {
    hint: `The columns found are ${showNames(header)}. The first row must name the columns; name those you need with --map, as in --map email=COLUMN.`,
  });
}
