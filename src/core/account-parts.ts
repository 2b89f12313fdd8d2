/** What a core keeps of an account beside its ways in: the one table of the calls on it, for the interface, the server and the client. A new call is a row here. Requests and outcomes have SuperTokens' names. */

import { z } from "zod";

/** A JSON object. */
export type Metadata = Readonly<Record<string, unknown>>;

/** What SQLite's text would cut off or change: NUL, and half a surrogate pair. */
export const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Any text that can be kept as it is. */
export const TEXT = z
  .string({ error: "expected a string" })
  .refine((text) => !UNSTORABLE.test(text), {
    error: "holds a NUL character or half a surrogate pair",
  });

const metadata = z.custom<Metadata>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "expected a JSON object" },
);
const names = z.array(TEXT, { error: "expected a list of strings" }).readonly();
const flag = z.boolean();
const number = z.number({ error: "expected a number" });

/** Either id of a user: the core keeps a part under this id as it is given, whether it knows such a user or not. */
const ofUser = { userId: TEXT };
/** 1 to 255 characters; blanks around it are taken off. */
const ofRole = { role: TEXT };
const userRole = { ...ofUser, ...ofRole };
/** The core looks at neither user nor email, so that an address can be verified before it is a user's. */
const emailOfUser = { ...ofUser, email: TEXT };

const deviceOfUser = { ...ofUser, deviceName: TEXT };
/**
 * A second factor that shows six digits (RFC 6238, SHA-1). Its name has 1 to 256 characters; by
 * default the core finds one. A code is shown for `period` seconds; `skew` periods before and after
 * the present one count as well, 0 to 100.
 */
const newDevice = { ...ofUser, deviceName: TEXT.optional(), skew: number, period: number };
/** A device as it is listed, without its secret. */
const device = z.object({ name: TEXT, period: number, skew: number, verified: flag });

const queuedStatus = z.enum(["NEW", "PROCESSING", "FAILED"], {
  error: "expected NEW, PROCESSING or FAILED",
});
/** Where an account in the queue of the bulk import stands; `FAILED` ones stay until they are removed. */
export type QueuedStatus = z.infer<typeof queuedStatus>;

const unknownRole = failed("UNKNOWN_ROLE_ERROR");
const deviceExists = failed("DEVICE_ALREADY_EXISTS_ERROR");
const unknownDevice = failed("UNKNOWN_DEVICE_ERROR");
const attempts = { currentNumberOfFailedAttempts: number, maxNumberOfFailedAttempts: number };
const wrongTotp = failed("INVALID_TOTP_ERROR").extend(attempts);
const totpLimit = failed("LIMIT_REACHED_ERROR").extend({ ...attempts, retryAfterMs: number });

/** By their names: what each is asked with, what it answers with `OK`, and how else it may end. */
export const PART_ENDPOINTS = {
  /** Of an unknown user it is empty. */
  getMetadata: row("GET", "/recipe/user/metadata", ofUser, { metadata }),
  /** Replaces the top-level fields that are given; null removes one. */
  updateMetadata: row(
    "PUT",
    "/recipe/user/metadata",
    { ...ofUser, metadataUpdate: metadata },
    { metadata },
  ),
  removeMetadata: row("POST", "/recipe/user/metadata/remove", ofUser, {}),
  /** Makes the role where there is none and adds permissions to it. */
  putRole: row("PUT", "/recipe/role", { ...ofRole, permissions: names }, { createdNewRole: flag }),
  /** Also takes it from every user. */
  removeRole: row("POST", "/recipe/role/remove", ofRole, { didRoleExist: flag }),
  listRoles: row("GET", "/recipe/roles", {}, { roles: names }),
  listPermissions: row(
    "GET",
    "/recipe/role/permissions",
    ofRole,
    { permissions: names },
    unknownRole,
  ),
  /** All of them where none is named. */
  removePermissions: row(
    "POST",
    "/recipe/role/permissions/remove",
    { ...ofRole, permissions: names.optional() },
    {},
    unknownRole,
  ),
  rolesWithPermission: row(
    "GET",
    "/recipe/permission/roles",
    { permission: TEXT },
    { roles: names },
  ),
  addUserRole: row(
    "PUT",
    "/recipe/user/role",
    userRole,
    { didUserAlreadyHaveRole: flag },
    unknownRole,
  ),
  removeUserRole: row(
    "POST",
    "/recipe/user/role/remove",
    userRole,
    { didUserHaveRole: flag },
    unknownRole,
  ),
  rolesOfUser: row("GET", "/recipe/user/roles", ofUser, { roles: names }),
  usersOfRole: row("GET", "/recipe/role/users", ofRole, { users: names }, unknownRole),
  /** The token verifies once, for a day: a secret. */
  createVerificationToken: row(
    "POST",
    "/recipe/user/email/verify/token",
    emailOfUser,
    { token: TEXT },
    failed("EMAIL_ALREADY_VERIFIED_ERROR"),
  ),
  revokeVerificationTokens: row("POST", "/recipe/user/email/verify/token/remove", emailOfUser, {}),
  verifyEmail: row(
    "POST",
    "/recipe/user/email/verify",
    { method: z.literal("token", { error: "expected token" }), token: TEXT },
    { userId: TEXT, email: TEXT },
    failed("EMAIL_VERIFICATION_INVALID_TOKEN_ERROR"),
  ),
  isEmailVerified: row("GET", "/recipe/user/email/verify", emailOfUser, { isVerified: flag }),
  unverifyEmail: row("POST", "/recipe/user/email/verify/remove", emailOfUser, {}),
  /** With a new secret; it counts once a code of it was verified. */
  createTotpDevice: row(
    "POST",
    "/recipe/totp/device",
    newDevice,
    { deviceName: TEXT, secret: TEXT },
    deviceExists,
  ),
  /** With a secret in Base32; it counts at once. */
  importTotpDevice: row(
    "POST",
    "/recipe/totp/device/import",
    { ...newDevice, secretKey: TEXT },
    { deviceName: TEXT },
    deviceExists,
  ),
  listTotpDevices: row("GET", "/recipe/totp/device/list", ofUser, {
    devices: z.array(device).readonly(),
  }),
  renameTotpDevice: row(
    "PUT",
    "/recipe/totp/device",
    { ...ofUser, existingDeviceName: TEXT, newDeviceName: TEXT },
    {},
    unknownDevice,
    deviceExists,
  ),
  removeTotpDevice: row("POST", "/recipe/totp/device/remove", deviceOfUser, {
    didDeviceExist: flag,
  }),
  /** By six digits of the device. */
  verifyTotpDevice: row(
    "POST",
    "/recipe/totp/device/verify",
    { ...deviceOfUser, totp: TEXT },
    { wasAlreadyVerified: flag },
    unknownDevice,
    wrongTotp,
    totpLimit,
  ),
  /** By six digits of any verified device. */
  verifyTotp: row(
    "POST",
    "/recipe/totp/verify",
    { ...ofUser, totp: TEXT },
    {},
    failed("UNKNOWN_USER_ID_ERROR"),
    wrongTotp,
    totpLimit,
  ),
  /** How many accounts are in the queue. */
  countQueued: row(
    "GET",
    "/bulk-import/users/count",
    { status: queuedStatus.optional() },
    { count: number },
  ),
  /** Takes at most 500 places off the queue; `invalidIds` are those that it doesn't have. */
  removeQueued: {
    method: "POST",
    path: "/bulk-import/users/remove",
    request: z.object({ ids: names }),
    outcome: z.object({ deletedIds: names, invalidIds: names }),
  },
} as const;

/**
 * A call on the wire: what it is asked with, of a GET its query and of any other its body, and what it
 * may answer. To add one whose names are the core's own, write a row of {@link PART_ENDPOINTS} and the
 * embedded core's handler, which the compiler asks for: client, thread and server have it then. Any
 * other is a row of `http/endpoints.ts` and a method of `Core`.
 */
export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly request: z.ZodType;
  readonly outcome: z.ZodType;
}

type Endpoints = typeof PART_ENDPOINTS;

/** A call by its name. */
export type PartName = keyof Endpoints;
/** What a call is asked with. */
export type PartRequest<Name extends PartName> = z.infer<Endpoints[Name]["request"]>;
/** What a call answers. */
export type PartOutcome<Name extends PartName> = z.infer<Endpoints[Name]["outcome"]>;

/** Something that makes each call. */
export type PartHandlers = {
  readonly [Name in PartName]: (request: PartRequest<Name>) => Promise<PartOutcome<Name>>;
};

/** @param fields of the answer `OK` */
export function row<
  const Method extends "GET" | "POST" | "PUT",
  Asked extends z.ZodRawShape,
  Fields extends z.ZodRawShape,
  Failures extends z.ZodObject[],
>(method: Method, path: string, asked: Asked, fields: Fields, ...failures: Failures) {
  const done = z.object({ status: z.literal("OK"), ...fields });
  const outcome = z.union([done, ...failures] as [typeof done, ...Failures]);
  return { method, path, request: z.object(asked), outcome };
}

export function failed<const Status extends string>(status: Status) {
  return z.object({ status: z.literal(status) });
}
