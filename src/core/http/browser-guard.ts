/** Recognizes requests of web pages. A core without a key trusts every program on this machine, but not a page in a browser, which can send requests to 127.0.0.1. */

import type { IncomingMessage } from "node:http";
import { isLoopback } from "./loopback.js";

/**
 * Why a request may come from a web page, or null. The core serves no page, so an `Origin` is
 * always a foreign one. A page's image or script is fetched without it, but browsers tell of any
 * site in `Sec-Fetch-Site` (W3C Fetch Metadata section 2.4); `none` is what a person typed. A name
 * that isn't this machine's own may have been pointed here afterwards (DNS rebinding).
 */
export function browserTrace({ headers }: IncomingMessage): string | null {
  const site = headers["sec-fetch-site"] ?? "none";
  if (headers.origin !== undefined || site !== "none") return "it comes from a web page";
  const url = `http://${headers.host ?? ""}`;
  return URL.canParse(url) && isLoopback(new URL(url).hostname)
    ? null
    : "its Host is not this machine's own name";
}
