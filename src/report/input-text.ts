/** What people are told of the inputs: how each was recognized, which columns were read, and how many users found their hash in a password export. */

import type { ColumnsEvent, FieldEvent } from "../events/events.js";
import type { PasswordCoverage } from "../events/summary.js";
import { optionName } from "../errors/option-name.js";
import { counted } from "./results.js";
import { count, grouped, printable } from "./text.js";

/** An input that was recognized. */
interface Recognized {
  readonly path: string;
  readonly source: {
    readonly name: string;
    readonly generic: boolean;
    readonly fields: readonly { readonly table: { readonly read: { readonly id?: unknown } } }[];
  };
  readonly reason: string;
}

/** What isn't the default of these texts. */
interface Telling {
  /** True where all rows were counted; the counts of some would look like those of all. */
  readonly isWhole?: boolean;
  /** Says of ids that an import wouldn't keep them; false by default. */
  readonly tellsIds?: boolean | undefined;
}

/** How `what` an application may know its users by stays valid. */
function keptText(what: string): string {
  return `${optionName("--keep-ids")} keeps ${what} at the core`;
}

/** Inputs named before the others of their kind are counted. */
const MOST_NAMED = 3;

/** A line for all inputs that were recognized alike: a realm's hundred files are no hundred lines. What columns are ids of a file of no vendor's form, {@link columnLines} says. */
export function recognizedText(
  inputs: readonly Recognized[],
  nameOf: (path: string) => string,
  { tellsIds = false }: Telling = {},
): string[] {
  const alike = new Map<string, string[]>();
  for (const { path, source, reason } of inputs) {
    const hasIds =
      !source.generic && source.fields.some(({ table }) => table.read.id !== undefined);
    const ids = tellsIds && hasIds ? `; ${keptText("the users' ids")}` : "";
    const what = `read as ${source.name} (${reason})${ids}`;
    alike.set(what, [...(alike.get(what) ?? []), nameOf(path)]);
  }
  return [...alike].map(([what, names]) => printable(`${listed(names, MOST_NAMED)}: ${what}`));
}

function listed(names: readonly string[], most: number): string {
  // One more costs no more than to say that there is one more.
  const shown = names.length <= most + 1 ? names : names.slice(0, most);
  const rest = names.length - shown.length;
  return `${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** Columns that aren't read, before the others are counted. */
const MOST_UNREAD = 12;

/**
 * Two lines: `users.csv: read: email as email, …` and `users.csv: not read: nickname (12), …`.
 *
 * @param name of the file, for people
 */
export function columnLines(
  { read, unread }: Pick<ColumnsEvent, "read" | "unread">,
  name: string,
  { isWhole = true, tellsIds = false }: Telling = {},
): string[] {
  const used = read.map(({ name: column, as, dates = [] }) => {
    const field = as === "role" ? "roles" : as;
    const said = column === field ? column : `${column} as ${field}`;
    const how = dates.length > 0 ? datesText(dates) : "";
    const more = tellsIds && as === "id" ? keptText("it") : how;
    return more === "" ? said : `${said} (${more})`;
  });
  const left = [...unread]
    .sort((a, b) => b.filled - a.filled)
    .map((column) => (isWhole ? `${column.name} (${grouped(column.filled)})` : column.name));
  return [
    `${name}: read: ${used.join(", ")}`,
    ...(left.length === 0 ? [] : [`${name}: not read: ${listed(left, MOST_UNREAD)}`]),
  ].map(printable);
}

/** "day first", "day or month first, some unclear": each date is read on its own, and of an unclear one no day of joining. */
function datesText(dates: NonNullable<ColumnsEvent["read"][number]["dates"]>): string {
  const known = dates.filter((one) => one !== "unclear");
  if (known.length === 0) return "unclear whether day or month first";
  return `${known.join(" or ")} first${known.length < dates.length ? ", some unclear" : ""}`;
}

/** The mapping in force for a file of no known system; nothing where none was asked for. */
export function mappingLines({ mapping }: Pick<ColumnsEvent, "mapping">, name: string): string[] {
  if (mapping === null) return [];
  return [`${name}: read as this mapping says, which was inferred:`, ...mapping.split("\n")].map(
    printable,
  );
}

/** A line: `users.json: created_at (12): joined; told, joined_not_migrated`. A field that no row fills is told of a mapping of one's own. */
export function fieldLine(
  { path, rows, fate, is, code, reason }: FieldEvent,
  name: string,
): string {
  const why = code ?? reason;
  const said = rows === 0 ? "found in no row" : why === null ? fate : `${fate}, ${why}`;
  const what = [is, said].filter((part) => part !== null);
  return printable(`${name}: ${path} (${grouped(rows)}): ${what.join("; ")}`);
}

/** "95 of 100 users with a password found its hash (95%)"; cut off, so that 100% means all. */
export function coverageText({
  users,
  matched,
}: Pick<PasswordCoverage, "users" | "matched">): string {
  const share = users === 0 ? 0 : Math.floor((matched / users) * 1000) / 10;
  return `${grouped(matched)} of ${count(users, "user")} with a password found its hash (${share}%)`;
}

/** A summary's section; empty without a password export. */
export function coverageLines(coverage: PasswordCoverage | null): string[] {
  if (coverage === null) return [];
  const { lines, unreadable, ambiguous, unused } = coverage;
  const details = [
    count(lines, "line"),
    ...(unused > 0 ? [`${grouped(unused)} without a user`] : []),
    ...(ambiguous > 0 ? [`${count(ambiguous, "user")} with several hashes`] : []),
    ...(unreadable > 0 ? [`${count(unreadable, "line")} unreadable`] : []),
  ];
  return ["", "Password export", `  ${coverageText(coverage)}; ${details.join(", ")}`];
}

/**
 * "245 rows; hashes: bcrypt 115; hashes for the bridge: pbkdf2 40".
 *
 * @param census hashes that the core takes, that the bridge takes, and that neither does
 */
export function censusText(census: {
  readonly rows: number;
  readonly algorithms: Readonly<Record<string, number>>;
  readonly bridged: Readonly<Record<string, number>>;
  readonly refused: number;
}): string {
  const listOf = (head: string, counts: Readonly<Record<string, number>>): string[] => {
    const named = Object.entries(counts).map(counted);
    return named.length === 0 ? [] : [`${head}: ${named.join(", ")}`];
  };
  const hashes = [
    ...listOf("hashes", census.algorithms),
    ...listOf("hashes for the bridge", census.bridged),
    ...(census.refused === 0 ? [] : [`hashes that are refused: ${grouped(census.refused)}`]),
  ];
  return [count(census.rows, "row"), ...(hashes.length === 0 ? ["no hashes"] : hashes)].join("; ");
}
