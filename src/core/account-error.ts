/** What the bulk import says of an account that can't be written. */

import type { AccountOutcome } from "./core.js";

/** Null where it was written. The codes are SuperTokens'; no text repeats a contact or an id. */
export function accountError(outcome: AccountOutcome): string | null {
  switch (outcome.status) {
    case "OK":
      return null;
    case "UNKNOWN_ROLE_ERROR":
      return "E034: One of the roles does not exist anymore.";
    case "EXTERNAL_ID_ALREADY_EXISTS_ERROR":
      return "E031: A user with the externalId already exists.";
    default:
      return TAKEN[outcome.by](outcome.user.recipe === "passwordless");
  }
}

const TAKEN = {
  email: (isPasswordless: boolean) =>
    isPasswordless
      ? "E006: A user with the email already exists in passwordless loginMethod."
      : "E003: A user with the email already exists in emailpassword loginMethod.",
  phoneNumber: () =>
    "E007: A user with the phoneNumber already exists in passwordless loginMethod.",
  thirdParty: () => "E005: A user with the identity already exists in thirdparty loginMethod.",
} as const;
