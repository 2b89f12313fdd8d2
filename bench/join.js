/** The join of users with a password export: `node bench/join.js [users]`, 1 000 000 by default. Writes both, in orders that have nothing to do with each other, validates them and says who found a hash, the peak memory and the time, beside the same users with their hashes in one file. Needs Linux. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measure } from "./measure.js";
import { userNumber } from "./users.js";

/** What the join may cost beside reading the same hashes from the users' own file. */
const LIMIT_MB = 50;
const COUNT = Number(process.argv[2] ?? 1_000_000);
const CONNECTION = "Username-Password-Authentication";

/** Every hundredth user is in no line, and every hundredth line is of nobody. */
const isMissing = (number) => number % 100 === 1;
/** Every hundredth user is found by email alone. */
const isByEmail = (number) => number % 100 === 2;

/** As many hexadecimal digits as an id of Auth0's has. */
const idOf = (text) => createHash("md5").update(text).digest("hex").slice(0, 24);

function userLine(number) {
  const { email } = userNumber(number);
  const id = idOf(`user ${number}`);
  const identity = { connection: CONNECTION, provider: "auth0", user_id: id, isSocial: false };
  const user = { user_id: `auth0|${id}`, email, email_verified: true, name: `Person ${number}` };
  return { ...user, identities: [identity], app_metadata: {}, blocked: false };
}

function passwordLine(number) {
  const { email, passwordHash } = userNumber(number);
  const isElsewhere = isMissing(number) || isByEmail(number);
  return {
    _id: { $oid: idOf(`${isElsewhere ? "other" : "user"} ${number}`) },
    email: isMissing(number) ? `gone.${number}@example.com` : email,
    passwordHash: passwordHash.replace("$2a$", "$2b$"),
    connection: CONNECTION,
    tenant: "acme",
  };
}

/** The same user with the hash that they are to find. */
function wholeLine(number) {
  const hash = isMissing(number) ? {} : { password_hash: passwordLine(number).passwordHash };
  return { ...userLine(number), ...hash };
}

async function write(path, numbers, lineOf) {
  const file = createWriteStream(path);
  for (const number of numbers) {
    if (!file.write(`${JSON.stringify(lineOf(number))}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
}

function* upTo(count) {
  for (let number = 1; number <= count; number += 1) yield number;
}

/** The same numbers in another order: a step that has no divisor in common with their count. */
function* shuffled(count) {
  const step = 7_368_787;
  for (let index = 0; index < count; index += 1) yield ((index * step) % count) + 1;
}

const directory = mkdtempSync(join(tmpdir(), "auth-migrate-join-"));
try {
  const [users, passwords, whole] = ["users", "passwords", "whole"].map((name) =>
    join(directory, `${name}.ndjson`),
  );
  await write(whole, upTo(COUNT), wholeLine);
  const alone = await measure(["validate", whole]);
  rmSync(whole);
  await write(users, upTo(COUNT), userLine);
  await write(passwords, shuffled(COUNT), passwordLine);
  const joined = await measure(["validate", users, "--password-export", passwords]);
  const { passwordExport } = joined.summary;
  const text = ({ megabytes, seconds }) => `${megabytes.toFixed(0)} MB, ${seconds.toFixed(1)} s`;
  console.log(`${COUNT} users with their hashes in one file: ${text(alone)}`);
  console.log(`${COUNT} users joined with ${COUNT} lines: ${text(joined)}`);
  console.log(JSON.stringify(passwordExport));
  const missing = Array.from(upTo(COUNT)).filter(isMissing).length;
  const isRight =
    passwordExport.matched === COUNT - missing &&
    passwordExport.unused === missing &&
    joined.summary.ready.import === COUNT - missing;
  if (!isRight) throw new Error("users have other hashes than they should");
  if (joined.megabytes > alone.megabytes + LIMIT_MB) throw new Error(`${LIMIT_MB} MB more`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
