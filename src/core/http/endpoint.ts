/** Checks a remote core's URL and API key before anything is sent. */

import { RunError } from "../../errors/run-error.js";
import { APP_PREFIX, PUBLIC } from "../dialect.js";
import { isLoopback } from "./loopback.js";

/** What a header can carry without being cut in two (RFC 9110 section 5.5). */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/** A checked base URL. */
interface Endpoint {
  readonly origin: string;
  /** What goes before the app's paths; empty, or with a slash in front and none at the end. */
  readonly appPrefix: string;
  /** What goes before the tenant's paths; likewise. */
  readonly tenantPrefix: string;
  readonly tenant: string;
  /** Origin and the tenant's prefix: one spelling for one tenant of a core. */
  readonly url: string;
}

/** What is said of a core beside its URL. */
export interface EndpointOptions {
  /** Allow `http:` to other machines; false by default. */
  readonly allowInsecure?: boolean;
  /** The app that users go into; the public one by default. */
  readonly app?: string | undefined;
  /** The tenant that users go into; the public one by default. */
  readonly tenant?: string | undefined;
}

/** A scheme before another one, as where a whole URL is pasted behind `https://`. */
const FURTHER_SCHEME = /^\s*(?:https?:\/*)+(?=https?:)/i;
/**
 * Paths that a pasted URL ends in, and no core's prefix: those of calls, and of dashboards. Not
 * `/users`, which may be a gateway's prefix.
 */
const PASTED_PATH =
  /\/(?:recipe(?:\/.*)?|hello|apiversion|user\/(?:id|remove)|users\/.+|bulk-import\/.+|(?:auth\/)?dashboard(?:-saas)?(?:\/.*)?)$/i;

/** @throws RunError `config_invalid`; the message never holds the URL's user name or password */
export function checkedEndpoint(given: string, options: EndpointOptions): Endpoint {
  if (FURTHER_SCHEME.test(given)) {
    const once = given.replace(FURTHER_SCHEME, "");
    throw invalid("the core's URL has a scheme twice", `Write it once, as in ${example(once)}.`);
  }
  const { protocol, hostname, origin, pathname, username, password, search, hash } = parsed(given);
  if (username !== "" || password !== "") {
    throw invalid(
      "the core's URL holds a user name or password",
      `Give the base URL alone, as in ${EXAMPLE}; the key goes into --api-key-file.`,
    );
  }
  if (search !== "" || hash !== "") {
    throw invalid(
      "the core's URL has a query or a fragment",
      `Give the base URL alone, as in ${example(given)}.`,
    );
  }
  const pasted = PASTED_PATH.exec(pathname.replace(/\/+$/, ""));
  if (pasted !== null) {
    throw invalid(
      `the core's URL goes on to ${pasted[0]}, the path of a call or of a page`,
      `Give the base URL alone, as in ${example(given)}.`,
    );
  }
  if (protocol === "http:" && options.allowInsecure !== true && !isLoopback(hostname)) {
    throw invalid(
      `http: to ${hostname} would send password hashes and the key in the clear`,
      "Use https:, or say --allow-insecure where the network itself is private.",
    );
  }
  const { prefix, app, tenant } = scopeOf(pathname.replace(/\/+$/, ""), options);
  const ofApp = `${prefix}/${APP_PREFIX}${app}`;
  const appPrefix = app === PUBLIC ? prefix : ofApp;
  const tenantPrefix = tenant === PUBLIC ? appPrefix : `${ofApp}/${tenant}`;
  return { origin, appPrefix, tenantPrefix, tenant, url: `${origin}${tenantPrefix}` };
}

/** An app, and perhaps a tenant, at the end of a path, as SuperTokens' SDKs are given them. */
const SCOPED = /^(.*?)\/appid-([^/]*)(?:\/([^/]+))?$/i;
/** As SuperTokens takes them (`Utils.java` of its web server). */
const NAME = /^(?!appid-)[a-z0-9-]{1,64}$/;
/** A tenant of one of these names would be taken for the public one there. */
const NO_TENANTS: ReadonlySet<string> = new Set(["recipe", "config", "users", "hello"]);

function scopeOf(path: string, given: EndpointOptions) {
  const [, prefix = path, app, tenant] = SCOPED.exec(path) ?? [];
  return { prefix, app: nameOf("app", app, given), tenant: nameOf("tenant", tenant, given) };
}

function nameOf(what: "app" | "tenant", inUrl: string | undefined, given: EndpointOptions): string {
  const name = (inUrl ?? given[what] ?? PUBLIC).trim().toLowerCase();
  const other = given[what]?.trim().toLowerCase() ?? name;
  if (name !== other) {
    throw invalid(
      `the core's URL names another ${what} than --${what}`,
      `Name the ${what} once: leave it out of the URL, or leave --${what} out.`,
    );
  }
  if (NAME.test(name) && !(what === "tenant" && NO_TENANTS.has(name))) return name;
  throw invalid(
    `no core has ${what === "app" ? "an app" : "a tenant"} of the name given`,
    `Give --${what} its name as the core lists it: letters, digits and hyphens, without ${APP_PREFIX} before it.`,
  );
}

/** @throws RunError `config_invalid` */
export function checkedApiKey(apiKey: string): string {
  const trimmed = apiKey.trim();
  if (HEADER_SAFE.test(trimmed)) return trimmed;
  throw invalid(
    "the API key is empty or holds characters that no HTTP header takes",
    "Check the file or variable that it comes from: it should hold the key and nothing else.",
  );
}

function parsed(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw invalid(
    "the core's URL is not an http: or https: URL",
    `Give the core's base URL, as in ${example(given.replace(/^[^/]*:\/\//, ""))}.`,
  );
}

const EXAMPLE = "https://core.example.com";

/** What the operator may have meant; where that may hold a password, another core's URL. */
function example(given: string): string {
  if (given.includes("@")) return EXAMPLE;
  const url = [given, `https://${given}`].find(
    (text) => /^https?:/i.test(text) && URL.canParse(text),
  );
  if (url === undefined) return EXAMPLE;
  const { protocol, host, hostname, pathname } = new URL(url);
  const scheme = url !== given && isLoopback(hostname) ? "http:" : protocol;
  return `${scheme}//${host}${pathname.replace(/\/+$/, "").replace(PASTED_PATH, "")}`;
}

function invalid(message: string, hint: string): RunError {
  return new RunError("config_invalid", message, { hint });
}
