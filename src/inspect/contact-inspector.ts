/** Finds email addresses of several users that differ only in case, and addresses that imitate others. No address is kept. */

import { imitatedAddress } from "../account/user-name.js";
import type { UserRecord } from "../account/user-record.js";
import type { Finding, RowRef } from "../events/events.js";
import type { AddressSample } from "./address-sample.js";
import { digest, type UserDigests } from "./digest.js";
import { finding, newExampleCounter, countExample } from "../events/findings.js";

/** Look-alikes that are compared with the other users' addresses. */
const MAX_IMITATIONS = 10_000;

/** Rows that the finding on them names: those that pass for another user first. */
const MAX_ROWS = 3;

const SIXTEEN_BITS = 0xffff;

interface ContactInspector {
  /** Counts one more user. A user whom the vendor keeps out claims no address. */
  count(record: UserRecord, user: UserDigests, row: RowRef): void;
  findings(): Finding[];
}

/** @param sample keeps the addresses that are compared with later ones */
export function createContactInspector(sample: AddressSample): ContactInspector {
  const colliding = newExampleCounter();
  const lookalikes = newExampleCounter();
  /** By what they look like. */
  const imitations = new Map<number, RowRef>();
  /** Whether an address of the sample is that of a user before, written otherwise. */
  const collides = (key: number, note: number): boolean => {
    const first = sample.add(key, note);
    return first !== null && differInCase(first, note);
  };

  return {
    count(record, user, row) {
      const { email, exclusions } = record;
      if (email === null || exclusions.length > 0) return;
      const imitated = imitatedAddress(record);
      if (imitated !== null) {
        countExample(lookalikes, row);
        if (imitations.size < MAX_IMITATIONS) imitations.set(keyOf(digest(imitated)), row);
      }
      const key = keyOf(user.email);
      if (sample.includes(key) && collides(key, noteOf(record, user))) countExample(colliding, row);
    },
    findings() {
      const imitating = newExampleCounter();
      for (const [key, row] of imitations) if (sample.has(key)) countExample(imitating, row);
      const found: Finding[] = [];
      if (lookalikes.count > 0) {
        const { count } = lookalikes;
        const rows = [...new Set([...imitating.rows, ...lookalikes.rows])].slice(0, MAX_ROWS);
        found.push(finding("email_lookalike", { count, rows }, imitatingText(imitating.count)));
      }
      if (colliding.count > 0) {
        found.push(finding("email_lookalike", colliding, collidingText(sample.oneIn())));
      }
      return found;
    },
  };
}

function keyOf(email: number): number {
  return email || 1;
}

/** The upper half tells the spelling (0 for lower case), the lower one the user (0 without an id). */
function noteOf({ emailAsWritten, sourceId }: UserRecord, { id }: UserDigests): number {
  const written = emailAsWritten === undefined ? 0 : short(digest(emailAsWritten));
  const user = sourceId === null ? 0 : short(id);
  return ((written << 16) | user) >>> 0;
}

function short(digested: number): number {
  return digested & SIXTEEN_BITS || 1;
}

/** A second row of one user is a duplicate, however the address is written. */
function differInCase(first: number, second: number): boolean {
  const user = first & SIXTEEN_BITS;
  const isSameUser = user !== 0 && user === (second & SIXTEEN_BITS);
  return first >>> 16 !== second >>> 16 && !isSameUser;
}

function imitatingText(count: number): string {
  const what =
    "Letters of these addresses imitate others: Cyrillic or Greek ones among Latin ones, a dotless i, also in a domain's Punycode. It may be a slip of the keyboard, or an attempt to pass for another user. They are migrated as they are.";
  if (count === 0) return what;
  const them = count === 1 ? "One of them looks" : `${count.toLocaleString("en-US")} of them look`;
  return `${them} exactly like another user's address in this export. ${what}`;
}

function collidingText(oneIn: number): string {
  const what =
    "These users' addresses differ from another user's only in capital letters, or in how an accented letter is put together (one character, or a letter with its accent behind it), and at the core they are one contact: the user whose address is verified gets it, else the one whose row comes first, and the others are rejected (duplicate_contact, or duplicate where there are no ids).";
  return oneIn === 1
    ? what
    : `Seen among one in ${oneIn.toLocaleString("en-US")} addresses; there are more. ${what}`;
}
