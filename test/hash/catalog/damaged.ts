/** Damage that is undone, and markers that there is no password. */

import { ACCOUNT, type HashForm } from "./form.js";

export const DAMAGED_FORMS: readonly HashForm[] = [
  {
    form: "NUL padding that is written out, as by MySQL's INTO OUTFILE",
    example: "$2a$10$<53>\\0\\0",
    gives: ["trim"],
  },
  {
    form: "a spreadsheet's formula of a text",
    example: '="$2a$10$<53>"',
    gives: ["unquoted"],
  },
  {
    form: "CHAR padding, line ends, byte-order marks, libsodium's NULs",
    example: "$argon2id$v=19$m=65536,t=2,p=1$<salt>$<hash><nuls>",
    gives: ["trim"],
  },
  {
    form: "quotation marks, also backticks and Python's `b'…'`",
    example: "b'$2a$12$<53>'",
    gives: ["unquoted"],
  },
  {
    form: "backslash escapes of JSON, PHP, JavaScript or a shell",
    example: "\\u00242a\\u002410\\u0024<53>",
    gives: ["unescaped"],
  },
  {
    form: "percent-encoding",
    example: "<percent>",
    gives: ["percent_decoded", "bcrypt_2b_to_2a"],
  },
  {
    form: "HTML entities",
    example: "&#36;2a&#36;10&#36;<53>",
    gives: ["entities_decoded"],
  },
  {
    form: "doubled dollar signs (compose files, makefiles)",
    example: "$$2a$$10$$<53>",
    gives: ["dollars_halved"],
  },
  {
    form: "hexadecimal: MySQL's `0x…`, PostgreSQL's `\\x…`, SQL's `X'…'`, or bare",
    example: "0x<hex>",
    gives: ["hex_decoded", "bcrypt_2b_to_2a"],
  },
  {
    form: "base64 of the whole hash (LDIF, binary columns)",
    example: "<base64>",
    gives: ["base64_decoded", "bcrypt_2b_to_2a"],
  },
  {
    form: "`+` that form decoding turned into a blank, in argon2 and vendor scrypt",
    example: "$argon2id$v=19$m=65536,t=3,p=4$<salt>$<blanks>",
    gives: ["plus_restored"],
  },
];

export const NO_PASSWORD_FORMS: readonly HashForm[] = [
  { form: "an empty field", example: "", gives: null },
  ...["NULL", "\\N", "None", "(null)", "[NULL]", "undefined", "-", "!", "!!", "*", "x"].map(
    (example): HashForm => ({ form: "a marker", example, gives: null }),
  ),
  {
    form: "Django's `!` and forty random characters",
    example: "!bHxErD9qI8XP3DWsbrACdsV7zyL4tC3up2vyONHm",
    gives: null,
  },
];

export const BROKEN_FORMS: readonly HashForm[] = [
  { form: "bcrypt, cut off or longer", example: "$2a$10$<22>", gives: "bcrypt_length" },
  {
    form: "bcrypt, a character of another alphabet",
    example: "$2a$10$kWru01o9W3Sr+n9VuWmdDO<31>",
    gives: "bcrypt_alphabet",
  },
  { form: "bcrypt, letters of one case", example: "$2a$10$<one-case>", gives: "bcrypt_casefold" },
  {
    form: "bcrypt, upper case, identifier and all",
    example: "$2A$10$<one-case>",
    gives: "bcrypt_casefold",
  },
  { form: "bcrypt, impossible cost", example: "$2a$31$<53>", gives: "bcrypt_cost" },
  {
    form: "bcrypt, impossible last character",
    example: "$2a$10$<22>nIQl02fRZH3HO/jfbbNyBTWKLzQ6BtX",
    gives: "bcrypt_hash_bits",
  },
  {
    form: "argon2, no standard form",
    example: "$argon2id$v=19$m=65536,t=3,p=4$<salt>",
    gives: "argon2_format",
  },
  {
    form: "argon2, unknown version",
    example: "$argon2id$v=18$m=65536,t=3,p=4$<salt>$<hash>",
    gives: "argon2_version",
  },
  {
    form: "argon2, impossible parameters",
    example: "$argon2id$v=19$m=7,t=3,p=4$<salt>$<hash>",
    gives: "argon2_parameters",
  },
  {
    form: "argon2, associated data",
    example: "$argon2id$v=19$m=65536,t=3,p=4,data=AAAA$<salt>$<hash>",
    gives: "argon2_data",
  },
  {
    form: "argon2, a secret key",
    example: "$argon2id$v=19$m=65536,t=3,p=4,keyid=AAAA$<salt>$<hash>",
    gives: "argon2_keyid",
  },
  {
    form: "argon2, damaged base64",
    example: "$argon2id$v=19$m=65536,t=3,p=4$<salt>$<hash>!",
    gives: "argon2_base64",
  },
  {
    form: "argon2, a short salt or none",
    example: "$argon2id$v=19$m=65536,t=3,p=4$$<hash>",
    gives: "argon2_salt_length",
  },
  {
    form: "argon2, output of unusual length",
    example: "$argon2id$v=19$m=65536,t=3,p=4$<salt>$xZ8SRjyq4AnxaHqnS+NTRz5+2mJP3u8e",
    gives: "argon2_hash_length",
  },
  {
    form: "argon2, letters of one case",
    example:
      "$argon2id$v=19$m=65536,t=3,p=4$t8cla1atchpijbdcgnhspw$xz8srjyq4anxahqns+ntrz5+2mjp3u8enoykjxbwlck",
    gives: "argon2_casefold",
  },
  {
    form: "vendor scrypt, no standard form",
    example: "$f_scrypt$<f-hash>$<f-salt>$m=14$r=8",
    gives: "fscrypt_format",
  },
  {
    form: "vendor scrypt, parameters out of range",
    example: "$f_scrypt$<f-hash>$<f-salt>$m=16$r=8$s=Bw==",
    gives: "fscrypt_parameters",
  },
  {
    form: "vendor scrypt, damaged hash",
    example: "$f_scrypt$<f-hash>=$<f-salt>$m=14$r=8$s=Bw==",
    gives: "fscrypt_hash",
  },
  {
    form: "vendor scrypt, hash of another length",
    example: "$f_scrypt$<base64-16>$<f-salt>$m=14$r=8$s=Bw==",
    gives: "fscrypt_hash_length",
  },
  {
    form: "vendor scrypt, letters of one case",
    example: "$f_scrypt$<f-one-case>$<f-salt>$m=14$r=8$s=Bw==",
    gives: "fscrypt_casefold",
  },
  {
    form: "vendor scrypt, no salt",
    example: "$f_scrypt$<f-hash>$$m=14$r=8$s=Bw==",
    gives: "fscrypt_salt",
  },
  {
    form: "vendor scrypt, an account without a salt separator",
    example: "$f_scrypt$<f-hash>$<f-salt>$m=14$r=8$s=",
    gives: "fscrypt_separator",
  },
  {
    form: "Firebase's hash and salt without `--hash-config`",
    example: '{"passwordHash":"<f-hash>","salt":"<f-salt>"}',
    gives: "hash_config_missing",
  },
  {
    form: "Firebase's hash and salt with parameters out of range",
    example: '{"passwordHash":"<f-hash>","salt":"<f-salt>"}',
    hashConfig: { ...ACCOUNT, rounds: 17 },
    gives: "hash_config_invalid",
  },
  {
    form: "a signer key that can't be one",
    example: "$firescrypt$ln=14,r=8,p=1$<f-salt>$<f-hash>$Bw==$<short-key>",
    gives: "signer_key_length",
  },
  {
    form: "another signer key than that of `--hash-config`",
    example: "$firescrypt$ln=14,r=8,p=1$<f-salt>$<f-hash>$Bw==$<other-key>",
    hashConfig: ACCOUNT,
    gives: "signer_key_mismatch",
  },
  { form: "a text longer than any hash", example: "<1025>", gives: "too_long" },
];
