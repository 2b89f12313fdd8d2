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

/** @throws RunError `config_invalid`; the message never holds the URL's user name or password */
export function checkedEndpoint(url: string, allowInsecure: boolean): Endpoint {
  if (!URL.canParse(url)) throw notHttp();
  const { protocol, hostname, origin, pathname, username, password, search, hash } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw notHttp();
  if (username !== "" || password !== "") {
    throw invalid(
      "the core's URL holds a user name or password",
      "Give the base URL alone; the key goes into --api-key-file.",
    );
  }
  if (search !== "" || hash !== "") {
    throw invalid("the core's URL has a query or a fragment", "Give the base URL alone.");
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

function notHttp(): RunError {
  return invalid(
    "the core's URL is not an http: or https: URL",
    "Give the core's base URL, as in https://core.example.com.",
  );
}

function invalid(message: string, hint: string): RunError {
  return new RunError("config_invalid", message, { hint });
}
