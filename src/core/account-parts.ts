/** What a core keeps of an account beside its ways in, part by part. Requests and outcomes have SuperTokens' names. */

/** A JSON object. */
export type Metadata = Readonly<Record<string, unknown>>;

type Ok<Fields = unknown> = { readonly status: "OK" } & Fields;
type Failed<Status extends string> = { readonly status: Status };

interface OfUser {
  /** The core keeps a part under this id as it is given, whether it knows such a user or not. */
  readonly userId: string;
}
interface OfRole {
  /** 1 to 255 characters; blanks around it are taken off. */
  readonly role: string;
}
interface UserRole extends OfUser, OfRole {}
interface EmailOfUser {
  /** Either id; the core looks at neither user nor email, so that an address can be verified before it is a user's. */
  readonly userId: string;
  readonly email: string;
}

/** A second factor that shows six digits (RFC 6238, SHA-1). */
interface NewTotpDevice extends OfUser {
  /** 1 to 256 characters; by default the core finds one. */
  readonly deviceName?: string | undefined;
  /** How many periods before and after the present one count as well, 0 to 100. */
  readonly skew: number;
  /** Seconds for which a code is shown. */
  readonly period: number;
}
/** A device as it is listed, without its secret. */
interface TotpDevice {
  readonly name: string;
  readonly period: number;
  readonly skew: number;
  readonly verified: boolean;
}
interface TotpDeviceOfUser extends OfUser {
  readonly deviceName: string;
}
interface FailedAttempts {
  readonly currentNumberOfFailedAttempts: number;
  readonly maxNumberOfFailedAttempts: number;
}
type WrongTotp =
  | (Failed<"INVALID_TOTP_ERROR"> & FailedAttempts)
  | (Failed<"LIMIT_REACHED_ERROR"> & FailedAttempts & { readonly retryAfterMs: number });

/** Where an account in the queue of the bulk import stands; `FAILED` ones stay until they are removed. */
export type QueuedStatus = "NEW" | "PROCESSING" | "FAILED";

/** The calls of every part: what each is asked with, and what it answers. */
interface PartCalls {
  /** `GET /recipe/user/metadata`; of an unknown user it is empty. */
  getMetadata(request: OfUser): Ok<{ readonly metadata: Metadata }>;
  /** `PUT /recipe/user/metadata`: replaces the top-level fields that are given; null removes one. */
  updateMetadata(
    request: OfUser & { readonly metadataUpdate: Metadata },
  ): Ok<{ readonly metadata: Metadata }>;
  /** `POST /recipe/user/metadata/remove`. */
  removeMetadata(request: OfUser): Ok;

  /** `PUT /recipe/role`: makes the role where there is none and adds permissions to it. */
  putRole(
    request: OfRole & { readonly permissions: readonly string[] },
  ): Ok<{ readonly createdNewRole: boolean }>;
  /** `POST /recipe/role/remove`: also takes it from every user. */
  removeRole(request: OfRole): Ok<{ readonly didRoleExist: boolean }>;
  /** `GET /recipe/roles`. */
  listRoles(request: Readonly<Record<string, never>>): Ok<{ readonly roles: readonly string[] }>;
  /** `GET /recipe/role/permissions`. */
  listPermissions(
    request: OfRole,
  ): Ok<{ readonly permissions: readonly string[] }> | Failed<"UNKNOWN_ROLE_ERROR">;
  /** `POST /recipe/role/permissions/remove`; all of them where none is named. */
  removePermissions(
    request: OfRole & { readonly permissions?: readonly string[] | undefined },
  ): Ok | Failed<"UNKNOWN_ROLE_ERROR">;
  /** `GET /recipe/permission/roles`. */
  rolesWithPermission(request: {
    readonly permission: string;
  }): Ok<{ readonly roles: readonly string[] }>;
  /** `PUT /recipe/user/role`. */
  addUserRole(
    request: UserRole,
  ): Ok<{ readonly didUserAlreadyHaveRole: boolean }> | Failed<"UNKNOWN_ROLE_ERROR">;
  /** `POST /recipe/user/role/remove`. */
  removeUserRole(
    request: UserRole,
  ): Ok<{ readonly didUserHaveRole: boolean }> | Failed<"UNKNOWN_ROLE_ERROR">;
  /** `GET /recipe/user/roles`. */
  rolesOfUser(request: OfUser): Ok<{ readonly roles: readonly string[] }>;
  /** `GET /recipe/role/users`. */
  usersOfRole(
    request: OfRole,
  ): Ok<{ readonly users: readonly string[] }> | Failed<"UNKNOWN_ROLE_ERROR">;

  /** `POST /recipe/user/email/verify/token`. The token verifies once, for a day: a secret. */
  createVerificationToken(
    request: EmailOfUser,
  ): Ok<{ readonly token: string }> | Failed<"EMAIL_ALREADY_VERIFIED_ERROR">;
  /** `POST /recipe/user/email/verify/token/remove`. */
  revokeVerificationTokens(request: EmailOfUser): Ok;
  /** `POST /recipe/user/email/verify`. */
  verifyEmail(request: {
    readonly method: "token";
    readonly token: string;
  }):
    | Ok<{ readonly userId: string; readonly email: string }>
    | Failed<"EMAIL_VERIFICATION_INVALID_TOKEN_ERROR">;
  /** `GET /recipe/user/email/verify`. */
  isEmailVerified(request: EmailOfUser): Ok<{ readonly isVerified: boolean }>;
  /** `POST /recipe/user/email/verify/remove`. */
  unverifyEmail(request: EmailOfUser): Ok;

  /** `POST /recipe/totp/device`: with a new secret; it counts once a code of it was verified. */
  createTotpDevice(
    request: NewTotpDevice,
  ):
    | Ok<{ readonly deviceName: string; readonly secret: string }>
    | Failed<"DEVICE_ALREADY_EXISTS_ERROR">;
  /** `POST /recipe/totp/device/import`: with a secret in Base32; it counts at once. */
  importTotpDevice(
    request: NewTotpDevice & { readonly secretKey: string },
  ): Ok<{ readonly deviceName: string }> | Failed<"DEVICE_ALREADY_EXISTS_ERROR">;
  /** `GET /recipe/totp/device/list`. */
  listTotpDevices(request: OfUser): Ok<{ readonly devices: readonly TotpDevice[] }>;
  /** `PUT /recipe/totp/device`. */
  renameTotpDevice(
    request: OfUser & { readonly existingDeviceName: string; readonly newDeviceName: string },
  ): Ok | Failed<"UNKNOWN_DEVICE_ERROR" | "DEVICE_ALREADY_EXISTS_ERROR">;
  /** `POST /recipe/totp/device/remove`. */
  removeTotpDevice(request: TotpDeviceOfUser): Ok<{ readonly didDeviceExist: boolean }>;
  /** `POST /recipe/totp/device/verify`: by six digits of the device. */
  verifyTotpDevice(
    request: TotpDeviceOfUser & { readonly totp: string },
  ): Ok<{ readonly wasAlreadyVerified: boolean }> | Failed<"UNKNOWN_DEVICE_ERROR"> | WrongTotp;
  /** `POST /recipe/totp/verify`: by six digits of any verified device. */
  verifyTotp(
    request: OfUser & { readonly totp: string },
  ): Ok | Failed<"UNKNOWN_USER_ID_ERROR"> | WrongTotp;

  /** `GET /bulk-import/users/count`: how many accounts are in the queue. */
  countQueued(request: { readonly status?: QueuedStatus | undefined }): Ok<{
    readonly count: number;
  }>;
  /** `POST /bulk-import/users/remove`: takes at most 500 places off the queue. */
  removeQueued(request: { readonly ids: readonly string[] }): {
    readonly deletedIds: readonly string[];
    /** Those that the queue doesn't have. */
    readonly invalidIds: readonly string[];
  };
}

/** A call by its name. */
export type PartName = keyof PartCalls;
/** What a call is asked with. */
export type PartRequest<Name extends PartName> = Parameters<PartCalls[Name]>[0];
/** What a call answers. */
export type PartOutcome<Name extends PartName> = ReturnType<PartCalls[Name]>;

/** Something that makes each of some calls. */
export type PartHandlers<Names extends PartName = PartName> = {
  readonly [Name in Names]: (request: PartRequest<Name>) => Promise<PartOutcome<Name>>;
};
