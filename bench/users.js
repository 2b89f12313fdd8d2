/** Makes exports of any size for the benchmarks: invented people with well-formed bcrypt hashes that nobody knows a password for. */

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { once } from "node:events";

const ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const SALT_ENDS = ".Oeu";
const HASH_ENDS = ".CGKOSWaeimquy26";

/** One user of a benchmark: deterministic, so that every side of a comparison has the same bodies. */
export function userNumber(number) {
  const bytes = createHash("sha512").update(`user ${number}`).digest();
  const character = (index) => ALPHABET[bytes[index] % 64];
  const body = Array.from({ length: 53 }, (_, index) => {
    if (index === 21) return SALT_ENDS[bytes[index] % 4];
    return index === 52 ? HASH_ENDS[bytes[index] % 16] : character(index);
  }).join("");
  return {
    id: `u${number}`,
    email: `${bytes.toString("hex", 0, 5)}.${number}@example.com`,
    passwordHash: `$2a$10$${body}`,
  };
}

/** Writes a CSV of `count` password users. */
export async function writeCsv(path, count) {
  const file = createWriteStream(path);
  file.write("id,email,email_verified,name,password_hash,created_at\n");
  for (let number = 1; number <= count; number += 1) {
    const { id, email, passwordHash } = userNumber(number);
    // As exported by node's bcrypt: the identifier has to be changed.
    const hash = passwordHash.replace("$2a$", "$2b$");
    const name = number % 10 === 0 ? `"Person, No. ${number}"` : `Person ${number}`;
    const line = `${id},${email},true,${name},${hash},2024-05-01T09:00:00.000Z\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}
