/** Firebase users as JSON: of `auth:export` (src/accountExporter.ts of firebase-tools), of the REST API behind it, and of the Admin SDK's `listUsers` (src/auth/user-record.ts of firebase-admin-node). */

import { z } from "zod";
import type { UserDraft } from "../../../account/user-draft.js";
import type { RawHash } from "../../../hash/hash.js";
import type { Told } from "../../fields/field-watch.js";
import { RowDamage } from "../../row-damage.js";
import { exclusionsWhere, noticed } from "../../user-parts.js";
import { userChecker } from "../../check-user.js";
import { identityKind } from "../../identity-providers.js";

const text = z.string().nullish();
const flag = z.boolean().nullish();
const providers = z
  .array(z.object({ providerId: z.string(), email: text, phoneNumber: text }))
  .nullish();
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
export function fromJson(value: object, told: Told): UserDraft | RowDamage {
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
