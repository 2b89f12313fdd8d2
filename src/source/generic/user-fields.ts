/** The fields of one user while their properties are read: lists of contacts, what is said about their verification elsewhere, and texts. Of several names for a text the surest counts; two that differ are a reject. */

import {
  chooseContact,
  type ChosenContact,
  type ContactCandidate,
} from "../../account/choose-contact.js";
import { parseFlag } from "../../account/parse-flag.js";
import type { UserDraft } from "../../account/user-draft.js";
import { isObject, textOf, unwrap } from "../json/json-value.js";
import { RowDamage } from "../row-damage.js";
import { showName } from "../show-name.js";
import { readVerified, type Verification } from "./account-flags.js";
import {
  isContact,
  isUnsure,
  type Meaning,
  meaningOf,
  plainName,
  type TextField,
} from "./field-names.js";
import type { Verifies } from "./flag-names.js";

/** Names of the text itself, in SCIM (RFC 7643 2.4), Meteor, Stytch and others. */
const VALUES: ReadonlySet<string> = new Set(["value", "address", "number", "e164"]);
const PRIMARY: ReadonlySet<string> = new Set(["primary", "isprimary", "preferred", "isdefault"]);

type ContactField = "email" | "phone";

export function isContactField(field: TextField): field is ContactField {
  return field === "email" || field === "phone";
}

export class UserContacts {
  readonly #listed: Record<ContactField, ContactCandidate[]> = { email: [], phone: [] };
  readonly #verified: Record<Verifies, boolean | null> = { email: null, phone: null, any: null };
  readonly #onUnread: () => void;

  /** @param onUnread told of a verification that can't be read */
  constructor(onUnread: () => void) {
    this.#onUnread = onUnread;
  }

  clear(): void {
    const { email, phone } = this.#listed;
    if (email.length > 0) email.length = 0;
    if (phone.length > 0) phone.length = 0;
    const verified = this.#verified;
    verified.email = verified.phone = verified.any = null;
  }

  /** @param list as JSON has it */
  add(field: ContactField, list: readonly unknown[]): void {
    this.#listed[field].push(...list.flatMap((one) => readContact(one, this.#onUnread)));
  }

  /** Emails and phones in one list. */
  addAny(list: readonly unknown[]): void {
    for (const contact of list.flatMap((one) => readContact(one, this.#onUnread))) {
      this.#listed[contact.value.includes("@") ? "email" : "phone"].push(contact);
    }
  }

  /** A flag that stands apart from its contact. */
  verify(of: Verifies, said: Verification): void {
    this.#verified[of] = bothOf(this.#verified[of], settled(said, this.#onUnread));
  }

  /** The one to keep. One that stands for itself wins over a list; a flag beside them is about the one chosen. */
  chosen(field: ContactField, texts: UserTexts): ChosenContact {
    const text = texts.of(field);
    const hasEmail = texts.of("email") !== "" || this.#listed.email.length > 0;
    const isOnly = hasEmail === (field === "email");
    const flag = bothOf(this.#verified[field], isOnly ? this.#verified.any : null);
    return chosenOf(text, this.#listed[field], flag);
  }
}

/**
 * @param text of the contact that stands for itself; empty where there is none
 * @param flag says of it, or of one of the others, whether it is verified
 */
export function chosenOf(
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
export function bothOf(one: boolean | null, other: boolean | null): boolean | null {
  return one === false || other === false ? false : (one ?? other);
}

/** What is unread counts as no, and is told. */
export function settled(said: Verification, onUnread: () => void): boolean | null {
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
export function readContact(
  element: unknown,
  onUnread: () => void,
  said: Pick<ContactCandidate, "verified" | "primary"> = UNSAID,
): readonly ContactCandidate[] {
  if (!isObject(element)) return filled([textIn(element)], said);
  let values: readonly string[] = NONE;
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

const NONE: readonly string[] = [];

function textIn(value: unknown): string {
  return (textOf(unwrap(value)) ?? "").trim();
}

function isSaid(text: string): boolean {
  return text !== "";
}

function filled(values: readonly string[], said: Pick<ContactCandidate, "verified" | "primary">) {
  return values.filter(isSaid).map((value) => ({ value, ...said }));
}

type TextMeaning = Extract<Meaning, { kind: "text" }>;
type Texts = Record<TextField, Saying | null>;

/** What one property says about a field. */
export interface Saying {
  readonly path: string;
  readonly meaning: TextMeaning;
  readonly text: string;
}

export class UserTexts {
  readonly #texts: Texts = {
    id: null,
    email: null,
    phone: null,
    hash: null,
    salt: null,
    plain: null,
  };

  /** @param known what was read of the next user by name */
  clear(known: UserDraft | null): void {
    const texts = this.#texts;
    texts.id = texts.email = texts.phone = null;
    texts.hash = texts.salt = texts.plain = null;
    if (known === null) return;
    const { email, phone, hash } = known;
    const held = { email, phone, hash: hash?.kind === "text" ? hash.text : "" };
    for (const field of ["email", "phone", "hash"] as const) {
      this.say({ path: field, meaning: { kind: "text", field, rank: -1 }, text: held[field] });
    }
  }

  /** @returns what gives way to a surer name, or damage where the two say different things */
  say(saying: Saying): Saying | RowDamage | null {
    const { field, rank } = saying.meaning;
    if (saying.text.trim() === "") return null;
    const known = this.#texts[field];
    const isSurer = known !== null && isUnsure(known.meaning) && !isUnsure(saying.meaning);
    const isLessSure = known !== null && !isUnsure(known.meaning) && isUnsure(saying.meaning);
    if (known === null || isSurer || (field === "id" && rank < known.meaning.rank)) {
      this.#texts[field] = saying;
      return isSurer ? known : null;
    }
    if (isLessSure) return saying;
    // Which of several passwords in plain text it is doesn't matter: none is sent.
    if (field === "id" || field === "plain" || !contradicts(known, saying)) return null;
    return severalSay(known, saying);
  }

  /** Empty where nothing says it. */
  of(field: TextField): string {
    return this.#texts[field]?.text ?? "";
  }

  /** Of the property that says it; null where none does. */
  path(field: TextField): string | null {
    return this.#texts[field]?.path ?? null;
  }
}

/** Whether two names for one field have different values. */
function contradicts(one: Saying, other: Saying): boolean {
  const [a, b] = [one.text.trim(), other.text.trim()];
  return one.meaning.field === "email" ? a.toLowerCase() !== b.toLowerCase() : a !== b;
}

function severalSay({ meaning, path }: Saying, other: Saying): RowDamage {
  const { field } = meaning;
  return new RowDamage(
    "field_ambiguous",
    `The properties ${showName(path)} and ${showName(other.path)} both may be the ${field}, and differ; say which one it is with --map ${field}=NAME.`,
  );
}
