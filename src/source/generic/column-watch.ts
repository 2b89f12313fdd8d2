/** Watches which columns of a file are read. A flag that isn't understood, or a password's hash in an unread column, stops the run before the current rows are handed on. */

import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import { showName } from "../show-name.js";
import type { ColumnsRead, ReadOptions } from "../source.js";
import type { FieldTree } from "../fields/field-tree.js";
import { partOfColumn } from "./account-fields.js";
import type { Meaning } from "./field-names.js";
import type { FlagKind, KeepsOut, Unclear, UnclearName } from "./flag-names.js";
import { type DateOrder, isPointInTime } from "../point-in-time.js";
import { readSaidVerified } from "./said-values.js";
import type { JsonProperty } from "./json-property.js";

/** One column or property, and how many rows fill it. */
interface CountedColumn {
  readonly name: string;
  /** As {@link roleOfColumn} says it; null where it isn't read. */
  readonly as: string | null;
  readonly filled: number;
  readonly dates?: ReadonlySet<DateOrder>;
}

/** Roles of columns that the core has no place for, but that may decide about a user; by notice. */
const DECIDES: Readonly<Record<string, string>> = {
  mfa_not_migrated: "factor",
  passkey_not_migrated: "factor",
  social_identity_dropped: "provider",
  roles_not_migrated: "role",
};

type HearsFlag = (group: string | undefined) => boolean;

/** The most columns that are listed, because an object may have ids for property names. */
const MAX_COLUMNS = 500;

export class ColumnWatch {
  readonly #path: string;
  readonly #generic: "csv" | "json" | null;
  readonly #unclear = new Map<string, UnclearName>();
  readonly #hashes = new Map<string, string | null>();
  readonly #unmatched = new Map<string, Set<string>>();
  readonly #lateDates = new Set<string>();
  /** As {@link ReadOptions.onUnread}. */
  readonly onUnread: ReadOptions["onUnread"];

  /**
   * @param path of the file, for messages
   * @param generic the source that reads it by `--map`, where a known system's says which column is
   *   the hash
   */
  constructor(
    path: string,
    generic: "csv" | "json" | null = null,
    onUnread: ReadOptions["onUnread"] = undefined,
  ) {
    this.#path = path;
    this.#generic = generic;
    this.onUnread = onUnread;
  }

  /**
   * Hands batches on, so long as nothing in them stops the run.
   *
   * @param hearsFlag whether another column says who is kept out; a flag's companions belong to
   * that column then. It is given what the flag would be about
   * @param columns the columns with their fields, asked for at the end of the reading
   * @throws RunError `hash_column_unread`, `column_unclear`
   */
  async *guard<Batch extends { readonly length: number }>(
    batches: AsyncIterable<Batch>,
    hearsFlag: HearsFlag,
    columns: () => readonly CountedColumn[],
    onColumns: ((columns: ColumnsRead) => void) | undefined,
  ): AsyncGenerator<Batch> {
    let rows = 0;
    let isStopped = true;
    try {
      for await (const batch of batches) {
        rows += batch.length;
        this.#stop(hearsFlag);
        isStopped = false;
        yield batch;
        isStopped = true;
      }
      isStopped = false;
    } finally {
      if (!isStopped)
        onColumns?.({ ...columnsRead(rows, columns()), unmatched: this.#notMatched() });
    }
  }

  /** Notes a filled column that may be a flag. */
  unclear(name: string, meaning: UnclearName = { kind: "unclear", about: "flag" }): void {
    this.#unclear.set(name, meaning);
  }

  /**
   * Notes a column that isn't read and holds a password's hash.
   *
   * @param read the column that is read as the hash, if there is one
   */
  hash(name: string, read: string | null): void {
    this.#hashes.set(name, read);
  }

  /**
   * Notes a row's value of a flag.
   *
   * @param name of its column or property
   * @param named the values of it that `--map` names, if it names any
   */
  value(name: string, text: string, named: KeepsOut["named"]): void {
    if (named === undefined) return;
    const left = this.#unmatched.get(name) ?? new Set(named.keys());
    left.delete(text.toLowerCase());
    this.#unmatched.set(name, left);
  }

  /**
   * Notes a row's value of a verification. In a column of dates an empty value means "not yet", so
   * such a column must be known before the first row.
   *
   * @param name of its column or property
   */
  verification(
    name: string,
    text: string,
    meaning: Extract<Meaning, { readonly kind: "verified" }>,
  ): void {
    const { flag, only, of } = meaning;
    if (only !== undefined) return;
    if (flag === "yes" && isPointInTime(text)) this.#lateDates.add(name);
    if (this.onUnread !== undefined && readSaidVerified(text, meaning) === "unread") {
      this.onUnread(name, text, of === "phone" ? "phone_verified" : "email_verified");
    }
  }

  #notMatched(): readonly string[] {
    return [...this.#unmatched].flatMap(([name, left]) => (left.size > 0 ? [showName(name)] : []));
  }

  #stop(hearsFlag: HearsFlag): void {
    if (this.#hashes.size > 0) throw this.#unreadHash();
    if (this.#lateDates.size > 0) throw this.#lateDate();
    if (this.#unclear.size === 0) return;
    const open = [...this.#unclear].flatMap(([name, { about, group }]) =>
      about === "companion" && hearsFlag(group) ? [] : [[name, about] as const],
    );
    if (open.length > 0) throw this.#unclearColumns(open);
  }

  #unreadHash(): RunError {
    const names = [...this.#hashes.keys()];
    const which =
      names.length === 1
        ? `the column ${showName(names[0] ?? "")} that isn't read`
        : `columns that aren't read: ${names.map(showName).join(", ")}`;
    const lists = names.filter((name) => name.includes("[]"));
    const plain = names.filter((name) => !name.includes("[]"));
    const hint = [
      ...(plain.length > 0 ? [this.#hashHint(plain)] : []),
      ...(lists.length > 0 ? [listHint(lists)] : []),
    ].join(" ");
    return new RunError("hash_column_unread", `${this.#path} has password hashes in ${which}`, {
      hint,
    });
  }

  /** The hint names all these columns, so that the next run doesn't stop at another of them. */
  #hashHint(names: readonly string[]): string {
    const [first = ""] = names;
    const generic = this.#generic;
    const read = (generic === null && this.#hashes.get(first)) || null;
    const others = [...names.slice(1), ...(read === null ? [] : [read])];
    const asHash = [mapOption("hash", first), ...ignoring(others)].join(" ");
    const another = others.length === 0 ? "" : ", or with another of them as the hash";
    const how =
      generic === null
        ? `say ${asHash}${another}`
        : `read the file as of no known system, ${optionName("--from")} ${generic} ${asHash}${another}, or by a mapping that names the column`;
    return `Where they are the users' passwords, ${how}; where they are none (an old password, a token), say ${ignoring(names).join(" ")}.`;
  }

  #lateDate(): RunError {
    const names = [...this.#lateDates].map(showName).join(", ");
    const message = `${this.#path} has dates of a verification in ${names}, and none of its first users has one`;
    return new RunError("column_unclear", message, {
      hint: "In a column of dates, an empty value means that the contact isn't verified. This must be clear from the first row on: move a user who has a date to the beginning of the file.",
    });
  }

  #unclearColumns(columns: readonly (readonly [string, Unclear])[]): RunError {
    const [[name, about] = ["", "flag" as const], ...others] = columns;
    const names = columns.map(([one]) => showName(one)).join(", ");
    const what = others.length === 0 ? `the column ${names}` : `the columns ${names}`;
    const isFlag = about !== "verification";
    return new RunError(
      "column_unclear",
      `${this.#path} has ${what}, which may say ${isFlag ? "who is kept out" : "whose contact is verified"} and ${others.length === 0 ? "isn't" : "aren't"} known by name`,
      {
        hint: isFlag
          ? `Say ${mapOption("disabled", name)} where a yes keeps a user out, ${mapOption("active", name)} where a yes lets them in, ${mapOption("disabled", name, "=VALUE")} where one of its values keeps them out, or ${mapOption("ignore", name)} where it is none of these; ${optionName("--map")} may be repeated.`
          : `Say ${mapOption("email_verified", name)}, ${mapOption("phone_verified", name)}, or ${mapOption("ignore", name)} where it is neither; ${optionName("--map")} may be repeated.`,
      },
    );
  }
}

/** The event about a file's columns. It shows no name that may be a user's data. */
function columnsRead(
  rows: number,
  columns: readonly CountedColumn[],
): Omit<ColumnsRead, "unmatched"> {
  const shown = columns
    .slice(0, MAX_COLUMNS)
    .map((column) => ({ ...column, name: showName(column.name).replaceAll('"', "") }));
  return {
    rows,
    read: shown.flatMap(({ name, as, filled, dates = new Set() }) =>
      as === null
        ? []
        : [{ name, as, filled, ...(dates.size === 0 ? {} : { dates: [...dates].sort() }) }],
    ),
    unread: shown.flatMap(({ name, as, filled }) => (as === null ? [{ name, filled }] : [])),
  };
}

/** Flags that say of a user that they are let in. */
const LET_IN: ReadonlySet<FlagKind> = new Set(["word", "no", "since"]);

/** Whether a column or property says who is kept out. */
export function isFlag({ meanings }: JsonProperty): boolean {
  return meanings.some(({ kind }) => kind === "exclusion");
}

/** Whether it stays behind, told by a notice. */
export function isLeft({ meanings }: JsonProperty): boolean {
  return meanings.some(({ kind }) => kind === "notice" || kind === "unclear");
}

/** @param tree the parts of the account; null where none is kept */
export function countedColumn(
  { path, meanings, filled, dates }: JsonProperty,
  tree: FieldTree | null,
): CountedColumn {
  const as = meanings.map(roleOfColumn).find((role) => role !== null) ?? partOfColumn(path, tree);
  // Metadata keeps the text, whatever stands first in it.
  return { name: path, as, filled, ...(as === "metadata" ? {} : { dates }) };
}

/** The field that a column is read as, in `--map`'s words where it has them; null for an unread column. */
export function roleOfColumn(meaning: Meaning): string | null {
  switch (meaning.kind) {
    case "text":
      return meaning.field === "plain" ? "a password in plain text" : meaning.field;
    case "beside":
      return meaning.field;
    case "list":
      return meaning.of;
    case "verified":
      return meaning.of === "any" ? "verified" : `${meaning.of}_verified`;
    case "exclusion":
      return LET_IN.has(meaning.flag) ? "active" : meaning.exclusion;
    case "addresses":
      return "verified";
    case "credentials":
    case "part":
      return "hash";
    case "notice":
      return DECIDES[meaning.code] ?? null;
    default:
      return null;
  }
}

function listHint([first = "", ...others]: readonly string[]): string {
  const lists = [first, ...others].map((name) => name.slice(0, name.indexOf("[]")));
  return `${optionName("--map")} doesn't reach into lists. Where they are the users' passwords, put each beside its user's email first, as jq does ('.password_hash = .${first.replaceAll("[]", "[0]")}' for the first of a list). Then, or where they are none, say ${ignoring([...new Set(lists)]).join(" ")}.`;
}

function ignoring(names: readonly string[]): readonly string[] {
  return names.map((name) => mapOption("ignore", name));
}

/** An option as it can be typed. */
export function mapOption(field: string, name: string, value = ""): string {
  if (!showName(name).startsWith('"')) return `${optionName("--map")} ${field}=NAME${value}`;
  const given = `${field}=${name}${value}`;
  return /^[\p{L}\p{N}_.=-]+$/u.test(given)
    ? `${optionName("--map")} ${given}`
    : `${optionName("--map")} '${given}'`;
}
