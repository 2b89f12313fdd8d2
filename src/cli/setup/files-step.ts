/** The first step: which files have the users, and what their columns are where their names don't say it. */

import { RunError } from "../../errors/run-error.js";
import { type GivenMap, mappedFields } from "../../source/generic/field-map.js";
import { mapOf, pairsOf } from "../options/reading.js";
import { mapping } from "../options/types.js";
import { type Asker, attempt, told } from "./asker.js";
import { type FirstLook, type LookOptions, lookAt } from "./first-look.js";

/** @throws RunError as reading does */
export async function chooseFiles(
  files: readonly string[],
  options: LookOptions,
  asker: Asker | null,
): Promise<FirstLook> {
  if (files.length === 0 && asker !== null) return askForFiles(options, asker);
  const look = await lookAsking(files, options, asker);
  asker?.found(look.lines.join("\n"));
  return look;
}

const NEXT = [
  { value: "done", label: "Go on with this" },
  { value: "column", label: "Say what a column is" },
  { value: "add", label: "Add another file" },
  { value: "again", label: "Take another file instead" },
] as const;

/** @throws RunError as reading does */
export async function askForFiles(options: LookOptions, asker: Asker): Promise<FirstLook> {
  let files: readonly string[] = [];
  let look: FirstLook | null = null;
  for (;;) {
    if (look === null) files = await askForFile(files, options, asker);
    look = await lookAsking(files, options, asker);
    options = { ...options, map: look.map };
    asker.found(look.lines.join("\n"));
    const isOwn = look.inputs.some(({ source }) => source.generic);
    const choices = NEXT.filter(({ value }) => isOwn || value !== "column");
    const next = await asker.choose("Is that the export?", choices);
    if (next === "done") return look;
    if (next === "column") options = { ...options, map: await askForColumn(look.map, asker) };
    else look = null;
    if (next === "again") files = [];
  }
}

/** Errors that go away with what `--map` says of a column. */
const SAID_BY_MAP: ReadonlySet<string> = new Set(["column_unclear", "hash_column_unread"]);

/** Looks at the files, and asks what a column is as long as they can't be read without it. */
async function lookAsking(
  files: readonly string[],
  options: LookOptions,
  asker: Asker | null,
): Promise<FirstLook> {
  let { map = new Map() } = options;
  for (;;) {
    const look = await attempt(() => lookAt(files, { ...options, map }));
    if (!(look instanceof RunError)) return look;
    if (asker === null || !SAID_BY_MAP.has(look.code)) throw look;
    asker.warn(told(look));
    map = await askForColumn(map, asker);
  }
}

function askForColumn(map: GivenMap, asker: Asker): Promise<GivenMap> {
  return asker.text({
    message: "Which field is in which column (disabled=banned)?",
    read(answer) {
      const said = mapping.safeParse(answer.replace(/^--map\s+/, "").replace(/^'(.*)'$/, "$1"));
      if (!said.success) {
        throw new RunError("usage", "That names no field and column.", {
          hint: "Write field=column, as in email=mail_address; the fields are those of --map.",
        });
      }
      const all = mapOf([...pairsOf(map), said.data]);
      mappedFields(all);
      return all;
    },
  });
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
      if (look instanceof RunError && !SAID_BY_MAP.has(look.code)) throw look;
      return files;
    },
  });
}

/** A file that is dragged into a terminal comes in quotation marks. */
function unquoted(path: string): string {
  return /^'(.*)'$|^"(.*)"$/.exec(path)?.slice(1).find(Boolean) ?? path;
}
