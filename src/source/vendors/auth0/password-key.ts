/** Makes the keys that join users to the lines of a password export. A source gives them to its users, and the export's reader to its lines; equal keys belong together. */

/** Opens the keys that name one user alone. */
const BY_ID = "id ";

/** Invisible in a terminal and cut off by some readers: no vendor's id or connection has any. */
const CONTROL = /\p{Cc}/u;

/**
 * The key of a vendor's id, which no other user has.
 *
 * @returns null for a text that is no id
 */
export function idKey(id: string): string | null {
  const trimmed = id.trim();
  return trimmed === "" || CONTROL.test(trimmed) ? null : `${BY_ID}${trimmed}`;
}

/**
 * The key of an email within the database that its user signs in to. At any one time one user has
 * it, over the years perhaps several. An email's case doesn't count.
 *
 * @param connection empty where it isn't known; such a key matches only others of that kind
 * @returns null without an email
 */
export function loginKey(connection: string, email: string): string | null {
  const address = email.trim().toLowerCase();
  if (address === "" || CONTROL.test(address) || CONTROL.test(connection)) return null;
  return `login ${JSON.stringify(connection.trim())} ${address}`;
}

/** Whether a key names one user alone, so that what is found under it needs no second look. */
export function isIdKey(key: string): boolean {
  return key.startsWith(BY_ID);
}
