/** The pick list of what a file's columns are: their names with blotted values on one side, the fields of `--map` on the other. */

import { statSync } from "node:fs";
import { RunError } from "../../errors/run-error.js";
import { cutTo } from "../../report/layout.js";
import { readHead } from "../../source/bytes/file.js";
import { rowsAtStart } from "../../source/csv/csv.js";
import { headerOf, layoutOf } from "../../source/csv/table.js";
import { isJson } from "../../source/format.js";
import { accountTree, partOfColumn } from "../../source/generic/account-fields.js";
import { roleOfColumn } from "../../source/generic/column-watch.js";
import { type GivenMap, mappedFields } from "../../source/generic/field-map.js";
import { meaningOf } from "../../source/generic/field-names.js";
import { pathsOf, placesOfObjects } from "../../source/generic/json-head.js";
import { areOwnEmails, unreadHash } from "../../source/generic/unread-hash.js";
import { textOf, valueAt } from "../../source/json/json-value.js";
import { looksLikeData, showName } from "../../source/show-name.js";
import type { FileHead } from "../../source/source.js";
import { mapOf, pairsOf } from "../options/reading.js";
import { mapping } from "../options/types.js";
import type { Choice } from "./asker.js";

/** A column or property, and what its values look like. */
export interface Column {
  readonly name: string;
  /** Blotted values, each once. */
  readonly shapes: readonly string[];
  /** Its values, each with its rows. */
  readonly values: ReadonlyMap<string, number>;
}

/** Rows at a file's start whose values are looked at. */
const MOST_ROWS = 50;
const MOST_SHAPES = 2;

/** The columns of tables and documents; none of what is neither, and where the first row is a user's. */
export async function columnsOf(
  files: readonly string[],
  encoding: string | null,
): Promise<readonly Column[]> {
  const found = new Map<string, Map<string, number>>();
  for (const path of files) {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) continue;
    const head = await readHead(path, encoding);
    for await (const [name, value] of isJson(head) ? ofDocument(head) : ofTable(head)) {
      const values = found.get(name) ?? new Map<string, number>();
      found.set(name, values);
      const text = value.trim();
      if (text !== "") values.set(text, (values.get(text) ?? 0) + 1);
    }
  }
  return Array.from(found, ([name, values]) => {
    const shapes = [...new Set([...values.keys()].map(blotted))].slice(0, MOST_SHAPES);
    return { name, values, shapes };
  });
}

type Value = readonly [name: string, value: string];

async function* ofTable(head: FileHead): AsyncGenerator<Value> {
  const header = headerOf(head);
  if (header === null || looksLikeData(header)) return;
  const rows = await rowsAtStart(head, layoutOf(head));
  for (const row of rows.slice(0, MOST_ROWS)) {
    for (const [at, name] of header.entries()) if (name !== "") yield [name, row[at] ?? ""];
  }
}

function* ofDocument(head: FileHead): Generator<Value> {
  const [place] = placesOfObjects(head).filter(({ samples }) => samples.length > 0);
  const samples = place?.samples.slice(0, MOST_ROWS) ?? [];
  for (const path of pathsOf(samples)) {
    for (const user of samples) yield [path, textOf(valueAt(user, path)) ?? ""];
  }
}

const LONGEST_SHAPE = 24;

/** A value with its letters and digits blotted out, and no run of them longer than three. */
function blotted(value: string): string {
  const marks = value
    .replaceAll(/\p{N}+/gu, (digits) => "9".repeat(Math.min(3, digits.length)))
    .replaceAll(/[\p{L}\p{M}]+/gu, (letters) => "x".repeat(Math.min(3, letters.length)))
    .replaceAll(/[^\x20-\x7e]+/g, "?");
  return marks.length > LONGEST_SHAPE ? `${marks.slice(0, LONGEST_SHAPE - 3)}...` : marks;
}

/** The fields of `--map` that a column can be, and what they say. */
const FIELDS: readonly Choice[] = Object.entries({
  email: "the email",
  phone: "the phone, a way in only for who has no password",
  id: "the user's id",
  hash: "the password's hash",
  salt: "the salt beside the hash",
  email_verified: "whether the email was verified",
  phone_verified: "whether the phone was verified",
  disabled: "who is kept out",
  active: "who is let in",
  joined: "when the user joined",
  roles: "roles, which go along if you say so below",
  totp: "the secret of an authenticator app",
  metadata: "kept beside the account, by its name",
  social: "the user's id at Google, Apple or the like",
  ignore: "not to be read",
}).map(([value, says]) => ({ value, label: `${value}: ${says}` }));

/** The fields by what {@link roleOfColumn} says, where that has other words. */
const AS: Readonly<Record<string, string>> = {
  factor: "totp",
  provider: "social",
  role: "roles",
  verified: "email_verified",
};
const NO_FIELD_SAID = accountTree(new Map());

/** The field that a column's values or its name propose; null where neither does. */
function proposed({ name, values }: Column): string | null {
  const texts = [...values.keys()];
  if (areOwnEmails(texts)) return "email";
  if (texts.some((text) => unreadHash(name, text) !== null)) return "hash";
  const meaning = meaningOf(name);
  if (meaning.kind === "unclear")
    return meaning.about === "verification" ? "email_verified" : "disabled";
  const as = roleOfColumn(meaning) ?? partOfColumn(name, NO_FIELD_SAID) ?? "";
  const field = AS[as] ?? (meaning.kind === "exclusion" && as !== "active" ? "disabled" : as);
  return FIELDS.some(({ value }) => value === field) ? field : null;
}

/**
 * The fields to pick from, the likeliest first.
 *
 * @param column absent where it has none of the names that are known
 * @param hasContact whether something is read as the users' contact
 */
export function fieldChoices(column: Column | undefined, hasContact: boolean): readonly Choice[] {
  const likely = (column && proposed(column)) ?? (hasContact ? "metadata" : "email");
  return [true, false].flatMap((is) => FIELDS.filter(({ value }) => (value === likely) === is));
}

/** Whether one of a column's values can say it. */
export function isByValue(field: string): boolean {
  return /^(?:email_verified|phone_verified|disabled|active)$/.test(field);
}

const DATE = /^\d{1,4}([-./])\d{1,2}\1\d{1,4}(?!\d)/;

/** What a flag's column with these values says so by where no value is named. */
export function standsForYes(field: string, values: ReadonlyMap<string, number>): string {
  const isOfDates = values.size > 0 && [...values.keys()].every((value) => DATE.test(value));
  return isOfDates && field !== "active" ? "any date" : "any yes, such as true or 1";
}

/** Whether it has a name beside its own. */
export function isNamed(field: string): boolean {
  return field === "metadata" || field === "social";
}

/** No column has this name: a header's names are trimmed. */
export const TYPED = " ";
const WIDEST_NAME = 16;
/** On a terminal of 80 columns. */
const WIDEST_LABEL = 60;

/**
 * The columns to pick from, each with what it is read as: first those that aren't read and are
 * likely something, then others that aren't.
 *
 * @param read by the columns' shown names; what was said of a column stands where nothing is read yet
 */
export function columnChoices(
  columns: readonly Column[],
  map: GivenMap,
  read: ReadonlyMap<string, string>,
): readonly Choice[] {
  const pairs = pairsOf(map);
  const listed = columns.map((column, at) => {
    const { name, shapes } = column;
    const said = pairs.flatMap((pair) => {
      const [field = "", column] = pair.split("=");
      return column === name ? field : [];
    });
    const shown = showName(name).startsWith('"') ? name : `column ${at + 1}`;
    const as = read.get(showName(name).replaceAll('"', "")) ?? [...new Set(said)].join(", ");
    const mark = as === "" ? "" : `(${as}) `;
    const label = `${shown.padEnd(WIDEST_NAME)} ${mark}${shapes.join("  ")}`.trimEnd();
    const isRead = read.size > 0 ? as !== "" : roleOfColumn(meaningOf(name)) !== null;
    const rank = isRead ? 2 : proposed(column) === null ? 1 : 0;
    return { rank, value: name, label: cutTo(label, WIDEST_LABEL) };
  });
  listed.sort((one, other) => one.rank - other.rank);
  return [...listed, { value: TYPED, label: "Another one, typed as --map takes it" }];
}

/**
 * What is said of columns, with one more.
 *
 * @throws RunError `usage`, `input_unrecognized`
 */
export function withPair(map: GivenMap, pair: string): GivenMap {
  const said = mapping.safeParse(pair);
  if (!said.success) {
    throw new RunError("usage", "That names no field and column.", {
      hint: "Write field=column, as in email=mail_address; the fields are those of --map.",
    });
  }
  const all = mapOf([...pairsOf(map), said.data]);
  mappedFields(all);
  return all;
}
