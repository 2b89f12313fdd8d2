/** What the fields of Auth0's users are. The capitalized names are the import/export extension's (client/reducers/export.js of auth0-extensions/auth0-user-import-export-extension). */

import { fieldTree } from "../../fields/field-tree.js";

export const AUTH0_FIELDS = fieldTree({
  pages: [
    "https://auth0.com/docs/manage-users/user-accounts/user-profiles/user-profile-structure",
    "https://auth0.com/docs/manage-users/user-migration/bulk-user-import-schema",
  ],
  read: {
    id: "user_id, Id",
    contact: `email, Email, phone_number
      identities[].profileData.phone_number`,
    verified: `email_verified, Email Verified, phone_verified
      identities[].profileData.phone_verified`,
    hash: "password_hash, passwordHash, custom_password_hash",
    flag: `blocked, connection, Connection, provider
      identities[].connection, identities[].isSocial`,
    factor: "multifactor",
  },
  joined: "created_at, Created At",
  metadata: `name, given_name, family_name, nickname, picture, username > preferred_username
    Name > name, Given Name > given_name, Family Name > family_name, Nickname > nickname
    Picture > picture, app_metadata, user_metadata`,
  social: [
    {
      list: "identities[]",
      provider: "provider",
      id: ["user_id"],
      email: "profileData.email",
      verified: "profileData.email_verified",
      own: "auth0 email sms",
      first: { email: "email", verified: "email_verified" },
    },
  ],
  totp: "mfa_factors[].totp.secret",
  told: {
    mfa_not_migrated: "mfa_factors, guardian_authenticators",
    profile_not_migrated: "identities[].profileData",
  },
  meaningless: {
    "Auth0's record of sign-ins": `last_login, last_ip, logins_count, last_password_reset
      multifactor_last_modified`,
    "when Auth0 last changed its row": "updated_at, Updated At",
    "a provider's tokens, which aren't the user's": `identities[].access_token
      identities[].access_token_secret, identities[].refresh_token, identities[].expires_in`,
  },
});
