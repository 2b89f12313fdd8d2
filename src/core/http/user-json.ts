/** A user on the wire, in SuperTokens' shape. */

import type { CoreUser } from "../user.js";

const TENANT_IDS = ["public"] as const;

export function recipeIdOf({ recipe, thirdParty }: CoreUser): string | null {
  return thirdParty === undefined ? recipe : "thirdparty";
}

/** As at SuperTokens, `verified` is about the email where there is one: a phone number got in by a code. */
export function userJson(user: CoreUser): Record<string, unknown> {
  const { userId, email, phoneNumber, thirdParty, timeJoined, hasSignedIn } = user;
  return {
    userId,
    id: userId,
    email,
    phoneNumber,
    timeJoined,
    hasSignedIn,
    isPrimaryUser: false,
    tenantIds: TENANT_IDS,
    emails: email === undefined ? [] : [email],
    phoneNumbers: phoneNumber === undefined ? [] : [phoneNumber],
    thirdParty: thirdParty === undefined ? [] : [thirdParty],
    webauthn: { credentialIds: [] },
    loginMethods: [
      {
        recipeUserId: userId,
        recipeId: recipeIdOf(user),
        tenantIds: TENANT_IDS,
        verified: email === undefined || user.isEmailVerified === true,
        timeJoined,
        email,
        phoneNumber,
        thirdParty,
      },
    ],
  };
}
