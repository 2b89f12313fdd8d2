/** The markers by which exports say "this user has no password". A locked hash isn't one: its user had a password and was kept out. */

/** How databases and languages write their null. */
const NULLS = ["", "NULL", "\\N", "null", "None"];
const MARKERS = new Set([...NULLS, "!", "!!", "*", "x"]);
const LONGEST_MARKER = 4;

/** Django's set_unusable_password writes "!" and 40 random letters and digits. */
const DJANGO_UNUSABLE = /^![A-Za-z0-9]{40}$/;

/** Whether a trimmed field holds nothing: for a salt, `x` and `!` are salts. */
export function isNull(text: string): boolean {
  return NULLS.includes(text);
}

/** Whether a trimmed hash field means that there is no password. */
export function meansNoPassword(text: string): boolean {
  if (text.length <= LONGEST_MARKER) return MARKERS.has(text);
  return text.charAt(0) === "!" && DJANGO_UNUSABLE.test(text);
}
