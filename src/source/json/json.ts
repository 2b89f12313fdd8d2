/** Reads the users of JSON documents as a stream, in constant memory. */

import { RunError } from "../../errors/run-error.js";
import type { RowBatch } from "../raw/raw-row.js";
import { RowDamage } from "../row-damage.js";
import type { FileHead } from "../source.js";
import { JsonElementCutter } from "./json-elements.js";
import { JsonReader, parseElement } from "./json-reader.js";
import type { TakesBeside } from "./lists-beside.js";

const CUT_OFF = new RowDamage(
  "truncated",
  "The file ends before the JSON document does, so users are missing; export them again.",
);

/**
 * Reads the objects of a document's array: a top-level array, or the array that is the value of
 * `property` in a top-level object. An element that isn't an object is damage and reading goes on;
 * a document that ends too early ends in `truncated`.
 *
 * @param path for messages
 * @param options `mayLack` where a document without such an array has no users; false by default.
 *   `takesBeside` is asked of the objects of other lists, which are passed over without it
 * @throws RunError `input_unrecognized` where the (first) document has no such array
 */
export async function* readJson(
  path: string,
  bytes: AsyncIterable<Buffer>,
  property: string,
  {
    mayLack = false,
    takesBeside,
  }: { readonly mayLack?: boolean; readonly takesBeside?: TakesBeside } = {},
): AsyncGenerator<RowBatch<object>> {
  const reader = new JsonReader(property, takesBeside);
  const { progress } = reader;
  for await (const chunk of bytes) {
    yield* reader.take(chunk);
    if (progress.foreign) break;
  }
  if (!progress.found && !mayLack && (progress.complete || progress.foreign)) {
    throw new RunError("input_unrecognized", `${path} holds no array of users`, {
      hint: `Expected a JSON array${property === "" ? "" : `, or an object with an array "${property}"`}; check that it is the vendor's export.`,
    });
  }
  if (!progress.complete && !progress.foreign) yield [CUT_OFF];
}

/**
 * The first objects of a document's array, for recognizing whose it is.
 *
 * @param property as {@link readJson}'s; empty for an array at the top
 * @returns none where the head holds none
 */
export function firstObjects(head: FileHead, property: string, most: number): readonly object[] {
  return new JsonElementCutter(property)
    .take(Buffer.from(head.text))
    .slice(0, most)
    .map(parseElement)
    .filter((one) => !(one instanceof RowDamage));
}
