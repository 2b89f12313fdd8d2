/** Reads a request's body, bounds its size and checks it. A refusal names the field, never its contents. */

import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { CoreFailure, refusal } from "../core-failure.js";
import { checkFields, TEXT } from "./fields.js";

/** Most bytes of a body. */
const MAX_BODY_BYTES = 64 * 1024;
/** Leaves out a byte-order mark, as RFC 8259 section 8.1 allows. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

const contact = { email: TEXT.optional(), phoneNumber: TEXT.optional() };

/** The bodies of interface.md section 4, and those beyond it in the public counterpart's names. */
export const BODIES = {
  createCode: z.object({
    ...contact,
    userInputCode: TEXT.optional(),
    deviceId: z
      .undefined({ error: "sending a new code to a device is not offered; generate a new one" })
      .optional(),
  }),
  consumeCode: z.object({
    preAuthSessionId: TEXT,
    linkCode: TEXT.optional(),
    deviceId: TEXT.optional(),
    userInputCode: TEXT.optional(),
  }),
  updateUser: z.object({
    userId: TEXT.optional(),
    recipeUserId: TEXT.optional(),
    email: TEXT.nullish(),
    phoneNumber: TEXT.nullish(),
  }),
  importUser: z.object({
    email: TEXT,
    passwordHash: TEXT,
    hashingAlgorithm: TEXT.optional(),
  }),
  signIn: z.object({ email: TEXT, password: TEXT }),
  mapUserId: z.object({ superTokensUserId: TEXT, externalUserId: TEXT }),
  // This core links no accounts, so both values of the second one mean the same.
  removeUser: z.object({ userId: TEXT, removeAllLinkedAccounts: z.boolean().optional() }),
} as const;

/**
 * The body as this schema has it. The content type isn't looked at.
 * @throws CoreFailure `refused`, status 400, 413 or 415
 */
export async function bodyOf<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const body = jsonOf(await bytesOf(request));
  return checkFields(schema, body, "the body is not a JSON object");
}

/** A header's value; of one that came several times all of them, joined as Node joins them. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** @throws CoreFailure `refused`: HTTP/1.1 without a Host (RFC 9112 section 3.2) */
export function requireHost({ headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion === "1.1") throw refusal("host: missing");
}

/** Read from Node's request by its events: a standard one's stream costs more than all the rest. */
function bytesOf(incoming: IncomingMessage): Promise<Buffer> {
  const { "content-length": length, "content-encoding": encoding = "identity" } = incoming.headers;
  if (encoding !== "identity") throw refusedAs(415, "content-encoding: send the body as it is");
  if (Number(length) > MAX_BODY_BYTES) throw tooLarge();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) reject(tooLarge());
      else chunks.push(chunk);
    });
    incoming.on("end", () => resolve(Buffer.concat(chunks)));
    incoming.on("error", () => reject(refusal("the body broke off")));
  });
}

function tooLarge(): CoreFailure {
  return refusedAs(413, `the body is larger than ${MAX_BODY_BYTES} bytes`);
}

function refusedAs(status: number, message: string): CoreFailure {
  return new CoreFailure("refused", message, { reached: "yes", status });
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw refusal("the body is not JSON");
  }
}
