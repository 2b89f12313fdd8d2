/** What the fields of Keycloak's users are: those of UserRepresentation, and, in lower case, columns of the tables user_entity and credential. */

import { fieldTree } from "../../fields/field-tree.js";

/**
 * Keycloak has no phones of its own: they are attributes by whatever name, verified where an
 * extension says so beside them. Names in order of preference, lower-cased, letters only.
 */
export const PHONES = ["phonenumber", "phone", "mobilephone", "mobilenumber", "mobile"];

/** Attributes of the user profile's OpenID Connect scopes, letters only, by their claims. */
const CLAIMS = `nickname, picture, profile, website, gender, birthdate, zoneinfo, locale
  middlename > middle_name, street > address.street_address, locality > address.locality
  region > address.region, postalcode > address.postal_code, country > address.country
  formatted > address.formatted`;

function attributes(names: readonly string[]): string {
  return names.map((name) => `attributes.~${name.trim()}`).join(", ");
}

export const KEYCLOAK_FIELDS = fieldTree({
  pages: [
    "https://www.keycloak.org/docs-api/latest/rest-api/index.html#UserRepresentation",
    "https://www.keycloak.org/server/importExport",
  ],
  read: {
    id: "id",
    contact: `email, ${attributes(PHONES)}`,
    verified: `emailVerified, ${attributes(PHONES.map((name) => `${name}verified`))}`,
    hash: "credentials",
    flag: "enabled, federationLink, serviceAccountClientId, requiredActions",
    factor: "totp",
  },
  joined: "createdTimestamp",
  metadata: `firstName > given_name, lastName > family_name, username > preferred_username, attributes
    ${attributes(CLAIMS.split(/[,\n]/))}`,
  roles: "realmRoles",
  usualRoles: /^(?:default-roles-.*|offline_access|uma_authorization)$/,
  social: [{ list: "federatedIdentities[]", provider: "identityProvider", id: ["userId"] }],
  told: {
    social_identity_dropped: "socialLinks",
    roles_not_migrated: "clientRoles, applicationRoles, groups",
  },
  meaningless: {
    "Keycloak's own settings and links": `self, origin, access, notBefore
      disableableCredentialTypes, userProfileMetadata, credentials[].id, credentials[].priority`,
    "the label and day of a credential":
      "credentials[].userLabel, credentials[].createdDate, credentials[].temporary",
    "the user's name at a provider, which knows them by their id": "federatedIdentities[].userName",
    "consents to client applications, which end with Keycloak's sessions": "clientConsents",
  },
});

export const KEYCLOAK_COLUMNS = fieldTree({
  pages: [
    "https://github.com/keycloak/keycloak/blob/main/model/jpa/src/main/java/org/keycloak/models/jpa/entities/UserEntity.java",
    "https://fusionauth.io/docs/lifecycle/migrate-users/provider-specific/keycloak",
  ],
  read: {
    id: "id",
    contact: "email",
    verified: "email_verified",
    hash: "password, salt, hashiterations, algorithm, type, secret_data, credential_data",
    flag: "enabled, federation_link, service_account_client_link",
  },
  joined: "created_timestamp",
  metadata: "first_name > given_name, last_name > family_name, username > preferred_username",
  meaningless: {
    "Keycloak's own settings and links": "not_before, realm_id, user_id, priority",
    "a second copy of the email": "email_constraint",
    "the label and day of a credential": "user_label, created_date",
  },
});
