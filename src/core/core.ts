/** `Core`: interface.md as a TypeScript interface, which embedded and remote cores both implement. */

import type { AccountRequest, GivenHash, Joining, ThirdPartyIdentity } from "./account-import.js";
import type { QueueOutcome, QueuePage, QueuePageRequest } from "./account-queue.js";
import type { PartName, PartOutcome, PartRequest } from "./account-parts.js";
import type { DialectName } from "./dialect.js";
import type { CoreUser, PageRequest, UserFilter, UserPage } from "./user.js";

/** Where a core is: in this process on a data file or on a database, or behind a base URL. */
export type CoreTarget =
  | { readonly kind: "embedded"; readonly file: string }
  /** As in `postgres://host:5432/name`, without user name and password. */
  | { readonly kind: "embedded"; readonly database: string }
  /** The dialect, or null before it is recognized. */
  | { readonly kind: "remote"; readonly url: string; readonly dialect?: DialectName };

/** `POST /recipe/signinup`. */
export interface SignInUpRequest extends ThirdPartyIdentity, Joining {
  /** Replaces the one that the user had before. */
  readonly email: string;
  /** By the provider's word; true marks it as verified, false changes nothing. */
  readonly isEmailVerified: boolean;
}

/** What came of signing in or up by a social account. */
interface SignInUpOutcome {
  readonly status: "OK";
  readonly createdNewUser: boolean;
  readonly user: CoreUser;
}

/** What a core offers beyond interface.md's four calls. */
export interface Capabilities {
  readonly emailVerification: boolean;
  readonly metadata: boolean;
  /** Those that exist; null where the core keeps none. */
  readonly roles: readonly string[] | null;
  readonly thirdParty: boolean;
  /** Several ways in for one user. Null: only a first call can tell. */
  readonly accountLinking: boolean | null;
  /** Null: only a first call can tell. */
  readonly totp: boolean | null;
  /** A queue for many accounts at once. Null: its version may be one whose queue leaves users behind. */
  readonly bulkImport: boolean | null;
  /** The names of the core's tenants; null where it doesn't say. */
  readonly tenants: readonly string[] | null;
  /** Takes the time at which a new user joined. */
  readonly timeJoined: boolean;
  /** Takes a user's whole account in one call. */
  readonly importAccount: boolean;
}

/** Exactly one of the two (interface.md 4.1). */
export type CodeRequest =
  | { readonly email: string; readonly phoneNumber?: never }
  | { readonly phoneNumber: string; readonly email?: never };

/** A code of the caller's own choice goes beyond interface.md 4.1: `userInputCode`, not empty. */
export type NewCodeRequest = CodeRequest & { readonly userInputCode?: string };

/** interface.md 2.1. Times in epoch milliseconds and milliseconds. Holds secrets: never logged. */
export interface Code {
  readonly preAuthSessionId: string;
  readonly codeId: string;
  readonly deviceId: string;
  readonly userInputCode: string;
  readonly linkCode: string;
  readonly timeCreated: number;
  readonly codeLifetime: number;
}

/** By link, or by device and digits (interface.md 4.2). */
export type ConsumeRequest =
  | { readonly preAuthSessionId: string; readonly linkCode: string }
  | {
      readonly preAuthSessionId: string;
      readonly deviceId: string;
      readonly userInputCode: string;
    };

/** The device of the code that was consumed: whom it was made for, and the wrong digits typed before. */
export type ConsumedDevice = CodeRequest & {
  readonly preAuthSessionId: string;
  readonly failedCodeInputAttemptCount: number;
};

/** What came of consuming a code. */
export type ConsumeOutcome =
  | {
      readonly status: "OK";
      readonly createdNewUser: boolean;
      readonly user: CoreUser;
      /** Absent where a remote core doesn't say. */
      readonly consumedDevice?: ConsumedDevice;
    }
  | { readonly status: "RESTART_FLOW_ERROR" }
  | {
      readonly status: "INCORRECT_USER_INPUT_CODE_ERROR" | "EXPIRED_USER_INPUT_CODE_ERROR";
      readonly failedCodeInputAttemptCount: number;
      readonly maximumCodeInputAttempts: number;
    };

/** Absent keeps, null clears, a string sets (interface.md 4.3). */
export interface UpdateRequest {
  readonly userId: string;
  readonly email?: string | null | undefined;
  readonly phoneNumber?: string | null | undefined;
}

/** What came of an update; a conflict changes nothing. */
export interface UpdateOutcome {
  readonly status:
    | "OK"
    | "UNKNOWN_USER_ID_ERROR"
    | "EMAIL_ALREADY_EXISTS_ERROR"
    | "PHONE_NUMBER_ALREADY_EXISTS_ERROR";
}

/** interface.md 4.4. */
export interface ImportRequest extends Joining, GivenHash {
  readonly email: string;
}

/** What came of an import; a hash that the core refuses is a thrown `CoreFailure`. */
export interface ImportOutcome {
  readonly status: "OK";
  readonly user: CoreUser;
  /** True when an email-password user was there and its hash was replaced. */
  readonly didUserAlreadyExist: boolean;
}

/** What came of importing a whole account. Unless it is `OK`, nothing was written. */
export type AccountOutcome =
  | {
      readonly status: "OK";
      readonly user: CoreUser;
      /** The core's own, also where the user is shown by an external one. */
      readonly ownId: string;
    }
  | {
      readonly status: "USER_ALREADY_EXISTS_ERROR";
      /** What is another user's. */
      readonly by: "email" | "phoneNumber" | "thirdParty";
      readonly user: CoreUser;
    }
  /** It is another user's id, external or own. */
  | { readonly status: "EXTERNAL_ID_ALREADY_EXISTS_ERROR" }
  | { readonly status: "UNKNOWN_ROLE_ERROR"; readonly role: string };

/** What came of a sign-in; an unknown email is wrong credentials, too. */
export type SignInOutcome =
  | { readonly status: "OK"; readonly user: CoreUser }
  | { readonly status: "WRONG_CREDENTIALS_ERROR" };

/** A user's new hash, to stand in the place of the one that the caller knows. */
export interface ReplaceRequest {
  readonly email: string;
  /** Exactly as it was imported. */
  readonly currentHash: string;
  readonly passwordHash: string;
  /** Takes any other hash with the salt and the cost of that one for it. False by default. */
  readonly anyOfSalt?: boolean;
}

/**
 * What came of replacing a hash. Nothing was written where another one with the same salt stands
 * there (`OTHER`), one with another salt (`CHANGED`), or there is no such user.
 */
export interface ReplaceOutcome {
  readonly status: "OK" | "OTHER" | "CHANGED" | "UNKNOWN_USER";
}

/** `POST /recipe/userid/map`: from now on the user is known by `externalUserId`, too, and shown by it. */
export interface MapRequest {
  readonly userId: string;
  /** 1 to 128 characters. */
  readonly externalUserId: string;
  /**
   * Map it although parts are kept under the user's own id, which would be refused otherwise; they
   * stay there. False by default.
   */
  readonly force?: boolean;
}

/** What came of mapping an id. */
export type MapOutcome =
  | { readonly status: "OK" }
  | { readonly status: "UNKNOWN_USER_ID_ERROR" }
  | {
      readonly status: "USER_ID_MAPPING_ALREADY_EXISTS_ERROR";
      /** The user has an external id. */
      readonly doesUserIdExist: boolean;
      /** A user has this external id. */
      readonly doesExternalUserIdExist: boolean;
    };

/** A user's two ids. */
export interface UserIdMapping {
  /** The core's own. */
  readonly userId: string;
  readonly externalUserId: string;
}

/** Asks a question that changes nothing, and may ask it again. */
export type RepeatQuestion = <T>(question: () => Promise<T>) => Promise<T>;

/**
 * The authentication core. Every method rejects with a `CoreFailure` where the core refuses or
 * can't be asked; business outcomes are values. Methods beyond interface.md's four reject with
 * `not_offered` where a remote core has no such endpoint.
 */
export interface Core {
  readonly target: CoreTarget;
  /** interface.md 4.1. */
  createCode(request: NewCodeRequest): Promise<Code>;
  /** interface.md 4.2. */
  consumeCode(request: ConsumeRequest & Joining): Promise<ConsumeOutcome>;
  /** interface.md 4.3. */
  updateUser(request: UpdateRequest): Promise<UpdateOutcome>;
  /** interface.md 4.4. */
  importUser(request: ImportRequest): Promise<ImportOutcome>;
  /** Makes a user with their whole account, or changes nothing: a user who is there is never changed. */
  importAccount(request: AccountRequest): Promise<AccountOutcome>;
  /** `POST /bulk-import/users`: at most 10,000 accounts, for the core to import later. */
  queueAccounts(accounts: readonly AccountRequest[]): Promise<QueueOutcome>;
  /** `GET /bulk-import/users`. */
  listQueued(page: QueuePageRequest): Promise<QueuePage>;
  /** Signs in by a social account, or makes a user who does. */
  signInUp(request: SignInUpRequest): Promise<SignInUpOutcome>;
  /** `POST /recipe/signin`. */
  signIn(request: { readonly email: string; readonly password: string }): Promise<SignInOutcome>;
  /** Replaces a hash only where it is still the one that the caller knows, or of its salt under `anyOfSalt`: a password that was set since stays. */
  replacePassword(request: ReplaceRequest): Promise<ReplaceOutcome>;
  /** `POST /recipe/userid/map`. */
  mapUserId(request: MapRequest): Promise<MapOutcome>;
  /** `GET /recipe/userid/map`; by either of the two ids, null where it has no mapping. */
  findMapping(userId: string): Promise<UserIdMapping | null>;
  /** `GET /user/id`, by either of the user's ids; null for an unknown one. */
  getUser(userId: string): Promise<CoreUser | null>;
  /** `POST /user/remove`, by either of the user's ids; an unknown one is no failure. */
  removeUser(userId: string): Promise<void>;
  /** `GET /users/by-accountinfo`; all users, of either recipe, with this contact. */
  findUsers(contact: CodeRequest): Promise<readonly CoreUser[]>;
  /** `GET /users/by-accountinfo`; all users with this social account, one at most where accounts aren't linked. */
  findByThirdParty(identity: ThirdPartyIdentity): Promise<readonly CoreUser[]>;
  /** `GET /users`. */
  listUsers(page: PageRequest): Promise<UserPage>;
  /** `GET /users/count`. */
  countUsers(filter?: UserFilter): Promise<number>;
  /**
   * Asks, without changing anything, what the core offers.
   *
   * @param repeat asks each of several questions; by default each is asked once
   */
  capabilities(repeat?: RepeatQuestion): Promise<Capabilities>;
  /** One of the calls on the parts of an account, by its name. */
  part<Name extends PartName>(name: Name, request: PartRequest<Name>): Promise<PartOutcome<Name>>;
  /**
   * Asks without changing anything whether this is a core and takes the key.
   * @throws CoreFailure `unreachable`, `key_refused`, `incompatible`
   */
  probe(): Promise<void>;
  /** Ends connections or folds the data file; calls in flight end first. */
  close(): Promise<void>;
}
