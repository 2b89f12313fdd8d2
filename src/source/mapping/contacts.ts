/** Which email or phone a user takes, where a mapping names several places of them. */

import {
  chooseContact,
  type ChosenContact,
  type ContactCandidate,
} from "../../account/choose-contact.js";
import { parseFlag } from "../../account/parse-flag.js";
import { compileExpression } from "../expression.js";
import { isObject } from "../json/json-value.js";
import type { ContactPlace } from "./mapping-file.js";
import { plainText, type Reader, texter } from "./texts.js";

/**
 * @param from where the contact is; counts where there are no places
 * @param verified whether it is verified, where the places don't say it
 */
export function contactReader(
  from: readonly string[] | undefined,
  places: readonly ContactPlace[],
  verified: Reader<boolean | null>,
): Reader<ChosenContact> {
  const own = texter(from);
  if (places.length === 0) {
    return (user) => ({ value: own(user), verified: verified(user), others: 0 });
  }
  const readers = places.map((place) => ({ place, read: compileExpression(place.from).read }));
  return (user) => {
    const candidates: ContactCandidate[] = [];
    for (const { place, read } of readers) {
      for (const one of partsOf(read(user), place, candidates)) {
        candidates.push(...candidatesOf(one, place));
      }
    }
    const chosen = chooseContact(candidates);
    if (chosen.verified !== null || chosen.value === "") return chosen;
    return { ...chosen, verified: verified(user) };
  };
}

const NOTHING: readonly unknown[] = [];

/** @param known isn't taken apart: a `|` may be part of an address */
function partsOf(
  found: unknown,
  { apart }: ContactPlace,
  known: readonly ContactCandidate[],
): readonly unknown[] {
  if (found === undefined || found === null || found === "") return NOTHING;
  if (Array.isArray(found)) return found;
  if (typeof found !== "string" || apart === undefined) return [found];
  const isKnown = known.some(({ value }) => value === found.trim());
  return isKnown ? [found] : found.split(apart);
}

/** An object may hold several contacts of the same marks, which all have to say yes. */
function candidatesOf(one: unknown, { verified, primary }: ContactPlace): ContactCandidate[] {
  if (!isObject(one)) return [{ value: plainText(one).trim(), verified, primary }];
  const marks = [one.verified].flat().map(plainText).filter(Boolean).map(parseFlag);
  const isDenied = marks.includes(false);
  return [one.value].flat().map((value) => ({
    value: plainText(value).trim(),
    verified: isDenied ? false : marks.every(Boolean) ? (marks[0] ?? null) : null,
    primary: parseFlag(plainText(one.primary)) === true,
  }));
}
