/** The walk's first step: which files, and what is in them. */

import { onlyOnce } from "../../source/input-bytes.js";
import type { Input } from "../../source/inputs.js";
import type { Asker } from "./asker.js";
import { type FirstLook, type LookOptions, lookAt } from "./first-look.js";

const NEXT = [
  { value: "done", label: "Go on with this" },
  { value: "add", label: "Add another file" },
  { value: "again", label: "Take another file instead" },
] as const;

/** @throws RunError as reading does */
export async function askForFiles(options: LookOptions, asker: Asker): Promise<FirstLook> {
  let files: readonly string[] = [];
  for (;;) {
    const look = await askForFile(files, options, asker);
    files = look.inputs.map(({ path }) => path);
    showLook(look, asker);
    const next = await asker.choose("Is that the export?", NEXT);
    if (next === "done") return look;
    if (next === "again") files = [];
  }
}

/** Says what is in the files. */
export function showLook({ lines }: FirstLook, asker: Asker): void {
  asker.found(lines.join("\n"));
}

/** @throws RunError `input_unreadable`: the look has used up what can be read only once */
export function requireProvable(inputs: readonly Input[]): void {
  const once = inputs.find(({ readOnce }) => readOnce);
  if (once !== undefined) throw onlyOnce(once.path, ", and setup reads it again for the proof");
}

function askForFile(
  before: readonly string[],
  options: LookOptions,
  asker: Asker,
): Promise<FirstLook> {
  return asker.text({
    message: "Which file has the users?",
    async read(answer) {
      const look = await lookAt([...before, unquoted(answer)], options);
      requireProvable(look.inputs);
      return look;
    },
  });
}

/** A file that is dragged into a terminal comes in quotation marks. */
function unquoted(path: string): string {
  return /^'(.*)'$|^"(.*)"$/.exec(path)?.slice(1).find(Boolean) ?? path;
}
