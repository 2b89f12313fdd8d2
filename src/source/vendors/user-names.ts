/** What a vendor's username means for a core that knows people by their email and phone alone. */

import { readUserName } from "../../account/user-name.js";

/**
 * True for a name, an email or a phone that is none of those that are known already, whatever its
 * case and the white space around it: for the notices of what the core has no second place for.
 *
 * @param known the user's email, phone and id, in the export's own words
 */
export function isExtra(text: string, ...known: readonly string[]): boolean {
  const name = text.trim().toLowerCase();
  return name !== "" && !known.some((other) => other.trim().toLowerCase() === name);
}

/** The user's email: the one that the vendor has, else a username that is an address, else empty. */
export function emailOr(email: string, username: string): string {
  if (email.trim() !== "" || !username.includes("@")) return email;
  return readUserName(username).email === null ? email : username;
}
