/** Firebase Authentication: what `firebase auth:export` writes, as JSON and as CSV, and dumps of the Admin SDK's `listUsers`. The scrypt parameters aren't in an export; they come from the console (interface.md 4.5). */

import { z } from "zod";
import type { UserDraft } from "../../../account/user-draft.js";
import type { RawHash } from "../../../hash/hash.js";
import { userChecker } from "../../check-user.js";
import { fieldTree } from "../../fields/field-tree.js";
import type { Told } from "../../fields/field-watch.js";
import { identityKind } from "../../identity-providers.js";
import { objectSource } from "../../object-source.js";
import { RowDamage } from "../../row-damage.js";
import { exclusionsWhere, noticed } from "../../user-parts.js";
import { readRows, recognizeWidth } from "./firebase-csv-lines.js";

/** As auth:export and the REST API name them (UserInfo), and as the Admin SDK does (src/auth/user-record.ts of firebase-admin-node). */
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

/** The array that holds the users in the JSON form. */
const USERS = "users";

/** Fields that the Admin SDK writes of every user, beside their `uid`. */
const DUMPED = ["providerData", "tokensValidAfterTime", "passwordSalt"];

/** An export of no users: src/commands/auth-export.ts writes these two lines, the API this kind. */
const EMPTY_EXPORT = /^\s*(?:\{"users": \[\r?\n\]\}|\{\s*"kind":\s*"identitytoolkit#)/;

export const firebase = objectSource({
  name: "firebase",
  users: [USERS],
  json: {
    recognize: ([first = {}], { text }) => userMark(first) ?? emptyExport(text),
    columns: [],
    fields: FIREBASE_FIELDS,
    hears: true,
    reader: () => fromJson,
  },
  rows: {
    recognize(head) {
      const width = recognizeWidth(head);
      return width === null ? null : `rows of ${width} columns without a header`;
    },
    open: readRows,
  },
});

function emptyExport(text: string) {
  return EMPTY_EXPORT.test(text)
    ? { reason: "an export without users, as auth:export writes it", isDocument: true }
    : null;
}

function userMark(user: object) {
  if ("localId" in user) return { reason: "users with a localId" };
  const dumped = "uid" in user ? DUMPED.find((name) => name in user) : undefined;
  return dumped === undefined ? null : { reason: `users with a uid and ${dumped}` };
}

const text = z.string().nullish();
const flag = z.boolean().nullish();
const providers = z
  .array(z.object({ providerId: z.string(), email: text, phoneNumber: text }))
  .nullish();
/** Of `auth:export` (src/accountExporter.ts of firebase-tools), of the REST API behind it, and of the Admin SDK. */
const userSchema = z.object({
  localId: text,
  // The Admin SDK's name for it.
  uid: text,
  email: text,
  emailVerified: flag,
  phoneNumber: text,
  disabled: flag,
  passwordHash: text,
  salt: text,
  // The Admin SDK's name; a script may have put its dump into the shape of an export.
  passwordSalt: text,
  // The REST API's.
  version: z.union([z.number(), z.string()]).nullish(),
  providerUserInfo: providers,
  // The Admin SDK's name.
  providerData: providers,
});

type JsonUser = z.infer<typeof userSchema>;

const checkUser = userChecker(userSchema, "Firebase");

const NO_ID = new RowDamage(
  "row_malformed",
  'The user\'s "localId" is not what Firebase exports; mend it and import the user again.',
);

/** The draft of an object of an export or of a dump, or of a row in its shape. */
function fromJson(value: object, told: Told): UserDraft | RowDamage {
  const user = checkUser(value);
  if (user instanceof RowDamage) return user;
  const sourceId = user.localId ?? user.uid ?? null;
  if (sourceId === null) return NO_ID;
  const known = user.providerUserInfo ?? user.providerData ?? [];
  const identities = known
    .map(({ providerId }) => identityKind(providerId.replace(SERVICE, "")))
    .filter((kind) => kind !== "own");
  const email = user.email ?? "";
  const phone = user.phoneNumber ?? "";
  const hash = hashOf(user);
  const hasWayIn = hash !== null || phone !== "";
  const isLinked = identities.length > 0;
  return {
    sourceId,
    email,
    // The exporter itself takes an absent flag for false.
    emailVerified: email === "" ? null : (user.emailVerified ?? false),
    phone,
    // Firebase stores a phone only once its code was entered.
    phoneVerified: phone === "" ? null : true,
    hash,
    exclusions: exclusionsWhere({
      disabled: user.disabled ?? false,
      anonymous: !hasWayIn && !isLinked && email === "",
      // SAML and OpenID Connect identities belong to an organization's identity provider.
      sso_only: !hasWayIn && isLinked && identities.every((kind) => kind === "enterprise"),
    }),
    notices: noticed(
      {
        social_identity_dropped: isLinked,
        other_contacts_not_migrated: known.some(
          (one) => isOther(one.email, email) || isOther(one.phoneNumber, phone),
        ),
        // Of another algorithm, or the service account may not read hashes; or the user signs in by link.
        password_not_exported:
          hash === null &&
          (Boolean(user.passwordHash) || known.some(({ providerId }) => providerId === "password")),
      },
      told,
    ),
  };
}

function isOther(value: string | null | undefined, main: string): boolean {
  return Boolean(value) && value?.toLowerCase() !== main.toLowerCase();
}

/** Two of Google's and Apple's services name themselves before their owner. */
const SERVICE = /^(?:playgames|gc)\./;

function hashOf({ version, passwordHash, salt, passwordSalt }: JsonUser): RawHash | null {
  // Any other version is of a hash that was imported, and not of the account's scrypt (accountExporter.ts).
  if (!passwordHash || Number(version ?? 0) !== 0) return null;
  const beside = salt ?? passwordSalt ?? "";
  return beside === ""
    ? { kind: "text", text: passwordHash }
    : { kind: "vendor_scrypt", hash: passwordHash, salt: beside };
}
