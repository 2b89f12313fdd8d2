/** The same export as files, gzipped and out of a pipe: inputs that refuse to be read twice. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { type Input, openInputs } from "../../../src/source/inputs.js";

/** The ways in which an export comes. */
export const WAYS = ["file", "gzip", "pipe"] as const;

type Way = (typeof WAYS)[number];

/** The export's files, or their bytes, opened that way; each may be read once. */
export async function opened(
  files: Readonly<Record<string, string>>,
  folder: string,
  way: Way,
): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, way === "gzip" ? `${name}.gz` : name);
    writeFileSync(path, way === "gzip" ? gzipSync(text) : text);
    const stdin = Readable.from([Buffer.from(text)]);
    const [input] = await openInputs(way === "pipe" ? ["-"] : [path], { stdin });
    if (input === undefined) throw new Error("nothing was opened");
    let isRead = false;
    inputs.push({
      ...input,
      path: name,
      read(run) {
        if (isRead) throw new Error(`${name} was read twice`);
        isRead = true;
        return input.read({ ...run });
      },
    });
  }
  return inputs;
}

/** What was told, wherever its files stand and whatever they are called. */
export function withoutPlaces(told: object, folders: readonly string[]): unknown {
  const names = [
    ...folders.map((folder) => `${folder}/`),
    "standard input",
    "\\w[-\\w]*\\.(csv|json)",
  ];
  return JSON.parse(JSON.stringify(told).replace(new RegExp(`${names.join("|")}|\\.gz`, "g"), ""));
}
