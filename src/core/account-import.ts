/** A whole account in one call: what a new user is made of. */

import type { Metadata, PartRequest } from "./account-parts.js";

/** A social account. */
export interface ThirdPartyIdentity {
  /** The provider's name: `google`. 1 to 28 characters. */
  readonly thirdPartyId: string;
  /** The user's id there; 1 to 256 characters. */
  readonly thirdPartyUserId: string;
}

/** Of a call that may create a user. */
export interface Joining {
  /**
   * When a new user joined, in epoch milliseconds and not in the future; now by default. Only where
   * the core keeps it (`timeJoined` of its capabilities).
   */
  readonly timeJoined?: number;
}

/** A password's hash in exactly the form of interface.md 2.4. */
export interface GivenHash {
  readonly passwordHash: string;
  readonly hashingAlgorithm?: "vendor_scrypt";
}

/** How the user signs in. */
export type WayIn =
  | ({ readonly recipe: "emailpassword"; readonly email: string } & GivenHash)
  /** By an email, a phone number, or both. */
  | {
      readonly recipe: "passwordless";
      readonly email?: string | undefined;
      readonly phoneNumber?: string | undefined;
    }
  | ({ readonly recipe: "thirdparty"; readonly email: string } & ThirdPartyIdentity);

/** A second factor of the user; it counts at once. */
export type AccountTotpDevice = Omit<PartRequest<"importTotpDevice">, "userId">;

/** A user who isn't at the core yet, with all that is theirs. */
export interface AccountRequest extends Joining {
  readonly wayIn: WayIn;
  /** The email is verified; false by default, whatever the way in. */
  readonly isEmailVerified?: boolean | undefined;
  /** 1 to 128 characters; the parts are kept under it. */
  readonly externalUserId?: string | undefined;
  /** A top-level field that is null is left out. */
  readonly metadata?: Metadata | undefined;
  /** Roles that there are. */
  readonly roles?: readonly string[] | undefined;
  readonly totpDevices?: readonly AccountTotpDevice[] | undefined;
}
