/** Which email or phone a user takes, where a mapping names several places of them. */

import {
  chooseContact,
  type ChosenContact,
  type ContactCandidate,
} from "../../account/choose-contact.js";
import { compileExpression } from "../expression.js";
import type { FlagKind } from "../generic/flag-names.js";
import { readSaidVerified } from "../generic/said-values.js";
import { bothOf, chosenOf, readContact, settled } from "../generic/user-fields.js";
import { isObject, valueAt } from "../json/json-value.js";
import type { ContactPlace, MappedForm } from "./mapping-file.js";
import { type Reader, texter } from "./texts.js";

/** What email and phone a user takes, and whether a word that says of one whether it is verified can't be read. */
export function contactsReader(mapping: MappedForm, samples: readonly object[]) {
  let isUnread = false;
  const onUnread = (): void => {
    isUnread = true;
  };
  const readerOf = (contact: "email" | "phone") => {
    const verified = verifiedReader(mapping[`${contact}_verified`], samples, onUnread);
    return contactReader(mapping[contact], mapping[`${contact}s`], verified, onUnread);
  };
  const [emailOf, phoneOf] = [readerOf("email"), readerOf("phone")];
  return (user: object) => {
    isUnread = false;
    return { email: emailOf(user), phone: phoneOf(user), isUnread };
  };
}

function verifiedReader(
  marks: MappedForm["email_verified"] = [],
  samples: readonly object[],
  onUnread: () => void,
): Reader<boolean | null> {
  const readers = marks.map((mark) => {
    const [read, flag] = [texter(mark.from), verifiedKind(mark, samples)];
    const { only = mark.also, also } = mark;
    const said = { flag, only, isKnown: also !== undefined };
    return (user: object) => settled(readSaidVerified(read(user), said), onUnread);
  });
  const [first, ...others] = readers;
  if (first === undefined) return () => null;
  if (others.length === 0) return first;
  return (user) => readers.map((read) => read(user)).reduce(bothOf, null);
}

/** Nothing in a field of times means not yet, where the export has the field at all. */
function verifiedKind(
  rule: NonNullable<MappedForm["email_verified"]>[number],
  samples: readonly object[],
): FlagKind {
  if (rule.is === "mark") return "time";
  if (rule.is !== "time") return rule.is;
  const has = (user: object): boolean =>
    rule.from.some((path) => valueAt(user, path) !== undefined);
  return samples.some(has) ? "time" : "yes";
}

/**
 * @param from where the contact is; the primary one where there are places
 * @param verified whether it is verified, where the places don't say it
 * @param onUnread told of a place's mark that can't be read
 */
function contactReader(
  from: readonly string[] | undefined,
  places: readonly ContactPlace[],
  verified: Reader<boolean | null>,
  onUnread: () => void,
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
          listed.push(...readContact(one, onUnread, place));
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
