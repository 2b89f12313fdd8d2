/** Users of JSON in either container: a document with an array of them, or an object a line. */

import { formatOf } from "../format.js";
import type { RowBatch } from "../raw/raw-row.js";
import type { FileHead } from "../source.js";
import { firstObject, readJson } from "./json.js";
import type { JsonDocuments } from "./json-elements.js";
import { firstLine, readNdjson } from "./ndjson.js";

/**
 * Reads the objects of a file that is no table.
 *
 * @param property as {@link formatOf}'s
 * @param options as `readJson`'s
 * @throws RunError `input_unrecognized` where a document has no such array
 */
export function readJsonUsers(
  head: FileHead,
  bytes: AsyncIterable<Buffer>,
  property: string,
  options?: { readonly documents?: JsonDocuments },
): AsyncIterable<RowBatch<object>> {
  return formatOf(head, property) === "ndjson"
    ? readNdjson(bytes)
    : readJson(head.path, bytes, property, options);
}

/** The first object of a file that is no table, for recognizing whose it is; null where its head holds none. */
export function firstJsonUser(head: FileHead, property: string): object | null {
  return formatOf(head, property) === "ndjson" ? firstLine(head) : firstObject(head, property);
}
