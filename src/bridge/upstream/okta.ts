/** Okta: primary authentication, `POST /api/v1/authn` (developer.okta.com/docs/reference/api/authn, "Transaction state"). */

import { saidBy, type UpstreamCall } from "./call.js";

const STATES = {
  right: ["SUCCESS"],
  // Behind the warning a factor may follow.
  factor: ["MFA_REQUIRED", "MFA_CHALLENGE", "MFA_ENROLL", "MFA_ENROLL_ACTIVATE", "PASSWORD_WARN"],
  wrong: ["PASSWORD_EXPIRED"],
  busy: ["LOCKED_OUT"],
};
/** "Authentication failed", and the rate limit. */
const ERRORS = { wrong: ["E0000004"], busy: ["E0000047"] };

/** An organization that hides lock-outs, as all do by default, answers a locked-out user as a wrong password. */
export const okta: UpstreamCall = {
  request: ({ email, password }) => ({
    path: "/api/v1/authn",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ username: email, password }),
  }),
  read: (status, { status: state, errorCode }) =>
    status === 200 ? saidBy(STATES, state) : saidBy(ERRORS, errorCode),
};
