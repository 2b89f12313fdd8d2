/** Amazon Cognito: `InitiateAuth` with `USER_PASSWORD_AUTH` (API reference, InitiateAuth). */

import { createHmac } from "node:crypto";
import { saidBy, type UpstreamCall } from "./call.js";

/** Challenges that follow a right password. */
const CHALLENGES = {
  factor: ["SMS_MFA", "SOFTWARE_TOKEN_MFA", "EMAIL_OTP", "SELECT_MFA_TYPE", "MFA_SETUP"],
  // A temporary password, by which the user isn't let in.
  wrong: ["NEW_PASSWORD_REQUIRED"],
};

/** Unconfirmed users and those who must reset get these whatever their password is. */
const ERRORS = {
  wrong: ["UserNotFoundException", "UserNotConfirmedException", "PasswordResetRequiredException"],
  busy: ["TooManyRequestsException", "LimitExceededException", "TooManyFailedAttemptsException"],
};

/** One error says all of these; a wrong client secret is another of its messages. */
const NOT_AUTHORIZED = {
  wrong: ["Incorrect username or password", "User is disabled"],
  busy: ["Password attempts exceeded"],
};

/** After five wrong attempts a user is locked out for a second, then for twice as long each time (developer guide, "Lockout behavior for failed sign-in attempts"). */
export const cognito: UpstreamCall = {
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
        : saidBy(CHALLENGES, ChallengeName);
    }
    if (status === 429) return "busy";
    const error = String(__type).split("#").at(-1);
    return error === "NotAuthorizedException"
      ? saidBy(NOT_AUTHORIZED, String(message).replace(/\.$/, ""))
      : saidBy(ERRORS, error);
  },
};
