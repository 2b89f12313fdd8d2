/** How a vendor's published sign-in call is written and read, and each vendor's own. Add a vendor here. */

import { createHmac } from "node:crypto";
import type { UpstreamName } from "../../hash/legacy/kept-password.js";
import type { Credentials } from "../bridge.js";

/** The vendor's account, as the operator names it. */
export interface UpstreamAccount {
  /** Without a slash at the end. */
  readonly url: string;
  /** The client's id; of Firebase the project's web API key. */
  readonly client: string;
  /** The client's secret; null for a client without one. */
  readonly secret: string | null;
}

/**
 * What the vendor says.
 * - `factor`: the password is right, and another step is asked for before the user is let in.
 * - `wrong`: it isn't, there is no such user, or the vendor lets the user in with no password.
 * - `hidden`: as for an unknown user; of a user who is there it means that they are locked out.
 * - `busy`: too many calls or attempts; whether the password is right isn't known.
 * - `unclear`: anything else, as by a client that isn't set up for the call.
 */
export type Said = "right" | "factor" | "wrong" | "hidden" | "busy" | "unclear";

/** A POST, and the meaning of its answer. */
interface UpstreamCall {
  readonly request: (
    user: Credentials,
    account: UpstreamAccount,
  ) => {
    /** Behind the account's URL. */
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /**
   * Of any status but 429 and those from 500 on, which say that it isn't known.
   *
   * @param answer the object that was answered; an empty one for anything else
   */
  readonly read: (status: number, answer: Readonly<Record<string, unknown>>) => Said;
}

/** What is said by names; what isn't named is unclear. */
function saidBy(table: Partial<Record<Said, readonly string[]>>, name: unknown): Said {
  const found = Object.entries(table).find(([, names]) => names.includes(String(name)));
  return (found?.[0] as Said | undefined) ?? "unclear";
}

/** Challenges that follow a right password. */
const COGNITO_CHALLENGES = {
  factor: ["SMS_MFA", "SOFTWARE_TOKEN_MFA", "EMAIL_OTP", "SELECT_MFA_TYPE", "MFA_SETUP"],
  // A temporary password, by which the user isn't let in.
  wrong: ["NEW_PASSWORD_REQUIRED"],
};

/** Unconfirmed users and those who must reset get these whatever their password is. */
const COGNITO_ERRORS = {
  wrong: ["UserNotFoundException", "UserNotConfirmedException", "PasswordResetRequiredException"],
  busy: ["TooManyRequestsException", "LimitExceededException", "TooManyFailedAttemptsException"],
};

/** One error says all of these; a wrong client secret is another of its messages. */
const COGNITO_NOT_AUTHORIZED = {
  wrong: ["Incorrect username or password", "User is disabled"],
  busy: ["Password attempts exceeded"],
};

/**
 * Amazon Cognito: `InitiateAuth` with `USER_PASSWORD_AUTH` (API reference, InitiateAuth).
 *
 * After five wrong attempts a user is locked out for a second, then for twice as long each time
 * (developer guide, "Lockout behavior for failed sign-in attempts").
 */
const cognito: UpstreamCall = {
  request({ email, password }, { client, secret }) {
    const hash = secret === null ? null : createHmac("sha256", secret).update(email + client);
    return {
      path: "/",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
      },
      body: JSON.stringify({
        AuthFlow: "USER_PASSWORD_AUTH",
        ClientId: client,
        AuthParameters: {
          USERNAME: email,
          PASSWORD: password,
          ...(hash === null ? {} : { SECRET_HASH: hash.digest("base64") }),
        },
      }),
    };
  },
  read(status, { AuthenticationResult: result, ChallengeName, __type, message }) {
    if (status === 200) {
      return typeof result === "object" && result !== null
        ? "right"
        : saidBy(COGNITO_CHALLENGES, ChallengeName);
    }
    const error = String(__type).split("#").at(-1);
    return error === "NotAuthorizedException"
      ? saidBy(COGNITO_NOT_AUTHORIZED, String(message).replace(/\.$/, ""))
      : saidBy(COGNITO_ERRORS, error);
  },
};

const OKTA_STATES = {
  right: ["SUCCESS"],
  // Behind the warning a factor may follow.
  factor: ["MFA_REQUIRED", "MFA_CHALLENGE", "MFA_ENROLL", "MFA_ENROLL_ACTIVATE", "PASSWORD_WARN"],
  wrong: ["PASSWORD_EXPIRED"],
  busy: ["LOCKED_OUT"],
};
/** "Authentication failed", and the rate limit. */
const OKTA_ERRORS = { wrong: ["E0000004"], busy: ["E0000047"] };

/**
 * Okta: primary authentication, `POST /api/v1/authn` (developer.okta.com/docs/reference/api/authn, "Transaction state").
 *
 * An organization that hides lock-outs, as all do by default, answers a locked-out user as a wrong password.
 */
const okta: UpstreamCall = {
  request: ({ email, password }) => ({
    path: "/api/v1/authn",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ username: email, password }),
  }),
  read: (status, { status: state, errorCode }) =>
    status === 200 ? saidBy(OKTA_STATES, state) : saidBy(OKTA_ERRORS, errorCode),
};

const AUTH0_ERRORS = {
  factor: ["mfa_required", "mfa_registration_required"],
  // A user who is blocked, or must choose another password, isn't let in.
  wrong: ["invalid_grant", "invalid_user_password", "unauthorized", "password_leaked"],
  busy: ["too_many_attempts", "too_many_requests", "temporarily_unavailable"],
};

/**
 * Auth0: `POST /oauth/token` with the password grant (auth0.com/docs, "Resource Owner Password Flow", "Common Auth0 Library Authentication Errors").
 *
 * On the tenant's default directory. After some ten wrong attempts Auth0 may block a user for the caller's address.
 */
const auth0: UpstreamCall = {
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
    return saidBy(AUTH0_ERRORS, error);
  },
};

/** The last one in the place of the first two where email enumeration is guarded against. */
const FIREBASE_ERRORS = {
  wrong: ["INVALID_PASSWORD", "EMAIL_NOT_FOUND", "INVALID_LOGIN_CREDENTIALS", "USER_DISABLED"],
  busy: ["TOO_MANY_ATTEMPTS_TRY_LATER", "QUOTA_EXCEEDED"],
};

/**
 * Firebase and Google Identity Platform: `accounts:signInWithPassword` (cloud.google.com/identity-platform, REST reference).
 *
 * Too many attempts lock a user out for a while.
 */
const firebase: UpstreamCall = {
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
    return saidBy(FIREBASE_ERRORS, /^[A-Z_]+/.exec(String(message))?.[0]);
  },
};

/**
 * Keycloak: a realm's token endpoint with the password grant (keycloak/keycloak: authentication/authenticators/directgrant).
 *
 * A second factor that is missing is answered as a wrong password, and a user who is locked out as an unknown one.
 */
const keycloak: UpstreamCall = {
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

/** By their names. */
export const VENDORS: Readonly<Record<UpstreamName, UpstreamCall>> = {
  cognito,
  okta,
  auth0,
  firebase,
  keycloak,
};
