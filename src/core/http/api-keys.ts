/** Checks the key of a request (interface.md section 5) in the same time whatever the key: digests are compared, all of them. */

import { hash, timingSafeEqual } from "node:crypto";

/** Answers whether a request may pass. Without configured keys every request may. */
export function keyCheck(apiKeys: readonly string[]): (given: string | undefined) => boolean {
  if (apiKeys.length === 0) return () => true;
  const digests = apiKeys.map(digestOf);
  return (given) => {
    const digest = digestOf(given ?? "");
    const matches = digests.filter((known) => timingSafeEqual(known, digest));
    // An empty header is no key, whatever is configured.
    return given !== undefined && given !== "" && matches.length > 0;
  };
}

/**
 * The key in `api-key`, or else in `Authorization: Bearer`. A header that came twice is joined by
 * a comma, and so no key.
 */
export function givenKey(
  apiKey: string | undefined,
  authorization: string | undefined,
): string | undefined {
  if (apiKey !== undefined) return apiKey.trim();
  return authorization?.replace(/^Bearer\s+/i, "").trim();
}

function digestOf(key: string): Buffer {
  return hash("sha256", key, "buffer");
}
