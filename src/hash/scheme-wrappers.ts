/** Hashes behind a scheme in braces: of Spring Security, LDAP servers and Dovecot. A scheme is taken off where it is listed and fits the hash behind it. */

import { opensAs } from "./algorithm.js";
import { decodeBase64, decodeHex, undoDamage } from "./damage.js";
import type { HashAlgorithm } from "./hash.js";
import type { Inner, Opener } from "./inner.js";
import type { Step } from "./steps.js";

interface KnownScheme {
  /** What must follow. */
  readonly algorithms: readonly HashAlgorithm[];
  readonly steps: readonly Step[];
}

const BCRYPT = ["bcrypt"] as const;
const ARGON2 = ["argon2"] as const;
const EITHER = ["bcrypt", "argon2"] as const;

/** `{scheme}` and an encoding of what follows, as Dovecot names it: `{BLF-CRYPT.b64}`. */
const SCHEME = /^\{([A-Za-z0-9@_-]{1,40})(?:\.(b64|base64|hex))?\}/i;

/**
 * Spring Security's ids are lower case (DelegatingPasswordEncoder); LDAP servers (RFC 2307) and
 * Dovecot take schemes in any case.
 */
const SPRING_SCHEMES = new Map<string, KnownScheme>([
  ["bcrypt", { algorithms: BCRYPT, steps: ["spring_bcrypt_stripped"] }],
  ["argon2", { algorithms: ARGON2, steps: ["spring_argon2_stripped"] }],
  ["argon2@SpringSecurity_v5_8", { algorithms: ARGON2, steps: ["spring_argon2_stripped"] }],
]);
const LDAP_SCHEMES = new Map<string, readonly HashAlgorithm[]>([
  ["CRYPT", EITHER],
  ["BCRYPT", BCRYPT],
  ["BLF-CRYPT", BCRYPT],
  ["ARGON2", ARGON2],
  ["ARGON2I", ARGON2],
  ["ARGON2ID", ARGON2],
  ["ARGON2D", ARGON2],
]);
const LDAP_STEPS: readonly Step[] = ["ldap_scheme_stripped"];
const DECODERS = new Map([
  ["b64", decoderOf(decodeBase64, "base64_decoded")],
  ["base64", decoderOf(decodeBase64, "base64_decoded")],
  ["hex", decoderOf(decodeHex, "hex_decoded")],
]);

export const SCHEME_OPENER: Opener = { opens: ["{"], open: openScheme };

function decoderOf(decode: (text: string) => string | null, step: Step) {
  return (encoded: string): { readonly text: string; readonly step: Step } | null => {
    const text = decode(encoded);
    return text === null ? null : { text, step };
  };
}

function openScheme(text: string): Inner | null {
  const [opening, scheme, encoding] = SCHEME.exec(text) ?? [];
  if (opening === undefined || scheme === undefined) return null;
  const ldap = LDAP_SCHEMES.get(scheme.toUpperCase());
  const known =
    SPRING_SCHEMES.get(scheme) ?? (ldap && { algorithms: ldap, steps: LDAP_STEPS }) ?? null;
  if (known === null) return null;
  const encoded = text.slice(opening.length);
  const decoder = DECODERS.get((encoding ?? "").toLowerCase());
  if (decoder === undefined && opensAs(encoded, known.algorithms)) {
    return { kind: "text", text: encoded, steps: known.steps };
  }
  const rest = decoder === undefined ? undoDamage(encoded) : decoder(encoded);
  if (rest === null || !opensAs(rest.text, known.algorithms)) return null;
  return { kind: "text", text: rest.text, steps: [...known.steps, rest.step] };
}
