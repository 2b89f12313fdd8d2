/** Which email or phone a user takes, where a mapping names several places of them. */

import {
  chooseContact,
  type ChosenContact,
  type ContactCandidate,
} from "../../account/choose-contact.js";
import { compileExpression } from "../expression.js";
import { chosenOf, readContact } from "../generic/user-fields.js";
import { isObject } from "../json/json-value.js";
import type { ContactPlace } from "./mapping-file.js";
import { type Reader, texter } from "./texts.js";

/**
 * @param from where the contact is; the primary one where there are places
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
    const listed: ContactCandidate[] = [];
    for (const { place, read } of readers) {
      for (const one of partsOf(read(user), place, listed)) {
        if (place.by === "names" || !isObject(one) || "value" in one) {
          listed.push(...readContact(one, place));
        }
      }
    }
    if (from !== undefined) return chosenOf(own(user), listed, verified(user));
    const chosen = chooseContact(listed);
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
