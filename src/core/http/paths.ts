/** The paths of interface.md section 4, and those that a migration needs beyond it, for server and client. It also finds the endpoint that a request names. */

import { APP_PREFIX, PUBLIC } from "../dialect.js";

export const PATHS = {
  createCode: "/recipe/signinup/code",
  consumeCode: "/recipe/signinup/code/consume",
  updateUser: "/recipe/user",
  importUser: "/recipe/user/passwordhash/import",
  signIn: "/recipe/signin",
  signInUp: "/recipe/signinup",
  hello: "/hello",
  apiVersion: "/apiversion",
  getUser: "/user/id",
  removeUser: "/user/remove",
  listUsers: "/users",
  countUsers: "/users/count",
  findUsers: "/users/by-accountinfo",
  userIdMapping: "/recipe/userid/map",
  metadata: "/recipe/user/metadata",
  removeMetadata: "/recipe/user/metadata/remove",
  role: "/recipe/role",
  removeRole: "/recipe/role/remove",
  roles: "/recipe/roles",
  roleUsers: "/recipe/role/users",
  permissions: "/recipe/role/permissions",
  removePermissions: "/recipe/role/permissions/remove",
  permissionRoles: "/recipe/permission/roles",
  userRole: "/recipe/user/role",
  removeUserRole: "/recipe/user/role/remove",
  userRoles: "/recipe/user/roles",
  verifyEmail: "/recipe/user/email/verify",
  unverifyEmail: "/recipe/user/email/verify/remove",
  verificationToken: "/recipe/user/email/verify/token",
  removeVerificationTokens: "/recipe/user/email/verify/token/remove",
  totpDevice: "/recipe/totp/device",
  importTotpDevice: "/recipe/totp/device/import",
  totpDevices: "/recipe/totp/device/list",
  removeTotpDevice: "/recipe/totp/device/remove",
  verifyTotpDevice: "/recipe/totp/device/verify",
  verifyTotp: "/recipe/totp/verify",
  queue: "/bulk-import/users",
  countQueued: "/bulk-import/users/count",
  removeQueued: "/bulk-import/users/remove",
  importAccount: "/bulk-import/import",
} as const;

/** What SuperTokens answers for an app as a whole: it refuses these under a tenant's prefix. All others are the tenant's. */
export const APP_PATHS: ReadonlySet<string> = new Set([
  PATHS.updateUser,
  PATHS.apiVersion,
  PATHS.getUser,
  PATHS.removeUser,
  PATHS.userIdMapping,
  PATHS.queue,
  PATHS.countQueued,
  PATHS.removeQueued,
  PATHS.importAccount,
]);

const ENDPOINTS: ReadonlySet<string> = new Set(Object.values(PATHS));
/** Names that no tenant has, since paths begin with them. */
const FIRST_SEGMENTS: ReadonlySet<string | undefined> = new Set(
  [...ENDPOINTS].map((path) => path.split("/")[1]),
);
/** How an absolute target begins, which proxies get (RFC 9112 section 3.2.2). */
const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]*/i;

/** A path taken apart. */
interface Located {
  readonly endpoint: string;
  readonly app: string;
  readonly tenant: string;
}

/**
 * The path of the endpoint that a target names; for an unknown endpoint, the target's own path in
 * lower case. Case, one slash at the end, and prefixes of the public app and tenant don't matter.
 */
export function endpointPath(target: string): string {
  const path = pathOf(target);
  if (ENDPOINTS.has(path)) return path;
  const plain = plainPath(path);
  if (ENDPOINTS.has(plain)) return plain;
  const located = locate(plain);
  return located !== null && isPublic(located) ? located.endpoint : plain;
}

/** Whether a target names a known endpoint of an app or tenant that isn't the public one. */
export function namesOtherTenant(target: string): boolean {
  const located = locate(plainPath(pathOf(target)));
  return located !== null && !isPublic(located);
}

/** What stands behind the question mark; empty where there is none. */
export function queryText(target: string): string {
  const start = target.indexOf("?");
  return start === -1 ? "" : target.slice(start + 1);
}

function pathOf(target: string): string {
  const path = target.startsWith("/") ? target : target.replace(SCHEME_AND_AUTHORITY, "");
  const end = path.indexOf("?");
  return (end === -1 ? path : path.slice(0, end)) || "/";
}

function plainPath(path: string): string {
  const lower = path.toLowerCase();
  return lower.length > 1 && lower.endsWith("/") ? lower.slice(0, -1) : lower;
}

/** Takes a path apart into app, tenant and endpoint, the first two optional; null for an unknown endpoint. */
function locate(plain: string): Located | null {
  const [root, ...segments] = plain.split("/");
  if (root !== "") return null;
  const app = segments[0]?.startsWith(APP_PREFIX)
    ? (segments.shift() ?? "").slice(APP_PREFIX.length)
    : PUBLIC;
  const shared = `/${segments.join("/")}`;
  if (ENDPOINTS.has(shared)) return { endpoint: shared, app, tenant: PUBLIC };
  const tenant = segments.shift() ?? "";
  const endpoint = `/${segments.join("/")}`;
  if (!ENDPOINTS.has(endpoint) || tenant === "" || FIRST_SEGMENTS.has(tenant)) return null;
  return { endpoint, app, tenant };
}

function isPublic({ app, tenant }: Located): boolean {
  return app === PUBLIC && tenant === PUBLIC;
}
