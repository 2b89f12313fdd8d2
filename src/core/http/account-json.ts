/** A whole account on the wire, in SuperTokens' shape: read by the server, and by the client out of the queue, and written by both. */

import { z } from "zod";
import { hashAlgorithmOf } from "../../hash/grammar.js";
import type { AccountRequest, AccountTotpDevice, WayIn } from "../account-import.js";
import { TEXT } from "../account-parts.js";
import { refusal } from "../core-failure.js";
import type { Dialect } from "../dialect.js";
import { announcedAlgorithm } from "./announced-algorithm.js";

const text = TEXT.nullish();
const flag = z.boolean({ error: "expected true or false" }).nullish();
const number = z.number({ error: "expected a number" }).nullish();
const tenantIds = z.array(TEXT, { error: "expected a list of strings" });

const loginMethod = z.object(
  {
    recipeId: z.enum(["emailpassword", "passwordless", "thirdparty"], {
      error: "expected emailpassword, passwordless or thirdparty",
    }),
    tenantIds: tenantIds.nullish(),
    isVerified: flag,
    timeJoinedInMSSinceEpoch: number,
    email: text,
    phoneNumber: text,
    thirdPartyId: text,
    thirdPartyUserId: text,
    passwordHash: text,
    hashingAlgorithm: text,
    plainTextPassword: text,
  },
  { error: "expected an object" },
);
type LoginMethod = z.infer<typeof loginMethod>;

/** What both calls of the bulk import take for a user. */
export const accountJson = z.object(
  {
    externalUserId: text,
    userMetadata: z.record(z.string(), z.unknown(), { error: "expected a JSON object" }).nullish(),
    userRoles: z
      .array(z.object({ role: TEXT, tenantIds }, { error: "expected role and tenantIds" }), {
        error: "expected a list",
      })
      .nullish(),
    totpDevices: z
      .array(z.object({ secretKey: TEXT, period: number, skew: number, deviceName: text }), {
        error: "expected a list",
      })
      .nullish(),
    loginMethods: z
      .array(loginMethod, { error: "expected a list" })
      .min(1, { error: "expected one at least" }),
  },
  { error: "expected an object" },
);
type AccountJson = z.infer<typeof accountJson>;

/** As SuperTokens has them where they aren't given. */
const DEFAULT_DEVICE = { period: 30, skew: 1 } as const;

/**
 * @param own the tenant that users go into
 * @throws CoreFailure `refused`: a further way in, another tenant, a password in plain text, or a
 *   field that the way in needs is missing
 */
export function accountOf(json: AccountJson, own: string): AccountRequest {
  const [method, further] = json.loginMethods;
  if (method === undefined || further !== undefined) {
    throw refusal("Account linking must be enabled to import multiple loginMethods.");
  }
  const roles = json.userRoles ?? [];
  const tenants = [method.tenantIds ?? [], ...roles.map((role) => role.tenantIds)].flat();
  if (tenants.some((tenant) => tenant !== own)) {
    throw refusal(`tenantIds: only the tenant named ${own} is offered`);
  }
  const { timeJoinedInMSSinceEpoch: timeJoined } = method;
  return {
    wayIn: wayInOf(method),
    isEmailVerified: method.isVerified === true,
    ...(timeJoined == null ? {} : { timeJoined }),
    ...(json.externalUserId == null ? {} : { externalUserId: json.externalUserId.trim() }),
    ...(json.userMetadata == null ? {} : { metadata: json.userMetadata }),
    ...(roles.length === 0 ? {} : { roles: roles.map(({ role }) => role) }),
    ...(json.totpDevices == null ? {} : { totpDevices: json.totpDevices.map(deviceOf) }),
  };
}

function deviceOf(json: NonNullable<AccountJson["totpDevices"]>[number]): AccountTotpDevice {
  const { secretKey, deviceName } = json;
  return {
    secretKey,
    period: json.period ?? DEFAULT_DEVICE.period,
    skew: json.skew ?? DEFAULT_DEVICE.skew,
    ...(deviceName == null ? {} : { deviceName }),
  };
}

function wayInOf(method: LoginMethod): WayIn {
  const { recipeId, email, phoneNumber } = method;
  switch (recipeId) {
    case "emailpassword": {
      if (method.plainTextPassword != null) {
        throw refusal("plainTextPassword: is not offered; send a passwordHash");
      }
      const passwordHash = needed("passwordHash", method.passwordHash);
      const name = needed("hashingAlgorithm", method.hashingAlgorithm);
      const announced = announcedAlgorithm(name.trim().toLowerCase(), passwordHash.trim());
      return {
        recipe: recipeId,
        email: needed("email", email),
        passwordHash,
        ...(announced === "vendor_scrypt" ? { hashingAlgorithm: announced } : {}),
      };
    }
    case "thirdparty":
      return {
        recipe: recipeId,
        email: needed("email", email),
        thirdPartyId: needed("thirdPartyId", method.thirdPartyId),
        thirdPartyUserId: needed("thirdPartyUserId", method.thirdPartyUserId),
      };
    default:
      return {
        recipe: recipeId,
        ...(email == null ? {} : { email }),
        ...(phoneNumber == null ? {} : { phoneNumber }),
      };
  }
}

function needed(field: string, value: string | null | undefined): string {
  if (value == null) throw refusal(`${field}: expected a string`);
  return value;
}

/**
 * @param dialect says what a vendor scrypt hash is called
 * @param tenant that the user goes into
 */
export function jsonOf(
  account: AccountRequest,
  { vendorScrypt }: Pick<Dialect, "vendorScrypt">,
  tenant: string,
): Record<string, unknown> & { readonly loginMethods: readonly object[] } {
  const { wayIn, externalUserId, metadata, roles, totpDevices } = account;
  const { recipe: recipeId, email } = wayIn;
  const passwordHash = recipeId === "emailpassword" ? wayIn.passwordHash : undefined;
  const social = recipeId === "thirdparty" ? wayIn : undefined;
  const algorithm = passwordHash === undefined ? null : hashAlgorithmOf(passwordHash);
  return {
    externalUserId,
    userMetadata: metadata,
    userRoles: roles?.map((role) => ({ role, tenantIds: [tenant] })),
    totpDevices,
    // What is undefined isn't sent. With spread copies an account took 1.4 times as long to be written.
    loginMethods: [
      {
        recipeId,
        tenantIds: [tenant],
        email,
        phoneNumber: recipeId === "passwordless" ? wayIn.phoneNumber : undefined,
        passwordHash,
        thirdPartyId: social?.thirdPartyId,
        thirdPartyUserId: social?.thirdPartyUserId,
        timeJoinedInMSSinceEpoch: account.timeJoined,
        isVerified: account.isEmailVerified ?? false,
        hashingAlgorithm: algorithm === "vendor_scrypt" ? vendorScrypt : (algorithm ?? undefined),
      },
    ],
  };
}
