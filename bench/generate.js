/** Writes an export to stdout for as long as asked, faster than it is read: `node bench/generate.js csv ROWS` or `firebase BYTES`. Invented people; every id, address and hash is there once. */

import { once } from "node:events";
import { userNumber } from "./users.js";

const ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const BLOCK_CHARACTERS = 64 * 1024;

/** Ends of well-formed hashes; a counter before them makes each one another. */
const BCRYPT_ENDS = Array.from({ length: 512 }, (_, index) =>
  userNumber(index).passwordHash.slice("$2a$10$".length + 6),
);

/** Six characters that no other number below 64 ** 6 has. */
function counter(number) {
  let text = "";
  for (let rest = number, place = 0; place < 6; place++, rest = Math.floor(rest / 64)) {
    text += ALPHABET[rest % 64];
  }
  return text;
}

function csvRow(number) {
  const end = BCRYPT_ENDS[number % BCRYPT_ENDS.length];
  const name = number % 10 === 0 ? `"Person, No. ${number}"` : `Person ${number}`;
  return `u${number},user.${number}@example.com,true,${name},$2b$10$${counter(number)}${end},2024-05-01T09:00:00.000Z\n`;
}

function firebaseUser(number) {
  const end = BCRYPT_ENDS[number % BCRYPT_ENDS.length].replaceAll(".", "+");
  const hash = `${counter(number).replaceAll(".", "+")}${end}${end}`.slice(0, 85);
  const user = {
    localId: `${counter(number).replace(/[./]/g, "x")}${number}`.padEnd(28, "q"),
    email: `user.${number}@example.com`,
    emailVerified: true,
    passwordHash: `${hash}w==`,
    salt: "c2FsdHNhbHQ5OQ==",
    displayName: `Person ${number}`,
    lastSignedInAt: "1704164645000",
    createdAt: "1693562400000",
    disabled: false,
    providerUserInfo: [],
  };
  return `${number === 1 ? "" : ",\n"}${JSON.stringify(user)}`;
}

async function write(text) {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

const [kind, amount] = process.argv.slice(2);
const isCsv = kind === "csv";
await write(isCsv ? "id,email,email_verified,name,password_hash,created_at\n" : '{"users":[\n');
let block = "";
let written = 0;
for (let number = 1; isCsv ? number <= Number(amount) : written < Number(amount); number++) {
  block += isCsv ? csvRow(number) : firebaseUser(number);
  if (block.length < BLOCK_CHARACTERS) continue;
  written += block.length;
  await write(block);
  block = "";
}
await write(isCsv ? block : `${block}\n]}\n`);
