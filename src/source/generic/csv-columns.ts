/** Finds out from a CSV header which column holds what: by common names, and by `--map` for the rest. Two columns that could both hold the hash or a contact are an error, never a guess. */

import { RunError } from "../../errors/run-error.js";
import { isOurColumn } from "../csv/table-form.js";
import { remembering } from "../remembering.js";
import { mayBePlainText } from "../user-parts.js";
import { looksLikeData, NO_HEADER, showName, showNames } from "../show-name.js";
import { accountTree, partOfColumn } from "./account-fields.js";
import { roleOfColumn } from "./column-watch.js";
import {
  type GivenMap,
  type MapField,
  mappedFields,
  mappedMeanings,
  type Said,
  unlessMapped,
} from "./field-map.js";
import {
  isContact,
  isUnsure,
  type Meaning,
  meaningOf,
  PROFILE,
  plainName,
  type TextField,
  withTime,
} from "./field-names.js";
import { inPlace } from "./in-place.js";
import { DECIDING, type LeftBehind, leftBehind } from "./generic-draft.js";

/** One column of the header. */
export interface Column<Is extends Meaning = Meaning> {
  readonly index: number;
  /** For people. */
  readonly name: string;
  readonly meaning: Is;
  /** The operator has said what it is. */
  readonly isMapped: boolean;
}

type ColumnOf<Kind extends Meaning["kind"]> = Column<Extract<Meaning, { readonly kind: Kind }>>;

/** A column that isn't read. */
interface LeftColumn extends Pick<Column, "index" | "name"> {
  /** The notice of a row that fills it. */
  readonly code: string;
  /** Of the notice, among those of the file. */
  readonly bit: number;
  /** Whether a cell has anything in it. */
  readonly isLeftBehind: LeftBehind;
}

/** Which column holds what, by index; -1 where none does. */
export interface CsvColumns {
  readonly texts: Readonly<Record<TextField, number>>;
  /** As the header has them. */
  readonly names: readonly string[];
  readonly emailVerified: readonly ColumnOf<"verified">[];
  readonly phoneVerified: readonly ColumnOf<"verified">[];
  readonly exclusions: readonly ColumnOf<"exclusion">[];
  /** What says more of the hash. */
  readonly beside: readonly ColumnOf<"beside">[];
  /** Everything else, by the notice that a filled one is. */
  readonly left: readonly LeftColumn[];
  /** Those whose values may decide about a user. */
  readonly deciding: readonly LeftColumn[];
  /** Those that say how a user signs in. */
  readonly ways: readonly LeftColumn[];
  /** The notices that bits stand for: most rows have the same. */
  readonly told: (bits: number) => readonly string[];
  /** Columns that may be flags. A filled one stops the run. */
  readonly unclear: readonly ColumnOf<"unclear">[];
  /** Columns in which a password's hash stops the run. */
  readonly unread: readonly Column[];
  /** The field that each column is read as, by index; null for an unread column. */
  readonly roles: readonly (string | null)[];
}

/** What may be mapped of a table. */
type Mapped = ReadonlyMap<MapField, readonly MappedColumn[]>;

interface MappedColumn {
  readonly index: number;
  readonly only?: readonly string[];
}

/** Sets of notices that rows have. */
const MAX_TOLD = 10_000;

/** Columns that are read for what their names say, beside those for texts. */
const FLAGS: ReadonlySet<Meaning["kind"]> = new Set(["verified", "exclusion", "beside"]);

/**
 * Resolves a header.
 *
 * @param map `--map`'s columns by field
 * @param times indexes of flags that are known to hold points in time
 * @throws RunError `input_unrecognized` for a duplicate column, an unknown field, a mapped column
 *   that isn't there, or no column for a contact; `column_unclear` for two columns for one field
 */
export function resolveColumns(
  path: string,
  header: readonly string[],
  map: GivenMap,
  times: ReadonlySet<number> = new Set(),
): CsvColumns {
  const keys = header.map(plainName);
  const mapped = resolveMap(path, header, keys, map);
  refuseDuplicates(path, header, keys, map);
  const columns = columnsOf(header, mapped, times);
  const text = (field: Exclude<TextField, "plain">): number =>
    mapped.get(field)?.[0]?.index ?? textColumn(path, header, columns, field);
  const contacts = { id: text("id"), email: text("email"), phone: text("phone") };
  if (contacts.email === -1 && contacts.phone === -1) {
    throw unrecognized(path, "has no column for an email or a phone", header);
  }
  const [hash, said] = [text("hash"), textColumn(path, header, columns, "plain")];
  const plain = said === hash ? -1 : said;
  const texts = { ...contacts, hash, salt: text("salt"), plain };
  const only = texts.email === -1 ? "phone" : "email";
  const verifying = (of: "email" | "phone") =>
    ofKind(columns, "verified").filter(
      ({ meaning }) => (meaning.of === "any" ? only : meaning.of) === of,
    );
  const fields = new Map(Object.entries(texts).map(([field, index]) => [index, field]));
  const others = columns.filter(
    ({ index, meaning }) =>
      !FLAGS.has(meaning.kind) && !fields.has(index) && !isOurColumn(header[index] ?? ""),
  );
  const left = leftColumns(others);
  const unread = others.filter(({ isMapped }) => !isMapped);
  return {
    texts,
    names: header.map((name) => name.trim()),
    emailVerified: verifying("email"),
    phoneVerified: verifying("phone"),
    exclusions: ofKind(columns, "exclusion"),
    beside: ofKind(columns, "beside"),
    left,
    deciding: left.filter(({ code }) => DECIDING.has(code)),
    ways: left.filter(({ code }) => code === "social_identity_dropped"),
    told: remembering((bits) => {
      const codes = left.filter(({ bit }) => (bits & bit) !== 0).map(({ code }) => code);
      return [...new Set(codes)];
    }, MAX_TOLD),
    unclear: ofKind(unread, "unclear"),
    unread: [
      ...unread.filter(({ meaning }) => mayHoldHash(meaning)),
      ...columns.filter(({ index, name }) => index === plain && mayBePlainText(name)),
    ],
    roles: header.map((_, index) => {
      const meanings = columns.filter((one) => one.index === index).map((one) => one.meaning);
      const flag = meanings.find(({ kind }) => FLAGS.has(kind));
      if (flag !== undefined) return roleOfColumn(flag);
      const notice = meanings.find(({ kind }) => kind === "notice");
      return fields.get(index) ?? (notice === undefined ? null : roleOfColumn(notice));
    }),
  };
}

function ofKind<Kind extends Meaning["kind"]>(
  columns: readonly Column[],
  kind: Kind,
): readonly ColumnOf<Kind>[] {
  return columns.filter((column): column is ColumnOf<Kind> => column.meaning.kind === kind);
}

/** Backup codes and secrets of second factors are hashed, too, and known for what they are. */
function mayHoldHash(meaning: Meaning): boolean {
  if (meaning.kind !== "notice" || meaning === PROFILE) return true;
  return meaning.code === "metadata_not_migrated";
}

/** @returns true where a header has a column for an email or a phone by its common names */
export function hasContactColumn(header: readonly string[]): boolean {
  return header.some((name) => {
    const meaning = meaningOf(name);
    return meaning.kind === "text" && isContact(meaning);
  });
}

/** A repeated column stops a file only where it would be read. */
function refuseDuplicates(
  path: string,
  header: readonly string[],
  keys: readonly string[],
  map: GivenMap,
): void {
  const given = new Set([...map.values()].flat().map(plainName));
  const tree = accountTree(map);
  const isRead = (name: string): boolean =>
    given.has(plainName(name)) || meaningOf(name) !== PROFILE || partOfColumn(name, tree) !== null;
  const index = header.findIndex(
    (name, at) => keys[at] !== "" && keys.indexOf(keys[at] ?? "") !== at && isRead(name),
  );
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

/** Every column with what its name means here, or `--map` says; once for each of several meanings. */
function columnsOf(
  header: readonly string[],
  mapped: Mapped,
  times: ReadonlySet<number>,
): readonly Column[] {
  const given = new Map<number, Said[]>();
  for (const [field, columns] of mapped) {
    for (const { index, only } of columns) {
      given.set(index, [...(given.get(index) ?? []), { field, only }]);
    }
  }
  const of = inPlace(header);
  return header.flatMap((name, index) => {
    const known = of(name);
    const said = given.get(index);
    const isMapped = said !== undefined;
    const meanings = isMapped ? mappedMeanings(said, known) : [unlessMapped(known, mapped)];
    return meanings.map((one) => {
      return { index, name: showName(name), meaning: withTime(one, times.has(index)), isMapped };
    });
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
  if (field === "id" || field === "plain" || others.length === 0) return best.index;
  const names = [best, ...others].map(({ index }) => showName(header[index] ?? ""));
  throw new RunError(
    "column_unclear",
    `${path} has several columns for ${field}: ${names.join(", ")}`,
    { hint: `Say which one it is with --map ${field}=COLUMN.` },
  );
}

/** The columns by their notices, in the order in which these are met. */
function leftColumns(columns: readonly Column[]): readonly LeftColumn[] {
  const codes = [...new Set(columns.map(({ meaning }) => noticeCode(meaning)))];
  return codes.flatMap((code, at) =>
    columns.flatMap(({ index, name, meaning }) =>
      noticeCode(meaning) === code
        ? [{ index, name, code, bit: 1 << at, isLeftBehind: leftBehind(code) }]
        : [],
    ),
  );
}

function noticeCode(meaning: Meaning): string {
  if (meaning.kind === "list") return `other_${meaning.of}s_not_migrated`;
  return meaning.kind === "notice" ? meaning.code : "profile_not_migrated";
}

function unrecognized(path: string, what: string, header: readonly string[]): RunError {
  if (looksLikeData(header)) {
    return new RunError("input_unrecognized", `${path} has no header row`, { hint: NO_HEADER });
  }
  return new RunError("input_unrecognized", `${path} ${what}`, {
    hint: `The columns found are ${showNames(header)}. The first row must name the columns; name those you need with --map, as in --map email=COLUMN.`,
  });
}
