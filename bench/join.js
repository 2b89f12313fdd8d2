/**
 * The join of users with a password export: both in orders that have nothing to do with each other,
 * beside the same users with their hashes in one file.
 *
 * Environment: BENCH_JOIN_USERS (1 000 000).
 */

import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { resultOf } from "./frame/compare.js";
import { check, spread } from "./frame/figures.js";
import { runCli } from "./frame/processes.js";
import { setting, withFiles } from "./frame/settings.js";
import { userNumber, writeNdjson } from "./users.js";

/** Megabytes that the join may cost beside reading the same hashes from the users' own file. */
const TARGET = { most: 50 };
const COUNT = setting("BENCH_JOIN_USERS", 1_000_000);
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

function* upTo(count) {
  for (let number = 1; number <= count; number += 1) yield number;
}

/** The same numbers in another order: a step that has no divisor in common with their count. */
function* shuffled(count) {
  const step = 7_368_787;
  for (let index = 0; index < count; index += 1) yield ((index * step) % count) + 1;
}

function* mapped(numbers, lineOf) {
  for (const number of numbers) yield lineOf(number);
}

/** Whether everybody has the hash that they should have. */
function isRight({ passwordExport, ready }) {
  const missing = Array.from(upTo(COUNT)).filter(isMissing).length;
  return (
    passwordExport.matched === COUNT - missing &&
    passwordExport.unused === missing &&
    ready.import === COUNT - missing
  );
}

export function benchJoin() {
  return withFiles(async (fresh) => {
    const [users, passwords, whole] = ["users", "passwords", "whole"].map((name) =>
      fresh(`${name}.ndjson`),
    );
    await writeNdjson(whole, mapped(upTo(COUNT), wholeLine));
    const alone = await runCli(["validate", whole]);
    rmSync(whole);
    await writeNdjson(users, mapped(upTo(COUNT), userLine));
    await writeNdjson(passwords, mapped(shuffled(COUNT), passwordLine));
    const joined = await runCli(["validate", users, "--password-export", passwords]);
    if (!isRight(joined.summary)) throw new Error("users have other hashes than they should");
    const more = spread([joined.megabytes - alone.megabytes]);
    return [
      resultOf(
        `${COUNT} users joined with ${COUNT} lines of passwords`,
        { "hashes in one file": [alone], joined: [joined] },
        [["joined", "hashes in one file"]],
        [check("more memory, MB", more, TARGET)],
      ),
    ];
  });
}
