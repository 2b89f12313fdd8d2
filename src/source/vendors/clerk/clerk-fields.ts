/** What the fields of Clerk's users are, by the Backend API's names. Its SDK writes them in camel case; its migration tool has names of its own (migration-tool, src/export/clerk.ts). */

import { fieldTree } from "../../fields/field-tree.js";

export const CLERK_FIELDS = fieldTree({
  pages: [
    "https://clerk.com/docs/reference/backend-api/tag/users/get/users",
    "https://clerk.com/docs/reference/backend/types/backend-user",
  ],
  read: {
    id: "id, user_id",
    contact: `primary_email_address, primary_phone_number, primary_email_address_id
      primary_phone_number_id, email_addresses, phone_numbers`,
    verified: `verified_email_addresses, unverified_email_addresses, verified_phone_numbers
      unverified_phone_numbers, email_addresses[].verification, phone_numbers[].verification`,
    hash: "password_digest, password_hasher",
    flag: "banned, locked, password_enabled",
    factor: "totp_enabled, two_factor_enabled",
  },
  joined: "created_at",
  metadata: `first_name > given_name, last_name > family_name, image_url > picture
    username > preferred_username, birthday > birthdate, gender, locale
    public_metadata{}, private_metadata{}, unsafe_metadata{}, external_id, legal_accepted_at`,
  social: [
    {
      list: "external_accounts[]",
      provider: "provider",
      id: ["provider_user_id"],
      email: "email_address",
    },
  ],
  totp: "totp_secret",
  told: {
    social_identity_dropped: `saml_accounts, enterprise_accounts, web3_wallets
      primary_web3_wallet_id`,
    mfa_not_migrated: `backup_code_enabled, backup_codes, phone_numbers[].reserved_for_second_factor
      phone_numbers[].default_second_factor, phone_numbers[].backup_codes`,
    passkey_not_migrated: "passkeys",
    roles_not_migrated: "organization_memberships",
    profile_not_migrated: "has_image, external_accounts",
  },
  meaningless: {
    "the name of the object's type":
      "object, email_addresses[].object, phone_numbers[].object, external_accounts[].object",
    "Clerk's record of sign-ins and changes": `updated_at, last_sign_in_at, last_active_at
      password_last_updated_at, mfa_enabled_at, mfa_disabled_at, email_addresses[].created_at
      email_addresses[].updated_at, phone_numbers[].created_at, phone_numbers[].updated_at`,
    "the end of a lock, which the field locked tells":
      "lockout_expires_in_seconds, verification_attempts_remaining",
    "what the user may do at Clerk": `delete_self_enabled, create_organization_enabled
      create_organizations_limit`,
    "Clerk's links between its own objects": `email_addresses[].linked_to
      email_addresses[].reserved, email_addresses[].matches_sso_connection
      phone_numbers[].linked_to, phone_numbers[].reserved`,
    "the older name of image_url": "profile_image_url",
  },
});
