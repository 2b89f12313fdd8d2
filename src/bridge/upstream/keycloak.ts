/** Keycloak: a realm's token endpoint with the password grant (keycloak/keycloak: authentication/authenticators/directgrant). */

import type { UpstreamCall } from "./call.js";

/** A second factor that is missing is answered as a wrong password, and a user who is locked out as an unknown one. */
export const keycloak: UpstreamCall = {
  request({ email, password }, { client, secret }) {
    const form = new URLSearchParams({
      grant_type: "password",
      client_id: client,
      username: email,
      password,
    });
    if (secret !== null) form.set("client_secret", secret);
    return {
      path: "/protocol/openid-connect/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: form.toString(),
    };
  },
  read(status, { access_token: token, error, error_description: why }) {
    if (status === 200) return typeof token === "string" ? "right" : "unclear";
    if (error !== "invalid_grant") return "unclear";
    // Users who are disabled, or have a required action, are answered with 400, too.
    return status === 400 && why === "Invalid user credentials" ? "hidden" : "wrong";
  },
};
