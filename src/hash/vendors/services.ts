/** Identity services and servers, by what their own sources or manuals say of their hashes. */

import { asTyped, type VendorRow } from "./vendor.js";

/** Add a service here, with its source. */
export const SERVICES: readonly VendorRow[] = [
  asTyped("firebase", "Firebase Authentication", "firebase/scrypt: README.md"),
  asTyped("auth0", "Auth0", "auth0.com/docs, Bulk User Import Database Schema and Examples"),
  asTyped("supabase", "Supabase Auth", "supabase/auth: internal/crypto/password.go", "gotrue"),
  asTyped("clerk", "Clerk", "clerk.com/docs, Export your users from Clerk"),
  asTyped("keycloak", "Keycloak", "keycloak/keycloak: Argon2PasswordHashProvider.java"),
  asTyped(
    "okta",
    "Okta",
    "developer.okta.com, Users API, Create User with Imported Hashed Password",
  ),
  asTyped("fusionauth", "FusionAuth", "FusionAuth/fusionauth-site: password-hashes.mdx"),
  asTyped("kratos", "Ory Kratos", "ory/kratos: hasher_bcrypt.go", "ory"),
  asTyped("appwrite", "Appwrite", "appwrite/appwrite: Auth/Hash/Argon2.php"),
  asTyped("authgear", "Authgear", "authgear/authgear-server: pkg/util/password/bcrypt.go"),
  asTyped("nhost", "Nhost", "nhost/hasura-auth: src/utils/password.ts"),
  asTyped("supertokens", "SuperTokens", "supertokens/supertokens-core: PasswordHashing.java"),
  asTyped("htpasswd", "Apache's htpasswd", "apache/httpd: passwd_common.c", "apache"),
  asTyped("dovecot", "Dovecot", "dovecot/core: password-scheme-crypt.c"),
  asTyped("openldap", "OpenLDAP", "openldap/openldap: slapd/pwmods/argon2.c", "ldap"),
];
