/** What the fields of Supabase's users are: the columns of `auth.users`, and the names under which the API answers them. */

import { fieldTree } from "../../fields/field-tree.js";

/** What providers say about a person, and GoTrue's own entries (internal/api/provider/provider.go, `Claims`). */
function inUserMetadata(at: string): string {
  const claims =
    "name, given_name, middle_name, family_name, nickname, picture, profile, website, gender, birthdate, zoneinfo, locale, full_name > name, first_name > given_name, last_name > family_name, display_name > name, avatar_url > picture, preferred_username > nickname, user_name > nickname, username > nickname";
  return claims
    .split(", ")
    .map((claim) => `${at}.${claim}`)
    .join(", ");
}

export const SUPABASE_FIELDS = fieldTree({
  pages: [
    "https://supabase.com/docs/guides/auth/users",
    "https://github.com/supabase/auth/blob/master/internal/models/user.go",
  ],
  read: {
    id: "id",
    contact: "email, phone",
    verified: "email_confirmed_at, phone_confirmed_at, confirmed_at",
    hash: "encrypted_password",
    flag: `banned_until, deleted_at, is_anonymous, is_sso_user, app_metadata.provider
      app_metadata.providers, raw_app_meta_data.provider, raw_app_meta_data.providers`,
  },
  joined: "created_at",
  metadata: `raw_user_meta_data{} > user_metadata, user_metadata{}
    raw_app_meta_data{} > app_metadata, app_metadata{}
    ${inUserMetadata("raw_user_meta_data")}, ${inUserMetadata("user_metadata")}`,
  social: [
    {
      list: "identities[]",
      provider: "provider",
      id: ["identity_data.sub", "id"],
      email: "identity_data.email",
      verified: "identity_data.email_verified",
    },
  ],
  told: {
    profile_not_migrated: "identities[].identity_data",
    roles_not_migrated: "role, aud, is_super_admin",
    other_emails_not_migrated: "email_change, new_email",
    other_phones_not_migrated: "phone_change, new_phone",
    mfa_not_migrated: "factors",
    metadata_not_migrated: "banned_reason",
  },
  meaningless: {
    "a one-time token, which ends with Supabase's own links": `confirmation_token, recovery_token
      email_change_token_new, email_change_token_current, phone_change_token
      reauthentication_token, action_link`,
    "the state of a message that Supabase sent": `confirmation_sent_at, recovery_sent_at
      email_change_sent_at, phone_change_sent_at, reauthentication_sent_at, invited_at
      email_change_confirm_status`,
    "Supabase's record of sign-ins and changes": `last_sign_in_at, updated_at
      identities[].last_sign_in_at, identities[].created_at, identities[].updated_at`,
    "Supabase's own key": "instance_id, identities[].identity_id, identities[].user_id",
    "GoTrue's copy of the user's own contacts and id": ["raw_user_meta_data", "user_metadata"]
      .flatMap((at) =>
        "sub iss email email_verified phone phone_verified provider_id"
          .split(" ")
          .map((name) => `${at}.${name}`),
      )
      .join(", "),
  },
});
