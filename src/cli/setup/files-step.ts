/** The first step: which files have the users, and what their columns are where their names don't say it. */

import { RunError } from "../../errors/run-error.js";
import { type Asker, attempt, told } from "./asker.js";
import { askForColumn, type Column, columnsOf } from "./columns.js";
import { type FirstLook, type LookOptions, lookAt } from "./first-look.js";

const NEXT = [
  { value: "done", label: "Go on with this" },
  { value: "column", label: "Say what a column is" },
  { value: "add", label: "Add another file" },
  { value: "again", label: "Take another file instead" },
] as const;

/**
 * @param given the command line's; asked for where there are none
 * @param isSettled whether the command line says all, so that nothing is asked that needn't be
 * @throws RunError as reading does
 */
export async function chooseFiles(
  given: readonly string[],
  options: LookOptions,
  asker: Asker | null,
  isSettled = false,
): Promise<FirstLook> {
  const isGiven = given.length > 0;
  let files = given;
  let asks = !isGiven;
  for (;;) {
    if (asks && asker !== null) files = await askForFile(files, options, asker);
    const look = await lookAsking(files, options, asker);
    options = { ...options, map: look.map };
    asker?.found(look.lines.join("\n"));
    const isOwn = look.inputs.some(({ source }) => source.generic);
    if (asker === null || (isGiven && !asks && (isSettled || !isOwn))) return look;
    const choices = NEXT.filter(({ value }) => isOwn || value !== "column");
    const next = await asker.choose("Is that the export?", choices);
    if (next === "done") return look;
    asks = next !== "column";
    if (next === "again") files = [];
    if (asks) continue;
    const columns = await columnsOf(files, options.encoding ?? null);
    options = { ...options, map: await askForColumn(look.map, columns, asker) };
  }
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
  const isNamed = code === "input_unrecognized" && (map.has("email") || map.has("phone"));
  return SAID_BY_MAP.has(code) && isTable && !isNamed ? columnsOf(files, encoding) : [];
}

/** Looks at the files, and asks what a column is as long as they can't be read without it. */
async function lookAsking(
  files: readonly string[],
  options: LookOptions,
  asker: Asker | null,
): Promise<FirstLook> {
  let { map = new Map() } = options;
  for (;;) {
    const said = { ...options, map };
    const look = await attempt(() => lookAt(files, said));
    if (!(look instanceof RunError)) return look;
    const columns = asker === null ? [] : await columnsToSay(look, files, said);
    if (asker === null || columns.length === 0) throw look;
    asker.warn(told(look));
    map = await askForColumn(map, columns, asker);
  }
}

function askForFile(
  before: readonly string[],
  options: LookOptions,
  asker: Asker,
): Promise<readonly string[]> {
  return asker.text({
    message: "Which file has the users?",
    async read(answer) {
      const files = [...before, unquoted(answer)];
      const look = await attempt(() => lookAt(files, options));
      if (!(look instanceof RunError)) return files;
      if ((await columnsToSay(look, files, options)).length === 0) throw look;
      return files;
    },
  });
}

/** A file that is dragged into a terminal comes in quotation marks. */
function unquoted(path: string): string {
  return /^'(.*)'$|^"(.*)"$/.exec(path)?.slice(1).find(Boolean) ?? path;
}
