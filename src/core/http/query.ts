/** Reads a request's query: each parameter once, not empty, decoded strictly. A parameter that no endpoint knows is ignored, a filter that isn't offered is refused. */

import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { refusal } from "../core-failure.js";
import { checkFields, TEXT } from "./fields.js";
import { queryText } from "./target.js";

/** The ways to sign in that the public counterpart knows; this core has no user of the last two. */
const RECIPES = ["emailpassword", "passwordless", "thirdparty", "webauthn"] as const;
const WHOLE_NUMBER = /^\d{1,9}$/;

const text = TEXT.refine((value) => value !== "", { error: "is empty" });
const flag = oneOf(["true", "false"]).transform((value) => value === "true");
const wholeNumber = text
  .refine((value) => WHOLE_NUMBER.test(value), { error: "is not a whole number" })
  .transform(Number);
const recipes = text
  .transform((names) => names.split(","))
  .pipe(z.array(oneOf(RECIPES)))
  .transform((names) =>
    names.filter((name) => name === "emailpassword" || name === "passwordless"),
  );
/** Leaving out a filter in silence would be a wrong answer. */
const notOffered = z.never({ error: "this filter is not offered" }).optional();

/** The queries of the calls beyond interface.md, in the public counterpart's names. */
export const QUERIES = {
  getUser: z.object({ userId: text }),
  listUsers: z.object({
    limit: wholeNumber.optional(),
    paginationToken: text.optional(),
    timeJoinedOrder: oneOf(["ASC", "DESC"]).optional(),
    includeRecipeIds: recipes.optional(),
    email: notOffered,
    phone: notOffered,
    provider: notOffered,
  }),
  countUsers: z.object({
    includeRecipeIds: recipes.optional(),
    includeAllTenants: flag.optional(),
  }),
  findUsers: z.object({
    email: text.optional(),
    phoneNumber: text.optional(),
    thirdPartyId: text.optional(),
    thirdPartyUserId: text.optional(),
    webauthnCredentialId: text.optional(),
    doUnionOfAccountInfo: flag.optional(),
  }),
  findMapping: z.object({
    userId: text,
    userIdType: oneOf(["SUPERTOKENS", "EXTERNAL", "ANY"]).optional(),
  }),
} as const;

/**
 * The query as this schema has it.
 * @throws CoreFailure `refused`
 */
export function queryOf<Shape extends z.ZodRawShape>(
  request: IncomingMessage,
  schema: z.ZodObject<Shape>,
): z.output<z.ZodObject<Shape>> {
  const given = new Map<string, string>();
  for (const pair of queryText(request.url ?? "").split("&")) {
    const end = pair.indexOf("=");
    const name = decode(end === -1 ? pair : pair.slice(0, end), "the query");
    if (!Object.hasOwn(schema.shape, name)) continue;
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

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `expected ${values.join(" or ")}` });
}
