/** The contacts of one JSON user while their properties are read: lists of them, and what is said of their verification elsewhere. */

import {
  type ChosenContact,
  type ContactCandidate,
  chooseContact,
} from "../../account/choose-contact.js";
import { readContacts } from "./contact-list.js";
import type { Verifies } from "./flag-names.js";

export type ContactField = "email" | "phone";

export class UserContacts {
  readonly #listed: Record<ContactField, ContactCandidate[]> = { email: [], phone: [] };
  readonly #verified: Record<Verifies, boolean | null> = { email: null, phone: null, any: null };

  /** @param list as JSON has it */
  add(field: ContactField, list: readonly unknown[]): void {
    this.#listed[field].push(...readContacts(list));
  }

  /** Emails and phones in one list. */
  addAny(list: readonly unknown[]): void {
    for (const contact of readContacts(list)) {
      this.#listed[contact.value.includes("@") ? "email" : "phone"].push(contact);
    }
  }

  /** A flag that stands apart from its contact. */
  verify(of: Verifies, answer: boolean | null): void {
    this.#verified[of] = bothOf(this.#verified[of], answer);
  }

  /** The ones to keep, by the properties that stand for themselves: empty where there is none. */
  chosen(email: string, phone: string): Record<ContactField, ChosenContact> {
    const hasEmail = email !== "" || this.#listed.email.length > 0;
    const { any } = this.#verified;
    return {
      email: this.#choose("email", email, hasEmail ? any : null),
      phone: this.#choose("phone", phone, hasEmail ? null : any),
    };
  }

  /** The property that stands for itself wins over a list; a flag beside them is about the one chosen. */
  #choose(field: ContactField, text: string, unsaid: boolean | null): ChosenContact {
    const flag = bothOf(this.#verified[field], unsaid);
    const own = { value: text, verified: flag, primary: true };
    const listed = this.#listed[field];
    const chosen = chooseContact(text === "" ? listed : [own, ...listed]);
    if (text !== "" || flag === null) return chosen;
    // The flag doesn't say which of several it means.
    const verified =
      flag === false ? false : (chosen.verified ?? (chosen.others === 0 ? flag : null));
    return { ...chosen, verified };
  }
}

/** One that says no is enough. */
function bothOf(one: boolean | null, other: boolean | null): boolean | null {
  return one === false || other === false ? false : (one ?? other);
}
