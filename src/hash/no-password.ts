/** The markers by which exports say "this user has no password", or that a field holds nothing. A locked hash isn't one: its user had a password and was kept out. */

/**
 * What databases, languages and people write where they have no value, trimmed and in lower case;
 * one list for every source. None of them is an email address, a phone number, a believable id or
 * a salt.
 */
const NO_VALUES: ReadonlySet<string> = new Set([
  "",
  "null",
  "\\n",
  "(null)",
  "<null>",
  "[null]",
  "nil",
  "none",
  "undefined",
  "nan",
  "n/a",
  "#n/a",
  "-",
]);
const LONGEST_NO_VALUE = 9;

const MARKERS = new Set(["!", "!!", "*", "x"]);

/**
 * Words that say so: Moodle's `not cached` and `to be generated`, Crowd's `nopass`, `no password set`.
 * https://github.com/moodle/moodle/blob/main/lib/moodlelib.php, AUTH_PASSWORD_NOT_CACHED
 */
const IN_WORDS =
  /^\W?(?:(?:no|not|non|un)[\s_-]*(?:pass(?:word|wd)?|pwd?|cached|set|stored|usable|available|applicable)(?:[\s_-]*(?:password|cached|set|stored|usable))?|to be generated)\W?$/i;
const LONGEST_WORDS = 24;

/** Django's set_unusable_password writes "!" and 40 random letters and digits. */
const DJANGO_UNUSABLE = /^![A-Za-z0-9]{40}$/;

/** Whether a trimmed field holds nothing: for a salt, `x` and `!` are salts. */
export function isNoValue(text: string): boolean {
  return text.length <= LONGEST_NO_VALUE && NO_VALUES.has(text.toLowerCase());
}

/** Whether a trimmed hash field means that there is no password. */
export function meansNoPassword(text: string): boolean {
  if (isNoValue(text) || MARKERS.has(text)) return true;
  if (text.length <= LONGEST_WORDS && IN_WORDS.test(text)) return true;
  return text.charAt(0) === "!" && DJANGO_UNUSABLE.test(text);
}
