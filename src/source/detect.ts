/** Says whose export a file is, by its shape alone. Two sources that fit are an error. */

import { optionName } from "../errors/option-name.js";
import { RunError } from "../errors/run-error.js";
import { detectLayout } from "./csv/csv.js";
import { headerOf } from "./csv/table.js";
import { placeOfColumn } from "./fields/field-tree.js";
import { isContact, meaningOf } from "./generic/field-names.js";
import { pathsOf, placesOfObjects } from "./generic/json-head.js";
import { innerUsers, keyedUsers, refuseContactsBeside } from "./generic/users-further-in.js";
import { isJson } from "./format.js";
import { refuseMixed } from "./kinds.js";
import { findMisfit } from "./misfits.js";
import { SOURCES } from "./registry.js";
import { looksLikeData, NO_HEADER, showNames } from "./show-name.js";
import type { FileHead, ReadingRules, Source } from "./source.js";

/** A file's source and by what it was recognized, for people. */
interface Detection {
  readonly source: Source;
  readonly reason: string;
  /** Nothing in the file shows that it is the vendor's whom the operator names. */
  readonly onWord?: boolean;
}

/** The operator's words of a file, beside `--from`. */
type GivenMap = ReadingRules["map"];

const NO_MAP: GivenMap = new Map();

const NAME_EMAIL = `Name what holds the email: ${optionName("--map")} email=NAME. If it is a vendor's export, ${optionName("--from")} names the vendor (docs/vendors/README.md).`;

/**
 * @param sources all known ones by default
 * @param map `--map`'s: one that names the users or a contact makes any file one of nobody's form
 * @throws RunError `input_unrecognized` where no source takes the file for its own,
 *   `input_unrecognized` where several do
 */
export function detectSource(
  head: FileHead,
  sources: readonly Source[] = SOURCES,
  map: GivenMap = NO_MAP,
): Detection {
  const fitting = recognizing(head, sources);
  const [only, ...others] = fitting;
  if (only === undefined) {
    const own = ownTable(head, map, sources);
    if (own === null) throw unrecognized(head);
    return own;
  }
  if (others.length > 0) {
    const names = fitting.map(({ source }) => source.name);
    throw new RunError("input_unrecognized", `${head.path} could be from ${names.join(" or ")}`, {
      hint: `Say whose it is: ${names.map((name) => `${optionName("--from")} ${name}`).join(" or ")}.`,
    });
  }
  return only;
}

/**
 * The source for a file with `--from`. A file without the vendor's marks is read by the vendor's
 * source all the same where that knows what nobody else would; else, and where `--map` names a
 * contact, by its shape, as an application's own table with the vendor's hashes.
 *
 * @param map `--map`'s
 * @throws RunError `input_unrecognized` where the file is surely another source's
 */
export function namedSource(
  head: FileHead,
  named: Source,
  sources: readonly Source[] = SOURCES,
  map: GivenMap = NO_MAP,
): Detection {
  const itself = { source: named, reason: `named by ${optionName("--from")}` };
  if (named.recognize(head) !== null) return itself;
  const [known] = recognizing(head, sources);
  const own = named.generic ? null : ownTable(head, map, sources);
  const other = known ?? own;
  if (other === null) return { ...itself, onWord: true };
  if (!other.source.generic || named.generic) {
    const message = `${head.path} is no ${named.name} export: it is ${other.reason}`;
    throw new RunError("input_unrecognized", message, {
      hint: `Give ${optionName("--from")} ${other.source.name}, or leave ${optionName("--from")} out.`,
    });
  }
  if (own === null && knowsFields(head, named)) return { ...itself, onWord: true };
  return {
    source: other.source,
    onWord: true,
    reason: `${other.reason}; not as ${named.name} writes it: its hashes alone are judged as ${named.name}'s`,
  };
}

/** The source of nobody's form for a file in which `--map` names the users or a contact; null where it doesn't. */
function ownTable(head: FileHead, map: GivenMap, sources: readonly Source[]): Detection | null {
  const named = ["users", "email", "phone"].find((field) => map.has(field));
  if (named === undefined) return null;
  const form = isJson(head) ? "json" : "csv";
  if (form === "csv") refuseMisfit(head);
  const source = sources.find(({ generic, name }) => generic && name === form);
  return source === undefined ? null : { source, reason: `by what is named as its ${named}` };
}

/**
 * Whether a source's table of fields has the id and a contact of a file, one of them under a name
 * that says nothing to others, and all that other names say of contacts and hashes.
 */
function knowsFields(head: FileHead, { fields }: Source): boolean {
  const tree = isJson(head) ? fields[0] : fields.at(-1);
  if (tree === undefined) return false;
  const read = new Set<string>();
  let isOwn = false;
  for (const name of fieldNames(head)) {
    const place = placeOfColumn(name, tree);
    const meaning = meaningOf(name);
    const isText = meaning.kind === "text" || meaning.kind === "list";
    const isHash = meaning.kind === "text" && meaning.field === "hash";
    if (place === null && isText && (isHash || isContact(meaning))) return false;
    if (place?.fate?.kind !== "read") continue;
    const { is } = place.fate;
    read.add(is);
    isOwn ||= !isText && (is === "id" || is === "contact");
  }
  return isOwn && read.has("id") && read.has("contact");
}

/** The names of a file's columns or properties, those of its first users. */
function fieldNames(head: FileHead): readonly string[] {
  if (!isJson(head)) return headerOf(head) ?? [];
  const places = placesOfObjects(head).filter(({ samples }) => samples.length > 0);
  // A document of one line is an object a line, too.
  const place = places.find(({ array }) => array !== null) ?? places[0];
  return place === undefined ? [] : pathsOf(place.samples);
}

/**
 * All vendors' sources that recognize the file; where none does, the generic ones that do. A dump
 * may look like a table to these.
 */
function recognizing(head: FileHead, sources: readonly Source[]): readonly Detection[] {
  const all = sources.flatMap((source) => {
    const reason = source.recognize(head);
    return reason === null ? [] : [{ source, reason }];
  });
  const vendors = all.filter(({ source }) => !source.generic);
  if (vendors.length > 0) return vendors;
  if (!isJson(head)) refuseMisfit(head);
  return all;
}

/** @throws RunError `input_unrecognized` for a file that is surely no export */
function refuseMisfit(head: FileHead): void {
  const misfit = findMisfit(head);
  if (misfit === null) return;
  const { what, hint } = misfit;
  throw new RunError("input_unrecognized", `${head.path} is ${what}, which is not read here`, {
    hint,
  });
}

function unrecognized(head: FileHead): RunError {
  if (isJson(head)) refuseContactsBeside(head);
  const keyed = keyedUsers(head);
  if (keyed === null) refuseMisfit(head);
  if (isJson(head)) refuseMixed(head);
  const isHeaderless = !isJson(head) && looksLikeData(detectLayout(head)?.header ?? []);
  const message = `${head.path} is not an export that is known here; it looks like ${isJson(head) ? describeJson(head) : describeTable(head)}`;
  return new RunError("input_unrecognized", message, {
    hint: isHeaderless ? NO_HEADER : (keyed ?? innerUsers(head) ?? NAME_EMAIL),
  });
}

/** What the head looks like, as the end of a sentence. */
function describeJson(head: FileHead): string {
  const names = fieldNames(head);
  if (names.length === 0) return "JSON without an array of objects at its start";
  return `JSON objects with the properties ${showNames(names)}`;
}

/** As {@link describeJson}: "a table with the columns "name", "size"". */
function describeTable(head: FileHead): string {
  const header = detectLayout(head)?.header ?? [];
  if (looksLikeData(header)) return "rows without a header row that names the columns";
  return header.length < 2
    ? "text without columns"
    : `a table with the columns ${showNames(header)}`;
}
