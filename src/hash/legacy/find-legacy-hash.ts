/** Reads a hash that no core takes, whatever its format, so that a password can be verified against it all the same. */

import { type CarriedScrypt, rebuildVendorScrypt } from "../build-vendor-scrypt.js";
import { layersOf, openCredential } from "../credentials/credential.js";
import { parseJsonObject, textOf } from "../credentials/fields.js";
import { trim, undoDamage } from "../damage.js";
import { MAX_CREDENTIAL_LENGTH } from "../flaw.js";
import type { RawHash } from "../hash.js";
import type { Inner } from "../inner.js";
import { MAX_LAYERS, openText } from "../open.js";
import { createSignerKeys } from "../signer-keys.js";
import { memoryOf, verifyPassword } from "../verify.js";
import {
  type LegacyContext,
  NO_CONTEXT,
  parseMarked,
  parseOddArgon2,
  parsePasslibBcrypt,
  parseUnmarked,
} from "./changed-password.js";
import { parseLegacyCredential } from "./credentials.js";
import {
  parseColonDigest,
  parseColumnDigest,
  parseKratosDigest,
  parseLdap,
  parseMagento,
  parseNamedDigest,
  parseRawDigest,
} from "./digests.js";
import { type Parsed, verified } from "./legacy-hash.js";
import { parseByteBcrypt } from "./eks-blowfish.js";
import { parseMd5Crypt, parseSha1Crypt, parseShaCrypt } from "./crypt.js";
import {
  parseAspNet,
  parseAtlassian,
  parseDjangoPbkdf2,
  parseKratosPbkdf2,
  parseMediaWikiPbkdf2,
  parsePasslibPbkdf2,
  parseWerkzeugPbkdf2,
} from "./pbkdf2.js";
import { parsePhpass } from "./phpass.js";
import {
  parseDjangoScrypt,
  parseNodeScrypt,
  parsePackedScrypt,
  parseScryptKdf,
  parsePairScrypt,
  parsePasslibScrypt,
  parseWerkzeugScrypt,
} from "./scrypt.js";

/** Add a format here; the first that knows a text reads it. */
const PARSERS: readonly ((text: string, context: LegacyContext) => Parsed)[] = [
  parseDjangoPbkdf2,
  parsePasslibPbkdf2,
  parseKratosPbkdf2,
  parseWerkzeugPbkdf2,
  parseAtlassian,
  parseMediaWikiPbkdf2,
  parseAspNet,
  parseDjangoScrypt,
  parsePasslibScrypt,
  parseWerkzeugScrypt,
  parsePackedScrypt,
  parseScryptKdf,
  parsePairScrypt,
  parseNodeScrypt,
  parseMd5Crypt,
  parseShaCrypt,
  parseSha1Crypt,
  parsePhpass,
  parseMarked,
  parsePasslibBcrypt,
  parseByteBcrypt,
  parseUnmarked,
  parseOddArgon2,
  parseLdap,
  parseNamedDigest,
  parseKratosDigest,
  parseMagento,
  parseColonDigest,
  parseRawDigest,
];

/** `{CRYPT}` and Dovecot's names of what crypt made. */
const CRYPT_SCHEME = /^\{(?:CRYPT|MD5-CRYPT|SHA256-CRYPT|SHA512-CRYPT)\}(?=\$)/i;

/** Ory Kratos' names of what crypt made (hash/hash_comparator.go). */
const KRATOS_CRYPT = /^\$(md5|sha256|sha512)-crypt\$/;
const KRATOS_CRYPTS: Readonly<Record<string, string>> = { md5: "1", sha256: "5", sha512: "6" };

/**
 * The hash in a raw one, ready to be verified; or which of its parameters is out of bounds; or null
 * for what no format here reads. Never throws, and takes time linear in the text. Damage and
 * wrappers around it are undone as `normalizeHash` undoes them.
 *
 * @param raw one that `normalizeHash` refuses: what a core takes isn't looked for
 */
export function findLegacyHash(raw: RawHash, context: LegacyContext): Parsed {
  switch (raw.kind) {
    case "text":
      return readText(raw.text, context, 0);
    case "credential":
      return readCredential(raw.credential, context, 0);
    case "salted":
      return parseColumnDigest(trim(raw.hash), trim(raw.salt));
    case "vendor_scrypt":
      return null;
  }
}

/**
 * Whether a hash that no core takes was made from `password`: Django's, Keycloak's, WordPress' and
 * those of the other formats in docs/hashes.md. Never throws for what stands in the hash.
 *
 * @param hash one that `normalizeHash` refuses
 * @param given what took part beside the password; by default nothing
 * @returns null where no format is known that reads the hash, or it is beyond four seconds or 256 MiB
 * @throws RunError `hash_too_costly` where this machine lacks the memory
 */
export async function verifyLegacyPassword(
  hash: RawHash,
  password: string,
  given: Partial<LegacyContext> = {},
): Promise<boolean | null> {
  const parsed = findLegacyHash(hash, { ...NO_CONTEXT, ...given });
  return parsed === null || "outOfBounds" in parsed ? null : parsed.verify(password);
}

function readText(text: string, context: LegacyContext, depth: number): Parsed {
  if (depth > MAX_LAYERS || text.length > MAX_CREDENTIAL_LENGTH) return null;
  const credential = parseJsonObject(text);
  if (credential !== null) return readCredential(credential, context, depth + 1);
  const bare = text
    .replace(CRYPT_SCHEME, "")
    .replace(KRATOS_CRYPT, (_all, name: string) => `$${KRATOS_CRYPTS[name]}$`);
  for (const parse of PARSERS) {
    const parsed = parse(bare, context);
    if (parsed !== null) return parsed;
  }
  const inner = openText(text, context.vendor);
  const opened = inner === null ? null : readInner(inner, context, depth);
  if (opened !== null) return opened;
  const damage = undoDamage(text);
  return damage === null ? null : readText(damage.text, context, depth + 1);
}

/** A credential object: its parameters, or the text that it holds whole. */
function readCredential(credential: object, context: LegacyContext, depth: number): Parsed {
  const parsed = parseLegacyCredential(credential);
  if (parsed !== null) return parsed;
  for (const fields of layersOf(credential)) {
    // Clerk's rows: a digest beside the name of its hasher.
    const digest = textOf(fields, "password_digest");
    if (digest !== undefined) return readText(digest, context, depth + 1);
  }
  return readInner(openCredential(credential), context, depth);
}

function readInner(inner: Inner, context: LegacyContext, depth: number): Parsed {
  switch (inner.kind) {
    case "text":
      return readText(inner.text, context, depth + 1);
    case "salted":
      return inner.named === "derived"
        ? null
        : parseColumnDigest(trim(inner.hash), trim(inner.salt));
    case "scrypt":
      return otherSigner(inner.carried);
    case "verdict":
      return null;
  }
}

/** The vendor's scrypt under a signer key of its own, which a core with another key doesn't verify. */
function otherSigner(carried: CarriedScrypt): Parsed {
  const { signerKey } = carried.account;
  const verdict = rebuildVendorScrypt(carried, createSignerKeys(signerKey));
  if (verdict.verdict !== "accepted") return null;
  const { hash } = verdict;
  return verified("firebase_scrypt_other_key", memoryOf(hash), (password) =>
    verifyPassword(hash, password, { signerKey }),
  );
}
