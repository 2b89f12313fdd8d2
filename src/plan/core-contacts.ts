/** What a user signs in by at the core, and what it is called in a checkpoint. Pure. */

import type { ThirdPartyIdentity } from "../core/account-import.js";
import type { CodeRequest } from "../core/core.js";
import type { CoreUser } from "../core/user.js";
import { type Digester, type Key, socialText } from "./digests.js";

/** What a user is found by: a contact, or a social account. */
export type Sought = CodeRequest | ThirdPartyIdentity;

export function contactsOf({ email, phoneNumber, thirdParty }: CoreUser): Sought[] {
  // The email of a social account is no way in.
  if (thirdParty !== undefined) {
    return [{ thirdPartyId: thirdParty.id, thirdPartyUserId: thirdParty.userId }];
  }
  return [
    ...(email === undefined ? [] : [{ email }]),
    ...(phoneNumber === undefined ? [] : [{ phoneNumber }]),
  ];
}

/** What it is called in a checkpoint. */
export function contactKey(
  { digester }: { readonly digester: Pick<Digester, "contact"> },
  contact: Sought,
): Key {
  if ("thirdPartyId" in contact) return digester.contact("social", socialText(contact));
  const { email, phoneNumber } = contact;
  return email === undefined
    ? digester.contact("phone", phoneNumber)
    : digester.contact("email", email);
}
