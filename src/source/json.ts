/** Reads the users of a JSON document one by one, in constant memory: each element of the array is cut out and parsed alone. */

import { isUtf8 } from "node:buffer";
import { RunError } from "../errors/run-error.js";
import { type JsonElement, JsonElementCutter } from "./json-elements.js";
import { isGarbled, NOT_UTF8, RowDamage } from "./row-damage.js";
import type { FileHead } from "./source.js";

const NOT_JSON = new RowDamage(
  "row_malformed",
  "The user is not valid JSON; mend it in the export and import it again.",
);
const NOT_AN_OBJECT = new RowDamage(
  "row_malformed",
  "The array holds something that is not an object where a user should be; remove it from the export.",
);
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
 * @throws RunError `input_unrecognized` where the document has no such array
 */
export async function* readJson(
  path: string,
  bytes: AsyncIterable<Buffer>,
  property: string,
): AsyncGenerator<readonly (object | RowDamage)[]> {
  const cutter = new JsonElementCutter(property);
  for await (const chunk of bytes) {
    const elements = cutter.take(chunk);
    if (elements.length > 0) yield elements.map(parseElement);
    if (cutter.foreign) break;
  }
  if (!cutter.found && (cutter.complete || cutter.foreign)) {
    throw new RunError("input_unrecognized", `${path} holds no array of users`, {
      hint: `Expected a JSON array, or an object with an array "${property}"; check that it is the vendor's export.`,
    });
  }
  if (!cutter.complete && !cutter.foreign) yield [CUT_OFF];
}

/**
 * The first object of a document's array, for recognizing whose it is.
 *
 * @returns null where the head holds none
 */
export function firstObject(head: FileHead, property: string): object | null {
  for (const element of new JsonElementCutter(property).take(Buffer.from(head.text))) {
    const first = parseElement(element);
    if (!(first instanceof RowDamage)) return first;
  }
  return null;
}

function parseElement(element: JsonElement): object | RowDamage {
  if (element instanceof RowDamage) return element;
  const text = element.toString();
  return isGarbled(text) && !isUtf8(element) ? NOT_UTF8 : parseObject(text);
}

/** The object of a JSON text, or what is wrong with it. */
export function parseObject(text: string): object | RowDamage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value
    : NOT_AN_OBJECT;
}
