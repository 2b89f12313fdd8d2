/** Tells which mailbox an address leads to, for comparing and for keys. A domain may be written in its own letters or in Punycode. */

import { domainToASCII, domainToUnicode } from "node:url";

const SPELLED = /[^\0-\x7f]|xn--/;
const PUNYCODE_LABEL = /xn--[^.]*/g;

/**
 * @param email a normalized address
 * @returns the address with its domain in its own letters (UTS #46, as browsers read it), which is
 * the same for every spelling; an address in plain ASCII as it is
 */
export function mailboxOf(email: string): string {
  if (!SPELLED.test(email)) return email;
  const at = email.lastIndexOf("@") + 1;
  const domain = email.slice(at);
  return email.slice(0, at) + decodeDomain(domainToASCII(domain) || domain);
}

/**
 * The spellings in which a core may store one address, the given one first: with its domain in its
 * own letters, and in Punycode.
 *
 * @param email a normalized address
 */
export function spellingsOf(email: string): string[] {
  if (!SPELLED.test(email)) return [email];
  const mailbox = mailboxOf(email);
  const at = mailbox.lastIndexOf("@") + 1;
  const encoded = mailbox.slice(0, at) + (domainToASCII(mailbox.slice(at)) || mailbox.slice(at));
  return [...new Set([email, mailbox, encoded])];
}

/** @returns the domain as people see it; labels that can't be decoded stay as they are */
export function decodeDomain(domain: string): string {
  return domain.replace(PUNYCODE_LABEL, (label) => domainToUnicode(label) || label);
}
