/** The one table of the calls on an account's parts, for server and client: where each goes, what it takes and what it answers. A new call is a row here and one in `PartCalls`. */

import { z } from "zod";
import type { PartName, PartOutcome, PartRequest } from "../account-parts.js";
import { TEXT } from "./request.js";

/** One call on the wire. */
export interface PartEndpoint<Name extends PartName = PartName> {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  /** A GET's query, any other's body. */
  readonly request: z.ZodObject & z.ZodType<PartRequest<Name>>;
  /** The answers that are no failure, by their status. */
  readonly outcome: z.ZodType<PartOutcome<Name>>;
}

const metadata = z.custom<Readonly<Record<string, unknown>>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  { error: "expected a JSON object" },
);
const names = z.array(TEXT, { error: "expected a list of strings" });
const flag = z.boolean();

const ofUser = { userId: TEXT };
const ofRole = { role: TEXT };
const userRole = { userId: TEXT, role: TEXT };

const emailOfUser = { userId: TEXT, email: TEXT };
const deviceOfUser = { userId: TEXT, deviceName: TEXT };
const number = z.number({ error: "expected a number" });
const newDevice = { userId: TEXT, deviceName: TEXT.optional(), skew: number, period: number };

const queuedStatus = z.enum(["NEW", "PROCESSING", "FAILED"], {
  error: "expected NEW, PROCESSING or FAILED",
});

const plain = ok({});
const unknownRole = failed("UNKNOWN_ROLE_ERROR");
const deviceExists = failed("DEVICE_ALREADY_EXISTS_ERROR");
const unknownDevice = failed("UNKNOWN_DEVICE_ERROR");
const attempts = { currentNumberOfFailedAttempts: number, maxNumberOfFailedAttempts: number };
const wrongTotp = failed("INVALID_TOTP_ERROR").extend(attempts);
const totpLimit = failed("LIMIT_REACHED_ERROR").extend({ ...attempts, retryAfterMs: number });

/** By their names. */
export const PART_ENDPOINTS = {
  getMetadata: row("GET", "/recipe/user/metadata", ofUser, ok({ metadata })),
  updateMetadata: row(
    "PUT",
    "/recipe/user/metadata",
    { userId: TEXT, metadataUpdate: metadata },
    ok({ metadata }),
  ),
  removeMetadata: row("POST", "/recipe/user/metadata/remove", ofUser, plain),
  putRole: row(
    "PUT",
    "/recipe/role",
    { role: TEXT, permissions: names },
    ok({ createdNewRole: flag }),
  ),
  removeRole: row("POST", "/recipe/role/remove", ofRole, ok({ didRoleExist: flag })),
  listRoles: row("GET", "/recipe/roles", {}, ok({ roles: names })),
  listPermissions: row(
    "GET",
    "/recipe/role/permissions",
    ofRole,
    z.union([ok({ permissions: names }), unknownRole]),
  ),
  removePermissions: row(
    "POST",
    "/recipe/role/permissions/remove",
    { role: TEXT, permissions: names.optional() },
    z.union([plain, unknownRole]),
  ),
  rolesWithPermission: row(
    "GET",
    "/recipe/permission/roles",
    { permission: TEXT },
    ok({ roles: names }),
  ),
  addUserRole: row(
    "PUT",
    "/recipe/user/role",
    userRole,
    z.union([ok({ didUserAlreadyHaveRole: flag }), unknownRole]),
  ),
  removeUserRole: row(
    "POST",
    "/recipe/user/role/remove",
    userRole,
    z.union([ok({ didUserHaveRole: flag }), unknownRole]),
  ),
  rolesOfUser: row("GET", "/recipe/user/roles", ofUser, ok({ roles: names })),
  usersOfRole: row(
    "GET",
    "/recipe/role/users",
    ofRole,
    z.union([ok({ users: names }), unknownRole]),
  ),
  createVerificationToken: row(
    "POST",
    "/recipe/user/email/verify/token",
    emailOfUser,
    z.union([ok({ token: TEXT }), failed("EMAIL_ALREADY_VERIFIED_ERROR")]),
  ),
  revokeVerificationTokens: row(
    "POST",
    "/recipe/user/email/verify/token/remove",
    emailOfUser,
    plain,
  ),
  verifyEmail: row(
    "POST",
    "/recipe/user/email/verify",
    { method: z.literal("token", { error: "expected token" }), token: TEXT },
    z.union([ok({ userId: TEXT, email: TEXT }), failed("EMAIL_VERIFICATION_INVALID_TOKEN_ERROR")]),
  ),
  isEmailVerified: row("GET", "/recipe/user/email/verify", emailOfUser, ok({ isVerified: flag })),
  unverifyEmail: row("POST", "/recipe/user/email/verify/remove", emailOfUser, plain),
  createTotpDevice: row(
    "POST",
    "/recipe/totp/device",
    newDevice,
    z.union([ok({ deviceName: TEXT, secret: TEXT }), deviceExists]),
  ),
  importTotpDevice: row(
    "POST",
    "/recipe/totp/device/import",
    { ...newDevice, secretKey: TEXT },
    z.union([ok({ deviceName: TEXT }), deviceExists]),
  ),
  listTotpDevices: row(
    "GET",
    "/recipe/totp/device/list",
    ofUser,
    ok({
      devices: z.array(z.object({ name: TEXT, period: number, skew: number, verified: flag })),
    }),
  ),
  renameTotpDevice: row(
    "PUT",
    "/recipe/totp/device",
    { userId: TEXT, existingDeviceName: TEXT, newDeviceName: TEXT },
    z.union([plain, unknownDevice, deviceExists]),
  ),
  removeTotpDevice: row(
    "POST",
    "/recipe/totp/device/remove",
    deviceOfUser,
    ok({ didDeviceExist: flag }),
  ),
  verifyTotpDevice: row(
    "POST",
    "/recipe/totp/device/verify",
    { ...deviceOfUser, totp: TEXT },
    z.union([ok({ wasAlreadyVerified: flag }), unknownDevice, wrongTotp, totpLimit]),
  ),
  verifyTotp: row(
    "POST",
    "/recipe/totp/verify",
    { userId: TEXT, totp: TEXT },
    z.union([plain, failed("UNKNOWN_USER_ID_ERROR"), wrongTotp, totpLimit]),
  ),
  countQueued: row(
    "GET",
    "/bulk-import/users/count",
    { status: queuedStatus.optional() },
    ok({ count: number }),
  ),
  removeQueued: row(
    "POST",
    "/bulk-import/users/remove",
    { ids: names },
    z.object({ deletedIds: names, invalidIds: names }),
  ),
} as const satisfies { readonly [Name in PartName]: PartEndpoint<Name> };

function row<
  const Method extends PartEndpoint["method"],
  Asked extends z.ZodRawShape,
  Outcome extends z.ZodType,
>(method: Method, path: string, asked: Asked, outcome: Outcome) {
  return { method, path, request: z.object(asked), outcome };
}

function ok<Shape extends z.ZodRawShape>(fields: Shape) {
  return z.object({ status: z.literal("OK"), ...fields });
}

function failed<const Status extends string>(status: Status) {
  return z.object({ status: z.literal(status) });
}
