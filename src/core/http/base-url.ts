/** Checks a remote core's URL and API key before anything is sent. */

import { optionName } from "../../errors/option-name.js";
import { RunError } from "../../errors/run-error.js";
import { APP_PREFIX, PUBLIC } from "../dialect.js";
import { isLoopback } from "./loopback.js";

/** Whether a header can carry a key without being cut in two (RFC 9110 section 5.5). */
export function canBeSent(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** What is said of a core beside its URL. */
export interface BaseUrlOptions {
  /** Allow `http:` to other machines; false by default. */
  readonly allowInsecure?: boolean;
}

/** A scheme before another one, as where a whole URL is pasted behind `https://`. */
const FURTHER_SCHEME = /^\s*(?:https?:\/*)+(?=https?:)/i;
/**
 * Paths that a pasted URL ends in, and no core's prefix: those of calls, and of dashboards. Not
 * `/users`, which may be a gateway's prefix.
 */
const PASTED_PATH =
  /\/(?:recipe(?:\/.*)?|hello|apiversion|user\/(?:id|remove)|users\/.+|bulk-import\/.+|(?:auth\/)?dashboard(?:-saas)?(?:\/.*)?)$/i;

/**
 * @returns what goes before the paths of the app and of the tenant, each empty or with a slash in
 *   front and none at the end; `url` is one spelling for one tenant of a core
 * @throws RunError `config_invalid`; the message never holds the URL's user name or password
 */
export function checkedBaseUrl(given: string, options: BaseUrlOptions) {
  if (FURTHER_SCHEME.test(given)) {
    const once = given.replace(FURTHER_SCHEME, "");
    throw invalid("the core's URL has a scheme twice", `Write it once, as in ${example(once)}.`);
  }
  const { protocol, hostname, origin, pathname, username, password, search, hash } = parsed(given);
  if (username !== "" || password !== "") {
    throw invalid(
      "the core's URL holds a user name or password",
      `Give the base URL alone, as in ${EXAMPLE}; the key goes into ${optionName("--api-key-file")}.`,
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
      `Use https:, or say ${optionName("--allow-insecure")} where the network itself is private.`,
    );
  }
  const { prefix, app, tenant } = scopeOf(pathname.replace(/\/+$/, ""));
  const ofApp = `${prefix}/${APP_PREFIX}${app}`;
  const appPrefix = app === PUBLIC ? prefix : ofApp;
  const tenantPrefix = tenant === PUBLIC ? appPrefix : `${ofApp}/${tenant}`;
  return { origin, appPrefix, tenantPrefix, tenant, url: `${origin}${tenantPrefix}` };
}

/** An app, and perhaps a tenant behind it, as SuperTokens' SDKs are given them. */
const SCOPED = /^(.*?)\/appid-([^/]*)(?:\/(.+))?$/i;
/** As SuperTokens takes them (`Utils.java` of its web server). */
const NAME = /^(?!appid-)[a-z0-9-]{1,64}$/;
/** A tenant of one of these names would be taken for the public one there. */
const NO_TENANTS: ReadonlySet<string> = new Set(["recipe", "config", "users", "hello"]);

/** A lone last segment is a path, as of a gateway: only the one behind an app is a tenant. */
function scopeOf(path: string) {
  const [, prefix = path, app = PUBLIC, tenant = PUBLIC] = SCOPED.exec(path) ?? [];
  return { prefix, app: nameOf("an app", app), tenant: nameOf("a tenant", tenant) };
}

function nameOf(what: "an app" | "a tenant", given: string): string {
  const name = given.toLowerCase();
  if (NAME.test(name) && !(what === "a tenant" && NO_TENANTS.has(name))) return name;
  throw invalid(
    `no core has ${what} of the name in the core's URL`,
    `End the URL in the app and the tenant as the core lists them, as in ${EXAMPLE}/${APP_PREFIX}shop/t1: letters, digits and hyphens.`,
  );
}

/** @throws RunError `config_invalid` */
export function checkedApiKey(apiKey: string): string {
  const trimmed = apiKey.trim();
  if (canBeSent(trimmed)) return trimmed;
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
