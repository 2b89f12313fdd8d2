/** Reads a request: its body, bounded and checked, and its query. What isn't what an endpoint takes is refused by naming the field, never its contents. */

import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { z } from "zod";
import { CoreFailure, refusal } from "../core-failure.js";

/** Most bytes of a body. */
const MAX_BODY_BYTES = 64 * 1024;
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** A request, with Node's own objects underneath. */
export type Call = Context<{ Bindings: HttpBindings }>;

const contact = { email: z.string().optional(), phoneNumber: z.string().optional() };

/** The bodies of interface.md section 4. Unknown fields are left out. */
export const BODIES = {
  createCode: z.object(contact),
  consumeCode: z.object({
    preAuthSessionId: z.string(),
    linkCode: z.string().optional(),
    deviceId: z.string().optional(),
    userInputCode: z.string().optional(),
  }),
  updateUser: z.object({
    userId: z.string().optional(),
    recipeUserId: z.string().optional(),
    email: z.string().nullish(),
    phoneNumber: z.string().nullish(),
  }),
  importUser: z.object({
    email: z.string(),
    passwordHash: z.string(),
    hashingAlgorithm: z.literal("vendor_scrypt").optional(),
  }),
  signIn: z.object({ email: z.string(), password: z.string() }),
} as const;

const INTEGER = /^\d{1,9}$/;

/**
 * The body as this schema has it. The content type isn't looked at.
 * @throws CoreFailure `refused`, status 400 or 413
 */
export async function bodyOf<T>(call: Call, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(jsonOf(await bytesOf(call)));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.join(".") ?? "";
  throw refusal(field === "" ? "the body is not a JSON object" : `${field}: ${reasonOf(issue)}`);
}

/**
 * A query parameter, or undefined where it is absent.
 * @throws CoreFailure `refused` where it isn't a whole number
 */
export function integerQueryOf(call: Call, name: string): number | undefined {
  const text = call.req.query(name);
  if (text === undefined) return undefined;
  if (!INTEGER.test(text)) throw refusal(`${name} is not a whole number`);
  return Number(text);
}

/** Read from Node's request by its events: a standard one's stream costs more than all the rest. */
function bytesOf(call: Call): Promise<Buffer> {
  const { incoming } = call.env;
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
  return new CoreFailure("refused", `the body is larger than ${MAX_BODY_BYTES} bytes`, {
    reached: "yes",
    status: 413,
  });
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw refusal("the body is not JSON");
  }
}

function reasonOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === "invalid_type") return `expected a ${issue.expected}`;
  if (issue?.code === "invalid_value") return `expected ${issue.values.map(String).join(" or ")}`;
  return "not accepted";
}
