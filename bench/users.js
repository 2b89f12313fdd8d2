/** Makes exports of any size for the benchmarks: invented people with well-formed hashes that nobody knows a password for. */

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

/** Writes a CSV of `count` password users, each by their number. */
export async function writeCsv(path, count, userOf = userNumber) {
  const file = createWriteStream(path);
  file.write("id,email,email_verified,name,password_hash,created_at\n");
  for (let number = 1; number <= count; number += 1) {
    const { id, email, passwordHash } = userOf(number);
    // As exported by node's bcrypt: the identifier has to be changed.
    const hash = passwordHash.replace("$2a$", "$2b$");
    const name = number % 10 === 0 ? `"Person, No. ${number}"` : `Person ${number}`;
    const line = `${id},${email},true,${name},${hash},2024-05-01T09:00:00.000Z\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

/** One user as `firebase auth:export` writes them: every fourth with Google beside the password. */
function firebaseUser(number) {
  const bytes = createHash("sha512").update(`user ${number}`).digest();
  const { id, email } = userNumber(number);
  const google = {
    providerId: "google.com",
    rawId: String(10 ** 20 + number),
    email,
    displayName: `Person ${number}`,
    photoUrl: `https://images.example.com/${id}.jpg`,
  };
  return {
    localId: bytes.toString("base64url", 0, 21),
    email,
    emailVerified: number % 3 !== 0,
    passwordHash: bytes.toString("base64"),
    salt: bytes.toString("base64", 32, 42),
    displayName: number % 10 === 0 ? `Zoë "Person" ${number}` : `Person ${number}`,
    lastSignedInAt: "1704164645000",
    createdAt: "1693562400000",
    disabled: false,
    providerUserInfo: number % 4 === 0 ? [google] : [],
  };
}

/** Writes a Firebase JSON document of `count` users. */
export async function writeFirebaseJson(path, count) {
  const file = createWriteStream(path);
  file.write('{"users": [\n');
  for (let number = 1; number <= count; number += 1) {
    const end = number === count ? "\n" : ",\n";
    if (!file.write(JSON.stringify(firebaseUser(number)) + end)) await once(file, "drain");
  }
  file.end("]}");
  await once(file, "finish");
}
