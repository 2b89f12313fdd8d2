/** What a Firebase user becomes, whichever form the export has. */

import type { RawHash } from "../../../hash/hash.js";
import type { UserDraft } from "../../../account/user-draft.js";
import type { Exclusion } from "../../../account/user-record.js";
import { exclusionsWhere } from "../../user-parts.js";
import { type IdentityKind, identityKind } from "../identity-providers.js";

/** One user as all forms have it; texts are empty where there is nothing. */
export interface FirebaseUser {
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
export function kindOfProvider(providerId: string): IdentityKind {
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
