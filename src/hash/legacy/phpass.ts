/** phpass' portable hashes (openwall.com/phpass) and what was made of them: WordPress and phpBB 3, Drupal 7. */

import { hash } from "node:crypto";
import { PRE_HASH_FORMS, preHashCandidates } from "../prehash.js";
import { itoa64Value, toItoa64 } from "./crypt.js";
import { BOUNDS, derived, giveWay, outOfBounds, type Parsed, verified } from "./legacy-hash.js";

const TEXT =
  /^(U?)\$([PHS])\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{22}|[./0-9A-Za-z]{43})$/;

const FORMATS: Readonly<Record<string, string>> = {
  P: "phpass",
  H: "phpbb3",
  S: "drupal7",
};

/** How WordPress and phpBB change some passwords first, by the forms of `prehash.ts`; a hash doesn't show it, nor who made it. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  P: ["slashed"],
  H: ["html_escaped", "unicode_normalized"],
};

/** No form of these takes more than the password. */
const NOTHING_ELSE = { hash: "", userNames: [], salts: [] };

/** phpass writes the whole MD5, Drupal cuts its SHA-512 off so that the text has 55 characters (includes/password.inc). */
const MD5_CHARACTERS = 22;
const DRUPAL_CHARACTERS = 43;

/** Drupal's `U` in front: the hash is of the MD5 that Drupal 6 kept (user_update_7000). */
export function parsePhpass(text: string): Parsed {
  const [, wrapped, mark = "", log = "", salt = "", encoded = ""] = TEXT.exec(text) ?? [];
  const characters = mark === "S" ? DRUPAL_CHARACTERS : MD5_CHARACTERS;
  if (encoded.length !== characters) return null;
  const format = wrapped === "U" ? "drupal6_upgraded" : (FORMATS[mark] ?? "");
  const rounds = 2 ** itoa64Value(log);
  // phpass itself takes 7 to 30.
  if (rounds < 2 ** 7 || rounds > BOUNDS.rounds) return outOfBounds(format, "iterations");
  const digest = mark === "S" ? "sha512" : "md5";
  const { verify } = derived(format, {
    expected: Buffer.from(encoded),
    async derive(password) {
      const typed = wrapped === "U" ? hash("md5", password) : password;
      const bytes = await stretched(Buffer.from(typed), Buffer.from(salt), { digest, rounds });
      return Buffer.from(toItoa64(bytes).slice(0, characters));
    },
  });
  const forms = PRE_HASH_FORMS.filter(({ name }) => FORMS[mark]?.includes(name));
  return verified(format, 0, async (password) => {
    if (await verify(password)) return true;
    for await (const { password: typed } of preHashCandidates(password, NOTHING_ELSE, forms)) {
      if (await verify(String(typed))) return true;
    }
    return false;
  });
}

async function stretched(
  password: Buffer,
  salt: Buffer,
  { digest, rounds }: { readonly digest: string; readonly rounds: number },
): Promise<Buffer> {
  let result = hash(digest, Buffer.concat([salt, password]), "buffer");
  const input = Buffer.concat([result, password]);
  for (let round = 0; round < rounds; round++) {
    await giveWay(round);
    input.set(result);
    result = hash(digest, input, "buffer");
  }
  return result;
}
