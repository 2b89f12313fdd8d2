/** A source whose users are objects, be they JSON or the rows of a table: it recognizes files by their fields, and says of each user what it becomes. */

import type { UserDraft } from "../account/user-draft.js";
import { headerOf } from "./csv/table.js";
import { defineSource, type SourceDefinition, toDrafts } from "./define-source.js";
import { compileExpression, isExpression } from "./expression.js";
import { isJson } from "./format.js";
import { columnPaths, isFilled, objectReader } from "./fields/field-values.js";
import { childOf, type FieldTree } from "./fields/field-tree.js";
import type { Told } from "./fields/field-watch.js";
import type { GivenMap } from "./generic/field-map.js";
import { onlyList } from "./generic/json-head.js";
import { fieldsAround } from "./json/json-scan.js";
import { cutOffList, withJson } from "./json/json-object.js";
import { jsonUsersAt, readJsonUsers } from "./json/json-users.js";
import { listOf } from "./json/lists-beside.js";
import type { PathCounter } from "./mapping/path-counter.js";
import { UNHEARD, unnamedFields } from "./unnamed-fields.js";
import { amongOthers, type ReadObjects, type ReadRelated, seenBy } from "./other-objects.js";
import { jsonForm } from "./raw/json-form.js";
import type { RowBatch } from "./raw/raw-row.js";
import { RunError } from "../errors/run-error.js";
import { rememberingEach } from "./remembering.js";
import type { RowDamage } from "./row-damage.js";
import { showNames } from "./show-name.js";
import type { FileHead, Source } from "./source.js";
import { asRows, knownName, openTable } from "./table-users.js";

/** What a user becomes. It throws nothing: a user that it can't read is damage. */
export type ReadUser = (user: object, told: Told) => UserDraft | RowDamage;

/** Reads users of an export that doesn't say whom the vendor keeps out. */
export function withoutBans(read: ReadUser): ReadUser {
  return (user, told) => read(user, new Set([...told, "bans_not_exported"]));
}

/** A file that holds no users; a table's emails and phones are no users'. */
interface Refused {
  readonly fields: readonly string[];
  /** What it does, behind its name in a message. */
  readonly what: string | undefined;
  readonly hint: string | undefined;
}

/** By what a file is recognized. */
interface Mark {
  /** For people. */
  readonly reason: string;
  /** A document that is known by itself: the users may come late, or not at all. */
  readonly isDocument?: boolean;
}

/** @throws RunError `input_unrecognized` for a file of the system's that has no users */
type Recognize = (users: readonly object[], head: FileHead) => Mark | null;

/** How users of one form are read. */
export interface ObjectForm {
  /** Any of these lists of fields that users at the start of a file have; `!` before one that none has, `^` before one of the document around them. */
  readonly recognize: readonly (readonly string[])[] | Recognize;
  /** Columns that a table can't do without. */
  readonly needs?: readonly string[];
  /** Columns of which a table has one at least where it says whom the system keeps out. */
  readonly bans?: readonly string[];
  /** The system's other tables by their names, and other files: the fields that tell each. */
  readonly refuses?: Readonly<Record<string, Refused>>;
  /** Whether columns count whatever the case of their names. */
  readonly anyCase?: boolean;
  /** Columns that hold JSON in a table. */
  readonly columns: readonly string[];
  /** Takes off a table's cell what isn't the user's own. */
  readonly clean?: (text: string, row: readonly string[]) => string;
  /** Gives an object of JSON under the names of the table of fields, where it has others. */
  readonly view?: ((value: object) => object) | undefined;
  readonly fields: FieldTree;
  /** Tells users from the other objects of a dump; absent where a file has users alone. */
  readonly isUser?: ((object: object) => boolean) | undefined;
  /** Reads what other objects say of users; absent where none is named. */
  readonly related?: ReadRelated | undefined;
  /** Whether fields that the table doesn't name are heard, and not told alone. */
  readonly hears: boolean;
  /** Whether a field is a flag of which `--map` may say what a value means. */
  readonly isFlag?: (name: string) => boolean;
  /**
   * @param now epoch milliseconds; a lock that was over by then is none
   * @param samples users at the file's start
   * @param map what `--map` says of values of the form's own flags
   */
  reader(now: number, samples: readonly object[], map?: GivenMap): ReadUser;
  /** Counts what each path reads, where that is asked for; absent for a source without paths. */
  readonly counter?: () => PathCounter;
}

interface ObjectSource extends Pick<SourceDefinition, "name" | "hashes" | "noUsersHint"> {
  /** Where the list of users is in JSON; lists at the top and users on lines are found without. */
  readonly users: readonly string[];
  readonly json: ObjectForm;
  /** Absent where a table's columns are named as the fields of JSON. */
  readonly table?: ObjectForm | undefined;
  /** Files without names for their fields, in the place of tables: rows as the objects of JSON. */
  readonly rows?: {
    readonly recognize: (head: FileHead) => string | null;
    readonly open: (
      head: FileHead,
      bytes: AsyncIterable<Buffer>,
    ) => AsyncIterable<RowBatch<object>>;
  };
}

/** @throws RunError `mapping_invalid` for an expression that can't be read */
export function objectSource({ users, json, table, rows, ...shown }: ObjectSource): Source {
  const formOf = (head: FileHead) => (isJson(head) ? json : (table ?? json));
  const rowsOf = (head: FileHead) => (isJson(head) ? undefined : rows);
  const ofJson = recognizer(json, users);
  const ofTable = recognizer(table ?? json, users);
  const recognized = (head: FileHead) => (isJson(head) ? ofJson : ofTable)(head);
  const seenAs = rememberingEach((head: FileHead) =>
    table === undefined ? head : asRows(head, { json, table, ofJson, ofTable }),
  );
  return defineSource({
    ...shown,
    hears: (head) => rowsOf(head) === undefined && formOf(seenAs(head)).hears,
    fields: json.fields,
    ...(table && table.fields !== json.fields && { columns: table.fields }),
    recognize(head) {
      const plain = rowsOf(head);
      return plain ? plain.recognize(head) : (recognized(seenAs(head))?.reason ?? null);
    },
    open(file, bytes, { watch, now, map, tellsPaths, keepsAccount = null }) {
      const head = seenAs(file);
      const form = formOf(head);
      const { view, isUser, fields, needs = [], bans = [], columns, anyCase, clean } = form;
      const plain = rowsOf(head)?.open(head, bytes);
      if (plain) return toDrafts(plain, watch(fields).users(form.reader(now, [])));
      const isTable = !isJson(head);
      const { isDocument = false, paths = users } = recognized(head) ?? {};
      const start = usersAtStart(head, paths, form);
      refuseOthers(head, form.refuses ?? {}, start);
      const samples = samplesOf(head, start, form);
      const mapped = form.reader(now, samples, map);
      const given = anyCase && isTable ? inCaseOf(namesIn(head), map) : map;
      const { hear, guard, learned } = form.hears
        ? unnamedFields(head, samples, form, { map: given, now })
        : UNHEARD;
      const counted = tellsPaths === true ? form.counter?.() : undefined;
      const watched = watch(fields, counted?.result, isTable ? [] : bans);
      const read: ReadUser = (user, told) => {
        counted?.count(user);
        return cutOffList(user, isTable ? columns : []) ?? hear(user, mapped(user, told));
      };
      if (!isTable) {
        const { path } = jsonUsersAt(head, paths);
        const list = isDocument ? path || (users[0] ?? "") : path;
        const objects: ReadObjects = (takesBeside) =>
          readJsonUsers(head, bytes, list, { mayLack: isDocument, takesBeside });
        if (!isDocument && isUser === undefined) requireKnown(head.path, samples, fields);
        const watching = { read, watched, samples: start, map, now, keepsAccount };
        const { alike, userOf } = amongOthers(head, path, objects, form, watching);
        return guard(toDrafts(alike, userOf, jsonForm(learned)));
      }
      const reading = { anyCase, clean, map: given };
      const { names, rows: lines, userOf } = openTable(head, bytes, fields, reading);
      requireColumns(head.path, needs, names);
      const isUnsaid = bans.length > 0 && !bans.some((name) => names.has(name));
      const rowOf = (row: readonly string[]) => seenBy(view, withJson(userOf(row), columns));
      return guard(toDrafts(lines, watched.users(isUnsaid ? withoutBans(read) : read, rowOf)));
    },
  });
}

/** @throws RunError `input_unrecognized` for objects of which the table of fields names nothing */
function requireKnown(path: string, samples: readonly object[], { places }: FieldTree): void {
  const names = [...new Set(samples.flatMap((user) => Object.keys(user)))];
  if (names.length === 0 || names.some((name) => childOf(places.root, name) !== null)) return;
  throw new RunError("input_unrecognized", `${path} has none of the vendor's fields`, {
    hint: `Found ${showNames(names)}.`,
  });
}

/** Says by what a file is recognized, and where its users are then. */
function recognizer(form: ObjectForm, users: readonly string[]) {
  const { recognize, columns } = form;
  const markOf = typeof recognize === "function" ? recognize : byFields(recognize, columns);
  return (head: FileHead) => {
    const among = (paths: readonly string[]) => {
      const mark = markOf(usersAtStart(head, paths, form), head);
      return mark && { ...mark, paths };
    };
    return among(users) ?? among(onlyList(head)) ?? undefined;
  };
}

/** By the first of these lists of which users have all fields. */
function byFields(lists: readonly (readonly string[])[], columns: readonly string[]): Recognize {
  const tested = lists.map((names) => ({
    names,
    tests: names.map((name) => listedTest(name, columns) ?? fieldTest(name)),
  }));
  return (users, head) => {
    const found = tested.find(({ tests }) => tests.every((test) => test(users, head)));
    if (found === undefined) return null;
    const named = found.names.filter((one) => !one.startsWith("!"));
    const shown = named.map((one) => one.replace(/^\^(?:\[\]\.)?/, ""));
    const isDocument = found.names.some((name) => name.startsWith(AROUND));
    return { reason: `users with ${shown.join(", ")}`, isDocument };
  };
}

/** @throws RunError `input_unrecognized` */
function requireColumns(path: string, needs: readonly string[], names: ReadonlySet<string>): void {
  const missing = needs.filter((name) => !names.has(name));
  if (missing.length === 0) return;
  throw new RunError("input_unrecognized", `${path} lacks a column that is needed`, {
    hint: `Export the users again with ${showNames(missing)}, which say who may sign in and where.`,
  });
}

/** @throws RunError `input_unrecognized` */
function refuseOthers(
  head: FileHead,
  others: Readonly<Record<string, Refused>>,
  start: readonly object[],
): void {
  for (const [name, { fields, what, hint }] of Object.entries(others)) {
    if (!fields.every((field) => fieldTest(field)(start, head))) continue;
    const does = what ?? `is the system's table ${name}`;
    throw new RunError("input_unrecognized", `${head.path} ${does}`, {
      hint: hint ?? "Its emails and phones are no users'; export the table of the users instead.",
    });
  }
}

function usersAtStart(
  head: FileHead,
  users: readonly string[],
  { anyCase = false }: ObjectForm,
): readonly object[] {
  if (isJson(head)) return jsonUsersAt(head, users).samples;
  const names = namesIn(head);
  return [filledRow(anyCase ? names.map((name) => name.toLowerCase()) : names)];
}

/** Users at the start as they are read, without the other objects there. */
function samplesOf(
  head: FileHead,
  start: readonly object[],
  { anyCase, fields, isUser, view }: ObjectForm,
): readonly object[] {
  const isTable = !isJson(head);
  const own =
    isTable && anyCase
      ? [filledRow(namesIn(head).map((name) => knownName(name, fields)))]
      : start.filter((one) => listOf(one) === null && (isTable || isUser?.(one) !== false));
  return own.map((one) => seenBy(view, one));
}

function namesIn(head: FileHead): readonly string[] {
  return headerOf(head) ?? [];
}

function filledRow(names: readonly string[]): object {
  return objectReader(columnPaths(names.map((name, index) => ({ index, name }))))(() => "filled");
}

/** What `--map` names, each as the table writes it. */
function inCaseOf(names: readonly string[], map: GivenMap): GivenMap {
  const written = new Map(names.map((name) => [name.trim().toLowerCase(), name.trim()]));
  const inCase = (given: string): string => {
    const [name = ""] = given.split("=", 1);
    return (written.get(name.toLowerCase()) ?? name) + given.slice(name.length);
  };
  return new Map([...map].map(([field, given]) => [field, [given].flat().map(inCase)] as const));
}

/** Opens the name of a document's own field, or `[].`: of each in a list of documents. */
const AROUND = "^";

/** Says of users at a file's start, and of the file, whether they have a field. */
type FieldTest = (users: readonly object[], head: FileHead) => boolean;

/** The test of `accounts[].provider` where a table's column `accounts` is JSON: its header says half of it, and its rows the other. */
function listedTest(name: string, columns: readonly string[]): FieldTest | null {
  const [column = "", field] = name.split("[].");
  if (field === undefined || !columns.includes(column)) return null;
  const test = fieldTest(name);
  return (users, head) =>
    isJson(head)
      ? test(users, head)
      : namesIn(head).includes(column) && head.text.includes(`${field}"`);
}

/** Whether users have a field of `recognize`, be it empty; an expression has to give something. */
function fieldTest(name: string): FieldTest {
  if (name.startsWith(AROUND)) return (_users, { text }) => fieldsAround(text).has(name.slice(1));
  const isAbsent = name.startsWith("!");
  const { read, text } = compileExpression(isAbsent ? name.slice(1) : name);
  const isFound = isExpression(text)
    ? (value: unknown) => isFilled(value) && value !== false
    : (value: unknown) => value !== undefined;
  return (users) => isAbsent !== users.some((user) => isFound(read(user)));
}
