/** What the facts of all rows say: hashes and salts that several users have, and addresses that are alike. */

import type { Finding } from "../events/events.js";
import { finding } from "../events/findings.js";
import type { Shared, SharedFacts } from "./facts.js";

const SALTS_ARE_RANDOM =
  "Salts are random, so two users never have one by chance: the column of salts was filled with the wrong values, or hash and salt were copied together.";

const IMITATING =
  "Letters of these addresses imitate others: Cyrillic or Greek ones among Latin ones, a dotless i, also in a domain's Punycode. It may be a slip of the keyboard, or an attempt to pass for another user. They are migrated as they are.";

const RESPELLED =
  "These users' addresses differ from another user's only in capital letters, or in how an accented letter is put together (one character, or a letter with its accent behind it), and at the core they are one contact: the user whose address is verified gets it, else the one whose row comes first, and the others are rejected (duplicate_contact, or duplicate where there are no ids).";

export function factFindings({ hashes, salts, respelled, imitating }: SharedFacts): Finding[] {
  const found: Finding[] = [];
  if (hashes !== null) found.push(finding("hash_shared", hashes, sharing(hashes, "hash")));
  if (salts !== null)
    found.push(finding("proof_needed", salts, `${sharing(salts, "salt")} ${SALTS_ARE_RANDOM}`));
  if (imitating !== null)
    found.push(finding("email_lookalike", imitating, imitatingText(imitating.exactly)));
  if (respelled !== null) found.push(finding("email_lookalike", respelled, RESPELLED));
  return found;
}

function sharing({ different, most }: Shared, what: "hash" | "salt"): string {
  const users = `${most.toLocaleString("en-US")} users`;
  if (different === 1) return `One ${what} is shared by ${users}.`;
  const several = what === "hash" ? "hashes" : "salts";
  return `${different.toLocaleString("en-US")} ${several} are each shared by several users, one of them by ${users}.`;
}

function imitatingText(count: number): string {
  if (count === 0) return IMITATING;
  const them = count === 1 ? "One of them looks" : `${count.toLocaleString("en-US")} of them look`;
  return `${them} exactly like another user's address in this export. ${IMITATING}`;
}
