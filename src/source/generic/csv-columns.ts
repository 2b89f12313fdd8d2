/** Finds out from a CSV header which column holds what: by common names, and by `--map` for the rest. Two columns that could both hold the hash or a contact are an error, never a guess. */

import { RunError } from "../../errors/run-error.js";
import type { Exclusion } from "../../record/user-record.js";
import { isOurColumn } from "../raw/table-form.js";
import { looksLikeData, showName, showNames } from "../show-name.js";
import type { FlagKind } from "./account-flags.js";
import { type MapField, mappedFields } from "./field-map.js";
import {
  type BesideField,
  isContact,
  isUnsure,
  type Meaning,
  meaningOf,
  plainName,
  type TextField,
} from "./field-names.js";

/**
 * wp_users.user_status is 0 for everybody; 1 once was a spammer. Elsewhere a number is no answer.
 * https://core.trac.wordpress.org/ticket/34316
 */
const WORDPRESS_STATUS: Meaning = { kind: "exclusion", flag: "yes", exclusion: "disabled" };

/** A column of flags and how to read it. */
export interface FlagColumn {
  readonly index: number;
  /** For people. */
  readonly name: string;
  readonly kind: FlagKind;
}

/** A column that can keep an account out. */
export interface ExclusionColumn extends FlagColumn {
  readonly exclusion: Exclusion;
}

/** Which column holds what, by index; -1 where none does. */
export interface CsvColumns {
  readonly id: number;
  readonly email: number;
  readonly phone: number;
  readonly hash: number;
  readonly salt: number;
  readonly emailVerified: readonly FlagColumn[];
  readonly phoneVerified: readonly FlagColumn[];
  readonly exclusions: readonly ExclusionColumn[];
  /** What says more of the hash. */
  readonly beside: readonly { readonly index: number; readonly field: BesideField }[];
  /** Everything else, by the notice that a filled one is. */
  readonly notices: readonly NoticeColumns[];
}

/** Columns that one notice stands for. */
interface NoticeColumns {
  readonly code: string;
  readonly indexes: readonly number[];
  /** The code as the only notice of a row: so it is for nearly all that have one. */
  readonly alone: readonly string[];
}

/** What may be mapped of a table. */
type Mapped = ReadonlyMap<MapField, number>;

/** One column of the header. */
interface Column {
  readonly index: number;
  /** For people. */
  readonly name: string;
  readonly meaning: Meaning;
}

/**
 * Resolves a header.
 *
 * @param map `--map`'s columns by field
 * @throws RunError `input_unrecognized` for a duplicate column, an unknown field, a mapped column
 *   that isn't there, or no column for a contact; `input_ambiguous` for two columns for one field
 */
export function resolveColumns(
  path: string,
  header: readonly string[],
  map: ReadonlyMap<string, string>,
): CsvColumns {
  const keys = header.map(plainName);
  refuseDuplicates(path, header, keys);
  const mapped = resolveMap(path, header, keys, map);
  const columns = columnsOf(header, keys);
  const text = (field: TextField): number =>
    mapped.get(field) ?? textColumn(path, header, columns, field);
  const texts = { id: text("id"), email: text("email"), phone: text("phone") };
  if (texts.email === -1 && texts.phone === -1) {
    throw unrecognized(path, "has no column for an email or a phone", header);
  }
  const hash = { hash: text("hash"), salt: text("salt") };
  const emailVerified = verifiedColumns(columns, "email", mapped.get("email_verified"));
  const phoneVerified = verifiedColumns(columns, "phone", mapped.get("phone_verified"));
  const exclusions = exclusionColumns(columns, mapped);
  const beside = columns.flatMap(({ index, meaning }) =>
    meaning.kind === "beside" ? [{ index, field: meaning.field }] : [],
  );
  const read = [...emailVerified, ...phoneVerified, ...exclusions, ...beside];
  const used = new Set([...Object.values(texts), ...Object.values(hash)]);
  for (const { index } of read) used.add(index);
  const left = columns.filter(({ index }) => !used.has(index) && !isOurColumn(header[index] ?? ""));
  const notices = noticeColumns(left);
  return { ...texts, ...hash, emailVerified, phoneVerified, exclusions, beside, notices };
}

/** @returns true where a header has a column for an email or a phone by its common names */
export function hasContactColumn(header: readonly string[]): boolean {
  return header.some((name) => {
    const meaning = meaningOf(plainName(name));
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
  map: ReadonlyMap<string, string>,
): Mapped {
  const columns = new Map<MapField, number>();
  for (const [field, column] of mappedFields(map)) {
    if (field === "users") {
      throw new RunError("input_unrecognized", `${path} is a table: --map users is for JSON`, {
        hint: "Leave it out.",
      });
    }
    const exact = header.indexOf(column);
    const index =
      exact === -1 && plainName(column) !== "" ? keys.indexOf(plainName(column)) : exact;
    if (index === -1) {
      throw unrecognized(path, `has no column ${showName(column)}, which --map names`, header);
    }
    columns.set(field, index);
  }
  return columns;
}

function columnsOf(header: readonly string[], keys: readonly string[]): readonly Column[] {
  const isWordPress = keys.includes("userlogin") && keys.includes("userpass");
  return keys.map((key, index) => ({
    index,
    name: showName(header[index] ?? ""),
    meaning: isWordPress && key === "userstatus" ? WORDPRESS_STATUS : meaningOf(key),
  }));
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

function verifiedColumns(
  columns: readonly Column[],
  of: "email" | "phone",
  mapped: number | undefined,
): readonly FlagColumn[] {
  return columns.flatMap(({ index, name, meaning }) => {
    const known = meaning.kind === "verified" ? meaning : null;
    const isMeant = mapped === undefined ? known?.of === of : index === mapped;
    return isMeant ? [{ index, name, kind: known?.flag ?? "yes" }] : [];
  });
}

/** Mapped columns come beside those that are known by name: whichever says "out" is heard. */
function exclusionColumns(columns: readonly Column[], mapped: Mapped): readonly ExclusionColumn[] {
  return columns.flatMap(({ index, name, meaning }) => {
    if (index === mapped.get("active")) return [{ index, name, kind: "no", exclusion: "disabled" }];
    if (meaning.kind === "exclusion") {
      return [{ index, name, kind: meaning.flag, exclusion: meaning.exclusion }];
    }
    if (index !== mapped.get("disabled")) return [];
    return [{ index, name, kind: "yes", exclusion: "disabled" }];
  });
}

function noticeColumns(columns: readonly Column[]): NoticeColumns[] {
  const notices = new Map<string, number[]>();
  for (const { index, meaning } of columns) {
    const code = noticeCode(meaning);
    notices.set(code, [...(notices.get(code) ?? []), index]);
  }
  return Array.from(notices, ([code, indexes]) => ({ code, indexes, alone: [code] }));
}

function noticeCode(meaning: Meaning): string {
  if (meaning.kind === "list") return `other_${meaning.of}s_not_migrated`;
  return meaning.kind === "notice" ? meaning.code : "profile_not_migrated";
}

function unrecognized(path: string, what: string, header: readonly string[]): RunError {
  if (looksLikeData(header)) {
    return new RunError("input_unrecognized", `${path} has no header row`, {
      hint: "Its first row is somebody's data. Put a row before it that names the columns, as in id,email,password_hash.",
    });
  }
  return new RunError("input_unrecognized", `${path} ${what}`, {
    hint: `The columns found are ${showNames(header)}. The first row must name the columns; name those you need with --map, as in --map email=COLUMN.`,
  });
}
