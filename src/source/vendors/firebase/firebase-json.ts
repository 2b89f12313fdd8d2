/** Firebase users as JSON: of `auth:export` (src/accountExporter.ts of firebase-tools), of the REST API behind it, and of the Admin SDK's `listUsers` (src/auth/user-record.ts of firebase-admin-node). */

import { z } from "zod";
import type { UserDraft } from "../../../account/user-draft.js";
import type { Exclusion } from "../../../account/user-record.js";
import type { RawHash } from "../../../hash/hash.js";
import type { Told } from "../../fields/field-watch.js";
import { RowDamage } from "../../row-damage.js";
import { exclusionsWhere, noticed } from "../../user-parts.js";
import { userChecker } from "../../check-user.js";
import { type IdentityKind, identityKind } from "../../identity-providers.js";

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
  const localId = user.localId ?? user.uid ?? null;
  return localId === null ? NO_ID : toDraft(toUser(user, localId), told);
}

function toUser(user: JsonUser, localId: string): FirebaseUser {
  const known = user.providerUserInfo ?? user.providerData ?? [];
  const kinds = known.map(({ providerId }) => kindOfProvider(providerId));
  // Any other is of a hash that was imported, and not of the account's scrypt (accountExporter.ts).
  const passwordHash = Number(user.version ?? 0) === 0 ? (user.passwordHash ?? "") : "";
  return {
    localId,
    email: user.email ?? "",
    // The exporter itself takes an absent flag for false.
    emailVerified: user.emailVerified ?? false,
    phone: user.phoneNumber ?? "",
    passwordHash,
    salt: user.salt ?? user.passwordSalt ?? "",
    disabled: user.disabled ?? false,
    identities: kinds.filter((kind) => kind !== "own"),
    decided: {
      other_contacts_not_migrated: known.some(
        ({ email, phoneNumber }) =>
          isOther(email, user.email) || isOther(phoneNumber, user.phoneNumber),
      ),
      // Of another algorithm, or the service account may not read hashes; or the user signs in by link.
      password_not_exported:
        passwordHash === "" &&
        (Boolean(user.passwordHash) || known.some(({ providerId }) => providerId === "password")),
    },
  };
}

function isOther(value: string | null | undefined, main: string | null | undefined): boolean {
  return Boolean(value) && value?.toLowerCase() !== main?.toLowerCase();
}

/** One user as both forms have it; texts are empty where there is nothing. */
interface FirebaseUser {
  readonly localId: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly phone: string;
  readonly passwordHash: string;
  readonly salt: string;
  readonly disabled: boolean;
  /** Of the identities beside password and phone. */
  readonly identities: readonly IdentityKind[];
  /** What else the export says, by notice. */
  readonly decided: Readonly<Record<string, boolean>>;
}

/** Two of Google's and Apple's services name themselves before their owner. */
const SERVICE = /^(?:playgames|gc)\./;

/** The kind of an identity by Firebase's `providerId`, as in `google.com`, `saml.acme`. */
function kindOfProvider(providerId: string): IdentityKind {
  return identityKind(providerId.replace(SERVICE, ""));
}

function toDraft(user: FirebaseUser, told: Told): UserDraft {
  const hash = toHash(user);
  const isLinked = user.identities.length > 0;
  return {
    sourceId: user.localId,
    email: user.email,
    emailVerified: user.email === "" ? null : user.emailVerified,
    phone: user.phone,
    // Firebase stores a phone only once its code was entered.
    phoneVerified: user.phone === "" ? null : true,
    hash,
    exclusions: exclusionsOf(user, hash),
    notices: noticed({ social_identity_dropped: isLinked, ...user.decided }, told),
  };
}

function toHash({ passwordHash, salt }: FirebaseUser): RawHash | null {
  if (passwordHash === "") return null;
  return salt === ""
    ? { kind: "text", text: passwordHash }
    : { kind: "vendor_scrypt", hash: passwordHash, salt };
}

function exclusionsOf(user: FirebaseUser, hash: RawHash | null): readonly Exclusion[] {
  const hasWayIn = hash !== null || user.phone !== "";
  const hasIdentity = user.identities.length > 0;
  return exclusionsWhere({
    disabled: user.disabled,
    anonymous: !hasWayIn && !hasIdentity && user.email === "",
    // SAML and OpenID Connect identities belong to an organization's identity provider.
    sso_only: !hasWayIn && hasIdentity && user.identities.every((kind) => kind === "enterprise"),
  });
}
