/** A user on the wire: interface.md 2.2, and the fields that the public counterpart's clients read. */

import type { CoreUser } from "../core.js";

const TENANT_IDS = ["public"] as const;

/**
 * The JSON form of a user.
 *
 * `verified` claims what the core knows for certain: a phone number got in by a code. An email may
 * have been added without one (interface.md 4.3) and an imported one was never checked here.
 */
export function userJson(user: CoreUser): Record<string, unknown> {
  const { userId, email, phoneNumber, timeJoined, recipe, hasSignedIn } = user;
  const contacts = {
    ...(email === undefined ? {} : { email }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
  };
  return {
    userId,
    id: userId,
    ...contacts,
    timeJoined,
    ...(hasSignedIn === undefined ? {} : { hasSignedIn }),
    isPrimaryUser: false,
    tenantIds: TENANT_IDS,
    emails: email === undefined ? [] : [email],
    phoneNumbers: phoneNumber === undefined ? [] : [phoneNumber],
    thirdParty: [],
    webauthn: { credentialIds: [] },
    loginMethods: [
      {
        recipeUserId: userId,
        recipeId: recipe,
        tenantIds: TENANT_IDS,
        verified: email === undefined,
        timeJoined,
        ...contacts,
      },
    ],
  };
}
