/** Which email or phone a user takes, and whether it is verified, by a mapping. */

import {
  chooseContact,
  type ChosenContact,
  type ContactCandidate,
} from "../../account/choose-contact.js";
import { parseFlag } from "../../account/parse-flag.js";
import type { UserDraft } from "../../account/user-draft.js";
import { compileExpression } from "../expression.js";
import { readVerified, type Verification } from "../generic/account-flags.js";
import { isContact, meaningOf, plainName } from "../generic/field-names.js";
import type { FlagKind } from "../generic/flag-names.js";
import { readSaidVerified } from "../generic/said-values.js";
import { isObject, textOf, unwrap, valueAt } from "../json/json-value.js";
import type { ContactPlace, MappedForm } from "./mapping-file.js";
import { texter } from "./texts.js";

/** What email and phone a user takes, and whether a word that says of one whether it is verified can't be read. */
export function contactsReader(mapping: MappedForm, samples: readonly object[] | null) {
  let isUnread = false;
  const onUnread = (): void => {
    isUnread = true;
  };
  const readerOf = (contact: "email" | "phone") => {
    const verified = verifiedReader(mapping[`${contact}_verified`], samples, onUnread);
    return contactReader(contact, mapping, verified, onUnread);
  };
  const [emailOf, phoneOf] = [readerOf("email"), readerOf("phone")];
  /** @param known what the user has by another reading */
  return (user: object, known: Known | null = null) => {
    isUnread = false;
    const email = emailOf(user, known?.email, false);
    return { email, phone: phoneOf(user, known?.phone, email.value === ""), isUnread };
  };
}

type Known = Pick<UserDraft, "email" | "phone">;

/** @param isOnly whether the user has no other contact */
type ReadVerified = (user: object, isOnly: boolean) => boolean | null;
type ReadContact = (user: object, known: string | undefined, isOnly: boolean) => ChosenContact;

function verifiedReader(
  marks: MappedForm["email_verified"] = [],
  samples: readonly object[] | null,
  onUnread: () => void,
): ReadVerified {
  const readers = marks.map((mark): ReadVerified => {
    const { only = mark.also, also, alone } = mark;
    const read = texter(mark.from);
    const saidOf = verifiedKind(mark, samples, { only, isKnown: also !== undefined });
    return (user, isOnly) =>
      alone && !isOnly ? null : settled(readSaidVerified(read(user), saidOf(user)), onUnread);
  });
  const [first, ...others] = readers;
  if (first === undefined) return () => null;
  if (others.length === 0) return first;
  return (user, isOnly) => readers.map((read) => read(user, isOnly)).reduce(bothOf, null);
}

/** How a mark is read. Nothing in a field of times means not yet, where the export has the field at all. */
function verifiedKind<Said extends object>(
  rule: NonNullable<MappedForm["email_verified"]>[number],
  samples: readonly object[] | null,
  said: Said,
): (user: object) => Said & { readonly flag: FlagKind } {
  const as = (flag: FlagKind) => ({ ...said, flag });
  const [yes, time] = [as("yes"), as("time")];
  const has = (user: object): boolean =>
    rule.from.some((path) => valueAt(user, path) !== undefined);
  if (rule.is === "time" && samples === null) return (user) => (has(user) ? time : yes);
  const isTime = rule.is === "mark" || (rule.is === "time" && samples?.some(has));
  const one = isTime ? time : rule.is === "no" ? as("no") : yes;
  return () => one;
}

/**
 * @param verified whether it is verified, where the places don't say it
 * @param onUnread told of a place's mark that can't be read
 */
function contactReader(
  contact: "email" | "phone",
  mapping: MappedForm,
  verified: ReadVerified,
  onUnread: () => void,
): ReadContact {
  // The primary one where there are places.
  const [from, places] = [mapping[contact], mapping[`${contact}s`]];
  const own = texter(from);
  if (places.length === 0) {
    return (user, known, isOnly) => ({
      value: known ?? own(user),
      verified: verified(user, isOnly),
      others: 0,
    });
  }
  const readers = places.map((place) => ({ place, read: compileExpression(place.from).read }));
  return (user, known, isOnly) => {
    const listed: ContactCandidate[] = [];
    for (const { place, read } of readers) {
      for (const one of partsOf(read(user), place, listed)) {
        if (place.by === "names" || !isObject(one) || "value" in one) {
          const found = readContact(one, onUnread, place);
          const isOf = ({ value }: ContactCandidate) =>
            value.includes("@") === (contact === "email");
          listed.push(...(place.mixed ? found.filter(isOf) : found));
        }
      }
    }
    if (from !== undefined || known !== undefined) {
      return chosenOf(known ?? own(user), listed, verified(user, isOnly));
    }
    const chosen = chooseContact(listed);
    if (chosen.verified !== null || chosen.value === "") return chosen;
    return { ...chosen, verified: verified(user, isOnly) };
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

/** Names of the text itself, in SCIM (RFC 7643 2.4), Meteor, Stytch and others. */
const VALUES: ReadonlySet<string> = new Set(["value", "address", "number", "e164"]);
const PRIMARY: ReadonlySet<string> = new Set(["primary", "isprimary", "preferred", "isdefault"]);

/**
 * @param text of the contact that stands for itself; empty where there is none
 * @param flag says of it, or of one of the others, whether it is verified
 */
function chosenOf(
  text: string,
  listed: readonly ContactCandidate[],
  flag: boolean | null,
): ChosenContact {
  if (listed.length === 0) return { value: text, verified: flag, others: 0 };
  const own = { value: text, verified: flag, primary: true };
  const chosen = chooseContact(text === "" ? listed : [own, ...listed]);
  if (text !== "" || flag === null) return chosen;
  // The flag doesn't say which of several it means.
  const verified =
    flag === false ? false : (chosen.verified ?? (chosen.others === 0 ? flag : null));
  return { ...chosen, verified };
}

/** One that says no is enough. */
function bothOf(one: boolean | null, other: boolean | null): boolean | null {
  return one === false || other === false ? false : (one ?? other);
}

/** What is unread counts as no, and is told. */
function settled(said: Verification, onUnread: () => void): boolean | null {
  if (said !== "unread") return said;
  onUnread();
  return false;
}

/** What is said of an element that doesn't say it itself. */
const UNSAID = { verified: null, primary: false } as const;

/**
 * The contacts of a list's element: a bare text, or an object with a value, or several, and what is
 * known of them. All of its marks have to say yes. None where it has no contact.
 *
 * @param onUnread told of a mark that can't be read
 */
function readContact(
  element: unknown,
  onUnread: () => void,
  said: Pick<ContactCandidate, "verified" | "primary"> = UNSAID,
): readonly ContactCandidate[] {
  if (!isObject(element)) return filled([textIn(element)], said);
  let values: readonly string[] = [];
  let verified: boolean | null = null;
  let primary = false;
  for (const [name, held] of Object.entries(element)) {
    const plain = plainName(name);
    const texts = [held].flat().map(textIn);
    const meaning = meaningOf(name);
    if (VALUES.has(plain) || isContact(meaning)) values = values.some(isSaid) ? values : texts;
    else if (PRIMARY.has(plain)) primary = texts.map(parseFlag).includes(true);
    else if (meaning.kind === "verified") {
      verified = texts
        .map((text) => settled(readVerified(text, meaning.flag), onUnread))
        .reduce(bothOf, verified);
    }
  }
  return filled(values, { verified, primary });
}

function textIn(value: unknown): string {
  return (textOf(unwrap(value)) ?? "").trim();
}

function isSaid(text: string): boolean {
  return text !== "";
}

function filled(values: readonly string[], said: Pick<ContactCandidate, "verified" | "primary">) {
  return values.filter(isSaid).map((value) => ({ value, ...said }));
}
