/** Makes exports of any size for the benchmarks: invented people with well-formed hashes that nobody knows a password for. */

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { once } from "node:events";

const ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const SALT_ENDS = ".Oeu";
const HASH_ENDS = ".CGKOSWaeimquy26";
const BODY_CHARACTERS = 53;
const BLOCK_CHARACTERS = 256 * 1024;

/** When each of them joined. */
export const JOINED = "2024-05-01T09:00:00.000Z";

/** The character of a hash at a place: the last one of salt and of digest have fewer bits. */
function character(byte, place) {
  if (place === 21) return SALT_ENDS[byte % 4];
  return place === BODY_CHARACTERS - 1 ? HASH_ENDS[byte % 16] : ALPHABET[byte % 64];
}

/**
 * One user of a benchmark: deterministic, so that every side of a comparison has the same bodies.
 * Emails begin at random, so that they come in no order of any index.
 */
export function userNumber(number) {
  const bytes = createHash("sha512").update(`user ${number}`).digest();
  let body = "";
  for (let place = 0; place < BODY_CHARACTERS; place += 1) body += character(bytes[place], place);
  return {
    id: `u${number}`,
    email: `${bytes.toString("hex", 0, 5)}.${number}@example.com`,
    name: number % 10 === 0 ? `Person, No. ${number}` : `Person ${number}`,
    passwordHash: `$2a$10$${body}`,
  };
}

/** The users with these numbers, from `first` on, as many as there are up to `last`. */
export function usersFrom(first, count, last) {
  const length = Math.min(count, last - first + 1);
  return Array.from({ length }, (_, index) => userNumber(first + index));
}

/** Writes lines in blocks, so that ten million of them take no longer than making them. */
async function writeLines(path, lines) {
  const file = createWriteStream(path);
  let block = "";
  for (const line of lines) {
    block += line;
    if (block.length < BLOCK_CHARACTERS) continue;
    if (!file.write(block)) await once(file, "drain");
    block = "";
  }
  file.end(block);
  await once(file, "finish");
}

/** Writes a CSV of `count` password users, each by their number. */
export function writeCsv(path, count, userOf = userNumber) {
  return writeLines(path, csvLines(count, userOf));
}

function* csvLines(count, userOf) {
  yield "id,email,email_verified,name,password_hash,created_at\n";
  for (let number = 1; number <= count; number += 1) {
    const { id, email, name, passwordHash } = userOf(number);
    // As exported by node's bcrypt: the identifier has to be changed.
    const hash = passwordHash.replace("$2a$", "$2b$");
    const field = name.includes(",") ? `"${name}"` : name;
    yield `${id},${email},true,${field},${hash},${JOINED}\n`;
  }
}

const BASE_32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PLANS = ["free", "team", "business"];

/** Writes a CSV of `count` password users who have all that a core keeps of an account. */
export function writeAccountsCsv(path, count) {
  return writeLines(path, accountLines(count));
}

function* accountLines(count) {
  yield "id,email,email_verified,name,given_name,family_name,picture,locale,plan,groups,totp,password_hash,created_at\n";
  for (let number = 1; number <= count; number += 1) {
    const { id, email, passwordHash } = userNumber(number);
    const secret = createHash("sha1").update(`totp ${number}`).digest();
    const totp = Array.from({ length: 32 }, (_, at) => BASE_32[secret[at % 20] % 32]).join("");
    const names = `Person ${number},Person,No. ${number},https://images.example.com/${id}.jpg`;
    const groups = number % 2 === 0 ? "member;editor" : "member";
    const parts = [names, "en-GB", PLANS[number % 3], groups, totp].join(",");
    yield `${id},${email},true,${parts},${passwordHash},${JOINED}\n`;
  }
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
export function writeFirebaseJson(path, count) {
  return writeLines(path, firebaseLines(count));
}

function* firebaseLines(count) {
  yield '{"users": [\n';
  for (let number = 1; number <= count; number += 1) {
    yield JSON.stringify(firebaseUser(number)) + (number === count ? "\n" : ",\n");
  }
  yield "]}";
}

/** Writes objects as lines of JSON. */
export function writeNdjson(path, objects) {
  return writeLines(path, jsonLines(objects));
}

function* jsonLines(objects) {
  for (const object of objects) yield `${JSON.stringify(object)}\n`;
}
