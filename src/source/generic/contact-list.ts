/** Lists of a user's emails or phones as JSON has them: bare texts, or objects with a value and what is known of it. */

import type { ContactCandidate } from "../../account/choose-contact.js";
import { parseFlag } from "../../account/parse-flag.js";
import { isObject, textOf, unwrap } from "../json/json-value.js";
import { readVerified } from "./account-flags.js";
import { isContact, meaningOf, plainName } from "./field-names.js";

/** Names of the text itself, in SCIM (RFC 7643 2.4), Meteor, Stytch and others. */
const VALUES: ReadonlySet<string> = new Set(["value", "address", "number", "e164"]);
const PRIMARY: ReadonlySet<string> = new Set(["primary", "isprimary", "preferred", "isdefault"]);

/** @param list the elements of a JSON array; those without a contact are left out */
export function readContacts(list: readonly unknown[]): readonly ContactCandidate[] {
  return list.map(readContact).filter(({ value }) => value.trim() !== "");
}

function readContact(element: unknown): ContactCandidate {
  if (!isObject(element)) return { value: textOf(element) ?? "", verified: null };
  let value = "";
  let verified: boolean | null = null;
  let primary = false;
  for (const [name, held] of Object.entries(element)) {
    const plain = plainName(name);
    const text = textOf(unwrap(held)) ?? "";
    const meaning = meaningOf(name);
    if (VALUES.has(plain) || isContact(meaning)) value ||= text;
    else if (PRIMARY.has(plain)) primary = parseFlag(text) === true;
    else if (meaning.kind === "verified") verified = readVerified(text.trim(), meaning.flag);
  }
  return { value, verified, primary };
}
