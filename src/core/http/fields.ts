/** The values of a request, whether they come in its body or in its query, checked by one schema each. Refusals name the field and never repeat what it held. */

import { z } from "zod";
import { refusal } from "../core-failure.js";

/** What SQLite's text would cut off or change: NUL, and half a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Any text that can be kept as it is. */
export const TEXT = z
  .string({ error: "expected a string" })
  .refine((text) => !UNSTORABLE.test(text), {
    error: "holds a NUL character or half a surrogate pair",
  });

/**
 * What a request gave, as its schema has it. Fields that the schema doesn't know are left out.
 * @param whole says what is wrong with what is no object at all
 * @throws CoreFailure `refused`
 */
export function checkFields<T>(schema: z.ZodType<T>, given: unknown, whole: string): T {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path[0];
  throw refusal(field === undefined ? whole : `${String(field)}: ${issue?.message}`);
}
