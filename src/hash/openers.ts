/** Opens what stands around a hash on purpose: wrappers, containers, credentials as JSON. */

import { byOpening, openingOf } from "./by-opening.js";
import { CONTAINER_OPENERS } from "./containers.js";
import { JSON_OPENER } from "./credentials/credential.js";
import { openHtpasswdLine } from "./htpasswd.js";
import type { Inner, Opener } from "./inner.js";
import { SCHEME_OPENER } from "./scheme-wrappers.js";
import { WRAPPER_OPENERS } from "./wrappers.js";

/** In this order: Shiro's container starts as its wrapper does. */
const OPENERS = byOpening(
  [...CONTAINER_OPENERS, ...WRAPPER_OPENERS, SCHEME_OPENER, JSON_OPENER],
  ({ opens }) => opens,
);
const NONE: readonly Opener[] = [];

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
