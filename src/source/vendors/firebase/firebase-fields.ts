/** What the fields of Firebase's users are: as auth:export and the REST API name them (UserInfo), and as the Admin SDK does (src/auth/user-record.ts of firebase-admin-node). */

import { fieldTree } from "../../fields/field-tree.js";

export const FIREBASE_FIELDS = fieldTree({
  pages: [
    "https://cloud.google.com/identity-platform/docs/reference/rest/v1/UserInfo",
    "https://firebase.google.com/docs/reference/admin/node/firebase-admin.auth.userrecord",
  ],
  read: {
    id: "localId, uid",
    contact: "email, phoneNumber, providerUserInfo[].phoneNumber, providerData[].phoneNumber",
    verified: "emailVerified",
    hash: "passwordHash, salt, passwordSalt, version",
    flag: "disabled",
  },
  joined: "createdAt, metadata.creationTime",
  metadata: `displayName > name, photoUrl > picture, photoURL > picture, language > locale
    timeZone > zoneinfo, dateOfBirth > birthdate, screenName > nickname
    customAttributes{} > custom_claims, customClaims > custom_claims`,
  social: [
    { list: "providerUserInfo[]", provider: "providerId", id: ["rawId"], email: "email" },
    { list: "providerData[]", provider: "providerId", id: ["uid"], email: "email" },
  ],
  told: {
    mfa_not_migrated: "mfaInfo, multiFactor",
    roles_not_migrated: "tenantId",
  },
  meaningless: {
    "Firebase's record of sign-ins and changes": `lastSignedInAt, lastLoginAt, lastRefreshAt
      validSince, passwordUpdatedAt, tokensValidAfterTime, metadata.lastSignInTime
      metadata.lastRefreshTime, initialEmail`,
    "Firebase's own settings of the account": "customAuth, emailLinkSignin, kind",
    "the provider's copy of a name and a picture, which the user has beside it": `providerUserInfo[].displayName, providerUserInfo[].photoUrl
      providerUserInfo[].screenName, providerUserInfo[].federatedId, providerData[].displayName
      providerData[].photoURL`,
  },
});
