/** Reads a mapping's file: how files are read, and the core's names of roles and providers. */

import { readFileSync } from "node:fs";
import { type Document, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { RunError, systemErrorCode } from "../../errors/run-error.js";
import { type Mapping, mapping, text } from "./mapping-file.js";

const MAX_BYTES = 256 * 1024;

/** Anchors are for what is written twice; more is a text that grows without end. */
const MOST_ALIASES = 100;

/** The core's names, by the vendor's. */
const renamed = z.record(text, text);
const placeOrNames = z.union([text, renamed]);
/** Among the places of roles or of providers may stand tables of their names at the core. */
const naming = z
  .union([placeOrNames, z.array(placeOrNames).min(1)])
  .transform((given) => {
    const all = [given].flat();
    const tables = all.filter((one) => typeof one !== "string");
    const names = new Map(tables.flatMap((table) => Object.entries(table)));
    return { places: all.filter((one) => typeof one === "string"), names };
  })
  .optional();
const named = z.looseObject({ roles: naming, providers: naming });

/** The core's names of roles and of providers, by the vendor's. */
export interface CoreNames {
  readonly mapRole: ReadonlyMap<string, string>;
  readonly mapProvider: ReadonlyMap<string, string>;
}

/** What a mapping's file says. */
interface Said {
  /** Null where it is partial: names at the core alone, for files that are read as without it. */
  readonly mapping: Mapping | null;
  readonly names: CoreNames;
}

/**
 * The core's names that a mapping has, partial or not: a part of a policy.
 *
 * @throws RunError as {@link readMapping}
 */
export function readCoreNames(path: string | object): CoreNames {
  return readMapping(path).names;
}

/**
 * @param path of a file, or what such a file holds
 * @throws RunError `mapping_invalid` for a file that isn't there, can't be read or is no mapping
 */
export function readMapping(path: string | object): Said {
  // JSON is YAML.
  if (typeof path !== "string") return parseSaid("The mapping given", JSON.stringify(path));
  let source: string;
  try {
    source = readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(`The mapping ${path} can't be read (${systemErrorCode(error) ?? "unknown"})`);
  }
  return parseSaid(path, source);
}

/**
 * Reads a mapping that says how files are read.
 *
 * @param file its name, for messages
 * @throws RunError `mapping_invalid` naming file and line
 */
export function parseMapping(file: string, source: string): Mapping {
  return wholeMapping(file, parseSaid(file, source));
}

/** @throws RunError `mapping_invalid` for a partial one */
export function wholeMapping(file: string, { mapping: whole }: Said): Mapping {
  if (whole !== null) return whole;
  throw invalid(`${file} names roles or providers alone, and not how files are read`);
}

function parseSaid(file: string, source: string): Said {
  if (source.length > MAX_BYTES) throw invalid(`${file} is larger than any mapping`);
  const lines = new LineCounter();
  const document = documentOf(file, source, lines);
  const [flaw] = document.errors;
  if (flaw !== undefined) {
    throw invalid(`${file}, line ${lines.linePos(flaw.pos[0]).line}: ${flaw.message}`);
  }
  const names = named.safeParse(heldBy(file, document));
  if (!names.success) throw misread(file, document, lines, names.error);
  const { roles, providers, ...others } = names.data;
  const mapRole: CoreNames["mapRole"] = roles?.names ?? new Map();
  const mapProvider: CoreNames["mapProvider"] = providers?.names ?? new Map();
  const places = [roles, providers].map((one) => (one?.places.length ? one.places : undefined));
  const isPartial = [...Object.values(others), ...places].every((one) => one === undefined);
  if (isPartial && mapRole.size + mapProvider.size > 0) {
    return { mapping: null, names: { mapRole, mapProvider } };
  }
  const read = mapping.safeParse({ ...others, roles: places[0], providers: places[1] });
  if (!read.success) throw misread(file, document, lines, read.error);
  return { mapping: read.data, names: { mapRole, mapProvider } };
}

/** What is wrong, by file and line. */
function misread(
  file: string,
  document: Document,
  lines: LineCounter,
  { issues }: z.ZodError,
): RunError {
  const [first, ...others] = issues;
  // A name that is misspelt explains what is missing.
  const issue = others.find(({ code }) => code === "unrecognized_keys") ?? first;
  const path = issue?.path.map(String) ?? [];
  const offset = path
    .map((_, end) => document.getIn(path.slice(0, path.length - end), true))
    .map((node) =>
      typeof node === "object" && node !== null && "range" in node ? node.range : null,
    )
    .find((range) => Array.isArray(range))?.[0];
  const line = typeof offset === "number" ? lines.linePos(offset).line : 1;
  return invalid(
    `${file}, line ${line}: ${path.join(".") || "the mapping"}: ${issue?.message ?? ""}`,
  );
}

/** @throws RunError `mapping_invalid` */
function documentOf(file: string, source: string, lineCounter: LineCounter): Document {
  try {
    return parseDocument(source, { lineCounter, prettyErrors: false });
  } catch {
    // Its parser follows values level by level.
    throw invalid(`${file} is nested deeper than any mapping`);
  }
}

/** @throws RunError `mapping_invalid` */
function heldBy(file: string, document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch {
    throw invalid(`${file}: an alias (*name) names no anchor (&name), or stands for too much`);
  }
}

function invalid(message: string): RunError {
  return new RunError("mapping_invalid", message, {
    hint: "docs/mappings.md says what a mapping holds, with an example.",
  });
}
