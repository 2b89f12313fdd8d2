/** `Core`: interface.md as a TypeScript interface. Embedded and remote cores are both this; what a caller can't tell apart, it must not need to. */

/** Where a core is: in this process on a data file, or behind a base URL. */
export type CoreTarget =
  | { readonly kind: "embedded"; readonly file: string }
  | { readonly kind: "remote"; readonly url: string };

/** A user as every core can tell it (interface.md 2.2). */
export interface CoreUser {
  /** The core's id, UUID shaped unless mapped. */
  readonly userId: string;
  readonly email?: string;
  readonly phoneNumber?: string;
  /** Epoch milliseconds; absent where a remote core doesn't say. */
  readonly timeJoined?: number;
  /** The way this user signs in. `null` where a remote core doesn't say. */
  readonly recipe: "emailpassword" | "passwordless" | null;
}

/** Exactly one of the two (interface.md 4.1). */
export type CodeRequest =
  | { readonly email: string; readonly phoneNumber?: never }
  | { readonly phoneNumber: string; readonly email?: never };

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

export type ConsumeOutcome =
  | { readonly status: "OK"; readonly createdNewUser: boolean; readonly user: CoreUser }
  | { readonly status: "RESTART_FLOW_ERROR" }
  | {
      readonly status: "INCORRECT_USER_INPUT_CODE_ERROR" | "EXPIRED_USER_INPUT_CODE_ERROR";
      readonly failedCodeInputAttemptCount: number;
      readonly maximumCodeInputAttempts: number;
    };

/** Absent keeps, null clears, a string sets (interface.md 4.3). */
export interface UpdateRequest {
  readonly userId: string;
  readonly email?: string | null;
  readonly phoneNumber?: string | null;
}

export interface UpdateOutcome {
  readonly status:
    | "OK"
    | "UNKNOWN_USER_ID_ERROR"
    | "EMAIL_ALREADY_EXISTS_ERROR"
    | "PHONE_NUMBER_ALREADY_EXISTS_ERROR";
}

/** interface.md 4.4. */
export interface ImportRequest {
  readonly email: string;
  /** In exactly the form of interface.md 2.4. */
  readonly passwordHash: string;
  readonly hashingAlgorithm?: "vendor_scrypt";
}

export interface ImportOutcome {
  readonly status: "OK";
  readonly user: CoreUser;
  /** True when an email-password user was there and its hash was replaced. */
  readonly didUserAlreadyExist: boolean;
}

export type SignInOutcome =
  | { readonly status: "OK"; readonly user: CoreUser }
  | { readonly status: "WRONG_CREDENTIALS_ERROR" };

/** One page of users, oldest first unless asked otherwise. */
export interface UserPage {
  readonly users: readonly CoreUser[];
  readonly nextPaginationToken?: string;
}

/**
 * The authentication core. Every method rejects with a `CoreFailure` where the core refuses or
 * can't be asked; business outcomes are values. Methods beyond interface.md's four reject with
 * `not_offered` where a remote core has no such endpoint.
 */
export interface Core {
  readonly target: CoreTarget;
  /** interface.md 4.1. */
  createCode(request: CodeRequest): Promise<Code>;
  /** interface.md 4.2. */
  consumeCode(request: ConsumeRequest): Promise<ConsumeOutcome>;
  /** interface.md 4.3. */
  updateUser(request: UpdateRequest): Promise<UpdateOutcome>;
  /** interface.md 4.4. */
  importUser(request: ImportRequest): Promise<ImportOutcome>;
  /** `POST /recipe/signin`. */
  signIn(request: { readonly email: string; readonly password: string }): Promise<SignInOutcome>;
  /** `GET /user/id`; null for an unknown id. */
  getUser(userId: string): Promise<CoreUser | null>;
  /** `GET /users/by-accountinfo`; all users, of either recipe, with this contact. */
  findUsers(contact: CodeRequest): Promise<readonly CoreUser[]>;
  /** `GET /users`; `limit` 1 to 500, 100 by default. */
  listUsers(page: {
    readonly limit?: number;
    readonly paginationToken?: string;
  }): Promise<UserPage>;
  /** `GET /users/count`. */
  countUsers(): Promise<number>;
  /**
   * Asks without changing anything whether this is a core and takes the key.
   * @throws CoreFailure `unreachable`, `key_refused`, `incompatible`
   */
  probe(): Promise<void>;
  /** Ends connections or folds the data file; calls in flight end first. */
  close(): Promise<void>;
}
