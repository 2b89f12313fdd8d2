/** Firebase and Google Identity Platform: `accounts:signInWithPassword` (cloud.google.com/identity-platform, REST reference). */

import { saidBy, type UpstreamCall } from "./call.js";

/** The last one in the place of the first two where email enumeration is guarded against. */
const ERRORS = {
  wrong: ["INVALID_PASSWORD", "EMAIL_NOT_FOUND", "INVALID_LOGIN_CREDENTIALS", "USER_DISABLED"],
  busy: ["TOO_MANY_ATTEMPTS_TRY_LATER", "QUOTA_EXCEEDED"],
};

/** Too many attempts lock a user out for a while. */
export const firebase: UpstreamCall = {
  request: ({ email, password }, { client }) => ({
    path: "/v1/accounts:signInWithPassword",
    headers: { "content-type": "application/json", "x-goog-api-key": client },
    body: JSON.stringify({ email, password, returnSecureToken: true }),
  }),
  read(status, { idToken, mfaPendingCredential, error }) {
    if (status === 200) {
      if (typeof mfaPendingCredential === "string") return "factor";
      return typeof idToken === "string" ? "right" : "unclear";
    }
    // Behind the code there may be a colon and an explanation.
    const { message } = Object(error) as { readonly message?: unknown };
    return status === 429 ? "busy" : saidBy(ERRORS, /^[A-Z_]+/.exec(String(message))?.[0]);
  },
};
