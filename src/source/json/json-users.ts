/** Users of JSON in either container: a document with an array of them, or an object a line. */

import { isLines } from "../format.js";
import { areOurLines } from "../raw/json-form.js";
import type { RowBatch } from "../raw/raw-row.js";
import type { FileHead } from "../source.js";
import { firstObjects, readJson } from "./json.js";
import { objectsOf } from "./json-object.js";
import type { TakesBeside } from "./lists-beside.js";
import { firstLine, readNdjson } from "./ndjson.js";
import { remembering, rememberingEach } from "../remembering.js";

/** Users enough to see whose they are. */
const MAX_SAMPLES = 50;

/** The first objects at a path, empty for what is at the top: an array, or lines. Several sources ask of one file. */
const samplesIn = rememberingEach((head: FileHead) =>
  remembering<readonly object[]>((path) => {
    const isLines = path === "" && firstLine(head) !== null;
    return isLines
      ? objectsOf(head.text.split("\n", MAX_SAMPLES))
      : firstObjects(head, path, MAX_SAMPLES);
  }, 100),
);

/**
 * @param paths where the array may be; the first that holds an object counts
 * @returns the path of the users' array, empty for one at the top and for lines, and the first users
 */
export function jsonUsersAt(head: FileHead, paths: readonly string[]) {
  for (const path of areOurLines(head.text) ? [""] : [...paths, ""]) {
    const samples = samplesIn(head)(path);
    if (samples.length > 0) return { path, samples };
  }
  // Where the first user is cut off, a list of that name has begun.
  return { path: paths.find((path) => hasBegun(path, head.text)) ?? "", samples: [] };
}

function hasBegun(path: string, text: string): boolean {
  const name = JSON.stringify(path.split(".").at(-1)).replace(/[^\w"]/g, "\\$&");
  return new RegExp(`${name}\\s*:\\s*\\[`).test(text);
}

/**
 * Reads the objects of a file that is no table.
 *
 * @param property as {@link isLines}'s
 * @param options as {@link readJson}'s; a file that `mayLack` the array is a document
 * @throws RunError `input_unrecognized` where a document has no such array
 */
export function readJsonUsers(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
  property: string,
  options: { readonly mayLack?: boolean; readonly takesBeside?: TakesBeside } = {},
): AsyncIterable<RowBatch<object>> {
  return options.mayLack !== true && isLines(head, property)
    ? readNdjson(bytes)
    : readJson(head.path, bytes, property, options);
}
