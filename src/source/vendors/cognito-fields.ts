/** What the fields of Cognito's users are: attributes by their names, beside the fields of the API's type UserType. */

import { fieldTree } from "../fields/field-tree.js";

const ATTRIBUTES = `name, given_name, family_name, middle_name, nickname, profile, picture, website
  gender, birthdate, zoneinfo, locale, address, preferred_username, custom:*, dev:custom:*`;

export const COGNITO_FIELDS = fieldTree({
  pages: [
    "https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_UserType.html",
    "https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-attributes.html",
  ],
  read: {
    id: "sub",
    contact: "email, phone_number",
    verified: "email_verified, phone_number_verified",
    flag: "Enabled, UserStatus",
  },
  joined: "UserCreateDate",
  metadata: `Username > username, ${ATTRIBUTES}`,
  social: [{ list: "identities[]", provider: "providerName", id: ["userId"] }],
  told: {
    social_identity_dropped: "identities",
    mfa_not_migrated: "MFAOptions, UserMFASettingList, PreferredMfaSetting",
  },
  meaningless: {
    "Cognito's record of changes": "UserLastModifiedDate, updated_at",
    "Cognito's own settings of the link":
      "identities[].primary, identities[].issuer, identities[].dateCreated, identities[].providerType",
  },
});

export const COGNITO_COLUMNS = fieldTree({
  pages: [
    "https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-csv-header.html",
  ],
  read: {
    id: "sub",
    contact: "email, phone_number",
    verified: "email_verified, phone_number_verified",
    hash: "password_hash",
  },
  metadata: `cognito:username > username, ${ATTRIBUTES}`,
  told: { social_identity_dropped: "identities", mfa_not_migrated: "cognito:mfa_enabled" },
  meaningless: { "Cognito's record of changes": "updated_at" },
});
