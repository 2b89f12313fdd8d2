/** The markers by which exports say "this user has no password". A locked hash isn't one: its user had a password and was kept out. */

const MARKERS = new Set(["", "NULL", "\\N", "null", "None", "!", "!!", "*", "x"]);

/** Django's set_unusable_password writes "!" and 40 random letters and digits. */
const DJANGO_UNUSABLE = /^![A-Za-z0-9]{40}$/;

/** Whether a trimmed hash field means that there is no password. */
export function meansNoPassword(text: string): boolean {
  return MARKERS.has(text) || (text.charAt(0) === "!" && DJANGO_UNUSABLE.test(text));
}
