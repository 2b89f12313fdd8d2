/** Checks a remote core's URL and API key before anything is sent. */

import { RunError } from "../../errors/run-error.js";
import { isLoopback } from "./loopback.js";

/** What a header can carry without being cut in two (RFC 9110 section 5.5). */
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/** A checked base URL. */
interface Endpoint {
  readonly origin: string;
  /** What goes before every path; empty, or with a slash in front and none at the end. */
  readonly prefix: string;
  /** Origin and prefix. */
  readonly url: string;
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
export function checkedEndpoint(given: string, allowInsecure: boolean): Endpoint {
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
  if (protocol === "http:" && !allowInsecure && !isLoopback(hostname)) {
    throw invalid(
      `http: to ${hostname} would send password hashes and the key in the clear`,
      "Use https:, or say --allow-insecure where the network itself is private.",
    );
  }
  const prefix = pathname.replace(/\/+$/, "");
  return { origin, prefix, url: `${origin}${prefix}` };
}

/** @throws RunError `config_invalid` */
export function checkedApiKey(apiKey: string): string {
  const trimmed = apiKey.trim();
  if (HEADER_SAFE.test(trimmed)) return trimmed;
  throw invalid(
    "the API key is empty or holds characters that no HTTP header takes",
    "Check the key file: it should hold the key and nothing else.",
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
