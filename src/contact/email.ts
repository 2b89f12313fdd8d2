/** Email addresses in the form in which they are compared and stored. It checks syntax only: whether a mailbox exists, or is somebody's, is not asked here. */

/** RFC 5321, 4.5.3.1: most characters before the `@`, and in the whole address. */
const MAX_LOCAL = 64;
const MAX_ADDRESS = 254;

/** Nearly every address: plain ASCII, one look. */
const ASCII =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** What RFC 5322 keeps for comments, lists, routes and quoting: such text is no bare address. */
const NOT_IN_LOCAL = /[\s\p{C}\p{Z}"(),:;<>@[\\\]]/u;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;
const ALL_DIGITS = /^\d+$/;

/**
 * Brings an email address into the form in which the core stores it: trimmed and lower-cased, as
 * the public counterpart does.
 *
 * @returns the normalized address, or null where the text is no usable address: not exactly one
 *   `@`, white space, control or invisible characters, a domain without a dot or with a bad label,
 *   too long. Never throws.
 */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase();
  if (email.length > MAX_ADDRESS) return null;
  const at = email.indexOf("@");
  if (at < 1 || at > MAX_LOCAL) return null;
  if (!ASCII.test(email) && !isUnicodeAddress(email, at)) return null;
  // An address literal or a cut-off IP address is not a domain name (RFC 3696, 2).
  return ALL_DIGITS.test(email.slice(email.lastIndexOf(".") + 1)) ? null : email;
}

/** Internationalized addresses (RFC 6531). */
function isUnicodeAddress(email: string, at: number): boolean {
  if (NOT_IN_LOCAL.test(email.slice(0, at))) return false;
  const labels = email.slice(at + 1).split(".");
  return labels.length > 1 && labels.every((label) => LABEL.test(label));
}
