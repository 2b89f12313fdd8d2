/** What the fields of Okta's users are: those of the API's user, and the columns of the browser extension rockstar (gabrielsroka.github.io, rockstar/rockstar.js, `exportUsers`). */

import { fieldTree } from "../../fields/field-tree.js";

export const OKTA_FIELDS = fieldTree({
  pages: ["https://developer.okta.com/docs/api/openapi/okta-management/management/tag/User/"],
  read: {
    id: "id",
    contact: "profile.email, profile.mobilePhone",
    verified: "credentials.emails",
    hash: "credentials.password",
    flag: "status, credentials.provider.type",
  },
  joined: "created",
  metadata: `profile > okta_profile, profile.login > preferred_username
    profile.firstName > given_name, profile.lastName > family_name
    profile.middleName > middle_name, profile.displayName > name, profile.nickName > nickname
    profile.locale, profile.timezone > zoneinfo`,
  told: {
    other_emails_not_migrated: "profile.secondEmail",
    other_phones_not_migrated: "profile.primaryPhone",
    recovery_question_not_migrated: "credentials.recovery_question",
  },
  meaningless: {
    "Okta's record of sign-ins and changes":
      "activated, statusChanged, lastLogin, lastUpdated, passwordChanged",
    "a state that is over when it ends": "transitioningToStatus",
    "the name of the provider, whose type is read": "credentials.provider.name",
    "Okta's own links and types": "type, realmId, _links, _embedded",
  },
});

export const OKTA_COLUMNS = fieldTree({
  pages: ["https://gabrielsroka.github.io/rockstar/rockstar.js"],
  read: {
    id: "User Id",
    contact: "Primary email, Mobile phone",
    flag: "Status, Credential Provider Type",
  },
  joined: "Created Date",
  metadata: `Username > preferred_username, First name > given_name, Last name > family_name
    Middle name > middle_name, Display name > name, Nickname > nickname, Locale > locale
    Time zone > zoneinfo, Title > title, Department > department, Organization > organization
    Division > division, Employee number > employeeNumber, User type > userType`,
  told: {
    other_emails_not_migrated: "Secondary email",
    other_phones_not_migrated: "Primary phone",
    recovery_question_not_migrated: "Credential Recovery Question",
  },
  meaningless: {
    "Okta's record of sign-ins and changes": "* Date",
    "a state that is over when it ends": "Transitioning to Status",
    "the name of the provider, whose type is read": "Credential Provider Name",
  },
});
