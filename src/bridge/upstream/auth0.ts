/** Auth0: `POST /oauth/token` with the password grant (auth0.com/docs, "Resource Owner Password Flow", "Common Auth0 Library Authentication Errors"). */

import { saidBy, type UpstreamCall } from "./call.js";

const ERRORS = {
  factor: ["mfa_required", "mfa_registration_required"],
  // A user who is blocked, or must choose another password, isn't let in.
  wrong: ["invalid_grant", "invalid_user_password", "unauthorized", "password_leaked"],
  busy: ["too_many_attempts", "too_many_requests", "temporarily_unavailable"],
};

/** On the tenant's default directory. After some ten wrong attempts Auth0 may block a user for the caller's address. */
export const auth0: UpstreamCall = {
  request: ({ email, password }, { client, secret }) => ({
    path: "/oauth/token",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      grant_type: "password",
      scope: "openid",
      client_id: client,
      ...(secret === null ? {} : { client_secret: secret }),
      username: email,
      password,
    }),
  }),
  read(status, { access_token: token, error }) {
    if (status === 200) return typeof token === "string" ? "right" : "unclear";
    return status === 429 ? "busy" : saidBy(ERRORS, error);
  },
};
