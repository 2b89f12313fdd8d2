/** The one table of the calls on an account's parts, for server and client: where each goes, what it takes and what it answers. A new call is a row here and one in `PartCalls`. */

import { z } from "zod";
import type { PartName, PartOutcome, PartRequest } from "../account-parts.js";
import { PATHS } from "./paths.js";
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

const ofUser = z.object({ userId: TEXT });
const ofRole = z.object({ role: TEXT });
const userRole = z.object({ userId: TEXT, role: TEXT });

const emailOfUser = z.object({ userId: TEXT, email: TEXT });
const deviceOfUser = z.object({ userId: TEXT, deviceName: TEXT });
const number = z.number({ error: "expected a number" });
const newDevice = z.object({
  userId: TEXT,
  deviceName: TEXT.optional(),
  skew: number,
  period: number,
});

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
  getMetadata: {
    method: "GET",
    path: PATHS.metadata,
    request: ofUser,
    outcome: ok({ metadata }),
  },
  updateMetadata: {
    method: "PUT",
    path: PATHS.metadata,
    request: z.object({ userId: TEXT, metadataUpdate: metadata }),
    outcome: ok({ metadata }),
  },
  removeMetadata: {
    method: "POST",
    path: PATHS.removeMetadata,
    request: ofUser,
    outcome: plain,
  },
  putRole: {
    method: "PUT",
    path: PATHS.role,
    request: z.object({ role: TEXT, permissions: names }),
    outcome: ok({ createdNewRole: flag }),
  },
  removeRole: {
    method: "POST",
    path: PATHS.removeRole,
    request: ofRole,
    outcome: ok({ didRoleExist: flag }),
  },
  listRoles: {
    method: "GET",
    path: PATHS.roles,
    request: z.object({}),
    outcome: ok({ roles: names }),
  },
  listPermissions: {
    method: "GET",
    path: PATHS.permissions,
    request: ofRole,
    outcome: z.union([ok({ permissions: names }), unknownRole]),
  },
  removePermissions: {
    method: "POST",
    path: PATHS.removePermissions,
    request: z.object({ role: TEXT, permissions: names.optional() }),
    outcome: z.union([plain, unknownRole]),
  },
  rolesWithPermission: {
    method: "GET",
    path: PATHS.permissionRoles,
    request: z.object({ permission: TEXT }),
    outcome: ok({ roles: names }),
  },
  addUserRole: {
    method: "PUT",
    path: PATHS.userRole,
    request: userRole,
    outcome: z.union([ok({ didUserAlreadyHaveRole: flag }), unknownRole]),
  },
  removeUserRole: {
    method: "POST",
    path: PATHS.removeUserRole,
    request: userRole,
    outcome: z.union([ok({ didUserHaveRole: flag }), unknownRole]),
  },
  rolesOfUser: {
    method: "GET",
    path: PATHS.userRoles,
    request: ofUser,
    outcome: ok({ roles: names }),
  },
  usersOfRole: {
    method: "GET",
    path: PATHS.roleUsers,
    request: ofRole,
    outcome: z.union([ok({ users: names }), unknownRole]),
  },
  createVerificationToken: {
    method: "POST",
    path: PATHS.verificationToken,
    request: emailOfUser,
    outcome: z.union([ok({ token: TEXT }), failed("EMAIL_ALREADY_VERIFIED_ERROR")]),
  },
  revokeVerificationTokens: {
    method: "POST",
    path: PATHS.removeVerificationTokens,
    request: emailOfUser,
    outcome: plain,
  },
  verifyEmail: {
    method: "POST",
    path: PATHS.verifyEmail,
    request: z.object({ method: z.literal("token", { error: "expected token" }), token: TEXT }),
    outcome: z.union([
      ok({ userId: TEXT, email: TEXT }),
      failed("EMAIL_VERIFICATION_INVALID_TOKEN_ERROR"),
    ]),
  },
  isEmailVerified: {
    method: "GET",
    path: PATHS.verifyEmail,
    request: emailOfUser,
    outcome: ok({ isVerified: flag }),
  },
  unverifyEmail: {
    method: "POST",
    path: PATHS.unverifyEmail,
    request: emailOfUser,
    outcome: plain,
  },
  createTotpDevice: {
    method: "POST",
    path: PATHS.totpDevice,
    request: newDevice,
    outcome: z.union([ok({ deviceName: TEXT, secret: TEXT }), deviceExists]),
  },
  importTotpDevice: {
    method: "POST",
    path: PATHS.importTotpDevice,
    request: newDevice.extend({ secretKey: TEXT }),
    outcome: z.union([ok({ deviceName: TEXT }), deviceExists]),
  },
  listTotpDevices: {
    method: "GET",
    path: PATHS.totpDevices,
    request: ofUser,
    outcome: ok({
      devices: z.array(z.object({ name: TEXT, period: number, skew: number, verified: flag })),
    }),
  },
  renameTotpDevice: {
    method: "PUT",
    path: PATHS.totpDevice,
    request: z.object({ userId: TEXT, existingDeviceName: TEXT, newDeviceName: TEXT }),
    outcome: z.union([plain, unknownDevice, deviceExists]),
  },
  removeTotpDevice: {
    method: "POST",
    path: PATHS.removeTotpDevice,
    request: deviceOfUser,
    outcome: ok({ didDeviceExist: flag }),
  },
  verifyTotpDevice: {
    method: "POST",
    path: PATHS.verifyTotpDevice,
    request: deviceOfUser.extend({ totp: TEXT }),
    outcome: z.union([ok({ wasAlreadyVerified: flag }), unknownDevice, wrongTotp, totpLimit]),
  },
  verifyTotp: {
    method: "POST",
    path: PATHS.verifyTotp,
    request: z.object({ userId: TEXT, totp: TEXT }),
    outcome: z.union([plain, failed("UNKNOWN_USER_ID_ERROR"), wrongTotp, totpLimit]),
  },
  countQueued: {
    method: "GET",
    path: PATHS.countQueued,
    request: z.object({ status: queuedStatus.optional() }),
    outcome: ok({ count: number }),
  },
  removeQueued: {
    method: "POST",
    path: PATHS.removeQueued,
    request: z.object({ ids: names }),
    outcome: z.object({ deletedIds: names, invalidIds: names }),
  },
} as const satisfies { readonly [Name in PartName]: PartEndpoint<Name> };

function ok<Shape extends z.ZodRawShape>(fields: Shape) {
  return z.object({ status: z.literal("OK"), ...fields });
}

function failed<const Status extends string>(status: Status) {
  return z.object({ status: z.literal(status) });
}
