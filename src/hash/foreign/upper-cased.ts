/** Hashes of a column that was turned to upper case, identifiers included. In lower case they still open as what they are. */

import { EXPORT_AGAIN, ONE_CASE_ONLY } from "../flaw.js";
import { type ForeignRow, row } from "./row.js";

export const UPPER_CASED: readonly ForeignRow[] = [
  row(
    "bcrypt_casefold",
    { pattern: /^\$2[ABXY]\$\d\d\$[^a-z]+$/, opens: ["$2"] },
    `the bcrypt hash ${ONE_CASE_ONLY}`,
    EXPORT_AGAIN,
  ),
  row(
    "argon2_casefold",
    { pattern: /^\$ARGON2(?:ID|I|D)\$[^a-z]+$/, opens: ["$A"] },
    `the argon2 hash ${ONE_CASE_ONLY}`,
    EXPORT_AGAIN,
  ),
  row(
    "fscrypt_casefold",
    { pattern: /^\$F_SCRYPT\$[^a-z]+$/, opens: ["$F"] },
    `the vendor scrypt hash ${ONE_CASE_ONLY}`,
    EXPORT_AGAIN,
  ),
];
