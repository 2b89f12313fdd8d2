/** PBKDF2 (RFC 8018) as frameworks and servers write it down. */

import { pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import { BOUNDS, derived, fromBase64, fromHex, outOfBounds, type Parsed } from "./legacy-hash.js";

const deriveKey = promisify(pbkdf2);

const DIGEST_BYTES: Readonly<Record<string, number>> = {
  sha1: 20,
  sha224: 28,
  sha256: 32,
  sha384: 48,
  sha512: 64,
};

/** The parameters of a hash, as read; null where a field isn't what the format writes. */
interface Pbkdf2 {
  /** As Node.js names it. */
  readonly digest: string;
  readonly iterations: number;
  readonly salt: Buffer | null;
  readonly hash: Buffer | null;
}

/** A hash by its parameters, for formats that keep them apart. */
export function pbkdf2Hash(format: string, { digest, iterations, salt, hash }: Pbkdf2): Parsed {
  const digestBytes = DIGEST_BYTES[digest];
  if (digestBytes === undefined || salt === null || hash === null) return null;
  if (hash.length < BOUNDS.shortestHash) return outOfBounds(format, "hash");
  if (salt.length > BOUNDS.longestSalt) return outOfBounds(format, "salt");
  const blocks = Math.ceil(hash.length / digestBytes);
  const isBearable = iterations >= 1 && iterations * blocks <= BOUNDS.pbkdf2;
  if (!isBearable) return outOfBounds(format, "iterations");
  return derived(format, {
    expected: hash,
    derive: (password) => deriveKey(password, salt, iterations, hash.length, digest),
  });
}

const DJANGO = /^pbkdf2_(sha1|sha256)\$([1-9]\d{0,9})\$([^$]{1,256})\$([A-Za-z0-9+/]+=*)$/;

/** Django's PBKDF2PasswordHasher and PBKDF2SHA1PasswordHasher (django/contrib/auth/hashers.py); the salt is text. */
export function parseDjangoPbkdf2(text: string): Parsed {
  const [, digest = "", iterations, salt = "", encoded = ""] = DJANGO.exec(text) ?? [];
  const hash = fromBase64(encoded);
  if (hash?.length !== DIGEST_BYTES[digest]) return null;
  return pbkdf2Hash(`django_pbkdf2_${digest}`, {
    digest,
    iterations: Number(iterations),
    salt: Buffer.from(salt),
    hash,
  });
}

const PASSLIB =
  /^\$pbkdf2(?:-(sha256|sha512))?\$([1-9]\d{0,9})\$([A-Za-z0-9./]*)\$([A-Za-z0-9./]+)$/;

/** passlib's pbkdf2_sha1, pbkdf2_sha256 and pbkdf2_sha512 (passlib/handlers/pbkdf2.py): base64 with `.` for `+`, without padding. */
export function parsePasslibPbkdf2(text: string): Parsed {
  const [, digest = "sha1", iterations, salt = "", encoded = ""] = PASSLIB.exec(text) ?? [];
  const hash = fromBase64(encoded.replaceAll(".", "+"));
  if (hash?.length !== DIGEST_BYTES[digest]) return null;
  return pbkdf2Hash(`passlib_pbkdf2_${digest}`, {
    digest,
    iterations: Number(iterations),
    salt: salt === "" ? Buffer.alloc(0) : fromBase64(salt.replaceAll(".", "+")),
    hash,
  });
}

const KRATOS =
  /^\$pbkdf2-(sha1|sha224|sha256|sha384|sha512)\$i=([1-9]\d{0,9}),l=([1-9]\d{0,3})\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/;

/** Ory Kratos' and Discourse's form (ory/kratos: hash/hash_comparator.go). */
export function parseKratosPbkdf2(text: string): Parsed {
  return withLength("kratos_pbkdf2", KRATOS.exec(text));
}

const WERKZEUG =
  /^pbkdf2:(sha1|sha224|sha256|sha384|sha512):([1-9]\d{0,9})\$([^$]{1,256})\$([0-9a-f]+)$/;

/** Werkzeug's `pbkdf2:…` (werkzeug/security.py); the salt is text. */
export function parseWerkzeugPbkdf2(text: string): Parsed {
  const [, digest = "", iterations, salt = "", encoded = ""] = WERKZEUG.exec(text) ?? [];
  if (encoded.length !== (DIGEST_BYTES[digest] ?? 0) * 2 || encoded === "") return null;
  return pbkdf2Hash("werkzeug_pbkdf2", {
    digest,
    iterations: Number(iterations),
    salt: Buffer.from(salt),
    hash: fromHex(encoded),
  });
}

const ATLASSIAN = /^\{PKCS5S2\}([A-Za-z0-9+/]{64})$/;

/** Jira's, Confluence's and Crowd's `{PKCS5S2}` (passlib/handlers/pbkdf2.py, atlassian_pbkdf2_sha1): 16 bytes of salt, 32 of hash. */
export function parseAtlassian(text: string): Parsed {
  const bytes = fromBase64(ATLASSIAN.exec(text)?.[1] ?? "");
  if (bytes === null) return null;
  return pbkdf2Hash("atlassian_pbkdf2", {
    digest: "sha1",
    iterations: 10_000,
    salt: bytes.subarray(0, 16),
    hash: bytes.subarray(16),
  });
}

const MEDIAWIKI =
  /^:pbkdf2:(sha1|sha256|sha512):([1-9]\d{0,9}):([1-9]\d{0,3}):([A-Za-z0-9+/]+=*):([A-Za-z0-9+/]+=*)$/;

/** MediaWiki's Pbkdf2Password (includes/password/Pbkdf2Password.php). */
export function parseMediaWikiPbkdf2(text: string): Parsed {
  return withLength("mediawiki_pbkdf2", MEDIAWIKI.exec(text));
}

/** @param match digest, iterations, the hash's length, salt and hash */
function withLength(format: string, match: RegExpExecArray | null): Parsed {
  const [, digest = "", iterations, length, salt = "", encoded = ""] = match ?? [];
  const hash = fromBase64(encoded);
  if (hash?.length !== Number(length)) return null;
  const parameters = { digest, iterations: Number(iterations), salt: fromBase64(salt), hash };
  return pbkdf2Hash(format, parameters);
}

/** KeyDerivationPrf of ASP.NET Core, by number. */
const ASPNET_DIGESTS = ["sha1", "sha256", "sha512"];
const ASPNET_2_BYTES = 49;
const ASPNET_2_ITERATIONS = 1000;
/** A mark, then digest, iterations and salt's length, each of four bytes. */
const ASPNET_3_HEAD = 13;
/** What versions of it write, in bytes: 32, and 16 and 64 where an application chose so. */
const ASPNET_3_BYTES = [16, 32, 64];

/** ASP.NET Identity, versions 2 and 3 (dotnet/aspnetcore: PasswordHasher.cs): base64 of a mark, the parameters, salt and hash. */
export function parseAspNet(text: string): Parsed {
  if (!text.startsWith("A")) return null;
  const bytes = fromBase64(text);
  if (bytes === null) return null;
  if (bytes[0] === 0 && bytes.length === ASPNET_2_BYTES) {
    return pbkdf2Hash("aspnet_identity_2", {
      digest: "sha1",
      iterations: ASPNET_2_ITERATIONS,
      salt: bytes.subarray(1, 17),
      hash: bytes.subarray(17),
    });
  }
  if (bytes[0] !== 1 || bytes.length <= ASPNET_3_HEAD) return null;
  const saltLength = bytes.readUInt32BE(9);
  const hashLength = bytes.length - ASPNET_3_HEAD - saltLength;
  // The hasher refuses shorter salts; a hash of another length was cut off.
  if (saltLength < 16 || !ASPNET_3_BYTES.includes(hashLength)) return null;
  return pbkdf2Hash("aspnet_identity_3", {
    digest: ASPNET_DIGESTS[bytes.readUInt32BE(1)] ?? "",
    iterations: bytes.readUInt32BE(5),
    salt: bytes.subarray(ASPNET_3_HEAD, ASPNET_3_HEAD + saltLength),
    hash: bytes.subarray(ASPNET_3_HEAD + saltLength),
  });
}
