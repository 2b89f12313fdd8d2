/** Takes names of columns and properties apart into words: `isEmailVerified`, `email-verified`, `EMAILVERIFIED`. */

import { WORDS, type WordRole } from "./flag-words.js";

/** Longer names are sentences. */
const MAX_NAME = 80;
/** In names written together shorter words are found by chance. */
const SHORT: ReadonlySet<string> = new Set(["is", "at", "on", "by", "yn", "no"]);
const MIN_WORD = 3;

/** Letters that have no accent to lose. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["ł", "l"],
  ["ø", "o"],
  ["æ", "ae"],
  ["ı", "i"],
  ["đ", "d"],
]);

const ROLES: ReadonlyMap<string, WordRole> = new Map(
  WORDS.map(([word, role]) => [folded(word), role]),
);

/** What a word of {@link wordsOf} does; null for one that isn't known. */
export function roleOf(word: string): WordRole | null {
  return ROLES.get(word) ?? null;
}

/** @returns the words in lower case, without accents; what is written together is parted where all of it is known words, and two that are known as one are one: `log in`, `2 FA`, `security key` */
export function wordsOf(name: string): readonly string[] {
  const spaced = name
    .slice(0, MAX_NAME)
    .replace(/(\p{Ll})(\p{N})/gu, "$1 $2")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  const words = folded(spaced)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .flatMap((word) => (isKnown(word) ? [word] : (parted(word) ?? withoutLetters(word))));
  return together(words.every(isKnown) ? words : (parted(words.join("")) ?? words));
}

function together(words: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const next of words) {
    let word = next;
    while (found.length > 0 && isKnown(`${found.at(-1)}${word}`)) word = `${found.pop()}${word}`;
    found.push(word);
  }
  return found;
}

/** In lower case and without accents. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .replace(/[ßłøæıđ]/g, (letter) => LETTERS.get(letter) ?? letter);
}

function isKnown(word: string): boolean {
  return ROLES.has(word);
}

/** The known words that a text consists of, the longest first; null where it doesn't. */
function parted(text: string): readonly string[] | null {
  if (text === "") return [];
  for (let end = text.length; end > 0; end--) {
    const word = text.slice(0, end);
    const isIdeographic = /^[\p{Script=Han}\p{Script=Hangul}]/u.test(word);
    if (!isKnown(word) || !(isIdeographic || end >= MIN_WORD || SHORT.has(word))) continue;
    const rest = parted(text.slice(end));
    if (rest !== null) return [word, ...rest];
  }
  return null;
}

/** Syllables that turn a word round; "in" and "de" have words of their own. */
const TURNED = /^(?:un|dis|non)(?=\p{L}{5})/u;
const SHORTEST_FLAG = 5;

/** A flag behind a syllable that turns it round, or behind a system's own letters: `unapproved`, `OXACTIVE`, `rolcanlogin`; the word itself for any other. */
function withoutLetters(word: string): readonly string[] {
  const turned = word.replace(TURNED, "");
  if (turned !== word) return saysFlag([turned]) ? ["not", turned] : [word];
  for (let end = 1; end <= 3; end++) {
    const rest = word.slice(end);
    if (rest.length < SHORTEST_FLAG) break;
    const words = isKnown(rest) ? [rest] : (parted(rest) ?? []);
    if (saysFlag(words)) return [word.slice(0, end), ...words];
  }
  return [word];
}

/** Whether words have a flag's among them, or say together what an account may or until when it does. */
function saysFlag(words: readonly string[]): boolean {
  const roles = words.map((word) => roleOf(word)?.role);
  return roles.includes("flag") || (words.length > 1 && roles.every((role) => SAYING.has(role)));
}

const SAYING: ReadonlySet<string | undefined> = new Set([
  "may",
  "maynot",
  "entry",
  "verified",
  "until",
  "account",
  "state",
]);

/** Whether a text is of programs and not of people: `internal_service_account`, `Search bots`. */
export function isProgram(text: string): boolean {
  return wordsOf(text).some((word) => {
    const role = roleOf(word.replace(/s$/, ""));
    return role?.role === "flag" && role.exclusion === "service_account";
  });
}

/** What is still to be done, and not what was. */
const TO_DO = /^(?:verify|confirm|validate)$/;

/** Whether a text is of a contact that is still to be confirmed: `email_confirm`, `pending_email_verification`. */
export function awaitsConfirmation(text: string): boolean {
  const words = wordsOf(text);
  const roles = words.map(roleOf);
  const isOfContact = roles.some((one) => one?.role === "email" || one?.role === "phone");
  const isToDo = roles.some(
    (one, at) => one?.role === "verified" && (one.noun || TO_DO.test(words[at] ?? "")),
  );
  return isOfContact && isToDo;
}
