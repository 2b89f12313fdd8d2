/** Picks a request's one contact, email or phone number, and refuses both or none (interface.md 4.1). */

import type { CodeRequest } from "./core.js";
import { refusal } from "./core-failure.js";

/**
 * The one contact of a request.
 * @throws CoreFailure `refused` where both or none are given
 */
export function exactlyOneContact(given: {
  readonly email?: string | undefined;
  readonly phoneNumber?: string | undefined;
}): CodeRequest {
  const { email, phoneNumber } = given;
  if (email !== undefined && phoneNumber === undefined) return { email };
  if (phoneNumber !== undefined && email === undefined) return { phoneNumber };
  throw refusal("give exactly one of email and phoneNumber");
}
