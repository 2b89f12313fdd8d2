/** Reads a request: its body, its query and its headers, bounded in size and checked by a schema. A refusal names the field, never its contents. */

import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { isNestedDeeper } from "../../hash/json-text.js";
import { TEXT } from "../account-parts.js";
import { type CoreFailure, refusal } from "../core-failure.js";

/**
 * What a request gave, as its schema has it. Fields that the schema doesn't know are left out.
 * @param whole says what is wrong with what is no object at all
 * @throws CoreFailure `refused`
 */
function checkFields<T>(schema: z.ZodType<T>, given: unknown, whole: string): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path[0];
  throw refusal(field === undefined ? whole : `${String(field)}: ${issue?.message}`);
}

/** Most bytes of a body. */
const MAX_BODY_BYTES = 64 * 1024;
/** Beyond them, what walks the value would run out of stack, and brackets alone would keep the parser busy. */
const MOST_LEVELS = 500;
/** Leaves out a byte-order mark, as RFC 8259 section 8.1 allows. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The body as this schema has it. The content type isn't looked at.
 *
 * @param most bytes
 * @throws CoreFailure `refused`, status 400, 413 or 415
 */
export async function bodyOf<T>(
  request: IncomingMessage,
  schema: z.ZodType<T>,
  most = MAX_BODY_BYTES,
): Promise<T> {
  const body = jsonOf(await bytesOf(request, most));
  return checkFields(schema, body, "the body is not a JSON object");
}

/** A header's value; of one that came several times all of them, joined as Node joins them. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Read from Node's request by its events: a standard one's stream costs more than all the rest. */
function bytesOf(incoming: IncomingMessage, most: number): Promise<Buffer> {
  const { "content-length": length, "content-encoding": encoding = "identity" } = incoming.headers;
  if (encoding !== "identity") throw refusal("content-encoding: send the body as it is", 415);
  if (Number(length) > most) throw tooLarge(most);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > most) reject(tooLarge(most));
      else chunks.push(chunk);
    });
    incoming.on("end", () => resolve(Buffer.concat(chunks)));
    incoming.on("error", () => reject(refusal("the body broke off")));
  });
}

function tooLarge(most: number): CoreFailure {
  return refusal(`the body is larger than ${most} bytes`, 413);
}

function jsonOf(bytes: Buffer): unknown {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw refusal("the body is not JSON");
  }
  if (isNestedDeeper(text, MOST_LEVELS)) {
    throw refusal(`the body is JSON that is nested more than ${MOST_LEVELS} levels deep`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw refusal("the body is not JSON");
  }
}

/** A query's text. */
export const FILLED = TEXT.refine((value) => value !== "", { error: "is empty" });
/** A query's number. */
export const WHOLE_NUMBER = FILLED.refine((value) => /^\d{1,9}$/.test(value), {
  error: "is not a whole number",
}).transform(Number);

/**
 * The query as this schema has it.
 * @throws CoreFailure `refused`
 */
export function queryOf<T>({ url = "" }: IncomingMessage, schema: z.ZodType<T>): T {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const given = new Map<string, string>();
  for (const pair of (url.includes("?") ? url.slice(url.indexOf("?") + 1) : "").split("&")) {
    const end = pair.indexOf("=");
    const name = decode(end === -1 ? pair : pair.slice(0, end), "the query");
    if (!Object.hasOwn(shape, name)) continue;
    if (given.has(name)) throw refusal(`${name}: given more than once`);
    given.set(name, end === -1 ? "" : decode(pair.slice(end + 1), name));
  }
  return checkFields(schema, Object.fromEntries(given), "the query is not readable");
}

/** As forms encode it (the Encoding of `application/x-www-form-urlencoded`): a plus is a blank. */
function decode(encoded: string, field: string): string {
  try {
    return decodeURIComponent(encoded.replaceAll("+", " "));
  } catch {
    throw refusal(`${field}: holds a percent sign that encodes no UTF-8 character`);
  }
}

/** One of some texts. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `expected ${values.join(" or ")}` });
}

/** A major version, and the first and last minor version of it. */
const RANGES = [
  [2, 7, 21],
  [3, 0, 1],
  [4, 0, 0],
  [5, 0, 4],
] as const;
const HEADER = "cdi-version";
/** The first major version that lists users as they are, not each beside its recipe. */
const FIRST_PLAIN_LISTS = 4;

/** Every version that is taken, oldest first. */
export const INTERFACE_VERSIONS: readonly string[] = RANGES.flatMap(([major, first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => `${major}.${first + index}`),
);
const KNOWN: ReadonlySet<string> = new Set(INTERFACE_VERSIONS);

/** @throws CoreFailure `refused`: the request names a version that isn't spoken here */
export function requireKnownVersion({ headers }: IncomingMessage): void {
  const version = headers[HEADER];
  if (version === undefined || (typeof version === "string" && KNOWN.has(version))) return;
  throw refusal(`${HEADER}: this version is not offered; GET /apiversion lists those that are`);
}

/** Whether the request names a version that lists each user beside its recipe. */
export function listsBesideRecipes({ headers }: IncomingMessage): boolean {
  const version = headers[HEADER];
  return typeof version === "string" && Number.parseInt(version, 10) < FIRST_PLAIN_LISTS;
}
