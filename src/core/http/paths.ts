/** Finds the endpoint that a request names. */

import { APP_PREFIX, PUBLIC } from "../dialect.js";
import { ROUTES } from "./routes.js";

/** What anybody may ask for a sign of life. */
export const HELLO = "/hello";
export const PATHS: ReadonlySet<string> = new Set([...ROUTES.map(({ path }) => path), HELLO]);
/** Names that no tenant has, since paths begin with them. */
const FIRST_SEGMENTS: ReadonlySet<string | undefined> = new Set(
  [...PATHS].map((path) => path.split("/")[1]),
);
/** How an absolute target begins, which proxies get (RFC 9112 section 3.2.2). */
const SCHEME_AND_AUTHORITY = /^https?:\/\/[^/?#]*/i;

/**
 * The path of the endpoint that a target names; for an unknown endpoint, the target's own path in
 * lower case. Case, one slash at the end, and prefixes of the public app and tenant don't matter.
 */
export function endpointPath(target: string): string {
  const path = pathOf(target);
  if (PATHS.has(path)) return path;
  const plain = plainPath(path);
  if (PATHS.has(plain)) return plain;
  const located = locate(plain);
  return located?.isPublic === true ? located.endpoint : plain;
}

/** Whether a target names a known endpoint of an app or tenant that isn't the public one. */
export function namesOtherTenant(target: string): boolean {
  return locate(plainPath(pathOf(target)))?.isPublic === false;
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

/** Takes a path apart into app, tenant and endpoint, the first two optional, and says whether both are public; null for an unknown endpoint. */
function locate(plain: string) {
  const [root, ...segments] = plain.split("/");
  if (root !== "") return null;
  const app = segments[0]?.startsWith(APP_PREFIX)
    ? (segments.shift() ?? "").slice(APP_PREFIX.length)
    : PUBLIC;
  const shared = `/${segments.join("/")}`;
  if (PATHS.has(shared)) return { endpoint: shared, isPublic: app === PUBLIC };
  const tenant = segments.shift() ?? "";
  const endpoint = `/${segments.join("/")}`;
  if (!PATHS.has(endpoint) || tenant === "" || FIRST_SEGMENTS.has(tenant)) return null;
  return { endpoint, isPublic: app === PUBLIC && tenant === PUBLIC };
}
