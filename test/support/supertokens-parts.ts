/** The SuperTokens stub's calls on an account's parts, as observed there: neither users nor addresses are looked at, and second factors need a licence, without which devices are listed all the same. */

import { randomUUID } from "node:crypto";
import { type SuperTokensUsers, lenientEmail, shownUser } from "./supertokens-users.js";
import { BadRequest, type Endpoints, json, ok, parameter, required } from "./supertokens-wire.js";

const UNKNOWN_ROLE = json({ status: "UNKNOWN_ROLE_ERROR" });
const NO_LICENCE = {
  status: 402,
  body: "MFA feature is not enabled. Please subscribe to a SuperTokens core license key to enable this feature.",
};

export function superTokensParts(
  users: SuperTokensUsers,
  totp: "licensed" | "unlicensed" | undefined,
  features: readonly string[] | undefined,
): Endpoints {
  return {
    ...(features === undefined ? {} : { "/ee/featureflag": { GET: () => ok({ features }) } }),
    ...(totp === undefined ? {} : devicesOf(users, totp === "licensed")),
    ...metadataOf(users),
    ...rolesOf(users),
    ...verificationOf(users),
    "/recipe/signinup": {
      POST({ body }) {
        const [id, userId] = [required(body, "thirdPartyId"), required(body, "thirdPartyUserId")];
        const { id: given, isVerified } = objectAt(body, "email");
        if (typeof given !== "string" || typeof isVerified !== "boolean") {
          throw new BadRequest("email has an id and isVerified");
        }
        if (id === "" || id.length > 28 || userId === "" || userId.length > 256) {
          throw new BadRequest("an id is empty or longer than its column");
        }
        const email = lenientEmail(given);
        const known = users.bySocial(id, userId);
        const user = known ?? users.add("thirdparty", { email }, { id, userId });
        user.email = email;
        if (isVerified) user.verifiedEmails.add(email);
        const { externalId: recipeUserId = user.id } = user;
        return ok({ createdNewUser: known === undefined, user: shownUser(user), recipeUserId });
      },
    },
  };
}

function devicesOf(users: SuperTokensUsers, hasLicence: boolean): Endpoints {
  return {
    "/recipe/totp/device/import": {
      POST({ body }) {
        if (!hasLicence) return NO_LICENCE;
        const { devices } = users.parts(required(body, "userId"));
        const { deviceName = `TOTP Device ${devices.size}`, period, skew } = body;
        required(body, "secretKey");
        if (devices.has(String(deviceName))) return json({ status: "DEVICE_ALREADY_EXISTS_ERROR" });
        const shown = { name: deviceName, period, skew, verified: true };
        devices.set(String(deviceName), shown);
        return ok({ deviceName });
      },
    },
    "/recipe/totp/device/remove": {
      POST({ body }) {
        const { devices } = users.parts(required(body, "userId"));
        return ok({ didDeviceExist: devices.delete(String(required(body, "deviceName"))) });
      },
    },
    "/recipe/totp/device/list": {
      GET({ query }) {
        return ok({ devices: [...users.parts(parameter(query, "userId")).devices.values()] });
      },
    },
  };
}

function metadataOf(users: SuperTokensUsers): Endpoints {
  return {
    "/recipe/user/metadata": {
      GET: ({ query }) => ok({ metadata: users.parts(parameter(query, "userId")).metadata }),
      PUT({ body }) {
        const kept = users.parts(required(body, "userId"));
        const merged = { ...kept.metadata, ...objectAt(body, "metadataUpdate") };
        kept.metadata = Object.fromEntries(
          Object.entries(merged).filter(([, value]) => value !== null),
        );
        return ok({ metadata: kept.metadata });
      },
    },
    "/recipe/user/metadata/remove": {
      POST({ body }) {
        users.parts(required(body, "userId")).metadata = {};
        return ok({});
      },
    },
  };
}

function rolesOf(users: SuperTokensUsers): Endpoints {
  const all = users.roles;
  return {
    "/recipe/role": {
      PUT({ body }) {
        const role = required(body, "role").trim();
        if (role === "" || role.length > 255) throw new BadRequest("role has 1 to 255 characters");
        const createdNewRole = !all.has(role);
        const permissions = all.get(role) ?? new Set();
        all.set(role, permissions);
        for (const name of Object.values(objectAt(body, "permissions"))) {
          permissions.add(String(name).trim());
        }
        return ok({ createdNewRole });
      },
    },
    "/recipe/role/remove": {
      POST({ body }) {
        const role = required(body, "role").trim();
        for (const { roles } of users.allParts()) roles.delete(role);
        return ok({ didRoleExist: all.delete(role) });
      },
    },
    "/recipe/roles": { GET: () => ok({ roles: [...all.keys()] }) },
    "/recipe/role/users": {
      GET({ query }) {
        const role = parameter(query, "role").trim();
        const those = users.allParts().filter(({ roles }) => roles.has(role));
        return all.has(role) ? ok({ users: those.map(({ id }) => id) }) : UNKNOWN_ROLE;
      },
    },
    "/recipe/role/permissions": {
      GET({ query }) {
        const permissions = all.get(parameter(query, "role").trim());
        return permissions === undefined ? UNKNOWN_ROLE : ok({ permissions: [...permissions] });
      },
    },
    "/recipe/role/permissions/remove": {
      POST({ body }) {
        const permissions = all.get(required(body, "role").trim());
        if (permissions === undefined) return UNKNOWN_ROLE;
        const named = body.permissions === undefined ? null : objectAt(body, "permissions");
        const names = named === null ? [...permissions] : Object.values(named).map(String);
        for (const name of names) permissions.delete(name.trim());
        return ok({});
      },
    },
    "/recipe/permission/roles": {
      GET({ query }) {
        const permission = parameter(query, "permission").trim();
        const those = [...all].filter(([, permissions]) => permissions.has(permission));
        return ok({ roles: those.map(([role]) => role) });
      },
    },
    "/recipe/user/role": {
      PUT({ body }) {
        const role = required(body, "role").trim();
        const { roles } = users.parts(required(body, "userId"));
        if (!all.has(role)) return UNKNOWN_ROLE;
        const didUserAlreadyHaveRole = roles.has(role);
        roles.add(role);
        return ok({ didUserAlreadyHaveRole });
      },
    },
    "/recipe/user/role/remove": {
      POST({ body }) {
        const role = required(body, "role").trim();
        if (!all.has(role)) return UNKNOWN_ROLE;
        return ok({ didUserHaveRole: users.parts(required(body, "userId")).roles.delete(role) });
      },
    },
    "/recipe/user/roles": {
      GET: ({ query }) => ok({ roles: [...users.parts(parameter(query, "userId")).roles] }),
    },
  };
}

function verificationOf(users: SuperTokensUsers): Endpoints {
  const tokens = new Map<string, { readonly userId: string; readonly email: string }>();
  const strangers = new Map<string, Set<string>>();

  function verifiedOf(userId: string): Set<string> {
    const verified = users.byId(userId)?.verifiedEmails ?? strangers.get(userId) ?? new Set();
    if (users.byId(userId) === undefined) strangers.set(userId, verified);
    return verified;
  }

  return {
    "/recipe/user/email/verify/token": {
      POST({ body }) {
        const userId = required(body, "userId");
        const email = lenientEmail(required(body, "email"));
        if (verifiedOf(userId).has(email)) return json({ status: "EMAIL_ALREADY_VERIFIED_ERROR" });
        const token = randomUUID();
        tokens.set(token, { userId, email });
        return ok({ token });
      },
    },
    "/recipe/user/email/verify/token/remove": {
      POST({ body }) {
        const [userId, email] = [required(body, "userId"), required(body, "email")];
        for (const [token, address] of tokens) {
          if (address.userId === userId && address.email === lenientEmail(email)) {
            tokens.delete(token);
          }
        }
        return ok({});
      },
    },
    "/recipe/user/email/verify": {
      POST({ body }) {
        const address = tokens.get(required(body, "token"));
        if (address === undefined)
          return json({ status: "EMAIL_VERIFICATION_INVALID_TOKEN_ERROR" });
        for (const [token, { userId, email }] of tokens) {
          if (userId === address.userId && email === address.email) tokens.delete(token);
        }
        verifiedOf(address.userId).add(address.email);
        const { externalId: userId = address.userId } = users.byId(address.userId) ?? {};
        return ok({ userId, email: address.email });
      },
      GET({ query }) {
        const email = lenientEmail(parameter(query, "email"));
        return ok({ isVerified: verifiedOf(parameter(query, "userId")).has(email) });
      },
    },
    "/recipe/user/email/verify/remove": {
      POST({ body }) {
        verifiedOf(required(body, "userId")).delete(lenientEmail(required(body, "email")));
        return ok({});
      },
    },
  };
}

function objectAt(
  body: Readonly<Record<string, unknown>>,
  name: string,
): Readonly<Record<string, unknown>> {
  const value = body[name];
  const isList = Array.isArray(value) !== (name === "permissions");
  if (typeof value === "object" && value !== null && !isList) return { ...value };
  throw new BadRequest(`Field name '${name}' is invalid in JSON input`);
}
