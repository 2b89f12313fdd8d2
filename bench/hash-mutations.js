/** Lines that are nearly hashes: the fixtures' raw hashes, mutated by a seeded generator, so that the benchmark and the fuzz test see the same lines at every run. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FIXTURES = fileURLToPath(new URL("../test/hash/fixtures/", import.meta.url));

const PIECES = [
  ...["$", "$$", "=", "==", ",", ":", "|", "!", "*", " ", "\t", "\0", "\\", "%24", "+", "-", "_"],
  ...["$2a$", "$2b$05$", "$2x$", "$2y$10$", "$argon2id$", "$v=19", "$v=16", "$m=8,t=1,p=1$"],
  ...[
    "$f_scrypt$",
    "$m=14$r=8$s=Bw==",
    "$wp",
    "{bcrypt}",
    "{CRYPT}",
    "{SSHA}",
    "bcrypt$",
    "argon2",
  ],
  ...[
    "M",
    "1|",
    "3|",
    "#jbcrypt:",
    "Bcrypt:",
    ":bcrypt:5$",
    "$shiro2$",
    "alice:",
    "legacy:",
    "md5$",
  ],
  ...[",data=AA", ",keyid=AA", "null", '"', "'", "b'", "{", '{"hash":"', '"}', "[", "\r", "\u200b"],
  ...["\u{ff04}", "\u0430", "\u202e", "\u00e9", "\u{1f511}", "\ufeff"],
];

/** Pairs that hashes are put between, as exports and shells do. */
const WRAPS = [
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
  ["b'", "'"],
  ["  ", "\t"],
  ["\ufeff", ""],
  ["{bcrypt}", ""],
  ["{CRYPT}", ""],
  ["{argon2}", ""],
  ["bcrypt$", ""],
  ["argon2", ""],
  ["1|", ""],
  ["#jbcrypt:", ""],
  ["bob:", ""],
  ["sha256:", ""],
  ['{"passwordHash":"', '"}'],
  ['{"password_digest":"', '","password_hasher":"bcrypt"}'],
  ['{"crypted_password":"', '","salt":"Zs4c9yXq"}'],
];

const RECODINGS = [
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(text).toString("hex"),
  (text) => `0x${Buffer.from(text).toString("hex").toUpperCase()}`,
  (text) => `\\x${Buffer.from(text).toString("hex")}`,
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => JSON.stringify(text),
  (text) => text.replaceAll("$", "\\u0024"),
  (text) => text.replaceAll("$", "&#36;"),
  (text) => text.replaceAll("$", "$$$$"),
  (text) => text.replaceAll("/", "\\/"),
  (text) => text.replaceAll("+", " "),
  (text) => text.replaceAll("+", "-").replaceAll("/", "_"),
  (text) => text.replaceAll("=", ""),
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
];

/** Whole numbers below `limit` from a 32-bit state (xorshift32, Marsaglia 2003). */
function randomNumbers(seed) {
  let state = seed >>> 0 || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

const MUTATIONS = [
  function flip(text, below) {
    const at = below(text.length + 1);
    return text.slice(0, at) + String.fromCharCode(33 + below(94)) + text.slice(at + 1);
  },
  function drop(text, below) {
    const at = below(text.length + 1);
    return text.slice(0, at) + text.slice(at + 1 + below(4));
  },
  function cut(text, below) {
    return text.slice(0, below(text.length + 1));
  },
  function behead(text, below) {
    return text.slice(below(Math.min(text.length, 12) + 1));
  },
  function insert(text, below) {
    const at = below(text.length + 1);
    return text.slice(0, at) + PIECES[below(PIECES.length)] + text.slice(at);
  },
  function precede(text, below) {
    return PIECES[below(PIECES.length)] + text;
  },
  function swap(text, below) {
    const [one, other] = [below(text.length + 1), below(text.length + 1)].sort((a, b) => a - b);
    return text.slice(0, one) + text.slice(other) + text.slice(one, other);
  },
  function double(text, below) {
    return text + PIECES[below(PIECES.length)] + text;
  },
  function wrap(text, below) {
    const [before, after] = WRAPS[below(WRAPS.length)];
    return before + text + after;
  },
  function recode(text, below) {
    return RECODINGS[below(RECODINGS.length)](text);
  },
  function splice(text, below, seeds) {
    const other = seeds[below(seeds.length)];
    return text.slice(0, below(text.length + 1)) + other.slice(below(other.length + 1));
  },
];

/** Every `raw` of the hash fixtures as text, structured credentials as JSON. */
export function hashSeeds() {
  const names = readdirSync(FIXTURES).filter((name) => name.endsWith(".json"));
  const found = names.sort().flatMap((name) => {
    const parsed = JSON.parse(readFileSync(`${FIXTURES}${name}`, "utf8"));
    return Array.isArray(parsed) ? parsed.flatMap(({ raw }) => raw ?? []) : [];
  });
  return found.map((raw) => (typeof raw === "string" ? raw : JSON.stringify(raw)));
}

/**
 * `count` lines with their line feeds, as bytes: one in eight as its seed is, the rest mutated one
 * to three times; a few are no UTF-8. The same `seed` gives the same lines.
 */
export function* mutatedLines(seeds, seed, count) {
  const below = randomNumbers(seed);
  for (let made = 0; made < count; made += 1) {
    let text = seeds[below(seeds.length)];
    const rounds = below(8) === 0 ? 0 : 1 + below(3);
    for (let round = 0; round < rounds; round += 1) {
      text = MUTATIONS[below(MUTATIONS.length)](text, below, seeds).slice(0, 2000);
    }
    const encoding = below(200) === 0 ? "latin1" : "utf8";
    yield Buffer.from(`${text.replaceAll("\n", " ")}\n`, encoding);
  }
}
