/** The rows of the docs' table of source forms, which forms.tsv lists: a form by example, what becomes of it, and what stands beside it. The example is a template, so that no page shows a hash. */

import { readFileSync } from "node:fs";
import { ALGORITHMS } from "../../../src/hash/credentials/form.js";
import { codeOf } from "../../../src/hash/flaw.js";
import { PLAIN_TEXT_SCHEMES, SCHEME_NAMES } from "../../../src/hash/foreign/foreign.js";
import type { HashConfig } from "../../../src/hash/hash.js";
import type { Step } from "../../../src/hash/steps.js";
import { ANSWERS } from "../legacy/support/known-answers.js";

/** One form in which hashes come. */
export interface HashForm {
  /** Whose form it is, or what happened to it, for people. */
  readonly form: string;
  /** A text, or JSON of a credential object, with samples' names in angle brackets. */
  readonly example: string;
  /** What stands in the salt column beside it, where there is one. */
  readonly salt?: string;
  /** Whose hash it is, where that decides. */
  readonly vendor?: string;
  /** The account's parameters, where they are given. */
  readonly hashConfig?: HashConfig;
  /** With `--allow-hash 2x`. */
  readonly allowHash?: readonly ["2x"];
  /** What comes of it: the steps to an accepted hash, a refusal's code, or no password. */
  readonly gives: readonly Step[] | string | null;
}

/** A piece of an example. */
interface Sample {
  /** Invented, or of a password that is public. */
  readonly value: string;
  /** What the docs show in its place. */
  readonly shown: string;
}

const BCRYPT_SALT = "kWru01o9W3Sr.n9VuWmdDO";
const BCRYPT_HASH = "nIQl02fRZH3HO/jfbbNyBTWKLzQ6BtW";
const BCRYPT = `$2b$10$${BCRYPT_SALT}${BCRYPT_HASH}`;
const ARGON2_SALT = "T8Cla1aTchpiJBDcGnHSpw";
const ARGON2_HASH = "xZ8SRjyq4AnxaHqnS+NTRz5+2mJP3u8eNOyKjxbWLCk";
const SCRYPT_HASH =
  "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ";
const SCRYPT_SALT = "42xEC+ixf3L2lw";
const DIGEST = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";

/** Parameters of an invented account, with the public signer key of github.com/firebase/scrypt. */
export const ACCOUNT: HashConfig & { readonly signerKey: string } = {
  signerKey:
    "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
  saltSeparator: "Bw==",
  rounds: 8,
  memCost: 14,
};

const SAMPLES: Readonly<Record<string, Sample>> = {
  "53": { value: BCRYPT_SALT + BCRYPT_HASH, shown: "…" },
  "22": { value: BCRYPT_SALT, shown: "…" },
  "31": { value: BCRYPT_HASH, shown: "…" },
  "one-case": { value: (BCRYPT_SALT + BCRYPT_HASH).toUpperCase(), shown: "…" },
  "phc-22": { value: "tAe1bhm5zoo0Sx7ZfrCd7w", shown: "…" },
  "phc-31": { value: "0T4Cf8htpt/8FbjK+cErdaTh8T6ClYQ", shown: "…" },
  salt: { value: ARGON2_SALT, shown: "…" },
  hash: { value: ARGON2_HASH, shown: "…" },
  "url-safe": { value: ARGON2_HASH.replaceAll("+", "-"), shown: "…-…" },
  blanks: { value: ARGON2_HASH.replaceAll("+", " "), shown: "… …" },
  "f-hash": { value: `${SCRYPT_HASH}==`, shown: "…" },
  "f-url-safe": { value: SCRYPT_HASH.replaceAll("+", "-").replaceAll("/", "_"), shown: "…-…_…" },
  bytes: { value: [...Buffer.from(BCRYPT)].join(), shown: "36,50,98,36,…" },
  "f-salt": { value: `${SCRYPT_SALT}==`, shown: "…" },
  "f-folded": { value: `${SCRYPT_HASH}==`.replaceAll(/.{76}/g, "$&\n"), shown: "…␊…" },
  "f-one-case": { value: `${SCRYPT_HASH.toUpperCase()}==`, shown: "…" },
  key: { value: ACCOUNT.signerKey, shown: "…" },
  "other-key": { value: Buffer.alloc(64, 7).toString("base64"), shown: "…" },
  "short-key": { value: Buffer.alloc(32, 7).toString("base64"), shown: "…" },
  hex: { value: Buffer.from(BCRYPT).toString("hex"), shown: "24326224…" },
  base64: { value: Buffer.from(BCRYPT).toString("base64"), shown: "JDJiJDEw…" },
  percent: { value: encodeURIComponent(BCRYPT), shown: "%242b%2410%24…" },
  "hex-16": { value: DIGEST, shown: "…" },
  "hex-64": { value: DIGEST.repeat(4), shown: "…" },
  "hex-512": { value: DIGEST.repeat(32), shown: "…" },
  "base64-16": { value: Buffer.from(DIGEST, "hex").toString("base64"), shown: "…==" },
  blob: { value: SCRYPT_HASH.slice(0, 64), shown: "…" },
  "1025": { value: "x".repeat(1025), shown: "…" },
  nuls: { value: "\0".repeat(31), shown: "␀…␀" },
};

const NAME = /<([a-z0-9-]+)>/g;

/** The example with samples in it: what normalization is given. */
export function filledIn(example: string): string {
  return example.replaceAll(NAME, (all, name: string) => SAMPLES[name]?.value ?? all);
}

/** The example as the docs show it. */
export function shown(example: string): string {
  return example.replaceAll(NAME, (all, name: string) => SAMPLES[name]?.shown ?? all);
}

/** The known answers whose formats Clerk's hashers write. */
const CLERK_FORMATS: Readonly<Record<string, string>> = {
  bcrypt_sha256_django: "django_bcrypt_sha256",
  ldap_ssha: "ldap_salted_sha1",
  md5: "raw_md5",
  pbkdf2_sha256_django: "django_pbkdf2_sha256",
  phpass: "phpass",
  scrypt_werkzeug: "werkzeug_scrypt",
  sha256: "raw_sha256",
};

function clerkDigest(hasher: string): string {
  return ANSWERS.find(({ format }) => format === CLERK_FORMATS[hasher])?.hash ?? "…";
}

/** What a row of `each=…` is made of, as the code has them. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  ...ALGORITHMS,
  plain: PLAIN_TEXT_SCHEMES,
  scheme: SCHEME_NAMES,
};

/** The lines of forms.tsv by the title of their section. */
const LINES = new Map(
  readFileSync(new URL("forms.tsv", import.meta.url), "utf8")
    .split(/^# /m)
    .slice(1)
    .map((section) => section.trimEnd().split("\n"))
    .map(([title = "", ...lines]) => [title, lines]),
);

/** All forms of a section, in its order. */
export function formsOf(title: string): readonly HashForm[] {
  return (LINES.get(title) ?? []).flatMap((line) => {
    const [form = "", example = "", gives = "", ...more] = line.split("\t");
    const beside = Object.fromEntries(more.map((cell) => cell.split(/=(.*)/s)));
    const { salt, vendor, account, allow, each } = beside as Readonly<Record<string, string>>;
    const [first, ...steps] = gives.split(" ");
    const row: HashForm = {
      ...{ form, example, gives: first === "accepted" ? (steps as Step[]) : gives },
      ...(first === "none" && { gives: null }),
      ...(salt !== undefined && { salt }),
      ...(vendor !== undefined && { vendor }),
      ...(account !== undefined && { hashConfig: { ...ACCOUNT, ...JSON.parse(account) } }),
      ...(allow === "2x" && { allowHash: ["2x"] as const }),
    };
    if (each === undefined) return [row];
    const named = (text: string, name: string) =>
      text.replaceAll("<name>", name).replaceAll("<clerk-digest>", () => clerkDigest(name));
    return (NAMES[each] ?? []).map((name) => ({
      ...{ form: named(form, name), example: named(example, name), gives: codeOf(gives, name) },
    }));
  });
}
