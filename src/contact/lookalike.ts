/** Recognizes email addresses whose letters imitate another address. It follows Unicode TR39, with a table small enough to read. Plain ASCII letters (rn and m, l and 1) never count as similar. */

import { decodeDomain } from "./email.js";

/**
 * Lower-case letters that most typefaces draw exactly like an ASCII letter, by Unicode's
 * confusables.txt. Letters that are only similar (к, п, ω) are not among them: they would raise
 * false alarms in the languages that need them.
 */
const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Cyrillic
    а: "a",
    ԁ: "d",
    е: "e",
    г: "r",
    һ: "h",
    і: "i",
    ј: "j",
    ӏ: "l",
    о: "o",
    р: "p",
    ԛ: "q",
    с: "c",
    ѕ: "s",
    у: "y",
    ү: "y",
    х: "x",
    ѵ: "v",
    ԝ: "w",
    // Greek
    α: "a",
    γ: "y",
    ι: "i",
    κ: "k",
    ν: "v",
    ο: "o",
    ρ: "p",
    υ: "u",
    χ: "x",
    ϳ: "j",
    // Armenian
    հ: "h",
    յ: "j",
    ո: "n",
    օ: "o",
    զ: "q",
    ս: "u",
    ց: "g",
    // Latin
    ı: "i",
    ȷ: "j",
    ɑ: "a",
    ɡ: "g",
    ɩ: "i",
    ƅ: "b",
    ᴄ: "c",
    ᴏ: "o",
    ꜱ: "s",
    ᴠ: "v",
    ᴡ: "w",
    ᴢ: "z",
  }),
);

const NOT_ASCII = /[^\0-\x7f]/;
const WORTH_A_LOOK = /[^\0-\x7f]|xn--/;

/**
 * The scripts whose letters pass for Latin ones. East Asian scripts aren't here, since their users
 * mix them with Latin.
 */
const IMITATING = "\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Armenian}\\p{Script=Cherokee}";
const WITH_LATIN = new RegExp(`(?=.*\\p{Script=Latin})(?=.*[${IMITATING}])`, "u");
const OTHER_THAN = (script: string): RegExp =>
  new RegExp(`(?=.*\\p{Script=${script}})(?=.*(?!\\p{Script=${script}})[${IMITATING}])`, "u");
const MIXES = [WITH_LATIN, ...["Cyrillic", "Greek", "Armenian", "Cherokee"].map(OTHER_THAN)];

const LATIN = /\p{Script=Latin}/u;
const BETWEEN_WORDS = /[@._+-]/;

/**
 * What an address looks like: two addresses that people can't tell apart have one skeleton. It
 * serves to compare; it isn't an address to send to.
 *
 * @param email a normalized address; labels in Punycode are shown as people see them
 */
export function skeletonOf(email: string): string {
  return WORTH_A_LOOK.test(email) ? drawn(decoded(email)) : email;
}

/**
 * Whether a normalized address imitates another one. A word in it mixes Latin letters with those of
 * a script that passes for Latin, or all of it could be read as plain ASCII. An address that is all
 * in one other script, domain included, imitates none.
 */
export function isLookalike(email: string): boolean {
  if (!WORTH_A_LOOK.test(email)) return false;
  const seen = decoded(email);
  if (!NOT_ASCII.test(seen)) return false;
  const isMixed = (word: string): boolean => MIXES.some((mixed) => mixed.test(word));
  if (seen.split(BETWEEN_WORDS).some(isMixed)) return true;
  return LATIN.test(seen.normalize("NFKC")) && !NOT_ASCII.test(drawn(seen));
}

function decoded(email: string): string {
  const domain = email.lastIndexOf("@") + 1;
  return email.slice(0, domain) + decodeDomain(email.slice(domain));
}

/**
 * NFKC turns full-width and other styled letters into plain ones. A dot above an i adds nothing
 * that people see.
 */
function drawn(text: string): string {
  const plain = text.normalize("NFKC").toLowerCase().normalize("NFKC");
  const letters = Array.from(plain, (letter) => CONFUSABLES.get(letter) ?? letter).join("");
  return letters.replace(/(?<=[ij])\u0307+/gu, "").normalize("NFC");
}
