/** Vendors' sign-in calls on this machine, as their references have them. */

import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { UpstreamName } from "../../../src/hash/legacy/kept-password.js";

export const CLIENT = "client-1";
export const SECRET = "secret-of-the-client";

/** What becomes of a sign-in at the vendor, whatever its form is there. */
export type Standing =
  | "right"
  | "wrong"
  | "unknown"
  | "factor"
  | "locked"
  | "disabled"
  | "limited"
  | "misconfigured";

/** A request as every stand-in reads it. */
interface Asked {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Who signs in by which call; null for another call than the vendor's. */
type Reader = (asked: Asked) => readonly [email: string, password: string] | null;
type Answers = Readonly<Record<Standing, readonly [status: number, body: object | string]>>;

const error = (name: string, message: string): readonly [number, object] => [
  400,
  { __type: name, message },
];
const oauth = (status: number, name: string, why: string): readonly [number, object] => [
  status,
  { error: name, error_description: why },
];
const google = (status: number, message: string): readonly [number, object] => [
  status,
  { error: { code: status, message, errors: [{ message, domain: "global", reason: "invalid" }] } },
];
const oktaError = (status: number, errorCode: string): readonly [number, object] => [
  status,
  { errorCode, errorSummary: "in words", errorLink: errorCode, errorId: "oae", errorCauses: [] },
];

const VENDORS: Readonly<
  Record<UpstreamName, { readonly read: Reader; readonly answers: Answers }>
> = {
  cognito: {
    read({ path, headers, body }) {
      const target = "AWSCognitoIdentityProviderService.InitiateAuth";
      if (path !== "/" || headers["x-amz-target"] !== target) return null;
      const { AuthFlow, ClientId, AuthParameters } = JSON.parse(body) as Record<string, unknown>;
      const { USERNAME, PASSWORD, SECRET_HASH } = AuthParameters as Record<string, string>;
      const hash = createHmac("sha256", SECRET).update(`${USERNAME}${CLIENT}`).digest("base64");
      const isWhole = AuthFlow === "USER_PASSWORD_AUTH" && ClientId === CLIENT;
      return isWhole && SECRET_HASH === hash ? [USERNAME ?? "", PASSWORD ?? ""] : null;
    },
    answers: {
      right: [200, { AuthenticationResult: { AccessToken: "ey", ExpiresIn: 3600 } }],
      wrong: error("NotAuthorizedException", "Incorrect username or password."),
      unknown: error("UserNotFoundException", "User does not exist."),
      factor: [200, { ChallengeName: "SOFTWARE_TOKEN_MFA", Session: "s", ChallengeParameters: {} }],
      locked: error("NotAuthorizedException", "Password attempts exceeded"),
      disabled: error("NotAuthorizedException", "User is disabled."),
      limited: error("TooManyRequestsException", "Rate exceeded"),
      misconfigured: error("InvalidParameterException", "USER_PASSWORD_AUTH flow not enabled"),
    },
  },
  okta: {
    read({ path, body }) {
      const { username, password } = JSON.parse(body) as Record<string, string>;
      return path === "/api/v1/authn" ? [username ?? "", password ?? ""] : null;
    },
    answers: {
      right: [200, { status: "SUCCESS", sessionToken: "t" }],
      wrong: oktaError(401, "E0000004"),
      unknown: oktaError(401, "E0000004"),
      factor: [200, { status: "MFA_REQUIRED", stateToken: "t" }],
      locked: [200, { status: "LOCKED_OUT" }],
      disabled: oktaError(401, "E0000004"),
      limited: oktaError(429, "E0000047"),
      misconfigured: oktaError(403, "E0000005"),
    },
  },
  auth0: {
    read({ path, body }) {
      const given = JSON.parse(body) as Record<string, string>;
      const isClient = given.client_id === CLIENT && given.client_secret === SECRET;
      if (path !== "/oauth/token" || given.grant_type !== "password" || !isClient) return null;
      return [given.username ?? "", given.password ?? ""];
    },
    answers: {
      right: [200, { access_token: "ey", token_type: "Bearer", expires_in: 86_400 }],
      wrong: oauth(403, "invalid_grant", "Wrong email or password."),
      unknown: oauth(403, "invalid_grant", "Wrong email or password."),
      factor: [403, { error: "mfa_required", mfa_token: "m" }],
      locked: oauth(429, "too_many_attempts", "Your account has been blocked"),
      disabled: oauth(401, "unauthorized", "user is blocked"),
      limited: oauth(429, "too_many_requests", "Global limit has been reached"),
      misconfigured: oauth(403, "unauthorized_client", "Grant type not allowed for the client"),
    },
  },
  firebase: {
    read({ path, headers, body }) {
      const isKey = headers["x-goog-api-key"] === CLIENT;
      if (path !== "/v1/accounts:signInWithPassword" || !isKey) return null;
      const { email, password } = JSON.parse(body) as Record<string, string>;
      return [email ?? "", password ?? ""];
    },
    answers: {
      right: [200, { idToken: "ey", localId: "l", registered: true }],
      wrong: google(400, "INVALID_LOGIN_CREDENTIALS"),
      unknown: google(400, "EMAIL_NOT_FOUND"),
      factor: [200, { mfaPendingCredential: "m", mfaInfo: [{}] }],
      locked: google(400, "TOO_MANY_ATTEMPTS_TRY_LATER : Access has been disabled for a while."),
      disabled: google(400, "USER_DISABLED"),
      limited: google(429, "RESOURCE_EXHAUSTED"),
      misconfigured: google(400, "OPERATION_NOT_ALLOWED"),
    },
  },
  keycloak: {
    read({ path, body }) {
      const form = new URLSearchParams(body);
      const isClient = form.get("client_id") === CLIENT && form.get("client_secret") === SECRET;
      const isGrant = form.get("grant_type") === "password" && isClient;
      if (path !== "/protocol/openid-connect/token" || !isGrant) return null;
      return [form.get("username") ?? "", form.get("password") ?? ""];
    },
    answers: {
      right: [200, { access_token: "ey", token_type: "Bearer" }],
      wrong: oauth(401, "invalid_grant", "Invalid user credentials"),
      unknown: oauth(400, "invalid_grant", "Invalid user credentials"),
      factor: oauth(401, "invalid_grant", "Invalid user credentials"),
      locked: oauth(400, "invalid_grant", "Invalid user credentials"),
      disabled: oauth(400, "invalid_grant", "Account disabled"),
      limited: [503, "<html>busy</html>"],
      misconfigured: oauth(
        400,
        "unauthorized_client",
        "Client not allowed for direct access grants",
      ),
    },
  },
};

/**
 * A vendor's call on a free port.
 *
 * @param standingOf what becomes of a sign-in
 */
export async function startVendor(
  vendor: UpstreamName,
  standingOf: (email: string, password: string) => Standing,
) {
  const { read, answers } = VENDORS[vendor];
  const calls: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const asked = read({ path: request.url ?? "", headers: request.headers, body });
    const [email, password] = asked ?? ["", ""];
    calls.push(email);
    const [status, answer] =
      answers[asked === null ? "misconfigured" : standingOf(email, password)];
    response.writeHead(request.method === "POST" ? status : 405);
    response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    upstream: { vendor, url: `http://127.0.0.1:${port}`, client: CLIENT, secret: SECRET },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What list-users of Cognito answers of these users. */
export function cognitoExport(emails: readonly string[]): string {
  const Users = emails.map((email, n) => ({
    Username: email,
    Attributes: Object.entries({ sub: `sub-${n}`, email, email_verified: "true" }).map(
      ([Name, Value]) => ({ Name, Value }),
    ),
    Enabled: true,
    UserStatus: "CONFIRMED",
  }));
  return JSON.stringify({ Users });
}
