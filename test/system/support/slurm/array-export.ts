/** The export that an array of shards shares: invented people with hashes of their own, some without one, and rows that can't come along. The same at every call. */

import { writeFileSync } from "node:fs";
import { type Random, randomFrom } from "../../../support/random.js";

/** Rows in all. */
export const ROWS = 40_000;
/** How often one person's row is in it too often, towards its end, with another hash each time: all of that falls to one shard. */
export const REPEATS = 300;

const HEADER = "id,email,phone,password_hash,disabled";
const ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const SALT_LENGTH = 22;
const BODY_LENGTH = 53;
/** The last character of the salt and that of the digest have fewer bits. */
const LAST_OF_SALT = ".Oeu";
const LAST_OF_BODY = ".CGKOSWaeimquy26";
/** Rows of nobody new: one a hundred. */
const DUPLICATE_EVERY = 100;
/** So many rows before. */
const DUPLICATE_BEHIND = 37;
const REPEATS_BEGIN = 36_000;
const REPEATED = 20_001;

/** Writes the export as CSV. */
export function writeArrayExport(path: string): void {
  const random = randomFrom(9);
  const rows: string[] = [];
  for (let number = 1; number <= ROWS; number += 1) {
    rows.push(rowOf(number, random, rows));
  }
  writeFileSync(path, `${[HEADER, ...rows].join("\n")}\n`);
}

function rowOf(number: number, random: Random, before: readonly string[]): string {
  if (number > REPEATS_BEGIN && number <= REPEATS_BEGIN + REPEATS)
    return (before[REPEATED - 1] ?? "").replace(/[^,]*(?=,[^,]*$)/, () => bcryptHash(random));
  if (number % DUPLICATE_EVERY === 0) return before[number - DUPLICATE_BEHIND - 1] ?? "";
  const kind = random.below(100);
  const hash = kind < 78 ? bcryptHash(random) : kind < 80 ? bcryptHash(random).slice(0, -6) : "";
  // Whoever has no hash signs in by email, by phone, or by both.
  const email = kind < 92 ? `${random.bytes(3).toString("hex")}.${number}@example.com` : "";
  const phone = kind >= 88 ? `+1555${String(2_000_000 + number)}` : "";
  return `a-${number},${email},${phone},${hash},${random.chance(1, 200)}`;
}

/** A well-formed hash that nobody knows a password for. */
function bcryptHash(random: Random): string {
  const body = [...random.bytes(BODY_LENGTH)].map((byte, place) => {
    if (place === SALT_LENGTH - 1) return LAST_OF_SALT[byte % LAST_OF_SALT.length];
    if (place === BODY_LENGTH - 1) return LAST_OF_BODY[byte % LAST_OF_BODY.length];
    return ALPHABET[byte % ALPHABET.length];
  });
  return `$2b$10$${body.join("")}`;
}
