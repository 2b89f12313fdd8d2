/** Where this core answers a recorded request otherwise than SuperTokens did, and why. docs/core/README.md sums them up. */

import { readFileSync } from "node:fs";

/** HTTP status, and the JSON status behind it where there is one. */
export interface Difference {
  readonly superTokens: string;
  readonly ours: string;
  readonly reason: string;
}

const STRICT_CONTACT =
  "What is no email address or phone number is refused: no user could ever get a code there.";

/** By the recorded request's name: a line of transcript-differences.tsv each. */
export const TRANSCRIPT_DIFFERENCES: Readonly<Record<string, Difference>> = Object.fromEntries(
  readFileSync(new URL("transcript-differences.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"))
    .map(([name = "", superTokens = "", ours = "", reason = ""]) => [
      name,
      { superTokens, ours, reason },
    ]),
);

/** A request that was not recorded, but tried at SuperTokens or read out of its source. */
export interface Unrecorded extends Difference {
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
  /** Whether the core has a signer key. */
  readonly hasKey?: boolean;
}

const WHOLE_HASH =
  "The whole hash is checked, not its beginning: it could never verify, and its user would be locked out.";
const NOT_OFFERED = "Is not offered, so there is no such path.";
const IMPORT = "/recipe/user/passwordhash/import";
const CODE = "/recipe/signinup/code";
const IMPOSSIBLE = { superTokens: "200 OK", ours: "400", path: IMPORT };
const SALTED = "$2a$10$a97.EJNdLQc0H6/eMXIHUO";
const BCRYPT = `${SALTED}9QgnDyiIoJfB44zfyWBauCS489wEItS`;
const ARGON2_TAIL = "$T8Cla1aTchpiJBDcGnHSpw$xZ8SRjyq4AnxaHqnS+NTRz5+2mJP3u8eNOyKjxbWLCk";
const SCRYPT_HASH =
  "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";
const SCRYPT = `$f_scrypt$${SCRYPT_HASH}$42xEC+ixf3L2lw==$m=14$r=8$s=Bw==`;

function hashRow(name: string, passwordHash: string, reason = WHOLE_HASH) {
  const body = { email: "vera.unrecorded@example.com", passwordHash };
  return [name, { ...IMPOSSIBLE, hasKey: true, body, reason }] as const;
}

/** By what is asked. */
export const UNRECORDED_DIFFERENCES: Readonly<Record<string, Unrecorded>> = Object.fromEntries([
  hashRow("an import of `$2a` alone", "$2a"),
  hashRow("an import of bcrypt that is cut off", BCRYPT.slice(0, -1)),
  hashRow("an import of bcrypt with a longer end", `${BCRYPT}x`),
  hashRow("an import of bcrypt of cost 99", BCRYPT.replace("$10$", "$99$")),
  hashRow("an import of bcrypt of a cost with one digit", BCRYPT.replace("$10$", "$5$")),
  hashRow("an import of `$argon2id` alone", "$argon2id"),
  hashRow("an import of a variant of argon2 that is none", "$argon2idXYZ$foo"),
  hashRow("an import of argon2 without parameters", `$argon2id$v=19${ARGON2_TAIL}`),
  hashRow(
    "an import of argon2 without its hash",
    "$argon2id$v=19$m=4096,t=3,p=1$T8Cla1aTchpiJBDcGnHSpw$",
  ),
  hashRow(
    "an import of vendor scrypt in url-safe base64",
    SCRYPT.replace(SCRYPT_HASH, SCRYPT_HASH.replaceAll("+", "-").replaceAll("/", "_")),
  ),
  hashRow(
    "an import of bcrypt of cost 31",
    BCRYPT.replace("$10$", "$31$"),
    "No sign-in could wait for it.",
  ),
  [
    "an import of vendor scrypt without a signer key",
    {
      ...IMPOSSIBLE,
      superTokens: "500",
      body: {
        email: "vera.unrecorded@example.com",
        passwordHash: SCRYPT,
        hashingAlgorithm: "firebase_scrypt",
      },
      reason:
        "The configuration lacks it; the message names the field, and no call could mend a 500.",
    },
  ],
  [
    "an import with an empty email",
    { ...IMPOSSIBLE, body: { email: "", passwordHash: BCRYPT }, reason: STRICT_CONTACT },
  ],
  [
    "an import with an email that is none",
    { ...IMPOSSIBLE, body: { email: "nope", passwordHash: BCRYPT }, reason: STRICT_CONTACT },
  ],
  [
    "an email with a Kelvin sign, a long s or full-width letters",
    {
      ...{
        superTokens: "200 OK",
        ours: "400",
        path: CODE,
        body: { email: "\u212aim@example.com" },
      },
      reason: "In small letters it is another address, perhaps a stranger's.",
    },
  ],
  [
    "a code with digits of more than 64 characters",
    {
      ...{ superTokens: "200 OK", ours: "400", path: CODE },
      body: { email: "vera@example.com", userInputCode: "7".repeat(65) },
      reason: "A person types them.",
    },
  ],
  [
    "signing up with a password",
    {
      ...{ superTokens: "200 OK", ours: "404", path: "/recipe/signup" },
      body: { email: "vera@example.com", password: "correct horse" },
      reason: NOT_OFFERED,
    },
  ],
]);
