/** What an inferred mapping says of emails and phones, and of their verification. */

import type { Meaning, TextField } from "../generic/field-names.js";
import { at, expressionOf, type Fields, type Met } from "./inferred-fields.js";

/** The fields of one kind of meaning. */
export type All = <Kind extends Meaning["kind"]>(kind: Kind) => readonly Met<Kind>[];

/** A field of the mapping with what is said of it; empty fields are left out. */
export type Line = readonly [comment: string, field: string, value: unknown];

/** The expression of an empty text. */
export const NOTHING = "''";

/** A contact that stands for itself, and the lists of others. */
interface Contact {
  readonly own: readonly string[];
  readonly places: readonly string[];
}

function byNames(from: string): object {
  return { from, by: "names" };
}

/** With a list alone, what is said beside it counts as beside a contact that is empty. */
function ownOf({ own, places }: Contact, marks: readonly object[]): readonly string[] {
  return own.length === 0 && places.length > 0 && marks.length > 0 ? [NOTHING] : own;
}

function onlyOf(marks: readonly object[]): object | null {
  return marks.length > 1 ? marks : (marks[0] ?? null);
}

/** What is said of a user's only contact, for those without an email. */
function sayWithout(emails: readonly string[], mark: Met<"verified">): object {
  const path = expressionOf(mark.path);
  // Nothing in a field of times means not yet.
  const value = mark.flag === "time" ? `${path} || 'no'` : path;
  const none = emails.map((one) => `(${expressionOf(one)})`).join(" || ");
  const from = `[@][?!(${none})].[${value}] | [0] | [0]`;
  return { ...sayVerified(mark), from, is: mark.flag === "no" ? "no" : "yes" };
}

function sayVerified({ path, flag, only, isKnown }: Met<"verified">): object {
  const is = flag === "no" || flag === "time" ? flag : "yes";
  return { from: path, is, ...(only && (isKnown === true ? { also: only } : { only })) };
}

/** Names for a text, the surest first. */
export function textsOf(all: All, field: TextField): readonly Met<"text">[] {
  return all("text")
    .filter((one) => one.field === field)
    .sort((one, other) => one.rank - other.rank);
}

/** @returns the places of both, and what the mapping says of them */
export function contactsIn(
  all: All,
  samples: Fields["samples"],
): { readonly email: Contact; readonly phone: Contact; readonly lines: readonly Line[] } {
  const contact = (of: "email" | "phone"): Contact => {
    const own = textsOf(all, of);
    const lists = own.filter(({ name }) => samples?.some((user) => Array.isArray(at(user, name))));
    const listed = [...all("list").filter((one) => one.of === of), ...lists];
    const mixed = all("addresses").map(
      ({ path }) =>
        `${expressionOf(path)}[?value && contains(value, '@')${of === "email" ? "" : " == `false`"}]`,
    );
    const one = (field: Met<"text">): string =>
      lists.includes(field)
        ? `[${expressionOf(field.path)}][?type(@) != 'array' && type(@) != 'object'] | [0]`
        : field.path;
    return { own: own.map(one), places: [...listed.map(({ path }) => path), ...mixed] };
  };
  const [email, phone] = [contact("email"), contact("phone")];
  const marks = (of: "email" | "phone"): object[] =>
    all("verified").flatMap((one) => {
      if (one.of === of) return [sayVerified(one)];
      if (one.of !== "any") return [];
      const emails = [...email.own, ...email.places];
      if (of === "email") return emails.length === 0 ? [] : [sayVerified(one)];
      return [emails.length === 0 ? sayVerified(one) : sayWithout(emails, one)];
    });
  return {
    email,
    phone,
    lines: [
      ["The email.", "email", ownOf(email, marks("email"))],
      ["Emails, of which one is chosen.", "emails", email.places.map(byNames)],
      ["Whether the email was verified.", "email_verified", onlyOf(marks("email"))],
      ["The phone.", "phone", ownOf(phone, marks("phone"))],
      ["Phones, of which one is chosen.", "phones", phone.places.map(byNames)],
      ["Whether the phone was verified.", "phone_verified", onlyOf(marks("phone"))],
    ],
  };
}
