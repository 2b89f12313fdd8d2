/** Firebase users as JSON: of `auth:export` (src/accountExporter.ts of firebase-tools), of the REST API behind it, and of the Admin SDK's `listUsers` (src/auth/user-record.ts of firebase-admin-node). */

import { z } from "zod";
import type { UserDraft } from "../../../account/user-draft.js";
import type { Exclusion } from "../../../account/user-record.js";
import type { RawHash } from "../../../hash/hash.js";
import { RowDamage } from "../../row-damage.js";
import { exclusionsWhere } from "../../user-parts.js";
import { userChecker } from "../check-user.js";
import { type IdentityKind, identityKind } from "../../identity-providers.js";

const text = z.string().nullish();
const flag = z.boolean().nullish();
const time = z.union([z.string(), z.number()]).nullish();
const anything = z.record(z.string(), z.unknown()).nullish();
const providers = z
  .array(z.object({ providerId: z.string(), email: text, phoneNumber: text }))
  .nullish();
const common = { email: text, emailVerified: flag, phoneNumber: text, passwordHash: text };
const profile = { displayName: text, disabled: flag, tenantId: text };

const exportedSchema = z.object({
  ...common,
  ...profile,
  localId: z.string(),
  salt: text,
  // A script may have put an Admin SDK dump into the shape of an export.
  passwordSalt: text,
  photoUrl: text,
  customAttributes: text,
  providerUserInfo: providers,
  // The REST API's; auth:export leaves it out (the TODO in src/accountExporter.ts).
  mfaInfo: z.array(z.unknown()).nullish(),
  createdAt: time,
});

const dumpedSchema = z.object({
  ...common,
  ...profile,
  uid: z.string(),
  passwordSalt: text,
  photoURL: text,
  customClaims: anything,
  providerData: providers,
  multiFactor: z.object({ enrolledFactors: z.array(z.unknown()).nullish() }).nullish(),
  metadata: z.object({ creationTime: time }).nullish(),
});

type Exported = z.infer<typeof exportedSchema>;
type Dumped = z.infer<typeof dumpedSchema>;

/** What both shapes have under the same or another name. */
interface Shared {
  /** Not spread: that would take longer than reading the document does. */
  readonly user: Pick<Dumped, keyof typeof common | keyof typeof profile>;
  readonly id: string;
  readonly salt: string | null | undefined;
  readonly photo: string | null | undefined;
  readonly providers: Exported["providerUserInfo"];
  readonly hasClaims: boolean;
  readonly hasFactor: boolean;
  readonly hasJoined: boolean;
}

const checkExported = userChecker(exportedSchema, "Firebase");
const checkDumped = userChecker(dumpedSchema, "Firebase");

/** The draft of an object as either shape has it. */
export function fromJson(value: object): UserDraft | RowDamage {
  if (!("localId" in value) && "uid" in value) {
    const user = checkDumped(value);
    return user instanceof RowDamage ? user : toDraft(toUser(ofDumped(user)));
  }
  const user = checkExported(value);
  return user instanceof RowDamage ? user : toDraft(toUser(ofExported(user)));
}

function ofExported(user: Exported): Shared {
  return {
    user,
    id: user.localId,
    salt: user.salt ?? user.passwordSalt,
    photo: user.photoUrl,
    providers: user.providerUserInfo,
    hasClaims: isFilled(user.customAttributes) && user.customAttributes !== "{}",
    hasFactor: (user.mfaInfo ?? []).length > 0,
    hasJoined: isFilled(user.createdAt),
  };
}

function ofDumped(user: Dumped): Shared {
  return {
    user,
    id: user.uid,
    salt: user.passwordSalt,
    photo: user.photoURL,
    providers: user.providerData,
    hasClaims: Object.keys(user.customClaims ?? {}).length > 0,
    hasFactor: (user.multiFactor?.enrolledFactors ?? []).length > 0,
    hasJoined: isFilled(user.metadata?.creationTime),
  };
}

function toUser(shared: Shared): FirebaseUser {
  const { user } = shared;
  const kinds = (shared.providers ?? []).map(({ providerId }) => kindOfProvider(providerId));
  return {
    localId: shared.id,
    email: user.email ?? "",
    // The exporter itself takes an absent flag for false.
    emailVerified: user.emailVerified ?? false,
    phone: user.phoneNumber ?? "",
    passwordHash: user.passwordHash ?? "",
    salt: shared.salt ?? "",
    disabled: user.disabled ?? false,
    identities: kinds.filter((kind) => kind !== "own"),
    notices: noticesOf(shared),
  };
}

function noticesOf(shared: Shared): string[] {
  const notices: string[] = [];
  const { user } = shared;
  const known = shared.providers ?? [];
  if (isFilled(user.displayName) || isFilled(shared.photo)) notices.push("profile_not_migrated");
  if (shared.hasClaims) notices.push("metadata_not_migrated");
  if (shared.hasFactor) notices.push("mfa_not_migrated");
  if (shared.hasJoined) notices.push("joined_not_migrated");
  if (isFilled(user.tenantId)) notices.push("roles_not_migrated");
  if (known.some(({ email }) => isOther(email, user.email))) {
    notices.push("other_emails_not_migrated");
  }
  if (known.some(({ phoneNumber }) => isOther(phoneNumber, user.phoneNumber))) {
    notices.push("other_phones_not_migrated");
  }
  // Of another algorithm, or the service account may not read hashes; or the user signs in by link.
  if (!isFilled(user.passwordHash) && known.some(({ providerId }) => providerId === "password")) {
    notices.push("password_not_exported");
  }
  return notices;
}

function isFilled(value: string | number | null | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}

function isOther(value: string | null | undefined, main: string | null | undefined): boolean {
  return isFilled(value) && value?.toLowerCase() !== main?.toLowerCase();
}

/** One user as all forms have it; texts are empty where there is nothing. */
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
  /** Codes of what else the export knows of the user. */
  readonly notices: readonly string[];
}

/** Two of Google's and Apple's services name themselves before their owner. */
const SERVICE = /^(?:playgames|gc)\./;

/** The kind of an identity by Firebase's `providerId`, as in `google.com`, `saml.acme`. */
function kindOfProvider(providerId: string): IdentityKind {
  return identityKind(providerId.replace(SERVICE, ""));
}

export function toDraft(user: FirebaseUser): UserDraft {
  const hash = toHash(user);
  const { identities, notices } = user;
  return {
    sourceId: user.localId,
    email: user.email,
    emailVerified: user.email === "" ? null : user.emailVerified,
    phone: user.phone,
    // Firebase stores a phone only once its code was entered.
    phoneVerified: user.phone === "" ? null : true,
    hash,
    exclusions: exclusionsOf(user, hash),
    notices: identities.length === 0 ? notices : ["social_identity_dropped", ...notices],
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
