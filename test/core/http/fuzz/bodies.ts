/** Bodies for a fuzzed server: what an endpoint takes, nearly so, and not at all. */

import type { Random } from "../../../support/random.js";
import { KNOWN_HASHES } from "../../../support/known-hashes.js";

/** Never imported with another hash than this, so that its sign-ins stay cheap. */
export const KNOWN_EMAIL = "known.reader@example.com";

const FIELDS = [
  "email",
  "phoneNumber",
  "passwordHash",
  "hashingAlgorithm",
  "preAuthSessionId",
  "linkCode",
  "deviceId",
  "userInputCode",
  "userId",
  "recipeUserId",
  "superTokensUserId",
  "externalUserId",
  "__proto__",
  "constructor",
  "toString",
] as const;

const TEXTS = [
  "",
  " ",
  "reader@example.com",
  " READER@Example.COM ",
  "reader@",
  "@example.com",
  "a@b",
  "ä@bücher.example",
  "x'; DROP TABLE user; --@example.com",
  "\u0000",
  "\u202e\u0007",
  "\ud800",
  "😀".repeat(40),
  "+15550100001",
  "+1 (555) 010-0002",
  "0049 30 123456",
  "+",
  "true",
  "null",
  "vendor_scrypt",
  "firebase_scrypt",
  "ARGON2",
  KNOWN_HASHES.bcrypt.passwordHash,
  KNOWN_HASHES.argon2.passwordHash,
  KNOWN_HASHES.vendor_scrypt.passwordHash,
  "$2a$10$",
  "$argon2id$v=19$m=1024,t=2,p=1$$",
  "$f_scrypt$$$m=14$r=8$s=",
  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  "6f1c8a54-6d0e-7000-8000-000000000000",
] as const;

function text(random: Random): string {
  if (random.chance(1, 40)) return random.pick(TEXTS).repeat(random.below(3_000));
  const chosen = random.pick(TEXTS);
  if (!random.chance(1, 3)) return chosen;
  // Parameters stay: a cost that was changed by accident could be verified for hours.
  const at = Math.max(chosen.lastIndexOf("$"), 0) + random.below(8);
  return (
    chosen.slice(0, at) + random.bytes(random.below(4)).toString("latin1") + chosen.slice(at + 1)
  );
}

function value(random: Random): unknown {
  const kinds = [
    () => text(random),
    () => text(random),
    () => text(random),
    () => null,
    () => random.below(2) === 0,
    () => random.below(2 ** 31) - 2 ** 30,
    () => 1e308 * 10,
    () => [text(random)],
    () => ({ [random.pick(FIELDS)]: text(random) }),
  ] as const;
  return random.pick(kinds)();
}

/** Any fields with any values. */
function anyObject(random: Random): string {
  const entries = Array.from({ length: random.below(5) }, () => {
    return `${JSON.stringify(random.pick(FIELDS))}:${JSON.stringify(value(random)) ?? "1e999"}`;
  });
  return `{${entries.join(",")}}`;
}

/** What endpoints take. */
function rightObject(random: Random): string {
  const email = `reader.${random.below(2 ** 31)}@example.com`;
  const { passwordHash } = KNOWN_HASHES.bcrypt;
  const password = random.pick([KNOWN_HASHES.bcrypt.password, "not the password"]);
  return JSON.stringify(
    random.pick([
      { email },
      { phoneNumber: `+1555${1_000_000 + random.below(1_000_000)}` },
      { email, passwordHash },
      { email: KNOWN_EMAIL, passwordHash },
      { email: KNOWN_EMAIL, password },
      { email, password },
      { email, userId: text(random), recipeUserId: text(random) },
    ]),
  );
}

/** The bytes of a body, mostly JSON. */
export function bodyOf(random: Random): Buffer {
  const kinds = [
    () => rightObject(random),
    () => rightObject(random),
    () => anyObject(random),
    () => anyObject(random),
    () => anyObject(random).slice(0, random.below(60)),
    () => `${anyObject(random)}${text(random)}`,
    () => `\ufeff${rightObject(random)}`,
    () => JSON.stringify(value(random)) ?? "",
    () => random.pick(["[", '{"a":']).repeat(random.below(9_000)),
    () => "",
    () => random.bytes(random.below(200)),
    () => `{"email":"${"x".repeat(random.below(80_000))}"}`,
  ] as const;
  const body = random.pick(kinds)();
  return typeof body === "string" ? Buffer.from(body) : body;
}
