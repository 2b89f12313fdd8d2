/** Opens what stands around a hash on purpose: wrappers, containers, credentials as JSON, names of htpasswd. */

import { byOpening, openingOf } from "./by-opening.js";
import { CONTAINER_OPENERS } from "./containers.js";
import { JSON_OPENER } from "./credentials/credential.js";
import type { Inner, Opener } from "./inner.js";
import { SCHEME_OPENER } from "./scheme-wrappers.js";
import { findVendor } from "./vendors.js";
import { WRAPPER_OPENERS } from "./wrappers.js";

/** In this order: Shiro's container starts as its wrapper does. */
const OPENERS = byOpening(
  [...CONTAINER_OPENERS, ...WRAPPER_OPENERS, SCHEME_OPENER, JSON_OPENER],
  ({ opens }) => opens,
);
const NONE: readonly Opener[] = [];

/** A name has no colon (httpd.apache.org/docs/2.4/programs/htpasswd.html), and no hash of the file holds one. */
const HTPASSWD_LINE = /^([^:$\0\r\n]{1,255}):(?=[${])/;

/**
 * What stands inside a text of a known form, or null.
 * @param vendor whose hash it is, as `--from` names it, or null
 */
export function openText(text: string, vendor: string | null): Inner | null {
  for (const opener of OPENERS.get(openingOf(text)) ?? NONE) {
    const inner = opener.open(text);
    if (inner !== null) return inner;
  }
  return openHtpasswdLine(text, vendor);
}

/**
 * The hash of a line of Apache's htpasswd: a user's name and a colon stand before it. Only the
 * operator can say that a file holds such lines, since a name may as well be the mark of a scheme.
 */
function openHtpasswdLine(text: string, vendor: string | null): Inner | null {
  if (vendor === null || findVendor(vendor)?.name !== "htpasswd") return null;
  const [opening] = HTPASSWD_LINE.exec(text) ?? [];
  if (opening === undefined) return null;
  return { kind: "text", text: text.slice(opening.length), steps: ["htpasswd_user_stripped"] };
}
