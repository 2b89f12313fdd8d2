/** What the texts of options mean. Each type says in its message how the value is written. */

import { z } from "zod";
import { MOST_SHARDS } from "../../events/shard.js";
import type { AllowedHash } from "../../hash/hash.js";
import { CARRIED_PARTS, INCLUDED } from "../../plan/policy.js";
import { anyText, positiveNumber, text, wholeNumber } from "../../run/shared-options.js";
import { encodingNamed } from "../../source/bytes/encoding.js";

export { anyText, positiveNumber, text, wholeNumber };

/** Of argon2, in bytes: below it isn't argon2 (RFC 9106), above no hash of it fits into a core. */
const [MIN_OUTPUT, MAX_OUTPUT] = [4, 128];

/** How many parts an export is split into. */
export const partCount = positiveNumber.refine(
  (count) => count <= MOST_SHARDS,
  `There are at most ${MOST_SHARDS} parts.`,
);

/** 0 for a free one. */
export const portNumber = wholeNumber.refine(
  (value) => value <= 65_535,
  "A port is at most 65535.",
);

/** A number of users, or all of them. */
export const sampleSize = z.union(
  [z.literal("all"), positiveNumber],
  "Write a number of users from 1, or all.",
);

/** `95%` as 95. */
const percentage = anyText
  .regex(/^\d{1,3}(?:\.\d+)?%$/, "Write a share like 95%.")
  .transform((share) => Number.parseFloat(share))
  .refine((percent) => percent <= 100, "A share is at most 100%.");

/** A number, or a share in percent. */
export const rejectAllowance = z.union(
  [wholeNumber.transform((count) => ({ count })), percentage.transform((percent) => ({ percent }))],
  "Write a whole number, or a share of at most 100% like 5%.",
);

/** `field=column`. */
export const mapping = anyText.regex(
  /^[^=]+=./s,
  "Write it as field=column, as in --map email=mail_address.",
);

/** Words with commas between, each once. */
const words = anyText.transform((list) => [...new Set(list.split(",").map((word) => word.trim()))]);

/** Hashes that `--allow-hash` takes. */
export const allowedHashes = words.pipe(
  z.array(
    z.custom<AllowedHash>(
      isAllowedHash,
      `Of 2x, as-typed and argon2-N write those to take; N is from ${MIN_OUTPUT} to ${MAX_OUTPUT} bytes.`,
    ),
  ),
);

function isAllowedHash(word: unknown): boolean {
  const [, bytes] = /^(?:2x|as-typed|argon2-([1-9]\d*))$/.exec(String(word)) ?? [null, "0"];
  return bytes === undefined || (Number(bytes) >= MIN_OUTPUT && Number(bytes) <= MAX_OUTPUT);
}

/** Whom `--include` lets in. */
export const included = words.pipe(
  z.array(z.enum(INCLUDED, { error: "Of disabled, unverified and sso write those to take." })),
);

/** Names of parts with commas between, each once; none of them for `none`. */
export const carriedParts = words
  .transform((parts) => (parts.join() === "none" ? [] : parts))
  .pipe(
    z.array(
      z.enum(CARRIED_PARTS, { error: `The parts are ${CARRIED_PARTS.join(", ")}; or write none.` }),
    ),
  );

/** An encoding that can be read. */
export const encodingLabel = anyText.refine(
  (label) => encodingNamed(label) !== null,
  "Name one such as windows-1252, utf-16le or shift_jis.",
);
