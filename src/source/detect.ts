/** Says whose export a file is, by its shape alone. Two sources that fit are an error. */

import { RunError } from "../errors/run-error.js";
import { detectLayout } from "./csv/csv.js";
import { pathsOf, placesOfObjects } from "./generic/json-head.js";
import { isJson } from "./format.js";
import { findMisfit } from "./misfits.js";
import { SOURCES } from "./registry.js";
import { looksLikeData, NO_HEADER, showNames } from "./show-name.js";
import type { FileHead, Source } from "./source.js";

/** A file's source and by what it was recognized, for people. */
interface Detection {
  readonly source: Source;
  readonly reason: string;
}

/**
 * @param sources all known ones by default
 * @throws RunError `input_unrecognized` where no source takes the file for its own,
 *   `input_ambiguous` where several do
 */
export function detectSource(head: FileHead, sources: readonly Source[] = SOURCES): Detection {
  const fitting = recognizing(head, sources);
  const [only, ...others] = fitting;
  if (only === undefined) throw unrecognized(head, sources);
  if (others.length > 0) {
    const names = fitting.map(({ source }) => source.name);
    throw new RunError("input_ambiguous", `${head.path} could be from ${names.join(" or ")}`, {
      hint: `Say whose it is: ${names.map((name) => `--from ${name}`).join(" or ")}.`,
    });
  }
  return only;
}

/**
 * The source for a file with `--from`. An application's own table with a vendor's hashes is read by
 * its shape; the hashes stay that vendor's. The named source tries a file that no source
 * recognizes.
 *
 * @throws RunError `input_unrecognized` where the file is surely another source's
 */
export function namedSource(
  head: FileHead,
  named: Source,
  sources: readonly Source[] = SOURCES,
): Detection {
  const itself = { source: named, reason: "named by --from" };
  if (named.recognize(head) !== null) return itself;
  const [other] = recognizing(head, sources);
  if (other === undefined) return itself;
  if (other.source.generic && !named.generic) return other;
  throw new RunError(
    "input_unrecognized",
    `${head.path} is no ${named.name} export: it is ${other.reason}`,
    { hint: `Give --from ${other.source.name}, or leave --from out.` },
  );
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

function unrecognized(head: FileHead, sources: readonly Source[]): RunError {
  refuseMisfit(head);
  const vendors = sources.filter(({ generic }) => !generic);
  const known = vendors.map(({ name }) => name).join(", ");
  return new RunError(
    "input_unrecognized",
    `${head.path} is not an export that is known here; it looks like ${isJson(head) ? describeJson(head) : describeTable(head)}`,
    {
      hint: hasNoHeader(head)
        ? NO_HEADER
        : `Name what holds the email: --from csv or --from json, and --map email=NAME. Known by themselves are exports of ${known}.`,
    },
  );
}

/** What the head looks like, as the end of a sentence. */
function describeJson(head: FileHead): string {
  const places = placesOfObjects(head).filter(({ samples }) => samples.length > 0);
  // A document of one line is an object a line, too.
  const place = places.find(({ array }) => array !== null) ?? places[0];
  if (place === undefined) return "JSON without an array of objects at its start";
  const names = showNames(pathsOf(place.samples));
  return `JSON objects with the properties ${names}`;
}

function hasNoHeader(head: FileHead): boolean {
  return !isJson(head) && looksLikeData(detectLayout(head)?.header ?? []);
}

/** As {@link describeJson}: "a table with the columns "name", "size"". */
function describeTable(head: FileHead): string {
  const header = detectLayout(head)?.header ?? [];
  if (looksLikeData(header)) return "rows without a header row that names the columns";
  return header.length < 2
    ? "text without columns"
    : `a table with the columns ${showNames(header)}`;
}
