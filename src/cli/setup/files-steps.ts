/** Which files have the users, and what their columns are where their names don't say it. */

import { RunError } from "../../errors/run-error.js";
import { DEFAULT_POLICY } from "../../plan/policy.js";
import type { Config } from "../config-file.js";
import { pairsOf } from "../options/reading.js";
import { attempt, told } from "./asker.js";
import {
  type Column,
  columnChoices,
  columnsOf,
  FIELDS,
  isByValue,
  isNamed,
  TYPED,
  withPair,
} from "./columns.js";
import { type LookOptions, lookAt } from "./first-look.js";
import type { SetupValues } from "./setup-options.js";
import type { Change, Known, Step } from "./steps.js";

const NEXT = [
  { value: "done", label: "Go on with this" },
  { value: "column", label: "Say what a column is" },
  { value: "add", label: "Add another file" },
  { value: "again", label: "Take another file instead" },
] as const;

/** Nothing is said of a column, or no more. */
const NO_COLUMN = { columns: null, column: null, field: null } as const satisfies Change;

export const FILES: readonly Step[] = [
  {
    isOpen: ({ look, columns }) => look === null && columns === null,
    option: "the export's files",
    given: (known, canAsk) =>
      known.files.length > 0 && !known.asksFile ? read(known.files, known, canAsk) : null,
    question: () => ({ kind: "text", message: "Which file has the users?" }),
    check: (answer, known) => read([...known.files, unquoted(answer)], known, true),
    writes: ({ values, map }) => givenOptions({ ...values, map: pairsOf(map) }),
  },
  {
    isOpen: ({ columns, column }) => columns !== null && column === null,
    question: ({ columns }) => ({
      kind: "choose",
      message: "Which column do you name?",
      choices: columnChoices(columns ?? []),
    }),
    check: (column) => ({ column }),
  },
  {
    isOpen: ({ column, field }) => column !== null && column !== TYPED && field === null,
    question: () => ({ kind: "choose", message: "What does it hold?", choices: FIELDS }),
    check: (field, known) =>
      isNamed(field) || isByValue(field) ? { field } : said(`${field}=${known.column}`, known),
  },
  {
    isOpen: ({ column }) => column === TYPED,
    question: () => ({
      kind: "text",
      message: "Which field is in which column (disabled=banned)?",
    }),
    check: (pair, known) => said(pair.replace(/^--map\s+/, "").replace(/^'(.*)'$/, "$1"), known),
  },
  {
    isOpen: ({ field }) => field !== null && isNamed(field),
    question: ({ field, column }) => ({
      kind: "text",
      message: field === "social" ? "Which provider's?" : "By which name is it kept?",
      initial: column ?? "",
    }),
    check: (name, known) => said(`${known.field}.${name}=${known.column}`, known),
  },
  {
    isOpen: ({ field }) => field !== null && isByValue(field),
    question: () => ({
      kind: "text",
      message: "Which value says so (empty: any yes, such as true or 1)?",
    }),
    check: (value, known) =>
      said(`${known.field}=${known.column}${value === "" ? "" : `=${value}`}`, known),
  },
  {
    isOpen: ({ look, isExport, columns }) => look !== null && !isExport && columns === null,
    given: (known, canAsk) => (isTaken(known, canAsk) ? { isExport: true } : null),
    question: (known) => ({
      kind: "choose",
      message: "Is that the export?",
      choices: NEXT.filter(({ value }) => isOwn(known) || value !== "column"),
    }),
    async check(next, { files, reading }) {
      if (next === "done") return { isExport: true };
      if (next !== "column") {
        return { look: null, asksFile: true, files: next === "again" ? [] : files };
      }
      return { columns: await columnsOf(files, reading.encoding ?? null) };
    },
  },
];

/** Whether the files are of no known system. */
function isOwn({ look }: Known): boolean {
  return look?.inputs.some(({ source }) => source.generic) === true;
}

/** Whether nobody need be asked of files that the command line names. */
function isTaken(known: Known, canAsk: boolean): boolean {
  const { core, data, prove, skipProof } = known.values;
  const isSettled = (core ?? data) !== undefined && (prove !== undefined || skipProof);
  return !canAsk || (!known.asksFile && (isSettled || !isOwn(known)));
}

/** Errors that go away with what `--map` says of a column. */
const SAID_BY_MAP: ReadonlySet<string> = new Set([
  "column_unclear",
  "hash_column_unread",
  "input_unrecognized",
]);

/** @returns the columns of which something said would let the files be read; none where nothing would */
async function columnsToSay(
  { code }: RunError,
  files: readonly string[],
  { map = new Map(), encoding = null, from, mapping }: LookOptions,
): Promise<readonly Column[]> {
  const isTable =
    mapping === undefined && (from === undefined || from === "csv" || from === "json");
  // With its contact named, a file that isn't known has another flaw.
  const isKnown = code === "input_unrecognized" && (map.has("email") || map.has("phone"));
  return SAID_BY_MAP.has(code) && isTable && !isKnown ? columnsOf(files, encoding) : [];
}

/**
 * Looks at the files; where something said of a column would let them be read, that is asked next.
 *
 * @throws RunError as reading does
 */
async function read(
  files: readonly string[],
  { reading, map }: Pick<Known, "reading" | "map">,
  canAsk: boolean,
): Promise<Change> {
  const options = { ...reading, map };
  const look = await attempt(() => lookAt(files, options));
  if (!(look instanceof RunError)) {
    const text = look.lines.join("\n");
    return { ...NO_COLUMN, files, map, look, said: [{ as: "found", text }] };
  }
  const columns = canAsk ? await columnsToSay(look, files, options) : [];
  if (columns.length === 0) throw look;
  return { ...NO_COLUMN, files, map, columns, said: [{ as: "warn", text: told(look) }] };
}

/** The files, read with what was said of a column. */
function said(pair: string, known: Known): Promise<Change> {
  return read(known.files, { ...known, map: withPair(known.map, pair) }, true);
}

/** A file that is dragged into a terminal comes in quotation marks. */
function unquoted(path: string): string {
  return /^'(.*)'$|^"(.*)"$/.exec(path)?.slice(1).find(Boolean) ?? path;
}

/** Of the options that were given, those that an import needs again. */
const KEPT = [
  "from",
  "mapping",
  "map",
  "allowHash",
  "passwordExport",
  "encoding",
  "defaultCountry",
  "dialect",
  "apiKeyFile",
  "caFile",
  "coreConfig",
  "onLostFactor",
  "allowInsecure",
] as const;

/** What an import has to be told again; the core and the parameters are put in beside it. */
function givenOptions(values: SetupValues): Config {
  const { allowHash, onLostFactor: lost } = values;
  const onLostFactor = lost === DEFAULT_POLICY.onLostFactor ? undefined : lost;
  const given = { ...values, allowHash: allowHash.flat(), onLostFactor };
  const entries = KEPT.flatMap((name) => {
    const value = given[name];
    const isLeftOut = value === undefined || value === false || String(value) === "";
    return isLeftOut ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}
