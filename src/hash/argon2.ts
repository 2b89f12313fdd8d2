/** argon2: the strict grammar of the reference decoder, and the repairs that lose nothing. */

import { optionName } from "../errors/option-name.js";
import { base64ByteLength, isOneCase, toStandardBase64 } from "./base64.js";
import {
  accept,
  defineFlaw,
  EXPORT_AGAIN,
  type Flaw,
  MAX_HASH_LENGTH,
  NOTHING,
  ONE_CASE_ONLY,
  TOO_LONG,
} from "./flaw.js";
import type { HashVerdict, NormalizeOptions } from "./hash.js";
import type { Step } from "./steps.js";

/** A hash in the strict grammar, taken apart. `salt` and `hash` are standard base64 without padding. */
interface Argon2Parts {
  readonly variant: "argon2d" | "argon2i" | "argon2id";
  /** 16 where the text says none (the decoder's default). */
  readonly version: number;
  /** In KiB. */
  readonly memory: number;
  readonly iterations: number;
  readonly parallelism: number;
  readonly salt: string;
  readonly hash: string;
}

// decode_string of the reference implementation: this order, no leading zeros, no padding.
const STRICT =
  /^\$(argon2(?:id|i|d))(?:\$v=(0|[1-9]\d{0,9}))?\$m=(0|[1-9]\d{0,9}),t=(0|[1-9]\d{0,9}),p=(0|[1-9]\d{0,9})\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/;
const LOOSE = /^\$([a-z0-9]+)(?:\$v=(\d+))?\$(?!v=)([^$]*)\$([^$]*)\$([^$]*)$/;
const ANY_ORDER = /^([mtp])=(\d+),([mtp])=(\d+),([mtp])=(\d+)$/;

type Allowed = NonNullable<NormalizeOptions["allowHash"]>;

const UINT32_MAX = 0xffff_ffff;
const MAX_PARALLELISM = 0xff_ffff;
const MIN_SALT_BYTES = 8;
const MIN_HASH_BYTES = 4;

/** 32 by nearly every library, 16 in the reference's demos, 64 by choice; another length may be a cut column. */
const KNOWN_HASH_BYTES = [16, 32, 64];

/**
 * 16 by nearly every library; 22 and, before 3.2, 12 by Django, which takes the characters of its
 * own salt; the others by choice. A character that was added or lost gives none of them.
 */
const KNOWN_SALT_BYTES = [8, 12, 16, 22, 32, 64];
const SALT_UNUSUAL: readonly string[] = ["proof_needed"];

/**
 * Salt and hash of one letter case: the shortest usual ones, of 8 and 16 bytes, are so by chance
 * once in fifteen million.
 */
const MIN_CASE_EVIDENCE = 33;

const FORMAT = defineFlaw(
  "argon2_format",
  "the argon2 hash isn't in the standard encoded form $<variant>$v=..$m=..,t=..,p=..$<salt>$<hash>",
  EXPORT_AGAIN,
);
const VERSION_UNKNOWN = defineFlaw(
  "argon2_version",
  "the argon2 hash names a version other than 16 and 19, the only ones there are",
  EXPORT_AGAIN,
);
const PARAMETERS = defineFlaw(
  "argon2_parameters",
  "the argon2 hash's m, t or p is missing, doubled or outside what argon2 computes (m at least 8 times p, t and p at least 1)",
  EXPORT_AGAIN,
);
const DATA = defineFlaw(
  "argon2_data",
  "the argon2 hash was made with associated data (data=), which a core can't be given",
);
const KEY_ID = defineFlaw(
  "argon2_keyid",
  "the argon2 hash was made with a secret key (keyid=), which a core can't be given",
);
const BASE64 = defineFlaw(
  "argon2_base64",
  "the argon2 hash's salt or hash isn't canonical base64, so it was cut off or damaged",
  EXPORT_AGAIN,
);
const SALT_LENGTH = defineFlaw(
  "argon2_salt_length",
  "the argon2 hash's salt is missing or shorter than 8 bytes, so a core can't verify it",
  EXPORT_AGAIN,
);
const HASH_LENGTH = defineFlaw(
  "argon2_hash_length",
  "the argon2 hash's output has another length than 16, 32 or 64 bytes, as nearly all have, so it may have been cut off",
  `where your application makes them of this length, allow it with ${optionName("--allow-hash")} argon2-N (argon2-20 for 20 bytes), and else export the hashes again whole`,
);
const CASEFOLD = defineFlaw("argon2_casefold", `the argon2 hash ${ONE_CASE_ONLY}`, EXPORT_AGAIN);

/** The parts of a text in the strict grammar, or null for any other. Values aren't checked. */
export function parseArgon2(text: string): Argon2Parts | null {
  const match = STRICT.exec(text);
  if (match === null) return null;
  const [, variant = "", version = "16", memory, iterations, parallelism, salt = "", hash = ""] =
    match;
  return {
    variant: variant === "argon2id" || variant === "argon2i" ? variant : "argon2d",
    version: Number(version),
    memory: Number(memory),
    iterations: Number(iterations),
    parallelism: Number(parallelism),
    salt,
    hash,
  };
}

/** What keeps a core from verifying a text that opens as argon2, or null when nothing does. */
export function argon2Flaw(text: string): Flaw | null {
  if (text.length > MAX_HASH_LENGTH) return TOO_LONG;
  const parts = parseArgon2(text);
  return parts === null ? FORMAT : partsFlaw(parts);
}

/**
 * The verdict on a text that opens as argon2. Repairs: parameters into the order m, t, p; salt and
 * hash as standard base64 without padding. A missing version stays missing: it means 16.
 * Outputs of other lengths than 16, 32 and 64 are taken as `allowHash` says.
 */
export function normalizeArgon2(
  text: string,
  { allowHash: allowed = [] }: NormalizeOptions = {},
): HashVerdict {
  const strict = parseArgon2(text);
  if (strict !== null) return judge(text, strict, { steps: NOTHING, allowed });
  const loose = readLoosely(text);
  if (loose === null) return FORMAT.refusal;
  const parameters = orderParameters(loose.parameters);
  if (typeof parameters !== "string") return parameters.refusal;
  const salt = toStandardBase64(loose.salt);
  const hash = toStandardBase64(loose.hash);
  if (salt === null || hash === null) {
    return (isFolded(loose) ? CASEFOLD : BASE64).refusal;
  }
  const steps: Step[] = [];
  if (parameters !== loose.parameters) steps.push("argon2_parameters_ordered");
  if (salt !== loose.salt || hash !== loose.hash) steps.push("argon2_base64_standard");
  const version = loose.version === null ? "" : `$v=${loose.version}`;
  const mended = `$${loose.variant}${version}$${parameters}$${salt}$${hash}`;
  const parts = parseArgon2(mended);
  return parts === null ? FORMAT.refusal : judge(mended, parts, { steps, allowed });
}

/** The verdict on a text that is, or was mended into, the strict grammar. */
function judge(
  text: string,
  parts: Argon2Parts,
  { steps, allowed }: { readonly steps: readonly Step[]; readonly allowed: Allowed },
): HashVerdict {
  if (text.length > MAX_HASH_LENGTH) return TOO_LONG.refusal;
  const flaw = partsFlaw(parts);
  // A changed case upsets spare bits, too; the case is the cause to name.
  if ((flaw === null || flaw === BASE64) && isFolded(parts)) return CASEFOLD.refusal;
  if (flaw !== null) return flaw.refusal;
  const bytes = base64ByteLength(parts.hash);
  const isTaken =
    KNOWN_HASH_BYTES.includes(bytes) ||
    allowed.includes("argon2-any") ||
    allowed.includes(`argon2-${bytes}`);
  if (!isTaken) return HASH_LENGTH.refusal;
  const isUsual = KNOWN_SALT_BYTES.includes(base64ByteLength(parts.salt));
  return isUsual ? accept("argon2", text, steps) : accept("argon2", text, steps, SALT_UNUSUAL);
}

/** What the reference decoder refuses in a text of its own grammar. */
function partsFlaw(parts: Argon2Parts): Flaw | null {
  const { memory, iterations, parallelism } = parts;
  if (parts.version !== 16 && parts.version !== 19) return VERSION_UNKNOWN;
  if (parallelism < 1 || parallelism > MAX_PARALLELISM) return PARAMETERS;
  if (iterations < 1 || iterations > UINT32_MAX) return PARAMETERS;
  if (memory < 8 * parallelism || memory > UINT32_MAX) return PARAMETERS;
  if (toStandardBase64(parts.salt) === null || toStandardBase64(parts.hash) === null) return BASE64;
  if (base64ByteLength(parts.salt) < MIN_SALT_BYTES) return SALT_LENGTH;
  if (base64ByteLength(parts.hash) < MIN_HASH_BYTES) return HASH_LENGTH;
  return null;
}

/** Whether salt and hash have letters of one case, which chance doesn't bring about. */
function isFolded({ salt, hash }: Pick<Argon2Parts, "salt" | "hash">): boolean {
  const digits = salt + hash;
  return digits.length >= MIN_CASE_EVIDENCE && isOneCase(digits);
}

/** A text's parts, read with tolerance and still texts; `version` null where the text has none. */
function readLoosely(text: string) {
  const [, variant, version = null, parameters, salt, hash] = LOOSE.exec(text) ?? [];
  if (variant === undefined || parameters === undefined) return null;
  if (salt === undefined || hash === undefined) return null;
  return { variant, version, parameters, salt, hash };
}

/** The parameters in the decoder's order, or what is wrong with them. */
function orderParameters(text: string): string | Flaw {
  const match = ANY_ORDER.exec(text);
  if (match === null) return oddParameters(text);
  const [, one, first, two, second, three, third] = match;
  const value = (name: string): string | undefined =>
    one === name ? first : two === name ? second : three === name ? third : undefined;
  const [memory, iterations, parallelism] = [value("m"), value("t"), value("p")];
  if (!memory || !iterations || !parallelism) return PARAMETERS;
  return `m=${memory},t=${iterations},p=${parallelism}`;
}

/** What is wrong with parameters that aren't m, t and p alone. */
function oddParameters(text: string): Flaw {
  const names = text.split(",").map((field) => field.slice(0, field.indexOf("=") + 1));
  if (new Set(names).size !== names.length || names.includes("")) return PARAMETERS;
  if (names.includes("keyid=")) return KEY_ID;
  return names.includes("data=") ? DATA : PARAMETERS;
}
