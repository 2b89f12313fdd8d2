/** Checks the body of a 2xx against its endpoint's schema, and types other answers as failures. */

import type { z } from "zod";
import { CoreFailure } from "../core-failure.js";
import { unexpectedAnswer } from "./answer-failure.js";
import { statusAnswer } from "./answers.js";
import type { JsonAnswer } from "./transport.js";

/** As the public counterpart writes them; anything else may hold what was sent. */
const STATUS = /^(?=.{1,64}$)[A-Z]+(?:_[A-Z]+)*_ERROR$/;

/**
 * The answer as this schema has it.
 * @throws CoreFailure `incompatible`
 */
export function expectAnswer<T>(answer: JsonAnswer, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(answer.body);
  if (parsed.success) return parsed.data;
  throw unexpectedAnswer(answer.status);
}

/** @throws CoreFailure `incompatible` where there is none */
export function statusOf(answer: JsonAnswer): string {
  return expectAnswer(answer, statusAnswer).status;
}

/** @throws CoreFailure `refused` where the status is another one */
export function requireOk(answer: JsonAnswer): void {
  const status = statusOf(answer);
  if (status !== "OK") throw unknownStatus(status);
}

/** A status that this client has no use for; the core did answer. */
export function unknownStatus(status: string): CoreFailure {
  const shown = STATUS.test(status) ? status : "a status of its own";
  return new CoreFailure("refused", `the core answers ${shown}`, { reached: "yes", status: 200 });
}
