/** What a vendor's username means for a core that knows people by their email and phone alone. */

import { readUserName } from "../../account/user-name.js";

/**
 * True for a name, email or phone that differs from all known ones, whatever its case and the white
 * space around it. It earns a notice: the core has no second place for it.
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
