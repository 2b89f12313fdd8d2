/** What columns of an application's table say of an account: verified or not, kept out or not. Where a column says neither clearly, the answer is the one that lets nobody in. */

import { parseFlag } from "../../record/parse-flag.js";
import type { Exclusion } from "../../record/user-record.js";
import { RowDamage } from "../row-damage.js";

/**
 * How a column's values are to be read: a flag, a point in time (filled means yes), a word, or text
 * that may be something else and of which only a known word is heard.
 */
export type FlagKind = "yes" | "no" | "time" | "word" | "perhaps";

/** `2024-01-02…` or epoch seconds and longer; not the zero date that some databases write. */
const POINT_IN_TIME = /^(?:(?!0000)\d{4}-\d\d-\d\d|\d{9,})/;
const ZERO_DATE = /^0000-00-00/;

const WORDS: ReadonlyMap<string, Exclusion | "active"> = new Map([
  ...meaning("active activated enabled confirmed verified ok true yes", "active"),
  ...meaning("disabled inactive deactivated blocked banned suspended", "disabled"),
  ...meaning("locked archived closed terminated revoked frozen expired false no", "disabled"),
  ...meaning("deleted removed", "deleted"),
]);

/**
 * Whether a contact is verified.
 *
 * @returns null only where the export doesn't say; text that can't be read counts as no, because a
 *   contact that isn't known to be unverified becomes a way in
 */
export function readVerified(text: string, kind: FlagKind): boolean | null {
  if (text === "") return kind === "time" ? false : null;
  const flag = parseFlag(text);
  if (flag !== null) return flag;
  return POINT_IN_TIME.test(text) || WORDS.get(text.toLowerCase()) === "active";
}

/**
 * Whether an account is kept out.
 *
 * @param exclusion what it means where the column says yes
 * @returns null for an account that isn't, `"unreadable"` where the column says neither
 */
export function readExclusion(
  text: string,
  kind: FlagKind,
  exclusion: Exclusion,
): Exclusion | "unreadable" | null {
  if (kind === "word") return readWord(text);
  if (kind === "perhaps") return readKnownWord(text);
  if (text === "") return kind === "no" ? "unreadable" : null;
  const flag = parseFlag(text);
  if (flag !== null) return flag === (kind !== "no") ? exclusion : null;
  if (ZERO_DATE.test(text)) return null;
  return kind !== "no" && POINT_IN_TIME.test(text) ? exclusion : "unreadable";
}

/** True for a point in time, as columns like `email_verified_at` have it. */
export function isPointInTime(text: string): boolean {
  return POINT_IN_TIME.test(text);
}

/** @param name of the column or property, as people may see it */
export function unclearFlag(name: string): RowDamage {
  return new RowDamage(
    "flag_invalid",
    `${name} doesn't say clearly whether the account is active or disabled. Write true or false and import the row again; or where 1 stands for active, say so with --map active=NAME, and where it stands for disabled, with --map disabled=NAME.`,
  );
}

function meaning(
  words: string,
  is: Exclusion | "active",
): (readonly [string, Exclusion | "active"])[] {
  return words.split(" ").map((word) => [word, is]);
}

function readWord(text: string): Exclusion | "unreadable" | null {
  if (text === "") return null;
  return WORDS.has(text.toLowerCase()) ? readKnownWord(text) : "unreadable";
}

function readKnownWord(text: string): Exclusion | null {
  const word = WORDS.get(text.toLowerCase()) ?? "active";
  return word === "active" ? null : word;
}
